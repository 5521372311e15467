"""What tests play of a game where random matches with the usual options do not say enough.

A game says so in `sample.py` of its test package, by the constants `SAMPLE` and `COURSE`; what it does
not say is as below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from games import registry


@dataclass(frozen=True)
class Sample:
    """Matches that contract tests play.

    rich_options: with these a match has everything that a game can have, where the usual ones leave
    something out; rare: options, and how many matches with them between them have what is rare: many
    rounds, or long ones; has_ply_bound: whether `plies_left` is never too low, or else what is usual.
    """

    rich_options: Mapping[str, Any] = field(default_factory=dict)
    rare: Sequence[tuple[Mapping[str, Any], int]] = ()
    has_ply_bound: bool = True


class Course(NamedTuple):
    """A match that tests play by hand: its plies (None: they depend on the play), and how many before hands take over.

    deal_seed: one by which the first seat begins, of two; options: those that are not the usual
    ones. A whole match by hand takes its time: those are slow tests.
    """

    game: str
    whole: int | None
    late: int
    deal_seed: int
    seats: int = 2
    options: Mapping[str, Any] = {}

    def may_end_after(self, plies: int, begun: int = 0) -> bool:
        """Whether a match can have so many plies. begun: those before hands took over."""
        return plies > begun if self.whole is None else plies == self.whole


@cache
def sample_of(game_id: str) -> Sample:
    """What contract tests play of a game."""
    found: Sample = _said(game_id, "SAMPLE") or Sample()
    return found


def course_of(game_id: str) -> Course:
    """The match of a game that is played by hand: from its start, where the game does not say."""
    seats = max(2, registry.get(game_id).traits.min_seats)
    found: Course = _said(game_id, "COURSE") or Course(game_id, None, 0, deal_seed=1, seats=seats)
    return found


def _said(game_id: str, name: str) -> Any:
    if not (Path(__file__).parent / game_id / "sample.py").exists():
        return None
    return getattr(import_module(f"tests.games.{game_id}.sample"), name, None)
