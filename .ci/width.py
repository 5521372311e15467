"""Lines of pages wider than 120 characters that no formatter can break: a tag of Django's, a comment, an address."""

import sys
from pathlib import Path

WIDEST = 120
PAGES = ("templates/**/*.html", "static/css/**/*.css", "static/js/**/*.js")
ROOT = Path(__file__).parents[1]


def main() -> int:
    """Print each line that is too wide; how many there are decides the exit code."""
    files = sorted(file for pattern in PAGES for file in ROOT.glob(pattern))
    wide = [
        f"{file.relative_to(ROOT)}:{number}: {len(line)} characters"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > WIDEST
    ]
    print("\n".join(wide) or f"No line of {len(files)} files is wider than {WIDEST} characters.")
    return min(len(wide), 1)


if __name__ == "__main__":
    sys.exit(main())
