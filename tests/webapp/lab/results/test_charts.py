"""Figures: their form, their numbers, and what they say before there are any."""

from __future__ import annotations

import json
import re
from statistics import mean, stdev
from typing import Any

import pytest
from django.test import Client

from games import registry as game_registry
from tests.records import metrics
from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from webapp.common.formats import UNDEFINED, span
from webapp.lab.results.charts import registry
from webapp.lab.results.charts.figure import MAX_POINTS, Figure, plain, thin_indices
from webapp.lab.results.charts.margin_distribution import bin_margins
from webapp.lab.results.charts.win_rate import wrap_label
from webapp.records.models import Ply, Seat
from worker.analysis.moments import Moments

pytestmark = pytest.mark.django_db
GREEDY = seat("scripted", {"policy": "greedy"})
PLAIN = {game_id: factory.usual_charts(game_id) for game_id in game_registry.ids()}
"""Game -> charts of any experiment on it; those of sweeps and budgets have tests of their own."""

every_game = pytest.mark.parametrize("game", game_registry.ids())
some_game = pytest.mark.parametrize(
    "game", [pytest.param(id_, marks=() if id_ == "dominoes" else pytest.mark.slow) for id_ in game_registry.ids()]
)
"""One in each run, for what charts make of names and of few matches: figures of all games are whole in every run."""


def _two_arms(owner: Any, deals: int = 5, **changes: Any) -> Any:
    return factory.played(owner, [[FLAT, RANDOM], [GREEDY, RANDOM]], deals=deals, **changes)


@pytest.fixture
def made(alice: Any) -> Any:
    return _two_arms(alice)


def _figure(experiment: Any, chart_id: str, arm: int = 0) -> Figure:
    return registry.get(chart_id).build(experiment, arm)


@pytest.mark.long
@every_game
def test_a_figure_is_whole(alice: Any, game: str) -> None:
    made = _two_arms(alice, game=game)
    for chart_id in PLAIN[game]:
        check_whole(_figure(made, chart_id, 1))


def check_whole(figure: Figure) -> None:
    text = json.dumps(figure.to_json(), allow_nan=False)
    assert figure.title
    assert figure.subtitle.endswith(".")
    assert figure.name
    assert re.search(r"\d (matches|deals)", figure.subtitle)
    assert figure.data
    assert figure.rows
    assert all(len(row) == len(figure.columns) for row in figure.rows)
    assert not re.search(r"#[0-9A-Fa-f]{6}", text), "colours are token names"
    axes = [figure.layout[axis] for axis in ("xaxis", "yaxis")]
    assert any(axis.get("title", {}).get("text") for axis in axes)


@pytest.mark.parametrize("chart_id", ["score-by-ply", "legal-by-ply", "legal-frequency"])
def test_an_experiment_that_keeps_no_plies_says_so_once_it_is_over(alice: Any, chart_id: str) -> None:
    assert (
        _figure(factory.played(alice, deals=1, record="matches"), chart_id).empty == "This experiment keeps no plies."
    )


def test_few_matches_are_counted_in_whole_steps(alice: Any, made: Any) -> None:
    few = _figure(factory.played(alice, deals=1), "margin-distribution")
    assert few.layout["yaxis"]["dtick"] == 1


@some_game
def test_before_the_first_match_a_figure_says_so(alice: Any, game: str) -> None:
    made = factory.experiment(alice, game=game)
    for figure in (_figure(made, chart_id) for chart_id in PLAIN[game]):
        assert figure.empty
        assert figure.title
        assert not figure.data


@some_game
def test_one_deal_is_enough_or_said_to_be_too_few(alice: Any, game: str) -> None:
    made = factory.experiment(alice, game=game)
    factory.write(made, [factory.record(made, 0, i) for i in range(factory.matches_a_deal(made, 0))])
    for figure in (_figure(made, chart_id) for chart_id in PLAIN[game]):
        assert bool(figure.empty) != bool(figure.data)
        json.dumps(figure.to_json(), allow_nan=False)


@some_game
def test_no_name_is_read_as_markup_or_template(alice: Any, game: str) -> None:
    made = _two_arms(alice, game=game)
    wild = ("<b>%{wild}</b> & co", "a long long name of <a href='x'>%{wild}")
    for arm, name in zip(made.spec["arms"], wild, strict=True):
        arm["name"] = name
    for figure in (_figure(made, chart_id) for chart_id in PLAIN[game]):
        assert not re.search(r"<(b|a|/b)[ >]|%\{wild| & ", json.dumps([figure.data, figure.layout]))


def test_tables_name_sides_as_they_are_called(made: Any) -> None:
    made.spec["arms"][0]["name"] = "<b> & co"
    assert _figure(made, "points").rows[0][1] == "<b> & co"


def test_names_for_plotly_are_cut_before_they_are_escaped() -> None:
    assert plain("a<b & %{x}") == "a&lt;b &amp; %&#123;x}"
    assert wrap_label("&" * 60) == f"{'&amp;' * 24}<br>{'&amp;' * 23}…"


@pytest.mark.parametrize(("seats", "share"), [(2, 50), (3, 100 / 3)])
def test_the_dotted_line_is_at_an_equal_share(alice: Any, seats: int, share: float) -> None:
    made = factory.played(alice, [[FLAT, RANDOM, GREEDY][:seats]], deals=1)
    figure = _figure(made, "win-rate")
    assert [shape["x0"] for shape in figure.layout["shapes"]] == [pytest.approx(share)]
    assert f"{share:.1f}" in figure.note


@every_game
def test_every_mean_has_its_interval_in_the_table(alice: Any, game: str) -> None:
    made = _two_arms(alice, game=game)
    for chart_id in PLAIN[game]:
        if registry.get(chart_id).has_means:
            figure = _figure(made, chart_id)
            at = [column.label for column in figure.columns].index("95\u202f% interval")
            # where matches differ in length, the last plies are those of one of them alone
            rows = [row for row in figure.rows if row[at] != UNDEFINED]
            assert len(rows) > len(figure.rows) / 2
            assert all(re.fullmatch(r"\S+ to \S+", row[at]) for row in rows), chart_id


def test_intervals_by_ply_take_the_deal_as_their_unit(made: Any) -> None:
    tenth: dict[int, list[Ply]] = {}
    for ply in Ply.objects.filter(match__experiment=made, match__arm_index=0, ply=9).select_related("match"):
        tenth.setdefault(ply.match.deal, []).append(ply)
    legal = [mean(ply.legal_count for ply in plies) for plies in tenth.values()]
    assert _cell(made, "legal-by-ply", "10") == _student(legal)
    seats = dict(Seat.objects.filter(experiment=made, arm_index=0, lineup_index=0).values_list("match_id", "seat"))
    scores = [mean(ply.scores[seats[ply.match_id]] for ply in plies) for plies in tenth.values()]
    assert _cell(made, "score-by-ply", "10") == _student(scores)


def _cell(made: Any, chart_id: str, ply: str) -> str:
    """The interval of the mean at a ply, of the first side."""
    return next(row for row in _figure(made, chart_id).rows if row[1] == ply)[3]


def _student(values: list[float]) -> str:
    """Student's interval of the mean of five."""
    half = 2.776445 * stdev(values) / 5**0.5  # t, 4 degrees, 97.5 %
    return span(mean(values) - half, mean(values) + half)


def test_whiskers_of_meeples_stand_on_the_stack(made: Any) -> None:
    bars = _figure(made, "meeples").data
    assert not any("error_x" in home for home in bars[::2])
    assert max(stayed["error_x"]["array"][0] for stayed in bars[1::2]) > 0


def test_points_by_kind_are_the_means_of_the_rows(made: Any) -> None:
    figure = _figure(made, "points", 1)
    rows = list(Seat.objects.filter(match__experiment=made, match__arm_index=1, lineup_index=0))
    kinds = [m for m in game_registry.get("carcassonne").metric_table if m.group == "points"]
    expected = [sum(metrics.of(row)[metric.id] for row in rows) / len(rows) for metric in kinds]
    assert [dot["x"][0] for dot in figure.data[::2]] == pytest.approx(expected)
    assert "Arm 1" in figure.data[0]["hovertemplate"]


def test_points_per_occupied_feature_divide_by_the_features(made: Any) -> None:
    figure = _figure(made, "points-occupied")
    rows = list(Seat.objects.filter(match__experiment=made, match__arm_index=0, lineup_index=1))
    points, features = (sum(metrics.of(row)[f"{what}_city"] for row in rows) for what in ("points", "features"))
    assert figure.data[1]["x"] == [pytest.approx(points / features)]


def test_meeples_home_and_stranded_make_those_placed(made: Any) -> None:
    home, stayed = _figure(made, "meeples").data[2 * 2 :][:2]  # two bars for each of two sides: roads are second
    rows = list(Seat.objects.filter(match__experiment=made, match__arm_index=0, lineup_index=0))
    placed = sum(metrics.of(row)["placed_road"] for row in rows) / len(rows)
    assert home["x"][0] + stayed["x"][0] == pytest.approx(placed)


def test_matches_without_numbers_of_meeples_have_an_empty_figure(made: Any) -> None:
    for row in Seat.objects.filter(experiment=made, lineup_index=1):
        kept = {name: n for name, n in metrics.of(row).items() if not name.startswith(("returned", "stranded"))}
        metrics.put(row, kept)
    figure = _figure(made, "meeples")
    assert figure.empty == "Its matches kept no numbers of meeples."
    json.dumps(figure.to_json(), allow_nan=False)


def test_the_running_mean_ends_at_the_mean_and_follows_the_seeds(alice: Any) -> None:
    made = _two_arms(alice, deals=8)
    figure = _figure(made, "margin-running")
    line = figure.data[len(figure.data) // 2]
    margins = list(
        Seat.objects.filter(match__experiment=made, match__arm_index=0, lineup_index=0)
        .order_by("match__deal", "match__rotation")
        .values_list("margin", flat=True)
    )
    assert line["x"][-1] == len(margins) == 16
    assert line["x"][0] == 10, "five deals of two matches, of which intervals for every look are made"
    assert line["y"][0] == pytest.approx(sum(margins[:10]) / 10)
    assert line["y"][-1] == pytest.approx(sum(margins) / 16)


def test_the_running_mean_begins_with_enough_matches_and_deals(alice: Any) -> None:
    made = factory.experiment(alice, deals=6)
    factory.write(made, [factory.record(made, 0, ordinal) for ordinal in range(8)])
    assert _figure(made, "margin-running").empty == "Drawn from 8 matches and 5 deals of an arm on.", "four deals"
    factory.write(made, [factory.record(made, 0, ordinal) for ordinal in (8, 9)])
    assert [row[1] for row in _figure(made, "margin-running").rows] == ["10"]


def test_score_by_ply_is_the_mean_of_the_plies(made: Any) -> None:
    figure = _figure(made, "score-by-ply")
    line = figure.data[2]
    values = []
    for ply in Ply.objects.filter(match__experiment=made, match__arm_index=0, ply=39).select_related("match"):
        seat_of = Seat.objects.get(match=ply.match, lineup_index=0).seat
        values.append(ply.scores[seat_of])
    assert line["y"][line["x"].index(40)] == pytest.approx(sum(values) / len(values))


def test_frequencies_of_legal_actions_make_a_whole(made: Any) -> None:
    figure = _figure(made, "legal-frequency")
    assert sum(figure.data[0]["y"]) == pytest.approx(100)


def test_margins_are_binned_at_zero_without_loss() -> None:
    width, bins = bin_margins(((-77, 2), (-1, 3), (0, 4), (60, 1)))
    assert width == 20
    assert sum(bins.values()) == 10
    assert bins[0] == 4
    assert bins[-20] == 3


def test_more_matches_get_narrower_bars() -> None:
    assert bin_margins(((-77, 2000), (0, 4000), (60, 1000)))[0] == 5


def test_long_series_are_thinned_with_both_ends_kept() -> None:
    indices = thin_indices(100_000, 7)
    assert len(indices) == MAX_POINTS
    assert (indices[0], indices[-1]) == (7, 99_999)
    assert list(thin_indices(3)) == [0, 1, 2]
    assert len(thin_indices(3, 5)) == 0


def test_charts_fit_only_experiments_that_have_what_they_show(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [chart.id for chart in registry.fitting_charts(made)] == PLAIN["carcassonne"]
    monkeypatch.setattr(type(game_registry.get("carcassonne")), "metric_table", ())
    assert not registry.get("meeples").fits(made)
    assert registry.get("win-rate").fits(made)


def test_what_a_game_does_not_count_has_no_chart(alice: Any, made: Any) -> None:
    features = {"meeples", "points-occupied"}
    rounds = {"score-by-round", "legal-by-round", "turned-by-round"}
    other = factory.experiment(alice, game="kingdomino")
    for experiment, has, lacks in ((made, features, rounds), (other, rounds, features)):
        shown = {chart.id for chart in registry.fitting_charts(experiment)}
        assert has <= shown
        assert not lacks & shown


@pytest.mark.parametrize(("seats", "rounds"), [(2, 7), (3, 13), (4, 13)])
def test_by_round_there_is_a_mean_for_each_round_that_was_played(alice: Any, seats: int, rounds: int) -> None:
    lineup = [FLAT, RANDOM, GREEDY, seat("uct", budget={"simulations": 10})][:seats]
    made = factory.played(alice, [lineup], deals=2, game="kingdomino")
    for chart_id, metric in (("score-by-round", "score_round"), ("legal-by-round", "actions_round")):
        figure = _figure(made, chart_id)
        lines = [trace for trace in figure.data if trace["mode"] == "lines+markers"]
        assert len(lines) == seats
        for place, line in enumerate(lines):
            rows = metrics.of_all(Seat.objects.filter(match__experiment=made, lineup_index=place))
            assert line["x"] == list(range(1, rounds + 1))
            assert line["y"] == pytest.approx(
                [sum(row[f"{metric}_{r}"] for row in rows) / len(rows) for r in range(1, rounds + 1)]
            )
    final = Seat.objects.filter(match__experiment=made, lineup_index=0).values_list("score", flat=True)
    first, *_ = (trace for trace in _figure(made, "score-by-round").data if trace["mode"] == "lines+markers")
    assert first["y"][-1] == pytest.approx(sum(final) / len(final))


def test_the_band_by_round_is_the_interval_over_deals(alice: Any) -> None:
    made = factory.played(alice, deals=3, game="kingdomino")
    figure = _figure(made, "score-by-round")
    band = figure.data[0]
    deals: dict[int, list[float]] = {}
    for row in Seat.objects.filter(match__experiment=made, lineup_index=0).select_related("match"):
        deals.setdefault(row.match.deal, []).append(metrics.of(row)["score_round_7"])
    low, high = Moments.of([sum(values) / len(values) for values in deals.values()]).interval() or (0, 0)
    assert (band["y"][7], band["y"][6]) == (pytest.approx(low), pytest.approx(high))
    assert band["x"][6:8] == [7, 7]


class TestViews:
    """The JSON of a chart, and its page."""

    def test_the_owner_gets_the_figure_and_then_304(self, made: Any, alice: Any, client: Client) -> None:
        client.force_login(alice)
        url = f"/experiments/{made.pk}/charts/win-rate.json"
        first = client.get(url)
        assert first.json()["live"] is False
        again = client.get(url, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        other = client.get(url + "?arm=1", headers={"If-None-Match": first["ETag"]})
        assert other.status_code == 200

    def test_new_matches_change_the_tag(self, alice: Any, client: Client) -> None:
        made = factory.experiment(alice)
        factory.write(made, [factory.record(made, 0, i) for i in (0, 1)])
        client.force_login(alice)
        url = f"/experiments/{made.pk}/charts/points.json"
        first = client.get(url)
        assert first.json()["live"] is True
        assert "2 matches" in first.json()["subtitle"]
        factory.write(made, [factory.record(made, 0, i) for i in (2, 3)])
        again = client.get(url, headers={"If-None-Match": first["ETag"]})
        assert again.status_code == 200
        assert "4 matches" in again.json()["subtitle"]

    @pytest.mark.parametrize("tail", ["win-rate.json", "win-rate/"])
    def test_strangers_and_guests_get_404(self, made: Any, bob: Any, client: Client, tail: str) -> None:
        url = f"/experiments/{made.pk}/charts/{tail}"
        assert client.get(url).status_code == 404
        client.force_login(bob)
        assert client.get(url).status_code == 404

    def test_unknown_charts_and_arms_are_404(
        self, made: Any, alice: Any, client: Client, subtests: pytest.Subtests
    ) -> None:
        for bad in ["nothing.json", "points.json?arm=2", "points.json?arm=-1", "points.json?arm=x", "sweep-curve.json"]:
            with subtests.test(bad=bad):
                client.force_login(alice)
                assert client.get(f"/experiments/{made.pk}/charts/{bad}").status_code == 404

    def test_the_page_of_a_chart_holds_its_table(self, made: Any, alice: Any, client: Client) -> None:
        client.force_login(alice)
        page = client.get(f"/experiments/{made.pk}/charts/points/?arm=1").content.decode()
        assert "Monasteries" in page
        assert "Arm 1" in page

    def test_reading_only(self, made: Any, alice: Any, client: Client) -> None:
        client.force_login(alice)
        assert client.post(f"/experiments/{made.pk}/charts/win-rate.json").status_code == 405
