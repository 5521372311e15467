"""Charts over deals and plies: their numbers are those of the rows."""

from __future__ import annotations

from statistics import fmean, median
from typing import Any

import numpy as np
import pytest

from games import registry as game_registry
from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from webapp.common.formats import UNDEFINED, count, number, percent, signed
from webapp.lab.results.charts import difference, over_plies, registry, strength_cost
from webapp.lab.results.charts.figure import Figure
from webapp.lab.results.charts.ridges import Spread, heights
from webapp.lab.results.selectors import results, results_at_every_look
from webapp.lab.results.sides import Side
from webapp.records.models import Experiment, Ply, Seat

pytestmark = pytest.mark.django_db
GREEDY = seat("scripted", {"policy": "greedy"})


def figure(made: Experiment, chart_id: str, choice: int | None = None) -> Figure:
    return registry.get(chart_id).build(made, choice)


def _scored(owner: Any, **changes: Any) -> Experiment:
    """Three arms whose margins and wins are known: the second is better on five of six deals, the third on none."""
    made = factory.experiment(owner, [[FLAT, RANDOM], [GREEDY, RANDOM], [RANDOM, FLAT]], deals=6, **changes)
    own = ([10, 20, 30, 25, 15, 40], [20, 30, 40, 35, 25, 35], [0, 10, 20, 20, 5, 38])
    for arm, points in enumerate(own):
        rows = [factory.decided(made, arm, i, points[i // 2], 22) for i in range(12)]
        factory.write(made, rows)
    return factory.over(made, Experiment.Status.FINISHED)


@pytest.fixture
def scored(alice: Any) -> Experiment:
    return _scored(alice)


def test_differences_end_where_the_table_of_results_does(alice: Any, scored: Experiment) -> None:
    other = _scored(alice, baseline=2)
    cases = [(made, *chart) for made in (scored, other) for chart in (("difference", 1), ("difference-wins", 100))]
    for made, chart_id, unit in cases:
        shown = figure(made, chart_id)
        for row in results_at_every_look(made).differences:
            wanted = row.points if unit == 1 else row.wins
            last = [cells for cells in shown.rows if cells[0] == row.side.name][-1]
            assert wanted.mean is not None
            assert wanted.interval is not None
            low, high = (signed(unit * end) for end in wanted.interval)
            assert last[1:4] == ["6", signed(unit * wanted.mean), f"{low} to {high}"]
    assert figure(scored, "difference").rows[0][2] == signed(fmean([10, 10, 10, 10, 10, -5]))


def test_lines_of_long_experiments_begin_with_the_thirtieth_deal() -> None:
    long, short = difference._counts(400), difference._counts(20)
    assert (long[0], long[-1]) == (30, 400)
    assert {50, 100, 200} <= set(long)
    assert len(long) <= difference.POINTS + 3
    assert (short[0], short[-1]) == (5, 20)
    assert difference._counts(4) == []


def test_arms_that_were_dropped_have_a_cross_at_their_last_deal(scored: Experiment) -> None:
    scored.outcome = {"deals": None, "dropped": {"2": 5}, "reason": "", "arm": None}
    scored.save()
    shown = figure(scored, "difference")
    (cross,) = (trace for trace in shown.data if trace.get("marker", {}).get("symbol") == "x-thin")
    assert cross["x"] == [5]
    assert cross["meta"] == {"key": 2}
    assert "A cross is where the stop rule dropped an arm." in shown.note


def test_how_many_deals_are_better_is_counted(scored: Experiment) -> None:
    shown = figure(scored, "better-deals")
    second, third = shown.rows
    assert second[1:3] + second[4:6] == ["6", percent(5 / 6), percent(0), percent(1 / 6)]
    assert third[1:3] + third[4:6] == ["6", percent(0), percent(0), percent(1)]
    assert [trace["x"][0] for trace in shown.data] == pytest.approx([-100 / 6, 500 / 6, -100, 0])
    curve = figure(scored, "paired-differences")
    assert curve.data[0]["x"] == [-5, 10, 10, 10, 10, 10]
    assert curve.data[0]["y"][0] == pytest.approx(100 / 6)
    assert curve.rows[0][4] == signed(10)


@pytest.fixture
def made(alice: Any) -> Experiment:
    return factory.played(alice, [[FLAT, RANDOM], [GREEDY, RANDOM]], deals=3)


def _plies(made: Experiment, arm: int, ply: int) -> list[tuple[Ply, int]]:
    """Each match's ply with the seat of the first place."""
    seats = dict(Seat.objects.filter(experiment=made, arm_index=arm, lineup_index=0).values_list("match_id", "seat"))
    rows = Ply.objects.filter(match__experiment=made, match__arm_index=arm, ply=ply)
    return [(row, seats[row.match_id]) for row in rows]


def test_the_lead_is_projected_where_plies_note_it(made: Experiment) -> None:
    shown = figure(made, "lead-by-ply")
    lines = [trace for trace in shown.data if trace["mode"] == "lines+markers"]
    x, y = lines[1]["x"], lines[1]["y"]
    ply = x[10] - 1
    leads = []
    for row, own in _plies(made, 1, ply):
        points = row.info["after"]["projected"]
        leads.append(points[own] - points[1 - own])
    assert y[10] == pytest.approx(fmean(leads))
    margins = Seat.objects.filter(experiment=made, arm_index=1, lineup_index=0).values_list("margin", flat=True)
    assert y[-1] == pytest.approx(fmean(margins)), "the last lead is the margin"
    assert "Projected" in shown.note
    score = figure(made, "score-by-ply")
    own_points = [row.info["after"]["projected"][own] for row, own in _plies(made, 0, ply)]
    first = next(trace for trace in score.data if trace["mode"] == "lines+markers")
    assert first["y"][10] == pytest.approx(fmean(own_points))


def test_older_plies_draw_what_they_have(made: Experiment) -> None:
    Ply.objects.filter(match__experiment=made).update(info=None)
    made.summaries_rebuilt_at = made.created_at
    made.save()
    shown = figure(made, "lead-by-ply")
    *_, first, second = shown.data
    assert [trace["marker"]["symbol"] for trace in (first, second)] == ["circle-open", "square-open"]
    margins = Seat.objects.filter(experiment=made, arm_index=0, lineup_index=0).values_list("margin", flat=True)
    assert first["y"] == [pytest.approx(fmean(margins))]
    assert figure(made, "in-hand-by-ply").empty == "Its plies have not noted what was in hand."
    assert figure(made, "score-by-ply").data, "the score so far"


def test_a_match_that_is_over_keeps_its_lead(made: Experiment) -> None:
    short = made.matches.filter(arm_index=0).first()
    assert short is not None
    Ply.objects.filter(match=short, ply__gte=10).delete()
    rows = over_plies._read(made, [results(made).compared[0].side])[0, 0]
    assert rows[-1].ply > 10
    assert rows[-1].lead.n == 6, "all matches, though one has no such ply"


def test_meeples_in_hand_are_those_that_plies_note(made: Experiment) -> None:
    shown = figure(made, "in-hand-by-ply")
    line = next(trace for trace in shown.data if trace["mode"] == "lines+markers")
    held = [row.info["after"]["in_hand"][own] for row, own in _plies(made, 0, line["x"][5] - 1)]
    assert line["y"][5] == pytest.approx(fmean(held))
    assert not registry.get("in-hand-by-ply").fits(factory.experiment(made.owner, game="kingdomino"))


def test_strength_is_drawn_over_the_median_cost_of_deals(alice: Any) -> None:
    made = factory.played(alice, [[FLAT, RANDOM], [GREEDY, RANDOM], [RANDOM, FLAT]], deals=3, game="kingdomino")
    costs = {0: [0.002, 0.004, 0.5], 1: [0.001] * 3, 2: [0.01] * 3}
    for arm, by_deal in costs.items():
        for deal, cost in enumerate(by_deal):
            Ply.objects.filter(match__experiment=made, match__arm_index=arm, match__deal=deal).update(cpu_s=cost)
    shown = figure(made, "strength-cpu")
    drawn = {trace["meta"]["key"]: trace for trace in shown.data[1:]}
    assert {key: trace["x"][0] for key, trace in drawn.items()} == {
        key: pytest.approx(1000 * median(values)) for key, values in costs.items()
    }
    assert shown.layout["xaxis"]["type"] == "log"
    rates = {key: trace["y"][0] for key, trace in drawn.items()}
    best = max(rates.values())
    assert shown.data[0]["y"][-1] == best
    assert shown.data[0]["x"][0] == pytest.approx(1), "the frontier begins with the cheapest"
    assert [row[0] for row in shown.rows] == ["Arm 1", "Arm 0", "Arm 2"]
    by_ply = figure(made, "cpu-by-ply")
    assert {row[3] for row in by_ply.rows if row[0] == "Arm 2"} == {strength_cost._ms(10)}


def test_an_axis_of_less_than_a_decade_has_ticks():
    def ticks(low, high):
        return strength_cost._log_ticks(low, high)["ticktext"]

    assert ticks(0.8, 130) == ["1", "10", "100"]
    assert ticks(0.8, 13) == ["1", "2", "5", "10"]
    assert ticks(2.2, 4.6) == ["2.5", "3", "3.5", "4", "4.5"]
    assert ticks(11.2, 13.9) == ["11.5", "12", "12.5", "13", "13.5"]
    assert ticks(95, 105) == ["95", "100", "105"]


def test_places_are_shares_of_matches(alice: Any) -> None:
    made = factory.experiment(alice, [[FLAT, GREEDY, RANDOM]], deals=2)
    factory.write(
        made, [factory.decided(made, 0, i, *points) for i, points in enumerate([(9, 5, 1)] * 4 + [(1, 5, 9)] * 2)]
    )
    shown = figure(made, "places")
    first = [row for row in shown.rows if row[0] == results(made).compared[0].side.name]
    assert [row[1:4] for row in first] == [
        ["1st", "6", number(100 * 4 / 6)],
        ["2nd", "6", number(0)],
        ["3rd", "6", number(100 * 2 / 6)],
        ["Mean place", "6", number(10 / 6, 2)],
    ]
    assert all(row[4] != UNDEFINED for row in shown.rows)
    assert not registry.get("places").fits(factory.experiment(alice))


def test_a_ridge_holds_all_values() -> None:
    side = Side(0, 0, "One", "", 0, (0,))
    row = Spread.of(side, [(-10, 2.0), (0, 6.0), (30, 2.0)])
    assert (row.mean, row.quantile(0.1), row.quantile(0.5), row.quantile(0.9)) == (4, -10, 0, 30)
    grid = np.linspace(-40, 60, 2001)
    assert np.trapezoid(heights(row, grid, 2.0), grid) == pytest.approx(
        1, abs=0.005
    )  # bells are cut at 3 widths: 0.3 %


def test_every_trace_of_several_arms_belongs_to_a_button(made: Experiment) -> None:
    """But axes' helpers, such as a frontier, which belong to all."""
    for chart in registry.fitting_charts(made):
        shown = chart.build(made, None)
        if shown.is_keyed:
            keys = {
                trace.get("meta", {}).get("key") for trace in shown.data if trace["line" if "line" in trace else "x"]
            }
            assert keys - {None} <= {0, 1}, chart.id
            assert keys & {0, 1}, chart.id


def test_games_that_note_plies_note_a_number_of_every_seat() -> None:
    for game_id in game_registry.ids():
        game = game_registry.get(game_id)
        state = game.initial_state(game.options(), game.traits.min_seats)
        for name, note in game.ply_notes.items():
            assert len(note(game, state)) == game.traits.min_seats, name
    assert count(len(game_registry.get("carcassonne").ply_notes)) == "2"
