"""Where engines stand among ratings, and how well that is known."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from engines import levels
from engines.levels import Level, Measurement
from webapp.play.ratings import anchors, scale

POINTS = 400 / math.log(10)


@pytest.fixture
def step(monkeypatch):
    """The distance of a second level from the first, and its error, from what was measured."""

    def measure(measured: Measurement, game: str = "carcassonne") -> tuple[float, float]:
        known = tuple(
            Level(name, name, "", "random", {}, {}, False, found) for name, found in (("low", measured), ("high", None))
        )
        monkeypatch.setattr(levels, "for_game", lambda _: known)
        low, high = anchors.for_game(game, "paper")
        assert (low.mean, low.error) == (1000, 0)
        return high.mean - low.mean, high.error

    return measure


def test_anchors_repeat_what_was_measured(monkeypatch):
    """By hand: 19 wins and 1 draw of 41 make 19.5 + 0.5 to 21.5 + 0.5, so 22/20 for the stronger."""
    measured = Measurement(1, ((0, 0, 21), (0, 1, 1), (1, 0, 19)))
    weak = Level("weak", "Weak", "", "random", {}, {}, False, measured)
    middle = Level("middle", "Middle", "", "random", {}, {}, False, None)
    top = Level("top", "Top", "", "random", {}, {}, False, None)
    monkeypatch.setattr(levels, "for_game", lambda _: (weak, middle, top))
    found = anchors.for_game("carcassonne", "paper")
    assert [anchor.level.id for anchor in found] == ["weak", "middle"]  # nobody has measured the third
    assert found[1].mean - found[0].mean == pytest.approx(scale.POINTS * math.log(22 / 20))
    pairs = anchors.for_game("dominoes", "paper")  # two partners share the distance
    assert pairs[1].mean - pairs[0].mean == pytest.approx(scale.POINTS * math.log(22 / 20) / 2)


def test_anchors_of_a_pool_are_measured_by_its_rules_or_have_wider_errors(monkeypatch):
    """By hand: even by the paper's rules; by the book 3 of 4 for the stronger, so 3.5 to 1.5."""
    even, better = Measurement(1, ((0, 0, 2), (1, 0, 2))), Measurement(1, ((0, 0, 3), (1, 0, 1)))
    rows = [("low", even, better), ("middle", even, None), ("high", None, None)]
    known = tuple(Level(name, name, "", "random", {}, {}, False, paper, by_book=book) for name, paper, book in rows)
    monkeypatch.setattr(levels, "for_game", lambda _: known)
    paper, book = anchors.for_game("carcassonne", "paper"), anchors.for_game("carcassonne", "book")
    assert [anchor.mean for anchor in paper] == [1000] * 3
    assert book[1].mean == pytest.approx(1000 + scale.POINTS * math.log(3.5 / 1.5))
    assert book[2].mean == book[1].mean
    assert [anchor.is_measured for anchor in book] == [True, True, False]
    assert book[2].error == pytest.approx(math.hypot(paper[2].error, anchors.OTHER_RULES))


def test_an_error_has_deals_as_its_units(step):
    """By hand: on four deals of two matches 3/2, 1/2, 0 and 0 points, so 2 of 8, 2.5 to 6.5 with the half matches.

    From 1/2 a deal they are off by 1, 0, 1/2 and 1/2, squares 3/2; so the squared error of the share is
    4/3 of 3/2 over 8 squared, 1/32, and 4/3 of what independent matches have, 1/4 of 3/4 over 8; and 1/60
    for a third win, whose deal's other match may go like it, once in 30 times (`worker.analysis.rates`).
    """
    distance, error = step(Measurement(2, ((0, 0, 2), (0, 1, 1), (1, 1, 1))))
    assert distance == pytest.approx(POINTS * math.log(6.5 / 2.5))
    assert error == pytest.approx(POINTS * math.sqrt((4 / 3 + 1 / 60) * (1 / 2.5 + 1 / 6.5)))
    partners = step(Measurement(2, ((0, 0, 2), (0, 1, 1), (1, 1, 1))), "dominoes")
    assert partners == (pytest.approx(distance / 2), pytest.approx(error / 2))


def test_levels_share_the_errors_of_the_distances_below_them(monkeypatch):
    """By hand: with distances known to 3 and to 4 points, the third place is known to 5, and shares 9 with the second.

    The same as the inverse of the chain's information, the weakest level being the zero.
    """
    known = tuple(Level(name, name, "", "random", {}, {}, False, Measurement(1, ((0, 0, 5),))) for name in "abc")
    monkeypatch.setattr(levels, "for_game", lambda _: known)
    monkeypatch.setattr(anchors, "_distance", lambda *_: distances.pop(0))
    distances = [(300.0, 3.0), (200.0, 4.0)] * 2
    assert [anchor.whole_error for anchor in anchors.for_game("carcassonne", "paper")] == [0, 3, 5]
    errors = anchors.errors("carcassonne", "paper")
    assert errors.ids == ("a", "b", "c", scale.START)
    start = scale.START_ERROR**2
    assert errors.covariance == pytest.approx(np.array([[0, 0, 0, 0], [0, 9, 9, 0], [0, 9, 25, 0], [0, 0, 0, start]]))
    pairs = np.array([[1, 0], [-1, 1]])
    assert np.linalg.inv(pairs.T @ np.diag([1 / 9, 1 / 16]) @ pairs) == pytest.approx(errors.covariance[1:3, 1:3])


def test_a_level_that_is_gone_leans_on_the_nearest():
    places = {anchor.level.id: anchor.mean for anchor in anchors.for_game("carcassonne", "paper")}
    assert anchors.leaning("carcassonne", "paper", "hard", 0.0) == {"hard": 1}
    assert anchors.leaning("carcassonne", "paper", "gone", places["easy"] + 20) == {"easy": 1}
    assert anchors.leaning("no game", "paper", "gone", 1200.0) == {scale.START: 1}


def test_matches_counted_twice_make_nothing_surer(step):
    once = Measurement(1, ((0, 0, 162), (1, 0, 38)))
    twice = Measurement(2, ((0, 0, 162), (2, 0, 38)))
    # the half matches are a part of 1/38 less beside twice as many wins
    assert step(twice)[1] == pytest.approx(step(once)[1], rel=0.02)


@pytest.mark.parametrize("per_deal", [1, 2, 4])
@pytest.mark.parametrize("deals", [3, 10, 200, 5000])
def test_a_clean_sweep_promises_no_more_than_its_deals_do(step, per_deal, deals):
    """Of so many single matches, all lost, the exact bound of the weaker one's rate is 1 - 0.025^(1/n)."""
    distance, error = step(Measurement(per_deal, ((0, 0, deals),)))
    exact = 1 - 0.025 ** (1 / deals)
    assert math.isfinite(distance)
    assert distance - 1.96 * error < POINTS * math.log((1 - exact) / exact)
    assert error >= POINTS * math.sqrt(per_deal * 2)


@pytest.mark.long
@pytest.mark.parametrize("world", ["independent", "a seat is favoured", "an engine is favoured"])
@pytest.mark.parametrize("rate", [0.1, 0.3])
def test_intervals_of_distances_hold_what_they_say(step, world, rate):
    """Of 1,000 measurements on 200 deals 93 to 97 % of the intervals hold: 95, three standard errors to both sides.

    A deal favours a seat, or an engine, by two in the logarithm of the odds, or its opposite.
    """
    rng = np.random.default_rng(17)
    favour = np.where(rng.random((1000, 200)) < 0.5, -2.0, 2.0) * (world != "independent")
    second = -favour if world == "a seat is favoured" else favour
    logit = _centre(rate, 2.0 * (world != "independent"))
    won = sum((rng.random(one.shape) < 1 / (1 + np.exp(-logit - one))).astype(int) for one in (favour, second))
    truth = POINTS * math.log((1 - rate) / rate)
    held = 0
    for row in won:
        counted = Counter(row.tolist())
        distance, error = step(Measurement(2, tuple((wins, 0, deals) for wins, deals in counted.items())))
        held += abs(distance - truth) <= 1.96 * error
    assert 930 <= held <= 970


def _centre(rate, favour):
    """The logarithm of the odds between two deals, favour above and below, that win so often on average."""
    low, high = -10.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        mean = sum(1 / (1 + math.exp(-middle - sign * favour)) for sign in (-1, 1)) / 2
        low, high = (middle, high) if mean < rate else (low, middle)
    return low
