"""Whatever is killed in the middle, the experiment ends with the same records."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from tests.crash.lab import Lab

Records = dict[str, list[tuple[Any, ...]]]

THINKS = {"engine": "flat_mc", "options": {}, "budget": {"playouts_per_action": 1}}
RANDOM = {"engine": "random", "options": {}, "budget": {}}
SPEC = {
    "version": 1,
    "game": "carcassonne",
    "seats": 2,
    "arms": [{"name": "thinks", "seats": [THINKS, RANDOM]}, {"name": "random", "seats": [RANDOM, RANDOM]}],
    "deals": 6,
    "seed": 11,
}
PIECES = [(0, 0, 5), (1, 0, 12), (0, 5, 4), (0, 9, 3)]
NUM_MATCHES = 24
BEGUN = 3
"""So many matches are recorded when something is killed."""


@pytest.fixture(scope="module")
def undisturbed(lab: Lab) -> Records:
    """What one worker records when nothing happens."""
    with lab.workers(1):
        experiment = lab.create(SPEC, PIECES)
        lab.wait_finished(experiment)
    records = lab.records(experiment)
    assert len(records["matches"]) == NUM_MATCHES
    assert {row[5] for row in records["matches"]} == {"finished"}
    assert len(records["plies"]) == sum(row[6] for row in records["matches"])
    return records


def begun(lab: Lab) -> int:
    """An experiment in the middle: some matches recorded, a chunk being played."""
    experiment = lab.create(SPEC, PIECES)
    lab.wait(
        lambda: lab.num_matches(experiment) >= BEGUN and lab.playing(), f"experiment {experiment} to be in the middle"
    )
    assert lab.num_matches(experiment) < NUM_MATCHES
    return experiment


@pytest.mark.parametrize("processes", [2, 4])
def test_more_workers_record_the_same(lab: Lab, undisturbed: Records, processes: int) -> None:
    with lab.workers(processes):
        experiment = lab.create(SPEC, PIECES)
        lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed


def test_a_killed_child_of_the_worker(lab: Lab, undisturbed: Records) -> None:
    with lab.workers(2):
        experiment = begun(lab)
        os.kill(lab.playing()[0], signal.SIGKILL)
        lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed


def test_a_killed_worker(lab: Lab, undisturbed: Records) -> None:
    with lab.workers(2):
        experiment = begun(lab)
        lab.kill("worker")
        lab.wait(lambda: not lab.playing(), "the dead chunks to be put up again")
        lab.start_worker(2)
        lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed


def test_a_killed_queue(lab: Lab, undisturbed: Records) -> None:
    with lab.workers(2):
        experiment = begun(lab)
        lab.kill("valkey")
        lab.start_server("valkey")
        lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed


def test_a_killed_database(lab: Lab, undisturbed: Records) -> None:
    with lab.workers(2):
        experiment = begun(lab)
        lab.kill("postgres")
        lab.start_server("postgres")
        lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed
    assert lab.rows("select max(deaths) from records_chunk where experiment_id = %s", experiment) == [(0,)]


def test_a_worker_asked_to_stop_gives_its_chunks_back(lab: Lab, undisturbed: Records) -> None:
    with lab.workers(2):
        experiment = begun(lab)
        lab.stop("worker")
        assert lab.playing() == []
        assert lab.status(experiment) == "running"
        lab.start_worker(2)
        lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed
    assert lab.rows("select max(deaths) from records_chunk where experiment_id = %s", experiment) == [(0,)]
