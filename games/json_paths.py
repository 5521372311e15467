"""Places in JSON, and errors that name them: ``arms[0].seats[1].options.epsilon``."""

from __future__ import annotations

from collections.abc import Iterable

Path = tuple[str | int, ...]
"""Keys of objects and indices of lists, outermost first."""


def format_path(path: Iterable[str | int]) -> str:
    """A path as people read and write it; empty for the whole."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


class PathError(ValueError):
    """A bad value in JSON. `path` says which one, the message what is allowed."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(f"{format_path(path)}: {message}" if path else message)
        self.path = path
        self.message = message

    @property
    def place(self) -> str:
        """The path as people read it."""
        return format_path(self.path)
