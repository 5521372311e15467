"""The points of ratings."""

from __future__ import annotations

import numpy as np
import pytest

from tests.webapp.play.ratings import coverage
from webapp.play.ratings import anchors, scale
from webapp.play.ratings.scale import START, AnchorErrors, Player, Skill

ALONE = AnchorErrors((START,), np.array([[scale.START_ERROR**2]]))


def test_four_hundred_points_are_ten_wins_in_eleven() -> None:
    assert scale.chance(400) == pytest.approx(10 / 11)
    assert scale.chance(0) == 0.5


def test_equals_who_draw_keep_their_points_and_are_better_known() -> None:
    ((first,), (second,)) = scale.update_players([[Player()], [Player()]], [1, 1], ALONE)
    assert first.mean == second.mean == pytest.approx(scale.MEAN)
    assert first.deviation < scale.DEVIATION
    assert first.leaning == pytest.approx({START: 1})


def test_the_first_of_three_gains_and_the_last_loses() -> None:
    sides = scale.update_players([[Player()]] * 3, [2, 1, 3], ALONE)
    found = [side[0].mean - scale.MEAN for side in sides]
    assert found[1] > 0 > found[2]
    assert found[1] > found[0] > found[2]


def test_errors_of_anchors_count_for_points_and_not_between_people() -> None:
    """By hand: 3 and 4 points make 5; who leans by 3/4 and 1/4 on two anchors of 4 and 3 points, by half that."""
    assert Skill(1600, 3, 4).half == pytest.approx(1.96 * 5)
    assert Skill(1600, 3, 4).sure == pytest.approx(1600 - 1.96 * 3)
    errors = AnchorErrors(("low", "high"), np.array([[16.0, 0.0], [0.0, 9.0]]))
    assert errors.error({"low": 1.0}) == pytest.approx(4)
    assert errors.error_between({"high": 1.0}, {"high": 1.0}) == 0
    assert errors.error_between({"low": 0.75, "high": 0.25}, {"low": 0.25, "high": 0.75}) == pytest.approx(2.5)


@pytest.mark.long
@pytest.mark.parametrize("is_off", [True, False])
def test_intervals_hold_beside_anchors_that_are_off_and_exact_ones(is_off: bool) -> None:
    """Of 1,500 people each, after 50 and 200 matches, 93 to 97 % hold: 95, and 3.5 standard errors to both sides.

    With anchors taken as exact, 63 to 84 % held where Carcassonne's are off (docs/findings/ratings.md).
    """
    for found in coverage.against_levels("carcassonne", 2300, (50, 200), 1500, is_off=is_off, is_near=True):
        assert 93 <= found.held <= 97, found


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_leads_hold_among_people_who_meet_no_engine(seats: int) -> None:
    """Of 20 groups of 24 people, 60 matches each; the whole table has 94 to 95 %, and a group errs together.

    Their points lean on the start alone, and say that they may all be off by its error.
    """
    world = coverage.among_people(seats, 20 if seats == 2 else 8)
    assert 90 < world.coverage_of_leads().held < 98
    assert world.leaning[..., -1] == pytest.approx(1)
    assert world.coverage().stated > scale.START_ERROR


@pytest.mark.slow
@pytest.mark.parametrize("game_id", coverage.GAMES)
def test_intervals_hold_in_every_game(game_id: str) -> None:
    """People between the weakest and the strongest level, after 50 and 200 matches: 93 to 97 of 100 intervals hold.

    Beyond the strongest level all that comes out are wins, and 1,200 points from where all begin 50 matches are
    few: what holds there docs/findings/ratings.md says.
    """
    levels = anchors.for_game(game_id, "paper")
    for skill in np.linspace(levels[0].mean, min(levels[-1].mean, scale.MEAN + 1200), 4):
        for is_off in (True, False):
            for is_near in (True, False):
                found = coverage.against_levels(game_id, skill, (50, 200), 2000, is_off=is_off, is_near=is_near)
                assert all(92.9 <= one.held <= 97.1 for one in found), (skill, is_off, is_near, found)
