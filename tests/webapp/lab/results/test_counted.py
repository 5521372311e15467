"""Only matches of whole deals count, each distinct one once, on every page and in every chart."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import mean
from typing import Any

import pytest

from games import registry as game_registry
from tests.webapp.lab.results import factory
from tests.webapp.lab.results.by_hand import difference, rate_bounds
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from tests.webapp.pages import markup
from webapp.lab.experiments.progress import progress
from webapp.lab.presets import numbers
from webapp.lab.presets.models import PresetRun
from webapp.lab.results import counted
from webapp.lab.results.charts import kinds, registry
from webapp.lab.results.charts.figure import by_arm
from webapp.lab.results.selectors import Results, results
from webapp.lab.results.table import table
from webapp.records.models import Experiment, Seat
from worker import schedule
from worker import spec as specs
from worker.presets import registry as presets
from worker.presets.numbers import WINS
from worker.runner import play_match

pytestmark = pytest.mark.django_db
GREEDY = seat("scripted", {"policy": "greedy"})
TWO_ARMS = [[FLAT, RANDOM], [GREEDY, RANDOM]]
Matches = Sequence[tuple[int, int]]
"""(arm, ordinal) of each."""

every_game = pytest.mark.parametrize("game", game_registry.ids())


def on(game: str) -> Any:
    """What is the same for every game is tried on this one in each run, on all with ``--slow``.

    Matches are left out before anything of a game is asked; games with teams and without take turns.
    """
    return pytest.mark.parametrize(
        "game", [pytest.param(id_, marks=() if id_ == game else pytest.mark.slow) for id_ in game_registry.ids()]
    )


def _written(owner: Any, matches: Matches, failed: Matches = (), status: str = "stopped", **changes: Any) -> Experiment:
    """An experiment of two arms, four deals of two seatings, in which these matches have ended."""
    made = factory.experiment(owner, TWO_ARMS, deals=4, **changes)
    lost = [factory.record(made, arm, ordinal, fail_at=5) for arm, ordinal in failed]
    factory.write(made, [factory.record(made, arm, ordinal) for arm, ordinal in matches] + lost)
    return factory.over(made, status)


def _ordinals(*sizes: int) -> list[tuple[int, int]]:
    """The first so many matches of each arm."""
    return [(arm, ordinal) for arm, size in enumerate(sizes) for ordinal in range(size)]


def _numbers(found: Results) -> Results:
    """All that does not say how many matches there were beside those that count."""
    sides = tuple(tuple(replace(row, failures=0) for row in arm) for arm in found.sides)
    return replace(found, sides=sides, arms=(), failed=0, planned=0)


def _check_same(one: Experiment, other: Experiment) -> None:
    """Both have the same numbers, in the result table and in every chart."""
    ours, theirs = _numbers(results(one)), _numbers(results(other))
    assert ours.sides == theirs.sides
    assert ours == theirs
    charts = registry.fitting_charts(one)
    assert [chart.id for chart in charts] == [chart.id for chart in registry.fitting_charts(other)]
    for chart in charts:
        last = max(len(one.spec["arms"]), len(chart.choices(one))) - 1
        for choice in (None, last):
            found, wanted = (_rounded(chart.build(made, choice).to_json()) for made in (one, other))
            json.dumps(found, allow_nan=False)
            assert found == wanted, (chart.id, choice)


def _rounded(value: Any) -> Any:
    """JSON with numbers to nine digits: blocks add up in any order, which moves the last ones."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, list | tuple) else value


def _note(made: Experiment) -> str:
    return table(made).note


class TestWholeDeals:
    """A deal that a stop or a failure has cut counts nowhere."""

    def test_rates_pairs_and_seats_are_of_whole_deals(self, alice: Any) -> None:
        made = _written(alice, _ordinals(7, 5))
        made.status = Experiment.Status.FINISHED  # with intervals for one look
        found = results(made)
        assert (found.finished, found.left_out, found.repeats) == (12, 2, 0)
        assert [(row[0].result.deals, row[0].result.matches) for row in found.sides] == [(3, 6), (2, 4)]
        for arm, deals in ((0, 3), (1, 2)):
            rows = Seat.objects.filter(experiment=made, arm_index=arm, lineup_index=0, deal__lt=deals)
            won = [[row.result == "win" for row in rows if row.deal == deal] for deal in range(deals)]
            side = found.sides[arm][0].result
            assert side.win_rate == pytest.approx(mean(map(mean, won)))
            assert side.win_rate_interval == pytest.approx(rate_bounds(won), abs=1e-6)
            assert side.mean_margin == pytest.approx(mean(row.margin for row in rows))
        (pair,) = found.differences
        assert (pair.wins.blocks, pair.wins.left_out) == (2, 1), "arm 1 lacks the third deal"
        first = Seat.objects.filter(experiment=made, seat=0).exclude(arm_index=0, deal=3).exclude(arm_index=1, deal=2)
        assert found.first is not None
        assert sum(seat.matches for seat in found.seats) == 2 * 10
        assert found.seats[0].wins == sum(row.result == "win" for row in first)
        assert found.first.lead == pytest.approx(mean(row.margin for row in first))

    @pytest.mark.long
    @on("dominoes")
    def test_every_number_is_as_if_the_rest_had_not_been_played(self, alice: Any, game: str) -> None:
        half = _written(alice, _ordinals(7, 5), game=game)
        assert results(half).left_out == 2
        _check_same(half, _written(alice, _ordinals(6, 4), game=game))

    @pytest.mark.long
    @on("kingdomino")
    def test_a_failed_match_takes_its_deal_with_it(self, alice: Any, game: str) -> None:
        played = [match for match in _ordinals(8, 8) if match != (0, 3)]
        broken = _written(alice, played, failed=[(0, 3)], game=game)
        found = results(broken)
        assert (found.finished, found.left_out, found.failed) == (15, 1, 1)
        _check_same(broken, _written(alice, [match for match in played if match != (0, 2)], game=game))

    def test_more_deals_in_part_than_are_named_to_the_database(
        self, alice: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(counted, "FEW", 1)
        broken = _written(alice, [(0, 0), (0, 2), (0, 3), (0, 4), (0, 6), (1, 1), *_ordinals(0, 8)[2:]])
        assert [len(arm.partial) for arm in counted.census(broken)] == [2, 1]
        assert results(broken).left_out == 4
        _check_same(broken, _written(alice, [(0, 2), (0, 3), *_ordinals(0, 8)[2:]]))

    def test_the_note_names_the_rest(self, alice: Any) -> None:
        assert "in none of them" not in _note(_written(alice, _ordinals(8, 8), status="finished"))
        stopped = _note(_written(alice, _ordinals(7, 5)))
        assert (
            "2 finished matches are in none of them: their deals were not played whole, because of a stop or a"
            " failed match."
        ) in stopped
        running = _note(_written(alice, _ordinals(6, 5), status="running"))
        assert "1 finished match is in none of them: its deal is not whole so far." in running
        failed = _note(_written(alice, [(0, 0), *_ordinals(0, 8)], failed=[(0, 1)], status="finished"))
        assert "Failed matches have no result" in failed
        assert "1 finished match is in none of them: its deal was not played whole" in failed

    def test_the_page_says_so(self, alice: Any, client: Any) -> None:
        client.force_login(alice)
        made = _written(alice, _ordinals(7, 5))
        assert "2 finished matches are in none of them" in markup(client.get(f"/experiments/{made.pk}/"))

    @every_game
    def test_before_a_whole_deal_there_is_no_number(self, alice: Any, game: str) -> None:
        made = _written(alice, [(0, 0), (1, 1)], status="running", game=game)
        assert table(made).empty == "No deal has been played whole yet: numbers are of whole deals alone."
        assert table(made).finding == f"No answer yet. {table(made).empty}"
        for chart in registry.fitting_charts(made):
            assert chart.build(made, 0).empty, chart.id

    def test_where_all_have_failed_it_says_so(self, alice: Any) -> None:
        made = _written(alice, (), failed=_ordinals(2, 1))
        assert table(made).empty == "All matches that ended so far have failed; each match says why."

    def test_a_deal_that_comes_to_its_end_counts_at_once(self, alice: Any) -> None:
        made = _written(alice, _ordinals(7, 5), status="running")
        assert (results(made).left_out, counted.census(made)[0].counted) == (2, 6)
        factory.write(made, [factory.record(made, 0, 7)])
        assert (results(made).left_out, counted.census(made)[0].counted) == (1, 8)
        assert results(made).sides[0][0].result.matches == 8
        assert "8 matches" in registry.get("score-by-ply").build(made, 0).subtitle


class TestRepeats:
    """Experiments of before played equal line-ups in every seat in turn: rotation "turns"."""

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("game", "line_up", "again"),
        [("dominoes", [GREEDY, RANDOM], 2), ("kingdomino", [FLAT, FLAT], 2), ("carcassonne", [RANDOM] * 3, 3)],
    )
    def test_each_distinct_match_counts_once(self, alice: Any, game: str, line_up: list[dict], again: int) -> None:
        before = factory.played(alice, [line_up], deals=3, game=game, rotation="turns")
        now = factory.played(alice, [line_up], deals=3, game=game)
        assert before.matches.count() == before.num_matches == again * now.num_matches
        assert before.matches.values("deal", "digest").distinct().count() == now.num_matches
        found = results(before)
        assert (found.finished, found.left_out, found.repeats) == (
            now.num_matches,
            0,
            (again - 1) * now.num_matches,
        )
        _check_same(before, now)

    def test_the_page_says_so(self, alice: Any, client: Any) -> None:
        client.force_login(alice)
        sentence = (
            "further matches only repeat one of these, with equal engines in the same seats, and are not counted."
        )
        before = factory.played(alice, [[GREEDY, RANDOM]], deals=3, game="dominoes", rotation="turns")
        assert f"6 {sentence}" in markup(client.get(f"/experiments/{before.pk}/"))
        now = factory.played(alice, [[GREEDY, RANDOM]], deals=3, game="dominoes")
        assert "repeat" not in _note(now)

    def test_what_only_looks_like_a_repeat_counts(self, alice: Any) -> None:
        """Searches draw from seeds of their own, and play equal seatings differently."""
        made = factory.experiment(alice, [[FLAT, FLAT]], deals=2, rotation="turns")
        records = [factory.record(made, 0, ordinal) for ordinal in range(4)]
        factory.write(made, [*records[:3], replace(records[3], digest=records[3].digest + 1)])
        found = results(factory.over(made, "finished"))
        assert (found.finished, found.repeats, found.sides[0][0].result.matches) == (3, 1, 3)

    def test_the_same_end_of_another_deal_or_seating_is_no_repeat(self, alice: Any) -> None:
        made = factory.experiment(alice, [[GREEDY, RANDOM]], deals=2, game="dominoes", rotation="turns")
        factory.write(made, [factory.record(made, 0, ordinal, digest=7) for ordinal in range(8)])
        assert (results(made).finished, results(made).repeats) == (4, 4), "two deals of two seatings"

    def test_a_repeated_deal_is_whole_only_with_its_repeats(self, alice: Any) -> None:
        made = factory.experiment(alice, [[GREEDY, RANDOM]], deals=2, game="dominoes", rotation="turns")
        factory.write(made, [factory.record(made, 0, ordinal) for ordinal in range(7)])
        found = results(factory.over(made))
        assert (found.finished, found.left_out, found.repeats) == (4, 2, 3)
        assert found.sides[0][0].result.matches == 2

    def test_figures_beside_published_ones_count_them_once(self, alice: Any) -> None:
        preset = presets.get("heyden-table-6.1")
        found = [
            numbers.numbers(
                preset,
                PresetRun.objects.create(
                    preset=preset.id,
                    scale="quick",
                    experiment=factory.played(alice, [[FLAT, FLAT]], deals=3, rotation=rotation),
                ),
            )
            for rotation in ("turns", "all")
        ]
        assert found[0] == found[1]
        assert found[0].blocks[0, 0][WINS].blocks == 3

    def test_seats_are_taken_in_turn(self, alice: Any, client: Any) -> None:
        client.force_login(alice)
        made = factory.played(alice, [[FLAT, FLAT]], deals=2, rotation="turns")
        assert "by-seat" in {chart.id for chart in registry.fitting_charts(made)}
        page = markup(client.get(f"/experiments/{made.pk}/"))
        assert "seats in turn" in page
        assert "2 of 2" in markup(client.get(f"/experiments/{made.pk}/matches/"))
        settings = markup(client.get(f"/experiments/{made.pk}/settings/"))
        assert "All seats in turn, equal seatings each time" in settings


@pytest.mark.long
def test_two_equal_partners_play_each_match_once(alice: Any) -> None:
    """150 deals of this line-up were 600 matches of 300 digests."""
    shrewd, scripted = seat("shrewd"), seat("scripted")
    made = factory.experiment(
        alice,
        [[shrewd, scripted, shrewd, scripted]],
        deals=150,
        game="dominoes",
        seed=935021,
        record="matches",
        options={"length": "round"},
    )
    spec = specs.from_json(made.spec)
    assert spec.num_matches == made.num_matches == 300
    records = list(map(play_match, schedule.expand(spec)))
    assert len({record.digest for record in records}) == 300
    factory.write(made, records)
    found = results(factory.over(made, "finished"))
    assert (found.finished, found.left_out, found.repeats) == (300, 0, 0)
    ours = found.sides[0][0].result
    won = [[record.results[record.lineup.index(0)] == "win" for record in records[i : i + 2]] for i in range(0, 300, 2)]
    assert (ours.matches, ours.wins) == (300, sum(map(sum, won)))
    assert ours.win_rate_interval == pytest.approx(rate_bounds(won), abs=1e-6)


class TestArmsOfSeveralSizes:
    """An arm of two engines has two matches a deal, one of an engine against itself has one."""

    @pytest.fixture
    def make(self, alice: Any) -> Callable[..., Experiment]:
        def make(points: Sequence[tuple[int, int, int, int]], status: str = "finished") -> Experiment:
            made = factory.experiment(alice, [[RANDOM, RANDOM], [FLAT, RANDOM]], deals=3)
            factory.write(made, [factory.decided(made, arm, ordinal, *score) for arm, ordinal, *score in points])
            return factory.over(made, status)

        return make

    POINTS = (
        *((0, 0, 30, 10), (0, 1, 20, 20), (0, 2, 10, 40)),
        *((1, 0, 30, 10), (1, 1, 25, 20), (1, 2, 20, 20), (1, 3, 30, 10), (1, 4, 10, 20), (1, 5, 10, 30)),
    )
    """Arm, ordinal, points of both places."""

    def test_progress_and_planned_matches_follow_the_arms(self, make: Callable[..., Experiment]) -> None:
        made = make(self.POINTS[:5], "running")
        assert made.num_matches == specs.from_json(made.spec).num_matches == 9
        assert [chunk.size for chunk in made.chunks.order_by("arm_index")] == [3, 6]
        now = progress(made)
        assert (now.total, now.played, now.remaining) == (9, 5, 4)
        assert now.good_percent == pytest.approx(100 * 5 / 9)
        assert [arm.counted for arm in counted.census(made)] == [3, 2]
        assert "once all 9 matches are played" in _note(made)

    def test_an_engine_wins_half_of_what_it_does_not_draw_against_itself(self, make: Callable[..., Experiment]) -> None:
        made = make(self.POINTS)
        itself, other = results(made).sides
        assert [row.result.matches for row in (*itself, *other)] == [3, 3, 6, 6]
        for row in itself:
            side = row.result
            assert (side.wins, side.draws, side.losses, side.deals) == (1, 1, 1, 3)
            assert (side.win_rate, side.draw_rate) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
            # of the two seats of a deal's match one wins where it is no draw
            won = [[True, False], [False, False], [True, False]]
            assert side.win_rate_interval == pytest.approx(rate_bounds(won), abs=1e-6)
            assert (side.mean_margin, side.mean_score) == (0, pytest.approx((30 + 10 + 20 + 20 + 10 + 40) / 6))
            assert side.margin_interval == (0, 0)
            assert [(seat.seat, seat.matches) for seat in side.seats] == [(0, 3), (1, 3)]
            assert [(seat.wins, seat.losses) for seat in side.seats] == [(1, 1), (1, 1)]
        assert [table(made).rows[arm].matches for arm in (0, 1)] == ["3", "6"]

    def test_half_a_win_is_written_as_one(self, make: Callable[..., Experiment]) -> None:
        made = make(self.POINTS[1:3] + self.POINTS[3:])
        row = table(made).rows[0]
        assert (row.matches, row.wins, row.draws, row.losses) == ("2", "0.5", "1", "0.5")

    def test_it_is_a_baseline_as_any_other(self, make: Callable[..., Experiment]) -> None:
        (pair,) = results(make(self.POINTS)).differences
        assert (pair.side.arm, pair.baseline.arm, pair.wins.blocks, pair.wins.left_out) == (1, 0, 3, 0)
        # wins by deal 2/2, 1/2, 0/2 less 1/2, 0, 1/2; margins by deal (20 + 5) / 2, 20 / 2, (-10 - 20) / 2 less 0
        assert pair.wins.mean == pytest.approx((0.5 + 0.5 - 0.5) / 3)
        assert pair.points.mean == pytest.approx((12.5 + 10 - 15) / 3)
        low, high, p = difference([[1, 1], [1, 0], [0, 0]], [[1, 0], [0, 0], [1, 0]])
        assert pair.wins.interval == pytest.approx((low, high), abs=1e-6)
        assert pair.wins.p == pytest.approx(p, abs=1e-6)

    def test_seats_are_worth_what_all_arms_say(self, make: Callable[..., Experiment]) -> None:
        found = results(make(self.POINTS))
        first, second = found.seats
        assert (first.matches, second.matches) == (9, 9)
        # arm 0 is seated in order; of arm 1 every second match has its places exchanged
        won = [[True, True, False], [False, False], [False, False, True]]
        assert (first.wins, first.draws, first.losses) == (3, 2, 4)
        assert found.first is not None
        assert (found.first.decisive, found.first.decisive_share) == (7, pytest.approx(3 / 7))
        won[1] = [False]
        assert found.first.decisive_interval == pytest.approx(rate_bounds(won), abs=1e-6)

    def test_charts_count_the_matches_of_their_arm(self, make: Callable[..., Experiment]) -> None:
        made = make(self.POINTS)
        for arm, matches in ((0, 3), (1, 6)):
            for chart in registry.fitting_charts(made):
                shown = chart.build(made, arm)
                if list(chart.details(made)) == list(by_arm(made)) and not shown.empty:
                    assert f"{matches} matches" in shown.subtitle, chart.id
        margins = registry.get("margin-distribution").build(made, 0)
        assert sum(margins.data[0]["y"]) == 3, "both margins of a match, each as half of one"


def test_a_match_of_an_engine_against_itself_is_one_match_in_lines_by_round(alice: Any) -> None:
    for line_up in ([FLAT, FLAT], [FLAT, RANDOM] * 2):
        made = factory.played(alice, [line_up], deals=2, game="kingdomino")
        figure = registry.get("score-by-round").build(made, 0)
        assert {row[2] for row in figure.rows} == {str(made.num_matches)}


def test_a_chart_of_the_first_deals_is_limited_by_its_own_arm(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = factory.played(alice, [[RANDOM, RANDOM], [FLAT, RANDOM]], deals=3, game="kingdomino")
    monkeypatch.setattr(kinds, "MOST", 4)
    assert [kinds.deals(made, arm) for arm in (0, 1)] == [4, 2]
    assert "3 matches." in registry.get("points").build(made, 0).subtitle
    assert "6 matches in all, here those of the first 2 deals." in registry.get("points").build(made, 1).subtitle


def _ended_by_rule(made: Experiment, deals: int | None, dropped: dict[str, int]) -> Experiment:
    """The experiment, with what a stop rule has said."""
    made.outcome = {"deals": deals, "dropped": dropped, "reason": "precise" if deals else "", "arm": None}
    made.save()
    return made


class TestBeyondTheStop:
    """What was played beyond the end of a stop rule, or after it dropped the arm, counts nowhere."""

    @pytest.mark.long
    @on("dominoes")
    def test_numbers_are_those_without_later_deals(self, alice: Any, game: str) -> None:
        """It ends with the third deal, and has dropped one arm with the first."""
        more = _ended_by_rule(_written(alice, _ordinals(8, 7), game=game), 3, {"1": 1})
        _check_same(more, _written(alice, _ordinals(6, 2), game=game))

    def test_matches_beyond_are_told_from_those_of_cut_deals(self, alice: Any) -> None:
        """Arm 0 has whole deals 0, 1, 3 and half of 2; arm 1 is dropped after its first deal, and lacks half of it."""
        matches = [(0, i) for i in (0, 1, 2, 3, 4, 6, 7)] + [(1, i) for i in (0, 2, 3)]
        made = _ended_by_rule(_written(alice, matches), 3, {"1": 1})
        first, second = counted.census(made)
        assert (first.finished, first.counted, first.left_out, first.beyond) == (7, 4, 1, 2)
        assert (second.finished, second.counted, second.left_out, second.beyond) == (3, 0, 1, 2)
        assert counted.limits(made) == {0: 3, 1: 1}
        assert len(counted.uncounted(made)) == 6
