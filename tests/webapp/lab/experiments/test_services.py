import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from tests.webapp.specs import RANDOM, make, spec
from webapp.lab.experiments import services
from webapp.lab.jobs import services as jobs
from webapp.people.accounts.system import system_account
from webapp.records import removal
from webapp.records.models import (
    Chunk,
    EngineConfiguration,
    Experiment,
    LineupEntry,
    Match,
    Ply,
    Seat,
    Study,
    Summary,
)
from worker.spec import SpecError, from_json

pytestmark = pytest.mark.django_db
FLAT = {"engine": "flat_mc", "options": {}, "budget": {"playouts": 40}}
ARMS = [{"name": "A", "seats": [FLAT, RANDOM]}, {"name": "B", "seats": [RANDOM, RANDOM]}]


def test_create_makes_arms_line_ups_and_chunks(alice):
    experiment = make(alice, arms=ARMS)
    assert experiment.num_matches == 9, "each of 3 deals twice in A, and once in B: its engines are the same"
    assert list(experiment.arms.order_by("index").values_list("name", flat=True)) == ["A", "B"]
    assert LineupEntry.objects.filter(arm__experiment=experiment).count() == 4
    assert sum(chunk.size for chunk in experiment.chunks.all()) == 9
    assert experiment.status == Experiment.Status.RUNNING


def test_equal_configurations_are_one_row(alice):
    make(alice, arms=ARMS)
    make(alice, arms=ARMS)
    assert EngineConfiguration.objects.count() == 2


def test_the_spec_is_kept_complete(alice):
    kept = make(alice).spec
    assert kept["options"]
    assert kept["priority"] == 0


def test_workers_are_woken_after_the_commit(alice, monkeypatch, django_capture_on_commit_callbacks):
    from webapp.records import work_source

    woken = []
    monkeypatch.setattr(work_source, "wake", lambda: woken.append(True))
    make(alice)
    assert woken


@pytest.mark.parametrize(
    ("change", "path"), [({"deals": 0}, "deals"), ({"game": "chess"}, "game"), ({"arms": []}, "arms")]
)
def test_a_bad_spec_makes_nothing(alice, change, path):
    with pytest.raises(SpecError) as caught:
        make(alice, **change)
    assert caught.value.place == path
    assert not Experiment.objects.exists()
    assert not Chunk.objects.exists()


def test_what_would_take_weeks_is_refused_at_the_deals(alice, monkeypatch, settings):
    settings.LAB_MATCH_S = 1e9
    monkeypatch.setattr(services, "MAX_CHUNKS", 2)
    slow = {"engine": "flat_mc", "options": {}, "budget": {"seconds_per_ply": 100}}
    with pytest.raises(SpecError) as caught:
        make(alice, arms=[{"name": "slow", "seats": [slow, slow]}])
    assert caught.value.place == "deals"
    assert not Experiment.objects.exists()


def test_the_same_submission_is_one_experiment(alice):
    number = uuid.uuid4()
    first = services.create(alice, "One", from_json(spec()), submission=number)
    assert services.create(alice, "One", from_json(spec()), submission=number) == first
    assert Chunk.objects.filter(experiment=first).count() == Chunk.objects.count()


def test_a_form_changed_after_the_back_button_is_another_experiment(alice):
    number = uuid.uuid4()
    wanted = [("One", spec()), ("Two", spec()), ("One", spec(deals=9))]
    made = [services.create(alice, title, from_json(content), submission=number) for title, content in wanted * 2]
    assert made[:3] == made[3:]
    assert [(row.title, row.spec["deals"]) for row in made[:3]] == [("One", 3), ("Two", 3), ("One", 9)]


def test_anothers_submission_is_not_mine(alice, bob):
    number = uuid.uuid4()
    first = services.create(alice, "One", from_json(spec()), submission=number)
    second = services.create(bob, "One", from_json(spec()), submission=number)
    assert first != second
    assert second.owner == bob


def test_what_needs_hours_for_a_match_is_refused_at_the_slowest_seat(alice):
    slow = {"engine": "flat_mc", "options": {}, "budget": {"seconds_per_ply": 450}}
    slower = {"engine": "flat_mc", "options": {}, "budget": {"seconds_per_ply": 550}}
    with pytest.raises(SpecError, match="take about 9 h 52 min") as caught:
        make(alice, arms=[{"name": "quick", "seats": [RANDOM, RANDOM]}, {"name": "slow", "seats": [slow, slower]}])
    assert caught.value.place == "arms[1].seats[1].budget"
    assert not Experiment.objects.exists()


def test_delete_takes_everything_and_nothing_else(alice, played, monkeypatch):
    kept, gone = played(alice), played(alice)
    matches = gone.matches.count()
    jobs.stop(gone)
    jobs.delete(gone)
    assert list(Experiment.objects.all()) == [kept], "at once"
    assert not Match.objects.filter(experiment__owner=alice).exclude(experiment=kept).exists()
    monkeypatch.setattr(removal, "SLICE", 2)
    left = [removal.sweep(turn_s=0) for _ in range(matches // 2 + 2)]
    assert (left[:2], left[-1], sum(left)) == ([2, 2], 0, matches), "bit by bit"
    assert list(Experiment.with_removed.all()) == [kept]
    assert set(Summary.objects.values_list("experiment", flat=True)) == {kept.pk}
    for model in (Match, Chunk):
        assert set(model.objects.values_list("experiment", flat=True)) == {kept.pk}
    assert set(Seat.objects.values_list("experiment", flat=True)) == {kept.pk}
    for model in (Seat, Ply):  # no constraint keeps these to their matches, and a join would not show the others
        assert set(model.objects.values_list("match_id", flat=True)) == matches_of(kept)


def matches_of(experiment):
    return set(experiment.matches.values_list("pk", flat=True))


def test_an_account_that_is_deleted_leaves_no_row_of_its_matches(alice, bob, played):
    kept, gone = played(bob), played(alice)
    assert Seat.objects.filter(experiment=gone).exists()
    alice.delete()
    for model in (Seat, Ply):
        assert set(model.objects.values_list("match_id", flat=True)) == matches_of(kept)


def test_a_study_of_a_position_outlives_the_match(alice, played):
    gone = played(alice)
    match = gone.matches.order_by("pk").first()
    study = Study.objects.create(owner=alice, kind="position", spec={}, num_pieces=1, match=match, ply=4)
    jobs.stop(gone)
    jobs.delete(gone)
    study.refresh_from_db()
    assert (study.match, study.ply) == (None, 4)


def test_delete_reads_no_match(alice, played, django_assert_num_queries):
    few, many = played(alice, deals=1), played(alice, deals=150)
    system_account()  # made when it is first needed
    Experiment.objects.update(status="stopped")
    with CaptureQueriesContext(connection) as queries:
        jobs.delete(few)
    with django_assert_num_queries(len(queries)):
        jobs.delete(many)
    removal.sweep()
    assert not Match.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_delete_waits_for_a_worker_that_writes_and_then_takes_its_claim(alice, played):
    """The worker locks the experiment, then its chunk; the other order would be a deadlock."""
    experiment = played(alice)
    Experiment.objects.update(status="stopped")
    worker = connections.create_connection("default")
    with ThreadPoolExecutor(1) as pool:
        try:
            with worker.cursor() as cursor:
                cursor.execute("begin")
                cursor.execute("select 1 from records_experiment where id = %s for key share", [experiment.pk])
                deleting = pool.submit(_delete, experiment)
                _wait_for_a_waiting_lock(cursor)
                cursor.execute("update records_chunk set written = written where experiment_id = %s", [experiment.pk])
                cursor.execute("commit")
        finally:
            worker.close()
        deleting.result(timeout=30)
    assert not Experiment.objects.exists()


def _delete(experiment):
    try:
        jobs.delete(experiment)
    finally:
        connections.close_all()


def _wait_for_a_waiting_lock(cursor):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        cursor.execute("select count(*) from pg_locks where not granted")
        if cursor.fetchone()[0]:
            return
        time.sleep(0.01)
    pytest.fail("nobody waits for the worker's lock")
