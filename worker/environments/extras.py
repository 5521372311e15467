"""The packages that only environments need, and what to do where they are missing."""

from __future__ import annotations

import shlex
from importlib import import_module
from pathlib import Path

PINNED = Path(__file__).parents[2] / "requirements" / "learning.txt"
"""What a checkout installs; an installed package has no such file."""


def how(pinned: Path = PINNED) -> str:
    """The command that installs what is missing."""
    if pinned.is_file():
        return f"python -m pip install -r {shlex.quote(str(pinned))}"
    return "pip install '.[learning]', in the folder of the project"


def require(*names: str) -> None:
    """Check that packages can be imported. Raises ImportError that says how to install them."""
    for name in names:
        try:
            import_module(name)
        except ImportError as error:
            raise ImportError(f"environments for learning need {name}; install it with: {how()}") from error
