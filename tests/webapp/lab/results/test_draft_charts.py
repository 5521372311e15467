"""Kingdomino's charts of draft and kingdom: their numbers are those of the matches."""

from __future__ import annotations

import math
from statistics import fmean
from typing import Any

import pytest

from tests.records import metrics as stored
from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM
from webapp.common.formats import UNDEFINED, number
from webapp.lab.results.charts import registry
from webapp.lab.results.charts.figure import Figure
from webapp.records.models import Seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(alice: Any) -> Any:
    """Four seats, 16 matches."""
    return factory.played(alice, [[FLAT, RANDOM, RANDOM, RANDOM]], deals=4, game="kingdomino")


def figure(made: Any, chart_id: str) -> Figure:
    return registry.get(chart_id).build(made, 0)


def metrics(made: Any, place: int) -> list[dict[str, float]]:
    return stored.of_all(Seat.objects.filter(match__experiment=made, lineup_index=place))


@pytest.mark.long
def test_scores_by_first_choice_are_means_over_the_matches_of_that_choice(made: Any) -> None:
    shown = figure(made, "first-choice")
    for place, rows in enumerate(metrics(made, place) for place in range(4)):
        for k in range(1, 5):
            own = [row[f"score_order_{k}"] for row in rows if row[f"order_{k}"]]
            mean = shown.rows[4 * (k - 1) + place][2]
            assert mean == (number(fmean(own), 2) if own else UNDEFINED)
    assert [row[0] for row in shown.rows[::4]] == ["First", "Second", "Third", "Fourth"]


def test_two_seats_have_two_orders(alice: Any) -> None:
    two = factory.played(alice, deals=2, game="kingdomino")
    assert {row[0] for row in figure(two, "first-choice").rows} == {"First", "Second"}
    assert not any("denied" in row[0] for row in figure(two, "tallies").rows)


def test_counts_are_means_of_a_match(made: Any) -> None:
    shown = figure(made, "tallies")
    labels = [row[0] for row in shown.rows[::4]]
    at = labels.index("Dominoes denied to the next to choose")
    for place, dot in enumerate(shown.data[4 * at :][:4]):
        assert dot["x"] == [pytest.approx(fmean(row["denied"] for row in metrics(made, place)))]
    assert not any("Number" in label for label in labels)


def test_ways_to_play_are_the_product_of_means_over_rounds_and_sides(made: Any) -> None:
    note = figure(made, "turned-by-round").note
    log = sum(
        math.log10(fmean(row[f"listed_round_{round_}"] for row in metrics(made, place)))
        for place in range(4)
        for round_ in range(1, 14)
    )
    digits, exponent = f"{10 ** (log % 1):.1f}", str(int(log)).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    assert f"Multiplied over all rounds and sides: {digits}·10{exponent} (95" in note
    assert "Multiplied" not in figure(made, "score-by-round").note


def test_two_kings_play_two_plies_a_round(alice: Any) -> None:
    two = factory.played(alice, deals=2, game="kingdomino")
    note = figure(two, "legal-by-round").note
    log = 2 * sum(
        math.log10(fmean(row[f"actions_round_{round_}"] for row in metrics(two, place)))
        for place in range(2)
        for round_ in range(1, 8)
    )
    assert f"sides: {10 ** (log % 1):.1f}·10" in note
