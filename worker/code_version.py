"""Which code plays here: a hash of what decides a match (games, engines, worker), and the commit it was taken from.

Two processes of one hash play the same matches from the same seeds. The commit is for people: a clone says it
itself, an image by `LAB_COMMIT`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("games", "engines", "worker")
KINDS = (".py", ".json")
"""Rules, searches and the data that they read; drawings and guides decide nothing."""
RESULTS = "worker/presets/data/runs/"
"""What was played decides nothing either: a run that is stored makes no other code."""


@cache
def content_hash() -> str:
    """SHA-256 of names and contents of those files, in hexadecimal."""
    return hash_of(ROOT)


def hash_of(root: Path) -> str:
    """The same of another checkout."""
    digest = hashlib.sha256()
    files = (path for room in ROOMS for path in (root / room).rglob("*") if path.suffix in KINDS)
    for name, path in sorted((path.relative_to(root).as_posix(), path) for path in files):
        if name.startswith(RESULTS):
            continue
        content = path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


@cache
def release() -> str:
    """The version of the lab, as the project names it."""
    try:
        return version("meeple-lab")
    except PackageNotFoundError:
        text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        return str(tomllib.loads(text)["project"]["version"])


@cache
def commit() -> str:
    """The commit of this checkout, 40 digits; empty where nobody knows."""
    if given := os.environ.get("LAB_COMMIT", "").strip():
        return given[:40]
    if not (ROOT / ".git").exists():
        return ""
    command = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip()[:40]


def in_words(code: str, of_commit: str) -> str:
    """A state of the code as people read it: "commit 1a2b3c4d5e, code 6f7a8b9c0d"."""
    return f"commit {of_commit[:10]}, code {code[:10]}" if of_commit else f"code {code[:10]}"
