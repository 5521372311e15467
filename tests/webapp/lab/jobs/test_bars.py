"""Differences on the common axes of a list."""

from __future__ import annotations

from webapp.common.formats import MINUS
from webapp.lab.jobs.bars import Axes, Bar, axes_in, axes_of
from webapp.lab.jobs.briefs import Brief, Effect


def test_the_axis_of_a_measure_grows_by_steps_until_every_difference_lies_on_it() -> None:
    assert axes_of([Effect("win_rate", 9.1, 2.4, 15.8), None]).reach == {"win_rate": 20}
    effects = [Effect("win_rate", -34, -60, -8), Effect("win_rate", 3), Effect("place", 0.4), Effect("margin", 9000)]
    found = axes_of(effects)
    assert all(found.holds(Brief("words", "", effect)) for effect in effects)
    assert not found.holds(Brief("words", "", Effect("win_rate", 51)))
    assert not found.holds(Brief("words", "", Effect("rating", 1)))  # the page has no such axis yet
    assert found.reach == {"win_rate": 50, "margin": 500, "place": 1}
    assert axes_in(dict(pair.split("=") for pair in found.query[1:].split("&"))) == found
    assert axes_in({"win_rate": "51", "rating": "x", "pages": "1"}) == Axes({})


def test_a_bar_stands_where_its_numbers_are_and_is_cut_at_the_edge() -> None:
    axes = Axes({"win_rate": 20})
    assert axes.bar(Effect("win_rate", 10, 5, 15)) == Bar("75.00", "62.50", "87.50", "")
    assert axes.bar(Effect("win_rate", -10, -30, 25)) == Bar("25.00", "0.00", "100.00", "low high")
    assert axes.bar(Effect("win_rate", 0)) == Bar("50.00")
    assert axes.bar(Effect("rating", 50, 0, 100)) == Bar("75.00", "50.00", "100.00", "")
    assert axes.bar(Effect("score", 50)) is None


def test_a_few_differences_far_away_make_no_dots_of_the_others() -> None:
    near = [Effect("margin", mean, mean - 2, mean + 2) for mean in (3, -5, 8)]
    far, farther = Effect("margin", 450, 420, 480), Effect("margin", -60)
    axes = axes_of([*near, far])
    assert axes.reach == {"margin": 10}
    assert axes.bar(far) == Bar("100.00", "100.00", "100.00", "high")
    assert axes.bar(farther) == Bar("0.00", "0.00", "0.00", "low")
    assert axes.holds(Brief("words", "", far))
    assert not axes.holds(Brief("words", "", Effect("margin", 30)))  # so that the list is drawn anew, on a longer axis
    assert axes_of([*near, far, farther]).reach == {"margin": 100}  # of five two are not few
    assert axes_of([*near, Effect("margin", 39)]).reach == {"margin": 50}  # nor is that far


def test_a_page_says_what_its_axes_are() -> None:
    assert Axes({}).note == ""
    assert Axes({"win_rate": 20, "place": 1}).note == (
        f"Bars: the difference with its interval, on an axis from {MINUS}20 to +20 percentage points of the win rate,"
        f" or {MINUS}1 to +1 places gained."
    )
