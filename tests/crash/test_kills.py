"""Whatever is killed in the middle, the experiment ends with the same records."""

from __future__ import annotations

import os
import signal

import pytest

from tests.crash.experiment import PIECES, SPEC, Records, begun
from tests.crash.lab import Lab


@pytest.mark.slow  # the tests below go on with 2
@pytest.mark.parametrize("processes", [4, 2])
def test_more_workers_record_the_same(lab: Lab, undisturbed: Records, processes: int) -> None:
    lab.need(processes)
    experiment = lab.create(SPEC, PIECES)
    lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed


@pytest.mark.slow  # its worker is killed below
def test_a_killed_child_of_the_worker(lab: Lab, undisturbed: Records) -> None:
    lab.need(2)
    experiment = begun(lab)
    os.kill(lab.playing()[0], signal.SIGKILL)
    lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed


def test_a_killed_worker(lab: Lab, undisturbed: Records) -> None:
    lab.need(2)
    experiment = begun(lab)
    lab.kill("worker")
    lab.wait(lambda: not lab.playing(), "the dead chunks to be put up again")
    lab.start_worker(2)
    lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed


def test_a_killed_queue(lab: Lab, undisturbed: Records) -> None:
    lab.need(2)
    experiment = begun(lab)
    lab.kill("valkey")
    lab.start_server("valkey")
    lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed


def test_a_killed_database(lab: Lab, undisturbed: Records) -> None:
    lab.need(2)
    experiment = begun(lab)
    lab.kill("postgres")
    lab.start_server("postgres")
    lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed
    assert lab.rows("select max(deaths) from records_chunk where experiment_id = %s", experiment) == [(0,)]


def test_a_worker_asked_to_stop_gives_its_chunks_back(lab: Lab, undisturbed: Records) -> None:
    lab.need(2)
    experiment = begun(lab)
    lab.stop("worker")
    assert lab.playing() == []
    assert lab.status(experiment) == "running"
    lab.start_worker(2)
    lab.wait_finished(experiment)
    assert lab.records(experiment) == undisturbed
    assert lab.rows("select max(deaths) from records_chunk where experiment_id = %s", experiment) == [(0,)]
