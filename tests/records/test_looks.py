"""Looks of workers at the rows of an experiment: the same end, whoever writes what when, and whoever dies."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import psycopg
import pytest
from django.db import connection, transaction

from tests.looping import looped
from tests.records import ruled
from tests.records.experiments import target
from tests.records.queues import end
from webapp.lab.jobs import services
from webapp.records import chunks, looks, recorder, recovery, work_source
from webapp.records.models import Chunk, Experiment, Match
from webapp.records.sweeper import sweep
from worker import schedule
from worker.looks import RecordLooks, Ruling
from worker.records import MatchRecord
from worker.spec import ExperimentSpec, MatchSpec

pytestmark = pytest.mark.django_db(transaction=True)

Status = Experiment.Status
LEVELS = (0, -9, 0)
"""Arm 1 loses by 9 points to the others, so that best of drops it; a deal's margin deviates by 6 or so."""


def from_all(spec: ExperimentSpec, play: ruled.Play) -> Ruling:
    """What the rule says of all matches at once."""
    found = RecordLooks(spec)
    found.write(map(play, schedule.expand(spec)))
    return found.ruling


Hire = Callable[[ruled.Play], ruled.Player]


@pytest.fixture
def hire() -> Iterator[Hire]:
    """Return a function that makes workers; what they hold is closed at the end."""
    players: list[ruled.Player] = []

    def new(play: ruled.Play) -> ruled.Player:
        players.append(ruled.Player(f"worker {len(players)}", play))
        return players[-1]

    yield new
    for player in players:
        player.source.close()


def outcome(made: Experiment) -> Ruling:
    made.refresh_from_db()
    assert made.outcome is not None
    return Ruling.from_json(made.outcome)


RULED = {
    "precision": (ruled.PRECISE, 1, 0),
    "sprt": (ruled.SPRT | {"h0": -20}, 2, -4),
    "one arm": (ruled.SPRT, 1, 6),
    "best of": (ruled.BEST_OF, 3, 0),
}
"""A rule, its arms, and points that the compared place has before it in the last of them."""


def ruled_by(name: str) -> tuple[ExperimentSpec, ruled.Play]:
    """The spec, and the matches: one in 40 fails."""
    stop, arms, level = RULED[name]
    spec = ruled.spec_of(stop, arms)
    levels = LEVELS if arms == 3 else [0] * (arms - 1) + [level]

    def play(match: MatchSpec) -> MatchRecord:
        if random.Random(f"{name} {match.arm} {match.deal} {match.rotation}").random() < 1 / 40:
            return ruled.failed(spec, match)
        return ruled.record(spec, match, levels)

    return spec, play


@pytest.mark.long
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "sprt" else pytest.mark.slow) for name in RULED]
)
def test_the_end_is_the_same_whoever_plays_and_whoever_dies(name: str, hire: Hire) -> None:
    """One worker in order; three in any order, of which some die; one that is held now and then."""
    spec, play = ruled_by(name)
    wanted = from_all(spec, play)
    assert wanted.deals is not None
    for seed, workers, most, deaths in ((1, 1, 40, 0), (2, 3, 12, 3)):
        made = ruled.experiment(spec)
        ruled.play_all(play, random.Random(seed), workers, most, deaths)
        assert outcome(made) == wanted
        assert (made.status, made.finished_at is not None) == (Status.FINISHED, True)
        made.delete()
    made = ruled.experiment(spec)
    player = hire(play)
    for _ in range(3):
        assert player.take()
        player.write(2)
        services.pause(made)
        player.write(2)
        assert player.chunk is None
        services.resume(made)
    ruled.play_all(play, random.Random(4), most=40)
    assert outcome(made) == wanted
    assert made.status == Status.FINISHED


@pytest.mark.parametrize("name", ["sprt", "best of"])
def test_workers_that_write_at_once_neither_miss_a_match_nor_wait_for_each_other(name: str) -> None:
    spec, play = ruled_by(name)
    made = ruled.experiment(spec, deals_a_chunk=2)
    errors: list[BaseException] = []

    def work() -> None:
        player = ruled.Player("worker", play)
        try:
            while player.take():
                player.write(4)
        except BaseException as error:
            errors.append(error)
        finally:
            player.source.close()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert outcome(made) == from_all(spec, play)
    assert made.status == Status.FINISHED


@pytest.mark.long
def test_arms_grow_side_by_side_with_several_workers(hire: Hire) -> None:
    """One arm has a seating and the other two; at any moment they differ by a chunk a worker at most."""
    spec = ruled.spec_of(ruled.SPRT | {"h0": 19}, [[RANDOM, RANDOM], [SCRIPTED, RANDOM]])
    play, dice, deals, workers = partial(ruled.record, spec), random.Random(3), 4, 3
    made = ruled.experiment(spec, deals_a_chunk=deals)
    players, apart = [hire(play) for _ in range(workers)], 0
    while idle := [player for player in players if player.chunk is None]:
        taken = [player.take() for player in idle]
        if not all(taken):
            break
        ended = Counter(Match.objects.filter(experiment=made).values_list("arm_index", "deal"))
        whole = Counter(arm for (arm, _), number in ended.items() if number == spec.num_seatings(arm))
        apart = max(apart, abs(whole[0] - whole[1]))
        dice.choice(players).write(2 * deals)
    assert apart <= deals * workers
    for player in players:
        if player.chunk is not None:
            player.write(2 * deals)
    ruled.play_all(play, dice)
    assert outcome(made) == from_all(spec, play)


FLAT, RANDOM, SCRIPTED = ruled.FLAT, ruled.RANDOM, ruled.SCRIPTED
SEATED: dict[str, tuple[str, list[list[dict[str, Any]]]]] = {
    "two seats": ("carcassonne", [[SCRIPTED, RANDOM]]),
    "arms of one seating and two": ("carcassonne", [[RANDOM, RANDOM], [SCRIPTED, RANDOM]]),
    "the second place differs": ("carcassonne", [[RANDOM, SCRIPTED], [RANDOM, FLAT[0]]]),
    "three seats": ("carcassonne", [[SCRIPTED, RANDOM, RANDOM]]),
    "two equal teams": ("dominoes", [[RANDOM, RANDOM, RANDOM, RANDOM]]),
    "partners alike": ("dominoes", [[SCRIPTED, RANDOM, SCRIPTED, RANDOM]]),
    "partners that differ": ("dominoes", [[SCRIPTED, RANDOM, RANDOM, RANDOM]]),
}


@looped("name, on", [(name, on) for name in SEATED for on in ("win_rate", "margin")])
def test_rows_say_what_records_say(name: str, on: str) -> None:
    """Of two thirds of the matches, some of them failed, in the database and in memory."""
    game, lineups = SEATED[name]
    spec = ruled.spec_of({"rule": "precision", "on": on, "half_width": 1}, lineups, deals=12, game=game)
    rng = random.Random(name)
    records = [
        (ruled.failed if rng.random() < 0.1 else ruled.record)(spec, match)
        for match in schedule.expand(spec)
        if rng.random() < 0.67
    ]
    made = ruled.experiment(spec)
    connection.ensure_connection()
    recorder.write(connection.connection, target(made), records)
    rows, kept = looks.read(connection.connection, made.pk, spec), RecordLooks(spec)
    kept.write(records)
    np.testing.assert_array_equal(rows.ended, kept.looks.ended)
    np.testing.assert_array_equal(rows.finished, kept.looks.finished)
    np.testing.assert_allclose(rows.own, kept.looks.own, rtol=1e-14)
    np.testing.assert_allclose(rows.others, kept.looks.others, rtol=1e-14)
    assert rows.finished.any()
    assert rows.ruling() == kept.ruling
    made.delete()


def test_matches_beyond_the_end_stay_and_the_rest_is_not_played(hire: Hire) -> None:
    spec, play = ruled_by("precision")
    made = ruled.experiment(spec)
    ruled.play_all(play, random.Random(5), workers=3)
    until = outcome(made).deals
    assert until is not None
    assert 30 <= until < 50
    deals = set(Match.objects.filter(experiment=made).values_list("deal", flat=True))
    assert set(range(until)) <= deals
    assert len(deals) < 60
    assert Chunk.objects.filter(experiment=made, status="waiting").exists()
    assert not hire(play).take()


def test_nothing_that_comes_later_changes_an_outcome(hire: Hire) -> None:
    """Two workers are in the middle of later deals when a third writes the deal that ends it."""
    spec, play = ruled_by("precision")
    made = ruled.experiment(spec)
    players = [hire(play) for _ in range(16)]
    for player in players:
        if player.take():
            player.write(7)
    for player in players:
        if player.chunk is not None:
            player.write(1)
    wanted = from_all(spec, play)
    assert outcome(made) == wanted
    assert made.status == Status.FINISHED
    assert (wanted.deals or 60) < Match.objects.filter(experiment=made).order_by("-deal").first().deal  # type: ignore[union-attr]


def test_a_paused_experiment_ends_with_the_match_that_decides(hire: Hire) -> None:
    spec, play = ruled_by("precision")
    made = ruled.experiment(spec, deals_a_chunk=60)
    player = hire(play)
    player.take()
    player.write(50)
    assert outcome(made) == Ruling()
    assert player.chunk is not None
    rest = [play(match) for match in schedule.match_specs(spec, 0, 50, 70)]
    services.pause(made)
    player.chunk.write(rest)
    assert outcome(made) == from_all(spec, play)
    assert made.status == Status.FINISHED


def test_what_ends_after_a_stop_by_hand_is_looked_at_and_does_not_undo_it(hire: Hire) -> None:
    """Resumed with nothing left to play, it ends with the outcome of all its matches."""
    spec, play = ruled_by("sprt")
    spec = ruled.spec_of(ruled.SPRT | {"h0": 19}, 2, deals=10)
    made = ruled.experiment(spec, deals_a_chunk=10)
    players = [hire(play) for _ in range(2)]
    for player in players:
        player.take()
        player.write(19)
    services.stop(made)
    for player in players:
        assert player.chunk is not None
        player.chunk.write([play(schedule.match_spec(spec, player.chunk.claim.arm, 19))])
        player.leave()
    made.refresh_from_db()
    assert made.status == Status.STOPPED
    services.resume(made)
    sweep()
    assert outcome(made) == from_all(spec, play) == Ruling(10, {}, "planned")
    assert made.status == Status.FINISHED


def test_a_worker_that_dies_before_it_could_look_leaves_no_match_unseen(
    monkeypatch: pytest.MonkeyPatch, hire: Hire
) -> None:
    """Either its matches are not there, or they have been looked at."""
    spec, play = ruled_by("sprt")
    spec = ruled.spec_of(ruled.SPRT | {"h0": 19}, 1, deals=10)
    made = ruled.experiment(spec, deals_a_chunk=10)
    player = hire(play)
    player.take()

    def die(holder: psycopg.Connection[Any], *_: object) -> None:
        end(holder)
        holder.execute("select 1")

    with monkeypatch.context() as dying:
        dying.setattr(looks, "_keep", die)
        with pytest.raises(psycopg.OperationalError):
            player.write(20)
    recovery.recover(chunks.CHUNKS)
    ruled.play_all(play, random.Random(1))
    assert outcome(made) == from_all(spec, play)
    assert made.status == Status.FINISHED


def test_a_match_that_kills_its_workers_is_looked_at(hire: Hire) -> None:
    """All others have been played when it is given up: the deals behind it have only waited for it."""
    spec = ruled.spec_of(ruled.PRECISE, 1)
    made = ruled.experiment(spec, deals_a_chunk=60)
    Chunk.objects.all().delete()
    work_source.open_chunks(made, [(0, 0, 1), (0, 1, 119)])

    def play(match: MatchSpec) -> MatchRecord:
        return (ruled.record if (match.deal, match.rotation) != (0, 0) else ruled.failed)(spec, match)

    mortal, other = hire(play), hire(play)
    mortal.take()
    other.take()
    other.write(119)
    assert outcome(made) == Ruling()
    mortal.die()
    assert mortal.take()
    mortal.die()
    assert Match.objects.get(experiment=made, deal=0, rotation=0).failure["kind"] == "died"
    assert outcome(made) == from_all(spec, play)
    assert made.status == Status.FINISHED


def test_a_chunk_that_somebody_is_taking_is_not_waited_for(hire: Hire) -> None:
    """Who takes one holds it and then waits for the experiment, which who looks has locked."""
    spec, play = ruled_by("best of")
    made = ruled.experiment(spec, deals_a_chunk=20)
    player = hire(play)
    for _ in range(2):
        player.take()
        player.write(40)
    player.take()
    player.write(20)
    assert outcome(made) == Ruling()
    player.connection.execute("set lock_timeout = '3s'")
    with transaction.atomic():
        Chunk.objects.select_for_update().get(arm_index=1, first=40)
        player.write(20)
    assert list(outcome(made).dropped) == [1]
    left = Chunk.objects.filter(status="waiting").order_by("arm_index", "first").values_list("arm_index", "first")
    assert list(left) == [(0, 40), (0, 80), (1, 40), (2, 40), (2, 80)]
    player.take()
    player.write(1)
    assert not Chunk.objects.filter(arm_index=1, first__gt=0).exists()


def test_what_waits_of_a_dropped_arm_goes_and_that_of_others_stays(hire: Hire) -> None:
    """Arm 1 is dropped after 14 deals, in the middle of its chunk; it was not waited for by those who are at others."""
    spec, play = ruled_by("best of")
    made = ruled.experiment(spec, deals_a_chunk=10)
    player = hire(play)
    for _ in range(6):
        assert player.take()
        player.write(20)
    until = outcome(made).dropped[1]
    assert 10 < until <= 20
    assert outcome(made).deals is None
    rows = Chunk.objects.order_by("arm_index", "first").values_list("arm_index", "first", "status")
    done = [(arm, first, "done") for arm in range(3) for first in (0, 20)]
    waiting = [(arm, first, "waiting") for arm in (0, 2) for first in (40, 60, 80, 100)]
    assert list(rows) == sorted(done + waiting)
    ruled.play_all(play, random.Random(1), most=20)
    assert outcome(made) == from_all(spec, play)
    assert made.status == Status.FINISHED
    played = {arm: Match.objects.filter(experiment=made, arm_index=arm).count() for arm in range(3)}
    assert played == {0: 120, 1: 40, 2: 120}


def test_a_dead_worker_s_chunk_of_a_dropped_arm_goes_with_the_next_look(hire: Hire) -> None:
    spec, play = ruled_by("best of")
    made = ruled.experiment(spec, deals_a_chunk=10)
    first, mortal, last = (hire(play) for _ in range(3))
    for _ in range(5):
        first.take()
        first.write(20)
    assert first.take()
    assert last.take()
    assert mortal.take()
    first.write(20)
    assert list(outcome(made).dropped) == [1]
    assert list(Chunk.objects.filter(arm_index=1).exclude(status="done").values_list("first", "status")) == [
        (40, "claimed")
    ]
    mortal.die()
    assert Chunk.objects.filter(arm_index=1, status="waiting").count() == 20
    last.write(1)
    assert not Chunk.objects.filter(arm_index=1, status="waiting").exists()


def test_a_fixed_experiment_never_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "read", lambda *_: pytest.fail("it looked"))
    spec = ruled.spec_of({"rule": "fixed"}, 2, deals=40)
    made = ruled.experiment(spec)
    ruled.play_all(partial(ruled.record, spec), random.Random(1))
    made.refresh_from_db()
    assert (made.status, made.outcome) == (Status.FINISHED, None)
    assert Match.objects.filter(experiment=made).count() == 160
