"""Engines at the table: they answer as in a batch, and what becomes of those that do not."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from engines import levels, registry
from engines.protocol import Budget
from games import readiness
from games import registry as games
from games.compile_locks import BusyError
from tests.crash import engines as misbehaving
from tests.records.experiments import make_experiment
from tests.records.experiments import spec as experiment_spec
from tests.webapp.table.live import answering, tables
from webapp.records import verification
from webapp.table.live import engine_turns, player_requests, ply_writer, position_cache
from webapp.table.live.errors import OUTDATED
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.plans import SeatPlan
from worker import cold_start
from worker import spec as specs
from worker.runner import play_match
from worker.spec import MatchSpec, SeatSpec
from worker.stop_switch import StopSwitch

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _misbehaving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ENGINES", dict(registry.ENGINES))
    misbehaving.register_engines()


def configured(engine: str, **budget: float) -> SeatSpec:
    """An engine with this budget, or its usual one."""
    row = {"engine": engine, "options": {}, "budget": budget or registry.get(engine).default_budget}
    return specs.seat_from_json(row, ("seat",), "carcassonne")


def against(person: Any, engine: str, level: str = "", **budget: float) -> LiveMatch:
    """A match in which an engine begins."""
    plan = tables.engine(configured(engine, **budget), name=engine.title(), level=level)
    return tables.open_match(person, [plan, tables.person(person)])


def attempt(match: LiveMatch) -> LiveMatch:
    """One attempt at the turn that is due."""
    claimed = answering.claim(match)
    assert claimed is not None
    answering.carry_out(claimed)
    match.refresh_from_db()
    return match


def first_action(match: LiveMatch) -> int:
    position = position_cache.position_at(match)
    return int(position.game.legal_actions(position.state)[0])


class TestAnswers:
    def test_an_engine_answers_a_person(self, alice: Any) -> None:
        match = tables.open_match(alice, [tables.person(alice), tables.engine()])
        assert answering.answer(match).ply == 0
        ply_writer.play(match.pk, 0, 0, first_action(match))
        match = answering.answer(match)
        assert (match.ply, match.on_turn, match.worker, match.claimed_at) == (2, 0, "", None)
        assert match.plies.get(ply=1).played_by == "engine"

    @pytest.mark.parametrize("waits", [False, True])
    def test_a_cold_game_is_answered_by_plain_rules_or_once_it_is_compiled(
        self, alice: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, waits: bool
    ) -> None:
        modes: list[str] = []
        choose = registry.get("uct").choose

        def note(*given: Any) -> Any:
            modes.append(readiness.usual_mode())
            return choose(*given)

        monkeypatch.setattr(registry.get("uct"), "choose", note)
        registry.make("uct", {}).prepare(games.get("carcassonne"))
        plans = [tables.engine(configured("uct", simulations=4)), tables.person(alice)]
        compiled, cold = (tables.open_match(alice, plans, seed=5, deal_seed=6) for _ in range(2))
        attempt(compiled)
        monkeypatch.setenv("LAB_KERNELS", str(tmp_path))
        monkeypatch.setattr(cold_start, "is_cold", lambda _: True)
        monkeypatch.setattr(cold_start, "PLAIN_S", 0.0 if waits else cold_start.PLAIN_S)
        attempt(cold)
        assert modes == ["jit", "jit" if waits else "plain"]
        assert readiness.pending_requests() == {("carcassonne", "uct")}
        kept = ("action", "value", "playouts", "nodes", "digest", "info")
        assert compiled.plies.values(*kept).get() == cold.plies.values(*kept).get()

    def test_one_process_compiles_and_the_turn_waits_without_a_failed_attempt(
        self, alice: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        attempt(against(alice, "uct", simulations=4))
        monkeypatch.setenv("LAB_KERNELS", str(tmp_path))
        monkeypatch.setattr(cold_start, "is_cold", lambda _: True)
        monkeypatch.setattr(cold_start, "PLAIN_S", 0.0)
        match = against(alice, "uct", simulations=4)
        with cold_start.compiling_alone("kingdomino", "uct"), pytest.raises(BusyError):
            attempt(match)
        match.refresh_from_db()
        assert (match.ply, match.attempts) == (0, 0)

    @pytest.mark.long
    def test_a_table_plays_what_a_batch_plays(self, alice: Any) -> None:
        seats = (configured("flat_mc", playouts_per_action=2), configured("uct", simulations=20))
        match = tables.open_match(alice, [tables.engine(seat) for seat in seats], seed=5, deal_seed=6)
        answering.answer(match)
        match.refresh_from_db()
        wanted = play_match(
            MatchSpec("carcassonne", match.options, seats, (0, 1), 0, 0, 0, seed=5, deal_seed=6, record="full")
        )
        assert (match.status, match.ply, match.digest) == ("finished", wanted.num_plies, wanted.digest)
        kept = ("action", "value", "playouts", "nodes", "depth", "digest", "legal_count", "notation", "info")
        for row, ply in zip(match.plies.order_by("ply"), wanted.plies, strict=True):
            assert {name: getattr(row, name) for name in kept} == {name: getattr(ply, name) for name in kept}
            assert row.elapsed_s > 0
        assert verification.verify([match.match.pk]).mismatches == []

    def test_seconds_are_those_of_the_wall(self, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[Budget] = []
        monkeypatch.setattr(
            misbehaving.Overruns, "choose", lambda self, game, view, seat, budget, r: asked.append(budget)
        )
        attempt(against(alice, "overruns", seconds_per_ply=0.5))
        assert asked == [Budget(seconds_per_ply=0.5, cpu_clock=False)]

    @pytest.mark.long
    def test_a_clock_of_the_match_runs_on(self, alice: Any) -> None:
        match = against(alice, "uct", seconds_per_match=100.0)
        for ply in (0, 1):
            match = attempt(match) if ply == 0 else ply_writer.play(match.pk, 1, 1, first_action(match))
        match.plies.filter(ply=0).update(elapsed_s=99.5)
        match = attempt(match)
        assert match.plies.get(ply=2).elapsed_s < 0.3  # a share of the half second that is left


class TestMovedOn:
    """A decision that nobody waits for any more is dropped."""

    def test_after_a_resignation(self, alice: Any) -> None:
        match = against(alice, "random")
        claimed = answering.claim(match)
        assert claimed is not None
        player_requests.grant("resign", match.pk, (1,))
        answering.carry_out(claimed)
        match.refresh_from_db()
        assert (match.status, match.ply, match.worker) == ("ended", 0, "")

    def test_in_the_middle_of_its_thought(self, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        match = against(alice, "random")
        claimed = answering.claim(match)
        assert claimed is not None
        before = misbehaving.Ponders.choose

        def resign_meanwhile(self: Any, *given: Any) -> Any:
            player_requests.grant("resign", match.pk, (1,))
            return before(self, *given)

        monkeypatch.setattr("engines.scripted.Random.choose", resign_meanwhile)
        answering.carry_out(claimed)
        match.refresh_from_db()
        assert (match.status, match.ending["kind"], match.plies.count()) == ("ended", "resigned", 0)

    def test_a_position_of_another_history(self, alice: Any) -> None:
        match = against(alice, "random")
        claimed = answering.claim(match)
        assert claimed is not None
        LiveMatch.objects.filter(pk=match.pk).update(digest=1)
        answering.carry_out(claimed)
        assert not match.plies.exists()

    def test_rules_that_lead_elsewhere_than_they_did_end_the_match(self, alice: Any) -> None:
        match = against(alice, "random")
        claimed = answering.claim(match)
        assert claimed is not None
        LiveMatch.objects.filter(pk=match.pk).update(digest=1)
        answering.carry_out(dataclasses.replace(claimed, digest=1))
        match.refresh_from_db()
        assert (match.status, match.ending["message"], match.worker) == ("ended", OUTDATED, "")
        assert not match.plies.exists()

    def test_it_is_broken_off_as_soon_as_that_is_known(self, alice: Any) -> None:
        match = against(alice, "sleeps")
        claimed = answering.claim(match)
        assert claimed is not None
        engine_turns.carry_out(claimed, StopSwitch(), lambda: False)  # sleeps for ten minutes otherwise
        match.refresh_from_db()
        assert (match.ply, match.attempts) == (0, 0)


class TestFailures:
    @pytest.mark.parametrize(
        ("engine", "words"),
        [
            ("raises", "Raises ran into an error, twice. {} plays on in its place."),
            ("cheats", "Cheats chose what the rules do not allow, twice. {} plays on in its place."),
            ("overruns", "Overruns took too long, twice. {} plays on in its place."),
        ],
    )
    def test_after_two_attempts_a_weaker_engine_plays_on(self, alice: Any, engine: str, words: str) -> None:
        known = [level for level in levels.for_game("carcassonne") if not level.has_clock]
        match = against(alice, engine)
        version = match.version
        match = attempt(match)
        assert (match.attempts, match.ply, match.seats.get(seat=0).replaced) == (1, 0, None)
        match = attempt(match)
        entry = match.seats.get(seat=0)
        (note,) = entry.replaced
        assert note["why"] == words.format(known[-1].label)
        assert (note["ply"], note["name"], note["has_lost"], note["engine"]) == (0, engine.title(), False, engine)
        assert (entry.level, entry.name, entry.kind) == (known[-1].id, known[-1].label, "engine")
        assert match.version > version
        match = attempt(match)
        assert (match.ply, match.attempts, match.on_turn) == (1, 0, 1)

    def test_a_level_gives_way_to_the_next_weaker_one(self, alice: Any) -> None:
        weak, strong = levels.for_game("carcassonne")[:2]
        match = against(alice, "raises", level=strong.id)
        attempt(match)
        attempt(match)
        assert match.seats.get(seat=0).level == weak.id

    def test_a_lucky_second_attempt_changes_nothing(self, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        match = attempt(against(alice, "raises"))
        monkeypatch.setitem(registry.ENGINES, "raises", registry.ENGINES["ponders"])
        match = attempt(match)
        assert (match.ply, match.attempts, match.seats.get(seat=0).name) == (1, 0, "Raises")

    def test_where_nothing_weaker_is_left_the_match_ends(self, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        match = against(alice, "random", level=levels.for_game("carcassonne")[0].id)
        monkeypatch.setitem(registry.ENGINES, "random", registry.ENGINES["raises"])
        attempt(match)
        match = attempt(match)
        assert (match.status, match.ending["kind"], match.ending["seat"]) == ("ended", "exception", 0)
        assert "an engine's fault" in match.ending["message"]

    def test_an_engine_that_is_gone_is_replaced(self, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        match = against(alice, "ponders")
        monkeypatch.delitem(registry.ENGINES, "ponders")
        attempt(match)
        match = attempt(match)
        assert match.seats.get(seat=0).replaced[0]["version"] == ""
        assert attempt(match).ply == 1

    def test_an_engine_that_never_answers(self, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(engine_turns, "PATIENCE_S", -2.0)
        monkeypatch.setattr(misbehaving.Overruns, "choose", misbehaving.Sleeps.choose)
        match = attempt(against(alice, "overruns", seconds_per_ply=0.1))
        assert (match.ply, match.attempts) == (0, 1)

    def test_an_engine_without_a_clock_that_never_answers(self, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(engine_turns, "UNCLOCKED_S", 0.1)
        match = attempt(against(alice, "sleeps"))
        assert (match.ply, match.attempts) == (0, 1)

    def test_in_an_experiment_nobody_is_replaced(self, alice: Any) -> None:
        seats = [{"engine": name, "options": {}, "budget": {}} for name in ("raises", "random")]
        arms = [{"name": "fails", "seats": seats}]
        experiment = make_experiment(alice, spec=specs.to_json(specs.from_json(experiment_spec(arms=arms))))
        plans = [tables.engine(configured("raises"), "Raises"), tables.engine()]
        match = tables.open_match(alice, plans, experiment=experiment, queue="batch")
        attempt(match)
        match = attempt(match)
        assert (match.status, match.seats.get(seat=0).replaced) == ("ended", None)
        assert (match.match.status, match.match.experiment) == ("failed", experiment)
        assert (match.match.failure["kind"], match.match.failure["seat"]) == ("exception", 0)


def test_a_stop_gives_the_turn_back(alice: Any) -> None:
    match = against(alice, "sleeps")
    claimed = answering.claim(match)
    assert claimed is not None
    stop = StopSwitch()

    def ask() -> bool:
        stop.is_asked = True  # as the signal does; the alarm asks again
        return True

    engine_turns.carry_out(claimed, stop, ask)
    match.refresh_from_db()
    assert (match.ply, match.attempts) == (0, 0)


def test_a_turn_is_claimed_once(alice: Any) -> None:
    match = against(alice, "random")
    assert answering.claim(match) is not None
    assert answering.claim(match) is None


def test_people_s_turns_are_not_claimed(alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), SeatPlan()])
    assert answering.claim(match) is None
    assert LiveSeat.objects.filter(match=match).count() == 2
