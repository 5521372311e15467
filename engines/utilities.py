"""What a match is worth to a seat: the names of the choices, and templates that reckon with them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import ModuleType

from games import loader

UTILITIES = ("difference", "wdl", "relative", "own")
"""In the order of kinds in `search/utility.py`."""
SEARCH = Path(__file__).parent / "search"


def digest(*names: str) -> str:
    """Stands for these templates in the tag of one that uses them: the loader sees one file a template."""
    return hashlib.sha256(b"".join((SEARCH / f"{name}.py").read_bytes() for name in names)).hexdigest()[:8]


def load(name: str, game_folder: Path, journal: bool, mode: str = "jit") -> ModuleType:
    """The template `search/NAME.py` over a game's rules (R), with `utility` as a name in it."""
    shared = loader.algorithm(SEARCH / "utility.py", game_folder, journal, mode)
    rules = loader.rules(game_folder, journal, mode)
    names = (*loader.frame(mode, journal), ("R", rules), ("utility", shared.utility))
    tag = f"{game_folder.name}_{name}_j{int(journal)}_{digest('utility')}"
    return loader.template(SEARCH / f"{name}.py", game_folder, tag, mode, names)
