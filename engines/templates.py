"""Kernel templates of searches (`search/*.py`): each over a game's rules, with those that it builds on."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import ModuleType
from typing import Any

from games import loader, readiness
from games.values import GameValue, loading

SEARCH = Path(__file__).parent / "search"
ARGUMENTS = Path(__file__).parent / "kernel_arguments.py"
USES: dict[str, tuple[str, ...]] = {
    "endgame": ("utility",),
    "bandit": ("selection",),
    "flat": ("utility", "between", "value_play", "bandit"),
    "uct_tree": ("utility", "selection", "between"),
    "uct": ("uct_tree", "between"),
    "self_play": ("between", "value_play"),
}
"""Template -> those that it sees by their names; of `utility` the function of that name alone."""
VALUED = ("uct_tree", "value_play")
"""Templates that are used in the variant of those that use them: by the game's value, or without."""
NAMED = {"uct_tree": "tree"}
"""Templates that others see by a shorter name."""


def _digest(name: str, value: str = "") -> str:
    """Stands in its tag for all that a template is built on: the loader sees one file a template."""
    text = ARGUMENTS.read_bytes() + value.encode()
    text += b"".join((SEARCH / f"{used}.py").read_bytes() + _digest(used).encode() for used in USES.get(name, ()))
    return hashlib.sha256(text).hexdigest()[:8]


def load(
    name: str, game_folder: Path, journal: bool, mode: str | None = None, value: GameValue | None = None
) -> ModuleType:
    """The template `search/NAME.py` over a game's rules (R) and, in a variant of its own, over its value (V, or None).

    mode: None is `readiness.usual_mode`.
    """
    mode = mode or readiness.usual_mode()
    names: list[tuple[str, Any]] = [*loader.frame(mode, journal), ("R", loader.rules(game_folder, journal, mode))]
    names.append(("V", loading.load(value, game_folder, journal, mode) if value else None))
    for used in USES.get(name, ()):
        module = load(used, game_folder, journal, mode, value if used in VALUED else None)
        names.append((NAMED.get(used, used), module.utility if used == "utility" else module))
    kind = f"{name}_value" if value else name
    digest = _digest(name, value.digest if value else "")
    tag = f"{game_folder.name}_{kind}_j{int(journal)}_{digest}"
    return loader.template(SEARCH / f"{name}.py", game_folder, tag, mode, tuple(names))
