"""Whatever is killed in the middle, the experiment goes on from there and ends with the same records."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import psutil
import pytest

from tests.crash.experiment import PIECES, SPEC, Records, begun, go_on
from tests.crash.lab import STOP_S, Lab

TAKEN_FOR_DEAD_S = 4.0
"""What Celery waits for a new child, where it is not told otherwise."""
WHOLE = ("matches", "seats", "plies")
"""What is recorded of a match, whose arm, deal and rotation begin each row."""
_DEATHS = "select sum(deaths) from records_chunk where experiment_id = %s"
_CLAIMED = "select count(*), sum(size - written) from records_chunk where experiment_id = %s and status = 'claimed'"
_HANDS = "select distinct worker from records_chunk where experiment_id = %s and status <> 'done'"


def deaths(lab: Lab, experiment: int) -> int:
    """Deaths of workers, each counted for every match of its chunk that was not written."""
    return int(lab.rows(_DEATHS, experiment)[0][0])


def goes_on(lab: Lab, experiment: int, undisturbed: Records) -> bool:
    """Whether the experiment goes on for some matches, and what is recorded by then is as if nothing had happened."""
    go_on(lab, experiment)
    records = lab.records(experiment)
    recorded = {row[:3] for row in records["matches"]}
    return all(records[part] == [row for row in undisturbed[part] if row[:3] in recorded] for part in WHOLE)


@pytest.fixture(scope="module")
def experiment(lab: Lab, undisturbed: Records) -> Iterator[int]:
    """The same experiment once more: whatever comes in between, a test after the other, it goes on."""
    lab.need(2)
    yield begun(lab)
    lab.let_go()


def test_a_killed_worker(lab: Lab, experiment: int, undisturbed: Records) -> None:
    lab.need(2)
    lab.wait(lambda: lab.rows(_CLAIMED, experiment)[0][0] == 2, "a chunk in the hands of each process")
    ((_, unwritten),) = lab.rows(_CLAIMED, experiment)
    before = deaths(lab, experiment)
    lab.kill("worker")
    lab.wait(lambda: not lab.playing(), "the dead chunks to be put up again")
    assert before < deaths(lab, experiment) <= before + unwritten
    lab.start_worker(2)
    assert goes_on(lab, experiment, undisturbed)


@pytest.mark.slow  # test_tables.py kills it under a match
def test_a_killed_queue(lab: Lab, experiment: int, undisturbed: Records) -> None:
    before = deaths(lab, experiment)
    lab.kill("valkey")
    lab.start_server("valkey")
    assert goes_on(lab, experiment, undisturbed)
    assert deaths(lab, experiment) == before


def test_a_killed_database(lab: Lab, experiment: int, undisturbed: Records) -> None:
    before = deaths(lab, experiment)
    lab.kill("postgres")
    lab.start_server("postgres")
    assert goes_on(lab, experiment, undisturbed)
    assert deaths(lab, experiment) == before


def test_a_worker_asked_to_stop_gives_its_chunks_back(lab: Lab, experiment: int, undisturbed: Records) -> None:
    before = deaths(lab, experiment)
    assert lab.stop("worker") < STOP_S, "what it plays waits for ever, and is broken off"
    assert lab.playing() == []
    assert lab.rows(_HANDS, experiment) == [("",)]
    assert lab.status(experiment) == "running"
    lab.start_worker(2)
    assert goes_on(lab, experiment, undisturbed)
    assert deaths(lab, experiment) == before


def test_after_all_that_the_experiment_is_what_it_would_have_been(
    lab: Lab, experiment: int, undisturbed: Records
) -> None:
    lab.let_go()
    lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed


@pytest.mark.slow  # the tests above go on with 2
@pytest.mark.parametrize("processes", [4, 2])
def test_more_workers_record_the_same(lab: Lab, undisturbed: Records, processes: int) -> None:
    lab.need(processes)
    experiment = lab.create(SPEC, PIECES)
    lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed


@pytest.mark.slow  # its worker is killed above
def test_a_killed_child_of_the_worker(held: Lab, undisturbed: Records) -> None:
    held.need(2)
    experiment = begun(held)
    os.kill(held.playing()[0], signal.SIGKILL)
    held.wait(lambda: deaths(held, experiment), "the death to be noticed")
    held.let_go()
    held.wait_finished(experiment)
    assert held.records(experiment) == undisturbed


@pytest.mark.slow
def test_a_new_child_may_take_long_to_begin(held: Lab, undisturbed: Records) -> None:
    """As on a busy machine: one that Celery takes for dead is killed, and so is the next one, for ever."""
    held.need(2)
    experiment = begun(held)
    main = psutil.Process(held.processes["worker"].pid)
    before = {child.pid for child in main.children()}
    os.kill(held.playing()[0], signal.SIGKILL)
    held.wait(lambda: {child.pid for child in main.children()} - before, "a new child")
    (new,) = [child for child in main.children() if child.pid not in before]
    new.suspend()
    time.sleep(TAKEN_FOR_DEAD_S + 2)
    new.resume()
    held.let_go()
    held.wait_finished(experiment)
    assert new.is_running()
    assert held.records(experiment) == undisturbed


@pytest.mark.slow  # tests/records/test_machines.py has what the sweeper and the worker do, without the wait
def test_a_frozen_worker_loses_its_chunk_within_a_minute_and_never_writes_it(held: Lab, undisturbed: Records) -> None:
    held.need(2)
    experiment = begun(held)
    frozen = held.playing()[0]
    os.kill(frozen, signal.SIGSTOP)
    try:
        began = time.monotonic()
        held.let_go()
        held.wait_finished(experiment)
        assert time.monotonic() - began < 60
    finally:
        os.kill(frozen, signal.SIGCONT)
    assert held.records(experiment) == undisturbed
    time.sleep(2)  # what it would write now it may not
    assert held.records(experiment) == undisturbed
    assert deaths(held, experiment) == 0
    again = held.create(SPEC, PIECES)
    held.wait_finished(again)
    assert held.records(again) == undisturbed


@pytest.mark.slow  # tests/records/test_sweeper.py has a queue that does not answer
def test_a_frozen_queue_holds_up_no_request(held: Lab, undisturbed: Records) -> None:
    held.need(2)
    queue = held.processes["valkey"].pid
    os.kill(queue, signal.SIGSTOP)
    try:
        took = []
        for _ in range(3):
            began = time.monotonic()
            experiment = held.create(SPEC, PIECES)
            took.append(time.monotonic() - began)
        assert max(took) < 1.0, took
        time.sleep(10)  # workers and sweeper meet it, too
    finally:
        os.kill(queue, signal.SIGCONT)
    held.let_go()
    held.wait_finished(experiment)
    assert held.records(experiment) == undisturbed
