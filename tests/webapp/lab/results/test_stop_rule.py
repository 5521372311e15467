"""The stop rule on the page: its chart, why it ended, what was dropped, and what lies beyond the end."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from scipy import stats

from tests.looping import looped
from tests.records import ruled
from tests.records.experiments import target
from webapp.lab.experiments import match_list
from webapp.lab.results import counted, exports
from webapp.lab.results.charts import registry
from webapp.lab.results.charts.figure import Figure
from webapp.lab.results.selectors import results
from webapp.lab.results.stop_state import dropped_words, ended_words, error_words, has_rule, stop_state
from webapp.lab.results.table import table
from webapp.records import looks, recorder
from webapp.records.models import Experiment, Match, Seat
from worker import schedule
from worker.analysis.stop_rules.model import BEYOND
from worker.looks import Ruling
from worker.spec import ExperimentSpec, MatchSpec, stop_rule

pytestmark = pytest.mark.django_db
FAILED = ((0, 5, 0), (0, 57, 1))
"""(arm, deal, rotation) of matches that fail in the experiments below, where there are so many."""


def made_of(owner: Any, spec: ExperimentSpec, levels: Sequence[int] = (), deals: int | None = None) -> Experiment:
    """The experiment with all matches of its first deals, looked at once."""
    made = ruled.experiment(spec, owner=owner)
    connection.ensure_connection()
    records = [_played(spec, match, levels) for match in schedule.expand(spec) if deals is None or match.deal < deals]
    recorder.write(connection.connection, target(made), records)
    looks.look(connection.connection, made.pk, spec)
    made.refresh_from_db()
    return made


def _played(spec: ExperimentSpec, match: MatchSpec, levels: Sequence[int]) -> Any:
    if (match.arm, match.deal, match.rotation) in FAILED:
        return ruled.failed(spec, match)
    return ruled.record(spec, match, levels)


def precise(owner: Any) -> Experiment:
    return made_of(owner, ruled.spec_of(ruled.PRECISE, 1))


def compared(owner: Any) -> Experiment:
    return made_of(owner, ruled.spec_of(ruled.SPRT, 1), [6])


def undecided(owner: Any) -> Experiment:
    return made_of(owner, ruled.spec_of(ruled.SPRT | {"h0": 19}, 2), [0, 0])


def raced(owner: Any) -> Experiment:
    return made_of(owner, ruled.spec_of(ruled.BEST_OF, 3), [0, -9, -14])


def running(owner: Any) -> Experiment:
    return made_of(owner, ruled.spec_of(ruled.SPRT | {"on": "margin", "h1": 9}, 2), deals=10)


def narrowing(owner: Any) -> Experiment:
    return made_of(owner, ruled.spec_of(ruled.PRECISE | {"on": "win_rate", "half_width": 5}, 3), deals=40)


EVERY = (precise, compared, undecided, raced, running, narrowing)


def _figure(made: Experiment) -> Figure:
    return registry.get("stop-rule").build(made, 0)


# ---- chart


@pytest.mark.long
@looped("make", EVERY)
def test_the_figure_is_whole(alice: Any, make: Any) -> None:
    """All that `test_charts.check_whole` asks for, but that it counts deals."""
    figure = _figure(make(alice))
    text = json.dumps(figure.to_json(), allow_nan=False)
    assert figure.title == "Stop rule"
    assert figure.subtitle.endswith(".")
    assert re.search(r"\d+ deals looked at, at most 60\.$", figure.subtitle)
    assert figure.name
    assert figure.data
    assert figure.rows
    assert all(len(row) == len(figure.columns) for row in figure.rows)
    assert not re.search(r"#[0-9A-Fa-f]{6}", text), "colours are token names"
    assert figure.layout["xaxis"]["title"]["text"] == "Deals, in their order"
    assert figure.layout["yaxis"]["title"]["text"]
    low, high = figure.layout["yaxis"]["range"]
    assert low < 0 < high


def test_the_width_is_drawn_down_to_the_one_that_is_wanted(alice: Any) -> None:
    """Of 29 deals after the failed one Student's interval; the rest is beyond the end."""
    made = precise(alice)
    figure, until = _figure(made), (made.outcome or {})["deals"]
    deals = [deal for deal in range(60) if deal not in (5, 57)]
    values = [np.mean([_margin(made, deal, turn) for turn in range(2)]) for deal in deals]
    whole = deals.index(until - 1) + 1
    (line,) = figure.data
    assert line["x"] == list(range(2, whole + 1))  # of one deal there is no width
    for number in (2, 17, whole):
        half = stats.t.ppf(0.975, number - 1) * np.std(values[:number], ddof=1) / number**0.5
        assert line["y"][number - 2] == pytest.approx(half)
    assert line["y"][-1] <= 2 or whole == 30
    assert [shape["y0"] for shape in figure.layout["shapes"]] == [2.0]
    assert figure.rows[-1] == [str(whole), f"{line['y'][-1]:.2f}"]
    assert figure.subtitle == f"Until the interval is within ±2. {whole} deals looked at, at most 60."


def _margin(made: Experiment, deal: int, rotation: int) -> int:
    seat = Seat.objects.get(match__experiment=made, match__deal=deal, match__rotation=rotation, lineup_index=0)
    assert seat.margin is not None
    return seat.margin


def test_the_ratio_is_drawn_between_its_bounds(alice: Any) -> None:
    figure = _figure(compared(alice))
    ratio, lower, upper, alone, least, most = figure.data
    assert [entry.label for entry in figure.legend] == [
        "ratio",
        "against one claim",
        "bounds of the ratio (dotted), of the other (dashed)",
    ]
    assert {line["line"]["dash"] for line in (lower, upper)} == {"dot"}
    assert {line["line"]["dash"] for line in (least, most)} == {"dash"}
    assert ratio["x"] == lower["x"] == upper["x"] == list(range(1, len(ratio["x"]) + 1))
    inside = [low < llr < high for low, llr, high in zip(lower["y"], ratio["y"], upper["y"], strict=True)]
    assert all(inside[29:-1])
    assert alone["x"] == ratio["x"]
    assert list(most["y"]) == [-low for low in least["y"]]
    assert most["y"][0] == most["y"][-1] == pytest.approx(np.log(200))
    assert ratio["y"][-1] >= upper["y"][-1]
    assert [column.label for column in figure.columns] == [
        *("Deals", "ratio", "lower bound", "upper bound"),
        *("against one claim", "its lower bound", "its upper bound"),
    ]
    assert figure.subtitle.startswith("Test of 0 against 20.")
    # Wald's bounds are log(0.955 / 0.045) = 3.06 before they are corrected by at most a half.
    assert 1.52 <= upper["y"][-1] <= 3.06
    assert -3.06 <= lower["y"][-1] <= -1.52


def test_what_was_over_before_there_was_a_second_evidence_stays_as_it_was(alice: Any) -> None:
    """By the ratio alone it took more deals; today's rule would end it at 30, and ends what still runs there."""
    spec = ruled.spec_of(ruled.SPRT | {"on": "margin", "h0": -3, "h1": 0}, 2)
    made = made_of(alice, spec, [0, 25])
    assert (made.outcome or {})["by"] == BEYOND
    assert (made.outcome or {})["deals"] == 31, "a match of one of the first 31 has failed"
    assert ended_words(made) == (
        "Ended by its rule after 31 deals: Arm 1 less Arm 0 is so far above \u22123 points that the other claim need"
        " not be weighed."
    )
    assert _figure(made).data[3]["y"][-1] > np.log(200)
    old = looks.read(connection.connection, made.pk, spec, stop_rule.before_e_values(spec)).ruling()
    assert old.reason == "h1"
    assert 35 < (old.deals or 0) < 60
    said = {key: value for key, value in old.to_json().items() if key != "by"}
    Experiment.objects.filter(pk=made.pk).update(outcome=said)
    made.refresh_from_db()
    state = stop_state(made)
    assert state.ruling == old
    assert state.course.deals[-1] == (old.deals or 0) - 1
    assert {curve.name for curve in state.course.curves} == {"llr", "lower", "upper"}
    assert ended_words(made).startswith(f"Ended by its rule after {old.deals} deals: the test found 0 points likelier")
    Experiment.objects.filter(pk=made.pk).update(status=Experiment.Status.RUNNING, outcome=said | {"deals": None})
    made.refresh_from_db()
    assert stop_state(made).ruling.deals == 31


def test_arms_are_drawn_with_their_bands_until_they_are_dropped(alice: Any) -> None:
    made = raced(alice)
    figure, dropped = _figure(made), {int(arm): deals for arm, deals in (made.outcome or {})["dropped"].items()}
    assert set(dropped) == {1, 2}
    bands, lines = figure.data[:2], figure.data[2:]
    assert len(lines) == 4
    assert [entry.label for entry in figure.legend] == ["Arm 1", "Arm 2"]
    for arm, (low, high) in ((1, lines[:2]), (2, lines[2:])):
        assert low["x"][-1] == high["x"][-1] <= dropped[arm]
        assert all(a < b for a, b in zip(low["y"], high["y"], strict=True))
        assert high["y"][-1] < 0 or arm == 1
    assert len(bands) == 2
    assert figure.layout["yaxis"]["title"]["text"] == "Difference to the baseline"


def test_rates_are_drawn_in_per_cent(alice: Any) -> None:
    """Widths of differences of rates, 5 points are wanted: hundreds of times as many as 0.05."""
    figure = _figure(narrowing(alice))
    assert [shape["y0"] for shape in figure.layout["shapes"]] == [5.0]
    assert all(5 < line["y"][-1] < 60 for line in figure.data)
    assert [column.label for column in figure.columns] == ["Deals", "Arm 1, half-width", "Arm 2, half-width"]


def test_before_the_first_whole_deal_it_says_so(alice: Any) -> None:
    made = ruled.experiment(ruled.spec_of(ruled.SPRT, 1), owner=alice)
    figure = _figure(made)
    assert figure.empty == "No deal is complete yet."
    assert figure.subtitle == "Deal by deal, at most 60."
    json.dumps(figure.to_json(), allow_nan=False)


def test_a_fixed_number_has_no_chart(alice: Any) -> None:
    made = ruled.experiment(ruled.spec_of({"rule": "fixed"}, 2), owner=alice)
    assert not has_rule(made)
    assert "stop-rule" not in {chart.id for chart in registry.fitting_charts(made)}
    assert (ended_words(made), dropped_words(made), error_words(made)) == ("", "", "")
    old = Experiment(spec={key: value for key, value in made.spec.items() if key != "stop"})
    assert not has_rule(old)


# ---- words


def _ends(rule: dict[str, Any], arms: int, ruling: Ruling, owner: Any) -> Experiment:
    made = ruled.experiment(ruled.spec_of(rule, arms), owner=owner)
    made.outcome = ruling.to_json()
    return made


ENDS = [
    (
        ruled.PRECISE,
        1,
        Ruling(47, {}, "precise"),
        "47 deals: it is known within ±2 points, of Scripted policy: greedy.",
    ),
    (
        ruled.PRECISE | {"on": "win_rate", "half_width": 2.5},  # of a side's rate: the difference has twice that
        1,
        Ruling(47, {}, "precise"),
        "47 deals: it is known within ±5 points of the win rate, of Scripted policy: greedy less the other side.",
    ),
    (
        ruled.PRECISE | {"on": "win_rate", "half_width": 2.5},
        2,
        Ruling(47, {}, "precise"),
        "47 deals: it is known within ±2.50 points of the win rate, of Arm 1 less Arm 0.",
    ),
    (
        ruled.SPRT,
        1,
        Ruling(1234, {}, "h1"),
        "1\u202f234 deals: the test found 20 points of the win rate likelier than 0,"
        " of Scripted policy: greedy less the opponents.",
    ),
    (
        ruled.SPRT | {"on": "normalised", "h0": -1.5},
        2,
        Ruling(31, {}, "h0"),
        "31 deals: the test found \u22121.50 points of normalised Elo likelier than 20, of Arm 1 less Arm 0.",
    ),
    (
        ruled.SPRT | {"h0": -5},
        2,
        Ruling(31, {}, "h0", by=BEYOND),
        "31 deals: Arm 1 less Arm 0 is so far below 20 points of the win rate that the other claim need not be"
        " weighed.",
    ),
    (ruled.BEST_OF, 3, Ruling(31, {1: 31, 2: 12}, "best", 0), "31 deals: Arm 0 is left."),
    (ruled.BEST_OF, 3, Ruling(31, {1: 31}, "best", 2), "31 deals: Arm 2 is left."),
    (
        ruled.SPRT,
        1,
        Ruling(60, {}, "planned"),
        "60 deals: all planned deals are played, and the rule has not decided.",
    ),
]


@looped("rule, arms, ruling, words", ENDS)
def test_why_it_ended(alice: Any, rule: dict[str, Any], arms: int, ruling: Ruling, words: str) -> None:
    assert ended_words(_ends(rule, arms, ruling, alice)) == f"Ended by its rule after {words}"


def test_while_it_goes_on_nothing_is_said_of_an_end(alice: Any) -> None:
    made = _ends(ruled.BEST_OF, 3, Ruling(None, {2: 40, 1: 12}), alice)
    assert ended_words(made) == ""
    assert dropped_words(made) == "Dropped as clearly worse: Arm 1 after 12 deals, Arm 2 after 40 deals."
    made.outcome = None
    assert (ended_words(made), dropped_words(made)) == ("", "")


def test_how_often_a_rule_is_wrong_is_said(alice: Any) -> None:
    rule = ruled.SPRT | {"alpha": 0.01, "beta": 0.1, "h0": -2}
    assert error_words(_ends(rule, 2, Ruling(), alice)) == (
        "Wrong in at most 1.0\u202f% where the difference is \u22122 or less, and in at most 10.0\u202f%"
        " where it is 20 or more. No test decides before 30 deals."
    )
    best = error_words(_ends(ruled.BEST_OF | {"alpha": 0.1}, 3, Ruling(), alice))
    assert best == "The chance that any arm is dropped wrongly is at most 10.0\u202f%."
    assert error_words(_ends(ruled.PRECISE, 1, Ruling(), alice)) == ""


def test_the_page_says_why_it_ended_and_what_was_dropped(alice: Any, client: Client) -> None:
    client.force_login(alice)
    made = raced(alice)
    page = re.sub(r"\s+", " ", client.get(f"/experiments/{made.pk}/").content.decode())
    assert ended_words(made) in page
    assert dropped_words(made) in page
    assert 'data-chart-source="' in page
    figure = client.get(f"/experiments/{made.pk}/charts/stop-rule.json").json()
    assert figure["note"].startswith(ended_words(made))
    assert "Looked at in the order of deals, however they arrived." in figure["note"]


def test_the_state_is_that_of_the_rows(alice: Any) -> None:
    made = raced(alice)
    state = stop_state(made)
    assert state.ruling.to_json() == made.outcome
    assert state.deals == (made.outcome or {})["deals"] - 1, "a match of one has failed"
    assert state.unit == 1.0
    assert stop_state(compared(alice)).unit == 100.0


# ---- beyond the end


def test_numbers_are_of_the_deals_up_to_the_end(alice: Any) -> None:
    """Failed are a match before the end, whose deal is in no number, and one beyond, where none is."""
    made = precise(alice)
    until = (made.outcome or {})["deals"]
    (count,) = counted.census(made)
    assert (count.finished, count.counted, count.left_out) == (118, 2 * (until - 1), 1)
    assert count.beyond == 2 * (60 - until) - 1
    kept = Seat.objects.filter(match__experiment=made, lineup_index=0, result__isnull=False, deal__lt=until)
    margins = list(kept.exclude(deal=5).values_list("margin", flat=True))
    side = results(made).compared[0].result
    assert (side.matches, side.deals) == (len(margins), until - 1)
    assert side.mean_margin == pytest.approx(np.mean(margins))
    assert side.wins == kept.exclude(deal=5).filter(result="win").count()
    note = table(made).note
    assert f"{count.beyond} matches were played beyond the deal at which the stop rule ended the experiment" in note
    assert "1 finished match is in none of them: its deal was not played whole" in note


def test_a_dropped_arm_counts_up_to_its_own_deal(alice: Any) -> None:
    made = made_of(alice, ruled.spec_of(ruled.BEST_OF, 3), [0, -9, 0])
    (until,) = (made.outcome or {})["dropped"].values()
    assert (made.outcome or {})["deals"] == 60
    deals = [row.result.deals for row in results(made).compared]
    assert deals == [58, until, 60]
    first, second = results(made).differences
    assert first.points.blocks == until - 1  # without the deal in which a match of arm 0 failed
    assert second.points.blocks == 58
    assert [arm.beyond for arm in counted.census(made)] == [0, 2 * (60 - until), 0]


def test_the_list_marks_what_lies_beyond(alice: Any, client: Client) -> None:
    made = made_of(alice, ruled.spec_of(ruled.BEST_OF, 3), [0, -9, -14])
    outcome = made.outcome or {}
    until = [outcome["deals"], outcome["dropped"]["1"], outcome["dropped"]["2"]]
    assert until[2] < until[0]
    for arm in range(3):
        query, rows = f"sort=%2Bdeal&arm={arm}", []
        while query:
            found = match_list.page(made, QueryDict(query.lstrip("?")), 360)
            rows += found.rows
            query = found.older
        assert len(rows) == 120
        assert [row.is_beyond for row in rows] == [row.deal >= until[arm] for row in rows]
    client.force_login(alice)
    for deal, marks in ((until[2] - 1, 0), (until[2], 2), (59, 6)):
        page = client.get(f"/experiments/{made.pk}/matches/", {"deal": deal}).content.decode()
        assert page.count("beyond the stop") == marks


def test_what_has_not_ended_has_nothing_beyond(alice: Any) -> None:
    made = running(alice)
    assert not counted.limits(made)
    assert not any(row.is_beyond for row in match_list.page(made, QueryDict(""), 40).rows)
    assert [arm.beyond for arm in counted.census(made)] == [0, 0]


@pytest.mark.django_db(transaction=True)
def test_an_export_says_which_matches_count(alice: Any) -> None:
    made = precise(alice)
    until = (made.outcome or {})["deals"]
    text = b"".join(exports.stream(made, "matches", "csv", None)).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 240
    for row in rows:
        deal = int(row["deal"])
        assert row["counts"] == str(int(deal < until and deal != 5)), row
    own = [int(row["margin"]) for row in rows if row["counts"] == "1" and row["place"] == "0"]
    assert np.mean(own) == pytest.approx(results(made).compared[0].result.mean_margin)
    assert Match.objects.filter(experiment=made).count() == 120
