"""Data kept beside a game's rules that commands write: `games/GAME/stored/NAME.json`.

They stand apart from `data/`, which kernels are compiled from: measuring anew compiles nothing anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def path(folder: Path, name: str) -> Path:
    """The file of that name in a game's package (`Game.folder`)."""
    return folder / "stored" / f"{name}.json"


def read(folder: Path, name: str, format_name: str) -> dict[str, Any] | None:
    """Return the contents of the file, which says its format in ``format``; None where the game has no such file."""
    file = path(folder, name)
    if not file.exists():
        return None
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    assert data["format"] == format_name, f"{file.name} of {folder.name} is of format {data['format']!r}"
    return data


def write(folder: Path, name: str, text: str) -> None:
    """Write the file anew."""
    file = path(folder, name)
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
