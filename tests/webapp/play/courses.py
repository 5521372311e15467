"""Matches of every game that tests play by hand, to the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest


class Course(NamedTuple):
    """A match: its plies (None: they depend on the play), and how many are played before hands take over.

    deal_seed: one by which the first seat begins, of two; options: those that are not the usual
    ones. A whole match by hand takes its time: those are slow tests.
    """

    game: str
    whole: int | None
    late: int
    deal_seed: int
    seats: int = 2
    options: Mapping[str, Any] = {}

    def may_end_after(self, plies: int) -> bool:
        """Whether a match can have so many plies."""
        return plies > self.late if self.whole is None else plies == self.whole


CARCASSONNE = Course("carcassonne", 71, 64, deal_seed=5)
KINGDOMINO = Course("kingdomino", 28, 20, deal_seed=3)
DOMINOES = Course("dominoes", None, 16, deal_seed=5, seats=4, options={"length": "round"})
DOMINION = Course("dominion", None, 6, deal_seed=3, options={"turn_limit": 4})
FOR_TWO = (CARCASSONNE, KINGDOMINO)
"""Matches of two seats, all of them of the same length."""
ALL = (*FOR_TWO, DOMINOES, DOMINION)


def all_of_them(courses: Sequence[Course] = ALL, last: int = 0, quick: Sequence[Course] = ALL) -> Any:
    """Parametrise with every `course` and the ply `begun` from which on it is played by hand.

    last: that many plies in the default run instead of the course's own number, where the length is known.
    quick: the courses of the default run; of the others the end is slow, too.
    """
    ends = [(course, course.whole - last if last and course.whole else course.late) for course in courses]
    slow = {course.game: () if course in quick else (pytest.mark.slow,) for course in courses}
    rows = [
        pytest.param(course, begun, id=f"{course.game}, its end", marks=slow[course.game]) for course, begun in ends
    ]
    rows += [pytest.param(course, 0, id=f"{course.game}, whole", marks=pytest.mark.slow) for course in courses]
    return pytest.mark.parametrize(("course", "begun"), rows)
