"""Matches of every game that tests play by hand, to the end."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest


class Course(NamedTuple):
    """A match of two seats with the usual options: its plies, and how many are played before hands take over.

    deal_seed: one by which the first seat begins. A whole match by hand takes its time: those are slow tests.
    """

    game: str
    whole: int
    late: int
    deal_seed: int


CARCASSONNE = Course("carcassonne", 71, 64, deal_seed=5)
KINGDOMINO = Course("kingdomino", 28, 20, deal_seed=3)
ALL = (CARCASSONNE, KINGDOMINO)


def all_of_them(last: int = 0) -> Any:
    """Parametrise with every `course` and the ply `begun` from which on it is played by hand.

    last: that many plies in the default run instead of the course's own number.
    """
    ends = [(course, course.whole - last if last else course.late) for course in ALL]
    rows = [pytest.param(course, begun, id=f"{course.game}, its end") for course, begun in ends]
    rows += [pytest.param(course, 0, id=f"{course.game}, whole", marks=pytest.mark.slow) for course in ALL]
    return pytest.mark.parametrize(("course", "begun"), rows)
