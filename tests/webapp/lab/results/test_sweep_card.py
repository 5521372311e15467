"""What a sweep shows: numbers as a report of the same matches has them, words, arms beside it, the chart."""

from __future__ import annotations

import dataclasses
import json
import random
from typing import Any

import pytest
from django.test import Client

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import RANDOM, seat
from webapp.lab.results.charts import registry
from webapp.lab.results.selectors import results
from webapp.lab.results.sweep_card import sweep_card
from webapp.lab.results.swept import responses
from worker import spec as specs
from worker.report import Report

pytestmark = pytest.mark.django_db
VALUES = [5, 10, 20, 40]
PLAYOUTS = {"paths": ["seats[0].budget.playouts"], "values": VALUES}
BESIDE = seat("flat_mc", options={"utility": "wdl"}, budget={"playouts": 9})
POINTS = {0: -3, 1: 3, 2: 3.5, 3: 3, 4: 1}
"""Mean margin of each arm; the last one stands beside the sweep."""
SLOPE = (-0.3, -0.1, 0.1, 0.3)
"""What each value counts in the least-squares slope over 0, 1, 2 and 3 doublings."""


def _swept(owner: Any, deals: int = 40, **changes: Any) -> Any:
    """A sweep whose first value is clearly worse, with an arm beside it that is the baseline."""
    lineups = [[seat("flat_mc", budget={"playouts": value}), RANDOM] for value in VALUES]
    axes = {"axes": [PLAYOUTS], "beside": 1}
    made = factory.experiment(owner, [*lineups, [BESIDE, RANDOM]], deals, sweep=axes, baseline=4, **changes)
    factory.write(made, [_match(made, arm, deal) for arm in range(5) for deal in range(2 * deals)])
    return factory.over(made, made.Status.FINISHED)


def _match(made: Any, arm: int, ordinal: int) -> Any:
    """One of two matches, with the points of its own: the deal moves all arms alike."""
    deal, rotation = divmod(ordinal, 2)
    ahead = POINTS[arm] + deal % 4 - 1.5 + random.Random(f"{arm} {ordinal}").uniform(-5, 5)
    played = factory.decided(made, 0, rotation, 30 + round(ahead), 30)
    return dataclasses.replace(played, arm=arm, deal=deal)


def test_pages_and_reports_say_the_same_of_a_sweep(alice: Any, client: Client) -> None:
    made = _swept(alice)
    report = Report(specs.from_json(made.spec))
    report.write(_match(made, arm, ordinal) for arm in range(5) for ordinal in range(80))
    found, told = responses(made), report.responses()
    assert found is not None
    for answer, name in ((found.wins, "win"), (found.margins, "margin")):
        assert answer is not None
        assert json.dumps(dataclasses.asdict(answer)) == json.dumps(told[name])
    assert found.margins is not None
    assert found.margins.kept == (1, 2, 3)
    assert (found.margins.best, found.margins.span) == (2, (5.0, 40.0))
    (trend,) = found.margins.trends
    assert (trend.scale, trend.is_shown) == ("log", True)
    assert trend.slope.mean == pytest.approx(sum(w * m for w, m in zip(SLOPE, found.margins.means, strict=True)))

    card = sweep_card(made)
    assert card is not None
    assert card.title == "What the sweep shows"
    assert card.sentence.startswith("Each doubling of playouts a ply changes the win rate by +")
    assert card.sentence.endswith("10, 20 and 40 cannot be told from the best; the other values win less often.")
    assert dict(card.rows)["Cannot be told from the best"][1] == "10, 20 and 40"
    assert "40 deals that all its arms have" in card.note
    assert [row.side.arm for row in results(made).differences] == [0, 1, 2, 3]

    figure = registry.get("sweep-margin").build(made, 0)
    json.dumps(figure.to_json(), allow_nan=False)
    assert all(len(row) == len(figure.columns) for row in figure.rows)
    assert figure.rows[-1][0] == "Arm 4"
    curve, line, points = figure.data
    assert curve["y"] == pytest.approx(found.margins.curve)
    assert line["y"] == [pytest.approx(results(made).compared[4].result.mean_margin)] * 2
    assert points["marker"]["symbol"] == ["circle-open", "circle", "circle", "circle"]
    assert "Hollow: worse than the best." in figure.note

    client.force_login(alice)
    page = client.get(f"/experiments/{made.pk}/").content.decode()
    assert "What the sweep shows" in page


def test_while_it_runs_a_sweep_is_judged_for_every_look(alice: Any) -> None:
    made = _swept(alice)
    at_the_end = responses(made)
    made.status = made.Status.RUNNING
    found, card = responses(made), sweep_card(made)
    assert found is not None
    assert found.wins is not None
    assert at_the_end is not None
    assert at_the_end.wins is not None
    (now,), (then,) = found.wins.trends, at_the_end.wins.trends
    assert now.p is None
    assert now.slope.interval is not None
    assert then.slope.interval is not None
    assert now.slope.interval.low < then.slope.interval.low
    assert now.slope.interval.high > then.slope.interval.high
    assert set(found.wins.kept) >= set(at_the_end.wins.kept)
    assert card is not None
    assert card.title.endswith("so far")
    assert card.note.endswith("All this holds at every look.")
    assert all(", p " not in cell for _, cells in card.rows for cell in cells)


def test_without_whole_deals_there_is_no_card(alice: Any) -> None:
    lineups = [[seat("flat_mc", budget={"playouts": value}), RANDOM] for value in VALUES]
    made = factory.experiment(alice, lineups, sweep={"axes": [PLAYOUTS]})
    assert sweep_card(made) is None
    factory.write(made, [factory.record(made, 0, 0), factory.record(made, 0, 1)])
    assert sweep_card(made) is None
    assert sweep_card(factory.played(alice)) is None


def test_crossed_values_have_a_trend_for_each_number(alice: Any) -> None:
    utility = {"paths": ["seats[0].options.utility"], "values": ["wdl", "difference"]}
    lineups = [
        [seat("flat_mc", options={"utility": name}, budget={"playouts": value}), RANDOM]
        for name in ("wdl", "difference")
        for value in (5, 20)
    ]
    twenty = PLAYOUTS | {"values": [5, 20]}
    card = sweep_card(factory.played(alice, lineups, sweep={"axes": [utility, twenty]}))
    assert card is not None
    assert card.sentence.endswith("Any of the 4 combinations may be the best.")
    assert [question for question, _ in card.rows] == [
        "Trend, in points: each step of 1 in playouts a ply",
        "Highest of those tried",
        "Cannot be told from the best",
    ]


def test_a_slope_that_is_the_same_on_every_deal_is_said_and_not_tested(alice: Any) -> None:
    """The first value loses and the others win all matches of all deals."""
    lineups = [[seat("flat_mc", budget={"playouts": value}), RANDOM] for value in VALUES]
    made = factory.experiment(alice, lineups, deals=3, sweep={"axes": [PLAYOUTS]})
    rows = [factory.decided(made, 0, rotation, 30 + ahead, 30) for ahead in (-5, 5, 5, 5) for rotation in (0, 1)]
    records = [dataclasses.replace(row, arm=i // 2, deal=deal) for i, row in enumerate(rows) for deal in range(3)]
    factory.write(made, records)
    card = sweep_card(factory.over(made, made.Status.FINISHED))
    assert card is not None
    assert card.sentence.startswith(
        "Each doubling of playouts a ply changes the win rate by +30.0 points on all 3 deals."
    )
    assert card.rows[0][1] == ("+30.0, on every deal", "+3.0, on every deal")
