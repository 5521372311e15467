"""Agents in experiments: matches opened so many at once, played to the end, their luck a secret until then."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from games import registry, rng
from tests.webapp import specs
from tests.webapp.table.live import answering
from webapp.common.errors import RefusedError
from webapp.lab.experiments import services
from webapp.lab.experiments.progress import progress
from webapp.lab.jobs import services as jobs
from webapp.lab.results.selectors import results
from webapp.people.agents.models import Agent
from webapp.records import removal, sweeper, verification
from webapp.records.models import Chunk, Experiment, Match, UsageDay
from webapp.records.work_source import PostgresWorkSource
from webapp.table.live import departures, experiment_matches, match_end, observations, ply_writer, position_cache
from webapp.table.live.models import LiveMatch
from webapp.table.live.work_source import LabWorkSource
from worker.spec import SpecError, from_json
from worker.stop_switch import StopSwitch

pytestmark = pytest.mark.django_db(transaction=True)

ROOK = {"engine": "agent:rook"}
RANDOM = specs.RANDOM
RUNNING = LiveMatch.Status.RUNNING


@pytest.fixture
def rook(alice: Any) -> Agent:
    return Agent.objects.create(owner=alice, name="rook")


@pytest.fixture(autouse=True)
def _two_at_once(settings: Any, valkey_service: str) -> None:
    settings.LAB_AGENT_MATCHES = 2


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "toy", "games.toy.game:Cards")


def make(owner: Any, arms: list[list[dict[str, Any]]] | None = None, **changes: Any) -> Experiment:
    """An experiment with an agent at cards, which are over soon: one arm, the agent against an engine, unless said."""
    rows = [{"name": f"Arm {i}", "seats": seats} for i, seats in enumerate(arms or [[ROOK, RANDOM]])]
    spec = specs.spec(game="toy", arms=rows)
    del spec["seed"]
    return services.create(owner, "Is rook any good?", from_json(spec | {"deals": 2, "record": "standard"} | changes))


def running(experiment: Experiment) -> list[LiveMatch]:
    return list(LiveMatch.objects.filter(experiment=experiment, status=RUNNING).order_by("pk"))


def from_the_queue(_: LiveMatch) -> None:
    """Let a worker of agents' tables carry out the engine's turn that comes next."""
    work = LabWorkSource()
    with work.claim("agents") as found:
        assert found is not None, "engines are not served"
        found.carry_out(StopSwitch())
    work.close()


def act(
    match: LiveMatch, plies: int | None = None, answer: Callable[[LiveMatch], object] = answering.answer
) -> LiveMatch:
    """Let the agents of a match play legal actions at random; answer: lets its engines play."""
    r = rng.new_stream(match.pk, rng.ANALYSIS, 0)
    match.refresh_from_db()
    while match.status == RUNNING and (plies is None or match.ply < plies):
        if match.is_engine_due:
            answer(match)
        else:
            position = position_cache.position_at(match)
            legal = position.game.legal_actions(position.state)
            ply_writer.play(match.pk, match.on_turn, match.ply, int(legal[rng.below(r, len(legal))]))
        match.refresh_from_db()
    return match


def to_the_end(experiment: Experiment) -> Experiment:
    """Play until nothing is open any more."""
    while found := running(experiment):
        act(found[0])
    experiment.refresh_from_db()
    return experiment


def break_all_off(experiment: Experiment) -> Experiment:
    """Let every match end at once, by a forfeit: fast, where only their number matters."""
    while found := running(experiment):
        end(found[0])
    experiment.refresh_from_db()
    return experiment


def end(match: LiveMatch, kind: str = "absent", seat: int = 0) -> None:
    """Break a match off."""
    with transaction.atomic():
        match_end.end(ply_writer.lock_match(match.pk), kind, seat, "It was away.")


class TestCourse:
    @pytest.mark.long
    @pytest.mark.parametrize("game", ["toy", "kingdomino"])
    def test_an_agent_plays_an_experiment_to_its_end(self, alice: Any, rook: Agent, game: str) -> None:
        experiment = make(alice, deals=1, game=game, rotation="all")
        assert not experiment.chunks.exists()
        experiment = to_the_end(experiment)
        assert (experiment.status, experiment.matches.count()) == ("finished", 2)
        assert experiment.finished_at is not None
        found = results(experiment)
        assert (found.finished, found.failed) == (2, 0)
        assert [row.side.name for row in found.compared] == ["rook", "Random"]
        assert [row.result.matches for row in found.compared] == [2, 2]
        report = verification.verify(list(experiment.matches.values_list("pk", flat=True)))
        assert (report.matches, report.mismatches, report.not_comparable) == (2, [], [])
        seats = {(row.match.rotation, row.seat): row.lineup_index for row in experiment.seats.select_related("match")}
        assert seats == {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 0}

    def test_no_more_are_open_than_an_agent_may_play_at_once(self, alice: Any, rook: Agent) -> None:
        first = make(alice, deals=3)
        second = make(alice, deals=3)
        assert len(running(first)) + len(running(second)) == 2
        end(running(first)[0])
        assert len(running(first)) + len(running(second)) == 2
        assert len(running(second)) == 1, "experiments take turns"
        assert experiment_matches.open_next() == 0

    def test_matches_are_opened_with_the_agents_limits(self, alice: Any, rook: Agent) -> None:
        limits = {"seconds_per_ply": 5, "seconds_per_match": 90}
        match = running(make(alice, [[ROOK | {"budget": limits}, RANDOM]]))[0]
        assert (match.ply_limit_s, match.clock_s, match.replaces_absent) == (5, 90.0, False)
        assert (match.visibility, match.queue, match.creator) == ("private", "agents", alice)

    def test_two_agents_play_each_other(self, alice: Any, rook: Agent) -> None:
        Agent.objects.create(owner=alice, name="crow")
        experiment = to_the_end(make(alice, [[ROOK, {"engine": "agent:crow"}]], deals=1, rotation="none"))
        assert (experiment.status, results(experiment).finished) == ("finished", 1)

    def test_arms_without_agents_are_played_in_chunks(self, alice: Any, rook: Agent) -> None:
        experiment = make(alice, [[ROOK, RANDOM], [specs.SCRIPTED, RANDOM]], deals=1)
        assert {chunk.arm_index for chunk in experiment.chunks.all()} == {1}
        assert to_the_end(experiment).status == "running"
        work = PostgresWorkSource()
        with work.claim("batch") as claimed:
            claimed.carry_out(StopSwitch())
        work.close()
        experiment.refresh_from_db()
        assert experiment.status == "finished"
        assert Match.objects.filter(experiment=experiment).values("deal_seed").distinct().count() == 4
        (difference,) = results(experiment).differences
        assert (difference.wins.blocks, difference.wins.left_out, difference.wins.variance_ratio) == (4, 0, None)
        assert not results(experiment).is_paired

    @pytest.mark.long
    def test_every_match_has_a_deal_of_its_own(self, alice: Any, rook: Agent) -> None:
        experiment = to_the_end(make(alice, [[ROOK, RANDOM], [RANDOM, ROOK]], deals=1, record="matches"))
        rows = experiment.matches.values_list("deal", "deal_seed", "seed")
        assert len({row[0] for row in rows}) == len({row[1] for row in rows}) == len({row[2] for row in rows}) == 4
        assert {row.result.deals for arm in results(experiment).sides for row in arm} == {2}
        assert not any(match.plies.exists() for match in experiment.matches.all())


class TestSteering:
    def test_a_pause_opens_no_more_and_a_resume_goes_on(self, alice: Any, rook: Agent) -> None:
        experiment = make(alice)
        jobs.pause(experiment)
        for match in running(experiment):
            end(match)
        assert (running(experiment), experiment.matches.count()) == ([], 2)
        assert progress(experiment).state == "paused"
        jobs.resume(experiment)
        assert len(running(experiment)) == 2
        assert break_all_off(experiment).status == "finished"

    @pytest.mark.long
    def test_no_more_are_opened_for_an_owner_whose_cpu_hours_are_used_up(
        self, alice: Any, rook: Agent, settings: Any
    ) -> None:
        settings.LAB_QUOTAS = settings.LAB_QUOTAS | {"cpu_hours": 1}
        experiment = make(alice)
        used = UsageDay.objects.create(owner=alice, day=datetime.now(UTC).date(), cpu_s=3600)
        begun = running(experiment)
        for match in begun:
            end(match)
        assert (len(begun), len(running(experiment))) == (2, 0), "what has begun comes to its end"
        used.delete()
        assert experiment_matches.open_next() == 2

    def test_a_stop_lets_those_begun_end_and_keeps_the_secret(self, alice: Any, rook: Agent) -> None:
        experiment = make(alice)
        jobs.stop(experiment)
        with pytest.raises(RefusedError, match="still play"):
            jobs.delete(experiment)
        first, second = running(experiment)
        act(first, answer=from_the_queue)
        end(second)
        experiment.refresh_from_db()
        assert set(experiment.matches.values_list("status", flat=True)) == {"finished", "failed"}
        assert (experiment.status, experiment.matches.count()) == ("stopped", 2)
        assert experiment.is_secret
        jobs.resume(experiment)
        assert break_all_off(experiment).status == "finished"

    def test_a_resume_with_nothing_left_is_finished_by_the_sweeper(self, alice: Any, rook: Agent) -> None:
        experiment = make(alice, deals=1)
        jobs.stop(experiment)
        break_all_off(experiment)
        jobs.resume(experiment)
        sweeper.sweep()
        experiment.refresh_from_db()
        assert experiment.status == "finished"

    def test_it_can_be_deleted_with_its_matches(self, alice: Any, rook: Agent) -> None:
        experiment = make(alice, deals=1)
        act(running(experiment)[0], plies=2)
        jobs.delete(break_all_off(experiment))
        removal.sweep()
        assert not LiveMatch.objects.exists()
        assert not Match.objects.exists()

    def test_it_stops_where_an_agent_has_retired(self, alice: Any, rook: Agent) -> None:
        experiment = make(alice, rotation="none")
        Agent.objects.update(retired_at=timezone.now())
        departures.enforce()
        experiment.refresh_from_db()
        assert (experiment.status, running(experiment)) == ("stopped", [])
        assert "rook no longer plays" in experiment.notice

    def test_nobody_else_plays_under_the_name_of_an_agent(self, alice: Any, bob: Any, rook: Agent) -> None:
        experiment = make(alice)
        Agent.objects.update(owner=bob)
        end(running(experiment)[0])
        experiment_matches.open_next()
        experiment.refresh_from_db()
        assert (experiment.status, len(running(experiment))) == ("stopped", 1)

    def test_progress_counts_matches_with_agents(self, alice: Any, rook: Agent) -> None:
        experiment = make(alice)
        end(running(experiment)[0])
        now = progress(experiment)
        assert (now.played, now.total, now.in_play, now.state) == (1, 4, 2, "running")


class TestFailures:
    @pytest.mark.parametrize("kind", ["absent", "over_time", "resigned"])
    def test_a_forfeit_is_the_agents_failure(self, alice: Any, rook: Agent, kind: str) -> None:
        experiment = make(alice, rotation="none", deals=1)
        end(running(experiment)[0], kind, seat=0)
        found = results(experiment)
        assert (found.finished, found.failed) == (0, 1)
        assert [row.failures for row in found.compared] == [1, 0]
        record = experiment.matches.get(status="failed")
        assert (record.failure["kind"], record.failure["seat"]) == (kind, 0)

    def test_who_stays_away_forfeits(self, alice: Any, rook: Agent) -> None:
        experiment = make(alice, deals=1)
        later = timezone.now() + timedelta(seconds=61)
        assert departures.enforce(later) == 1, "the other match waits for its engine"
        assert experiment.matches.get().failure["kind"] == "absent"


class TestSecrecy:
    def _answers(self, client: Client, experiment: Experiment) -> dict[str, str]:
        """Everything that can be seen of an experiment and its matches."""
        base = f"/experiments/{experiment.pk}/"
        pages = [base, *(f"{base}{part}" for part in ("settings/", "matches/", "live/", "spec.json", "failures/"))]
        pages += [f"{base}export/{table}.{kind}" for table in ("matches", "plies") for kind in ("csv", "jsonl")]
        for match in experiment.matches.all():
            pages += [f"/matches/{match.pk}/", f"/matches/{match.pk}/trace.json", f"/matches/{match.pk}/position/"]
            pages += [f"/matches/{match.pk}/export/{table}.csv" for table in ("matches", "plies")]
        return {page: client.get(page).getvalue().decode() for page in pages}

    @pytest.mark.long
    def test_nothing_of_the_luck_is_seen_before_the_end(self, alice: Any, rook: Agent, client: Client) -> None:
        experiment = make(alice)
        act(running(experiment)[0])
        act(running(experiment)[0], plies=3)
        client.force_login(alice)
        secrets = {str(experiment.secret_seed)}
        for match in LiveMatch.objects.filter(experiment=experiment):
            secrets |= {str(match.seed), str(match.deal_seed), match.salt, str(match.digest or "no digest yet")}
        assert len(secrets) > 5
        answers = self._answers(client, experiment)
        live = LiveMatch.objects.exclude(match=None).get()
        answers["API"] = json.dumps(observations.observe(live, [0]).to_json())
        jobs.stop(experiment)  # it can go on: still secret
        answers |= {f"stopped {page}": text for page, text in self._answers(client, experiment).items()}
        answers["stopped API"] = json.dumps(observations.observe(live, [0]).to_json())
        for page, text in answers.items():
            assert not [secret for secret in secrets if secret in text], page
        assert client.get(f"/matches/{experiment.matches.get().pk}/trace.json").status_code == 404

    @pytest.mark.long
    def test_the_admin_keeps_the_secret(self, alice: Any, rook: Agent, admin_client: Client) -> None:
        experiment = make(alice, rotation="none", deals=2)
        live = running(experiment)[0]
        end(live)
        address = f"/admin/records/match/{experiment.matches.get().pk}/change/"
        assert str(live.deal_seed) not in admin_client.get(address).content.decode()
        experiment_page = admin_client.get(f"/admin/records/experiment/{experiment.pk}/change/").content.decode()
        assert str(experiment.secret_seed) not in experiment_page
        break_all_off(experiment)
        assert str(live.deal_seed) in admin_client.get(address).content.decode()

    @pytest.mark.long
    def test_all_is_open_when_it_is_over(self, alice: Any, rook: Agent, client: Client) -> None:
        experiment = to_the_end(make(alice, deals=1))
        client.force_login(alice)
        answers = self._answers(client, experiment)
        base = f"/experiments/{experiment.pk}/"
        assert str(experiment.secret_seed) in answers[base]
        assert str(experiment.secret_seed) in answers[f"{base}settings/"]
        for match in experiment.matches.all():
            assert str(match.deal_seed) in answers[f"{base}export/matches.csv"]
            assert str(match.deal_seed) in answers[f"/matches/{match.pk}/trace.json"]
        live = LiveMatch.objects.exclude(match=None).first()
        assert observations.observe(live, [0]).deal_seed == live.deal_seed

    def test_the_same_seed_gives_the_same_deals(self, alice: Any, rook: Agent) -> None:
        one, other = make(alice), make(alice)
        assert one.secret_seed != other.secret_seed
        assert "seed" not in one.spec
        assert Chunk.objects.count() == 0


class TestRefusals:
    def test_only_own_agents_take_part(self, bob: Any, rook: Agent) -> None:
        with pytest.raises(SpecError, match=r"arms\[0\].seats\[0\].engine: you have no agent"):
            make(bob)
        assert not Experiment.objects.exists()

    def test_a_retired_agent_takes_part_in_nothing(self, alice: Any, rook: Agent) -> None:
        Agent.objects.update(retired_at=timezone.now())
        with pytest.raises(SpecError, match="you have no agent called rook"):
            make(alice)

    def test_the_seed_is_not_ones_own_to_choose(self, alice: Any, rook: Agent) -> None:
        with pytest.raises(SpecError, match="seed: must not be given where agents take part"):
            make(alice, seed=7)
