"""Writes the lab of a release: ``python -m tests.releases NAME`` makes it by this code, in a folder of its own."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

RELEASES = Path(__file__).parent


def main() -> None:
    """Make the lab, fill it, back it up."""
    path = RELEASES / f"{sys.argv[1]}.zip"
    with tempfile.TemporaryDirectory(prefix="lab-release-", dir="/tmp") as name:
        Path(name).chmod(0o755)  # Postgres may run as another user
        os.environ.pop("DATABASE_URL", None)
        os.environ |= {"LAB_DATA": name, "DJANGO_SETTINGS_MODULE": "webapp.settings"}
        import django

        django.setup()
        _write(path)
    print(f"{path}: {path.stat().st_size / 1000:.0f} KB")


def _write(path: Path) -> None:
    from django.core.management import call_command

    from tests.releases import content
    from webapp.ops import backup, data_folder
    from webapp.ops.open_database import open_database

    folder = data_folder.locate()
    with open_database(folder, is_exclusive=True):
        call_command("migrate", verbosity=0)
        content.fill()
        backup.write(path, folder)


if __name__ == "__main__":
    main()
