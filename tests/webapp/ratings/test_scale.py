"""The points of ratings, and where engines stand on them."""

from __future__ import annotations

import math

import pytest

from engines import levels
from engines.levels import Level, Measured
from webapp.ratings import anchors, scale
from webapp.ratings.scale import Skill


def test_four_hundred_points_are_ten_wins_in_eleven() -> None:
    assert scale.chance(400) == pytest.approx(10 / 11)
    assert scale.chance(0) == 0.5


def test_equals_who_draw_keep_their_points_and_are_better_known() -> None:
    ((first,), (second,)) = scale.after([[Skill()], [Skill()]], [1, 1])
    assert first.mean == second.mean == pytest.approx(scale.MEAN)
    assert first.deviation < scale.DEVIATION


def test_the_first_of_three_gains_and_the_last_loses() -> None:
    found = [side[0].mean - scale.MEAN for side in scale.after([[Skill()]] * 3, [2, 1, 3])]
    assert found[1] > 0 > found[2]
    assert found[1] > found[0] > found[2]


def test_anchors_repeat_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: 19 wins and 1 draw of 41 make 19.5 + 0.5 to 21.5 + 0.5, so 22/20 for the stronger."""
    weak = Level("weak", "Weak", "", "random", {}, {}, False, Measured(19, 1, 21))
    middle = Level("middle", "Middle", "", "random", {}, {}, False, None)
    top = Level("top", "Top", "", "random", {}, {}, False, None)
    monkeypatch.setattr(levels, "of", lambda _: (weak, middle, top))
    found = anchors.of("carcassonne")
    assert [anchor.level.id for anchor in found] == ["weak", "middle"]  # nobody has measured the third
    assert found[1].mean - found[0].mean == pytest.approx(scale.POINTS * math.log(22 / 20))
    pairs = anchors.of("dominoes")  # two partners share the distance
    assert pairs[1].mean - pairs[0].mean == pytest.approx(scale.POINTS * math.log(22 / 20) / 2)
