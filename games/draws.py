"""What chance did between two plies, in words, for people who do not know a game's notation (`play/draws.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from games.protocol import Game, State


class Draw(NamedTuple):
    """One outcome, and the states before and after it."""

    before: State
    outcome: int
    after: State


def told(game: Game, state: State, outcomes: Sequence[int]) -> str:
    """``dominoes 3 (...), 33 (...)``: outcomes, one after the other from `state` on; empty where there are none.

    Seats are called by number or colour, and never begin it. Notation where a game has no words for what it draws.
    Raises IllegalActionError for an outcome that cannot be.
    """
    drawn = []
    for outcome in outcomes:
        after = game.apply(state, outcome)
        drawn.append(Draw(state, outcome, after))
        state = after
    if not drawn:
        return ""
    words = _told(game.folder, type(game).__module__.rpartition(".")[0])
    if words is None:
        return ", ".join(game.outcome_notation(one.before, one.outcome) for one in drawn)
    return str(words.told(drawn))


@cache
def _told(folder: Path, package: str) -> ModuleType | None:
    if not (folder / "play" / "draws.py").exists():
        return None
    return import_module(f"{package}.play.draws")
