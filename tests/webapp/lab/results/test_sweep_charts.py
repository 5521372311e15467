"""Charts of a sweep: what lies across, a line per combination of the rest, every interval in the table."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import RANDOM, seat
from webapp.lab.results.charts import margin_running, registry
from webapp.lab.results.charts.figure import Figure
from webapp.lab.results.selectors import results
from worker.spec import sweep

pytestmark = pytest.mark.django_db
CHARTS = ("sweep-curve", "sweep-margin")
PLAYOUTS = {"paths": ["seats[0].budget.playouts"], "values": [40, 10, 1000]}
UTILITY = {"paths": ["seats[0].options.utility"], "values": ["wdl", "difference"]}


def _lineups(*axes: dict[str, Any]) -> list[list[dict[str, Any]]]:
    flat = seat("flat_mc", budget={"playouts": 40})
    stored = sweep.stored_axes({"seats": 2, "sweep": {"axes": list(axes)}})
    return [[*row[:1], RANDOM] for row in sweep.expand([flat, RANDOM], stored)]


def _swept(owner: Any, *axes: dict[str, Any], deals: int = 2, played: bool = True) -> Any:
    make = factory.played if played else factory.experiment
    return make(owner, _lineups(*axes), deals=deals, sweep={"axes": list(axes)})


def _figure(made: Any, chart_id: str, choice: int = 0) -> Figure:
    return registry.get(chart_id).build(made, choice)


@pytest.fixture
def crossed(alice: Any) -> Any:
    return _swept(alice, UTILITY, PLAYOUTS)


@pytest.mark.long
@pytest.mark.parametrize("chart_id", CHARTS)
@pytest.mark.parametrize("choice", [0, 1])
def test_a_figure_is_whole(crossed: Any, chart_id: str, choice: int) -> None:
    figure = _figure(crossed, chart_id, choice)
    text = json.dumps(figure.to_json(), allow_nan=False)
    assert figure.subtitle.endswith("4 matches an arm.")
    assert figure.name
    assert len(figure.rows) == 6
    assert all(len(row) == len(figure.columns) for row in figure.rows)
    assert all(re.fullmatch(r"\S+ to \S+", row[-1]) for row in figure.rows)
    assert not re.search(r"#[0-9A-Fa-f]{6}", text), "colours are token names"


def test_the_budget_lies_across_with_a_line_per_other_value(crossed: Any) -> None:
    figure = _figure(crossed, "sweep-curve")
    assert figure.title == "Win rate by playouts a ply"
    assert figure.layout["xaxis"]["type"] == "log"
    assert figure.layout["xaxis"]["ticktext"] == ["10", "40", "1000"]
    assert [entry.label for entry in figure.legend] == [
        "Utility of a playout: win, draw or loss",
        "Utility of a playout: score difference",
    ]
    rows = results(crossed).compared
    for line, arms in zip(figure.data, ((1, 0, 2), (4, 3, 5)), strict=True):
        assert line["y"] == [pytest.approx(100 * (rows[arm].result.win_rate or 0)) for arm in arms]
        assert line["x"] == pytest.approx([10, 40, 1000], rel=0.05)
        assert line["mode"] == "lines+markers"


def test_the_reader_may_lay_the_other_axis_across(crossed: Any) -> None:
    assert registry.get("sweep-curve").choices(crossed) == ["By playouts a ply", "By utility of a playout"]
    figure = _figure(crossed, "sweep-margin", 1)
    assert figure.title == "Victory margin by utility of a playout"
    assert "type" not in figure.layout["xaxis"]
    assert figure.layout["xaxis"]["ticktext"] == ["win, draw or loss", "score difference"]
    assert [trace["mode"] for trace in figure.data] == ["markers"] * 3
    rows = results(crossed).compared
    assert figure.data[0]["y"] == [pytest.approx(rows[arm].result.mean_margin) for arm in (0, 3)]


def test_whiskers_are_the_intervals_of_the_result_table(crossed: Any) -> None:
    row = results(crossed).compared[1].result
    trace = _figure(crossed, "sweep-margin").data[0]
    assert row.margin_interval
    assert trace["y"][0] + trace["error_y"]["array"][0] == pytest.approx(row.margin_interval.high)
    assert trace["y"][0] - trace["error_y"]["arrayminus"][0] == pytest.approx(row.margin_interval.low)


def test_one_axis_has_one_line_and_nothing_to_choose(alice: Any) -> None:
    made = _swept(alice, PLAYOUTS, deals=1)
    assert [chart.id for chart in registry.fitting_charts(made)][:2] == list(CHARTS)
    assert registry.get("sweep-curve").choices(made) == []
    figure = _figure(made, "sweep-curve")
    assert len(figure.data) == 1
    assert figure.data[0]["x"] == pytest.approx([10, 40, 1000])
    assert figure.legend == []


@pytest.mark.parametrize(
    ("values", "is_log"), [([0.1, 1, 2], False), ([0.1, 1, 3], True), ([0, 1, 100], False), ([-5, 100], False)]
)
def test_options_are_logarithmic_where_they_span_more_than_twentyfold(
    alice: Any, values: list[float], is_log: bool
) -> None:
    made = _swept(alice, {"paths": ["seats[0].options.c"], "values": values}, deals=1)
    assert (_figure(made, "sweep-curve").layout["xaxis"].get("type") == "log") == is_log


@pytest.mark.parametrize("chart_id", CHARTS)
def test_before_the_first_deal_it_says_so_and_one_is_enough(alice: Any, chart_id: str) -> None:
    made = _swept(alice, PLAYOUTS, played=False)
    assert _figure(made, chart_id).empty
    factory.write(made, [factory.record(made, 1, 0)])
    assert _figure(made, chart_id).empty, "half a deal"
    factory.write(made, [factory.record(made, 1, 1)])
    figure = _figure(made, chart_id)
    assert [len(trace["x"]) for trace in figure.data] == [1]
    assert len(figure.rows) == 3
    json.dumps(figure.to_json(), allow_nan=False)


@pytest.mark.slow
def test_sixty_four_arms_stay_apart(alice: Any) -> None:
    axes = [{"paths": [f"seats[0].options.{name}"], "values": list(range(1, 9))} for name in "ab"]
    made = _swept(alice, *axes, played=False)
    factory.write(made, [factory.record(made, arm, i) for arm in range(64) for i in range(2)])
    curve = _figure(made, "sweep-curve")
    styles = [(trace["line"]["color"], trace["line"]["dash"]) for trace in curve.data]
    assert len(set(styles)) == len(styles) == 8
    assert len({entry.label for entry in curve.legend}) == 8
    rates = _figure(made, "win-rate")
    assert rates.height_rem <= 90
    assert len(rates.data) == 64
    assert len(set(rates.layout["yaxis"]["ticktext"])) == 64
    assert rates.note.endswith("Rows: a, b.")
    running = registry.get("margin-running")
    assert len(running.details(made)) == 64


def test_of_many_arms_the_chosen_one_has_colour_and_grey_lines_are_thinned(
    alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = _swept(alice, {"paths": ["seats[0].options.a"], "values": list(range(12))}, played=False)
    points = tuple((n, float(n), n - 1.0, n + 1.0) for n in range(1, 101))
    monkeypatch.setattr(margin_running, "running_means", lambda experiment, arm, place: points)
    figure = margin_running.build(made, 3)
    *grey, chosen = (trace for trace in figure.data if "fill" not in trace)
    assert chosen["line"]["color"] == "@seat-0"
    assert len(chosen["x"]) == 100
    assert [(trace["line"]["color"], len(trace["x"]), trace["x"][-1]) for trace in grey] == [
        ("@muted/.5", 50, 100)
    ] * 11
    assert [entry.label for entry in figure.legend] == ["Arm 3", "the other 11 arms"]


def test_no_name_is_read_as_markup(alice: Any) -> None:
    wild = {"paths": ["seats[0].options.policy"], "values": ["<b>%{wild}</b>", "& co"]}
    made = _swept(alice, PLAYOUTS, wild, deals=1)
    for choice in (0, 1):
        figure = _figure(made, "sweep-curve", choice)
        assert not re.search(r"<(b|/b)[ >]|%\{wild| & ", json.dumps([figure.data, figure.layout]))


@pytest.mark.long
def test_page_and_figure_of_both_charts(crossed: Any, alice: Any, client: Client) -> None:
    client.force_login(alice)
    for chart_id in CHARTS:
        assert client.get(f"/experiments/{crossed.pk}/charts/{chart_id}.json?arm=1").status_code == 200
        page = client.get(f"/experiments/{crossed.pk}/charts/{chart_id}/").content.decode()
        assert "By utility of a playout" in page
    assert client.get(f"/experiments/{crossed.pk}/charts/{CHARTS[0]}.json?arm=6").status_code == 404


@pytest.mark.long
def test_lines_of_several_axes_are_named_by_their_values_and_the_note_says_of_what(alice: Any) -> None:
    policy = {"paths": ["seats[0].options.policy"], "values": ["random", "greedy"]}
    figure = _figure(_swept(alice, PLAYOUTS, UTILITY, policy, deals=1), "sweep-curve")
    assert [entry.label for entry in figure.legend][1] == "win, draw or loss, greedy"
    assert "Lines: utility of a playout, playout policy." in figure.note
