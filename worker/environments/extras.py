"""The packages that only environments need, and what to do where they are missing."""

from __future__ import annotations

from importlib import import_module

HOW = "python -m pip install -r requirements/learning.txt"


def require(*names: str) -> None:
    """Check that packages can be imported. Raises ImportError that says how to install them."""
    for name in names:
        try:
            import_module(name)
        except ImportError as error:
            raise ImportError(f"environments for learning need {name}; install it with: {HOW}") from error
