"""Lines that the supervisor prints: one short line per event, with the part's name before it."""

from __future__ import annotations

import sys
from pathlib import Path

LAST_LINES = 12


def say(name: str, message: str) -> None:
    """Print a status line at once."""
    print(f"[{name}] {message}", flush=True)


def say_plain(message: str = "") -> None:
    """Print a line without a name."""
    print(message, flush=True)


def complain(name: str, message: str, log: Path | None = None, start: int = 0) -> None:
    """Print a line to standard error, with the end of a log file (from a byte on) below it."""
    print(f"[{name}] {message}", file=sys.stderr)
    if log is not None:
        for line in last_lines(log, start):
            print(f"    {line}", file=sys.stderr)
        print(f"    (from {log})", file=sys.stderr)
    sys.stderr.flush()


def last_lines(log: Path, start: int = 0) -> list[str]:
    """The end of a log file; nothing where there is no file."""
    try:
        with log.open("rb") as file:
            file.seek(start)
            return file.read().decode(errors="replace").splitlines()[-LAST_LINES:]
    except OSError:
        return []
