"""Ladders in the database: the same rounds as without one, whoever plays, dies or is held."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.db import connection

from engines import registry as engine_registry
from tests.records import ruled
from tests.worker.ladders import made_up
from webapp.lab.jobs import services as jobs
from webapp.lab.ladders import services
from webapp.records import ladders
from webapp.records.models import Experiment, Match
from worker.ladders import standing
from worker.ladders.batch import Rows
from worker.ladders.rounds import PLANNED, START, Round
from worker.spec import ExperimentSpec, SpecError, from_json

pytestmark = pytest.mark.django_db(transaction=True)

Status = Experiment.Status


@pytest.fixture
def owner(django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("ladder")


def without_database(spec: ExperimentSpec, play: made_up.Play) -> Rows:
    rows = Rows(spec)
    made_up.finish(rows, play)
    return rows


def played(made: Experiment) -> set[tuple[int, int, int]]:
    return set(Match.objects.filter(experiment=made).values_list("arm_index", "deal", "rotation"))


def plan(made: Experiment) -> Round:
    made.refresh_from_db()
    assert made.plan is not None
    return Round.from_json(made.plan)


def standing_of(made: Experiment) -> standing.Standing:
    connection.ensure_connection()
    return standing.of_rows(from_json(made.spec), ladders.rows(connection.connection, made.pk))


@pytest.mark.parametrize(("workers", "most", "deaths"), [pytest.param(1, 40, 0, marks=pytest.mark.slow), (3, 9, 4)])
def test_the_rounds_are_those_of_a_run_without_a_database(owner: Any, workers: int, most: int, deaths: int) -> None:
    spec = made_up.spec_of(4, deals=20)
    play = made_up.player(spec)
    wanted = without_database(spec, play)
    made = services.create(owner, "Four", spec)
    assert {step.why for step in plan(made).steps} == {START}
    ruled.play_all(play, random.Random(workers), workers, most, deaths)
    assert played(made) == set(wanted.rows)
    assert (plan(made), made.status) == (Round((), PLANNED), Status.FINISHED)
    assert made.num_matches == len(wanted.rows) == 80
    found = standing_of(made)
    assert found.meetings == wanted.standing().meetings
    assert found.ratings.elo.tolist() == wanted.standing().ratings.elo.tolist()


def test_one_that_is_stopped_in_the_last_chunk_of_a_round_goes_on(owner: Any) -> None:
    spec = made_up.spec_of(3, deals=16)
    play = made_up.player(spec)
    made = services.create(owner, "Three", spec)
    player = ruled.Player("worker", play)
    try:
        while made.chunks.filter(status="waiting").count() > 1:
            assert player.take()
            player.write(100)
        assert player.take()
        jobs.stop(made)
        player.chunk.write([play(match) for match in player._matches])  # what it was at
        player.leave()
        assert made.chunks.filter(status="waiting").exists()
        jobs.resume(made)
    finally:
        player.source.close()
    ruled.play_all(play, random.Random(1), most=100)
    assert played(made) == set(without_database(spec, play).rows)
    made.refresh_from_db()
    assert made.status == Status.FINISHED


def test_an_engine_that_enters_later_is_played_and_old_rows_stay(owner: Any) -> None:
    before, after = made_up.spec_of(3, deals=20), made_up.spec_of(4, deals=20)
    made = services.create(owner, "Three", before)
    ruled.play_all(made_up.player(before), random.Random(1), most=100)
    old = played(made)
    assert after.ladder is not None
    services.add_entry(made, after.ladder.entries[-1])
    assert (made.status, made.arms.count()) == (Status.RUNNING, 6)
    ruled.play_all(made_up.player(after), random.Random(1), most=100)
    assert old < played(made)
    found = standing_of(made)
    assert found.rated == (0, 1, 2, 3)
    assert found.deals(3) == 20  # as many as are planned for each
    with pytest.raises(SpecError, match=r"is the name of another entry|is the same engine"):
        services.add_entry(made, after.ladder.entries[-1])


def test_all_against_all_puts_up_a_new_engine_at_once_and_more_deals_when_asked(owner: Any) -> None:
    before, after = (made_up.spec_of(n, deals=6, pairing="round_robin") for n in (2, 3))
    made = services.create(owner, "Two", before)
    assert after.ladder is not None
    services.add_entry(made, after.ladder.entries[-1])
    assert (made.num_matches, set(made.chunks.values_list("arm_index", flat=True))) == (36, {0, 1, 2})
    ruled.play_all(made_up.player(after), random.Random(1), most=100)
    services.play_more(made, 9)
    assert (made.status, made.num_matches) == (Status.RUNNING, 54)
    ruled.play_all(made_up.player(after), random.Random(1), most=100)
    assert len(played(made)) == 54
    with pytest.raises(SpecError, match="must be more than 9"):
        services.play_more(made, 9)


def test_a_new_version_of_an_engine_enters_and_the_old_one_keeps_its_matches(
    owner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [{"engine": "uct", "budget": {"simulations": 9}}, {"engine": "random"}, {"engine": "scripted"}]
    spec = made_up.spec_of(entries, pairing="round_robin", deals=10)
    made = services.create(owner, "Versions", spec)
    ruled.play_all(made_up.player(spec), random.Random(1), most=100)
    assert services.enter_versions() == 0
    monkeypatch.setattr(engine_registry.get("uct"), "version", "99")
    assert (services.enter_versions(), services.enter_versions()) == (1, 0)
    made.refresh_from_db()
    assert [entry["version"] == "99" for entry in made.spec["ladder"]["entries"]] == [False, False, False, True]
    assert list(made.arms.order_by("index").values_list("name", flat=True))[3:] == [
        "Engine 1 v Engine 0",
        "Engine 2 v Engine 0",
    ]
    ruled.play_all(
        made_up.player(from_json(made.spec), (0, 100, 200, 300), {"carcassonne": "1", "uct": "99"}),
        random.Random(1),
        most=100,
    )
    found = standing_of(made)
    assert [found.matches(i) for i in range(4)] == [40, 60, 60, 40]
    made.refresh_from_db()
    assert made.status == Status.FINISHED
