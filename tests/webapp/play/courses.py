"""Matches of every game that tests play by hand, to the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from games import registry
from tests.games.samples import Course, course_of

ALL = tuple(map(course_of, registry.ids()))
FOR_TWO = tuple(course for course in ALL if course.whole is not None)
"""Matches of two seats, all of them of the same length."""
CARCASSONNE, KINGDOMINO, DOMINOES, DOMINION = map(course_of, ("carcassonne", "kingdomino", "dominoes", "dominion"))


def all_of_them(
    courses: Sequence[Course] = ALL, last: int = 0, quick: Sequence[Course] = ALL, *, has_whole: bool = True
) -> Any:
    """Parametrise with every `course` and the ply `begun` from which on it is played by hand.

    last: that many plies in the default run instead of the course's own number, where the length is known.
    quick: the courses of the default run; of the others the end is slow, too.
    has_whole: whether there are whole matches, too, which are slow.
    """
    ends = [(course, course.whole - last if last and course.whole else course.late) for course in courses]
    slow = {course.game: () if course in quick else (pytest.mark.slow,) for course in courses}
    rows = [
        pytest.param(course, begun, id=f"{course.game}, its end", marks=slow[course.game]) for course, begun in ends
    ]
    if has_whole:
        rows += [pytest.param(course, 0, id=f"{course.game}, whole", marks=pytest.mark.slow) for course in courses]
    return pytest.mark.parametrize(("course", "begun"), rows)


def each(quick: Sequence[Course]) -> Any:
    """Parametrise with every `course`; quick: those of the default run."""
    rows = [pytest.param(course, id=course.game, marks=() if course in quick else pytest.mark.slow) for course in ALL]
    return pytest.mark.parametrize("course", rows)
