"""Whatever is killed in the middle of a study, it ends with the same rows."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from tests import counting
from tests.crash.experiment import SPEC
from tests.crash.lab import Lab
from webapp.records.pieces import DIED

PIECES = 4
SECONDS = 1.5
"""Of a piece: long enough to be killed in its middle. The rows do not depend on it."""
_ROWS = """
select index, status, row::text, failure, versions::text from records_studypiece where study_id = %s order by index
"""
Rows = list[tuple[Any, ...]]


def rows(lab: Lab, study: int) -> Rows:
    return lab.rows(_ROWS, study)


def at_work(lab: Lab) -> list[int]:
    """Process ids of the workers that hold a piece."""
    found = lab.rows("select worker from records_studypiece where status = 'claimed' order by id")
    return [int(worker.rpartition(":")[2]) for (worker,) in found]


def finish(lab: Lab, study: int) -> Rows:
    query = "select status from records_study where id = %s"
    lab.wait(lambda: lab.rows(query, study) == [("finished",)], f"study {study} to finish")
    return rows(lab, study)


def begun(lab: Lab) -> int:
    """A study in the middle: a piece is done, one is being done."""
    study = lab.create_study(counting.spec(pieces=PIECES, seconds=SECONDS))
    lab.wait(lambda: any(row[1] == "done" for row in rows(lab, study)) and at_work(lab), "a study in the middle")
    return study


@pytest.fixture(scope="module")
def undisturbed(lab: Lab) -> Rows:
    """What one worker leaves when nothing happens."""
    lab.need(1)
    found = finish(lab, lab.create_study(counting.spec(pieces=PIECES)))
    assert [row[1] for row in found] == ["done"] * PIECES
    return found


@pytest.mark.slow
def test_more_workers_leave_the_same(lab: Lab, undisturbed: Rows) -> None:
    lab.need(2)
    assert finish(lab, begun(lab)) == undisturbed


@pytest.mark.slow
def test_a_killed_child_of_the_worker(lab: Lab, undisturbed: Rows) -> None:
    lab.need(2)
    study = begun(lab)
    os.kill(at_work(lab)[0], signal.SIGKILL)
    assert finish(lab, study) == undisturbed
    assert lab.rows("select sum(deaths) from records_studypiece where study_id = %s", study) == [(1,)]


def test_a_killed_worker(lab: Lab, undisturbed: Rows) -> None:
    lab.need(2)
    study = begun(lab)
    lab.kill("worker")
    lab.wait(lambda: not at_work(lab), "the dead pieces to be put up again")
    lab.start_worker(2)
    assert finish(lab, study) == undisturbed


@pytest.mark.slow
def test_a_worker_asked_to_stop_gives_its_piece_back(lab: Lab) -> None:
    lab.need(2)
    study = lab.create_study(counting.spec(pieces=1, seconds=600.0))
    lab.wait(lambda: at_work(lab), "the piece to begin")
    lab.stop("worker")
    assert rows(lab, study)[0][1] == "waiting"
    lab.rows("update records_study set status = 'stopped' where id = %s returning id", study)
    assert lab.rows("select deaths from records_studypiece where study_id = %s", study) == [(0,)]


@pytest.mark.slow
def test_a_piece_that_kills_its_process_has_failed_and_the_rest_is_done(lab: Lab) -> None:
    lab.need(2)
    found = finish(lab, lab.create_study(counting.spec(pieces=4, dies_at=1)))
    assert [row[1] for row in found] == ["done", "failed", "done", "done"]
    assert found[1][3] == DIED


@pytest.mark.slow
def test_an_experiment_and_a_study_share_the_workers(lab: Lab) -> None:
    lab.need(1)
    experiment = lab.create(SPEC, [(1, 0, 12)])
    study = lab.create_study(counting.spec(pieces=3))
    assert [row[1] for row in finish(lab, study)] == ["done"] * 3
    lab.wait_finished(experiment)


@pytest.mark.slow
def test_the_queue_of_analyses_is_served_while_batches_keep_their_workers_busy(lab: Lab) -> None:
    lab.need(1)
    long = lab.create_study(counting.spec(pieces=1, seconds=600.0))
    lab.wait(lambda: at_work(lab), "the long piece to begin")
    lab.start_analysis()
    waited_for = lab.create_study(counting.spec(pieces=3), queue="analysis")
    assert [row[1] for row in finish(lab, waited_for)] == ["done"] * 3
    assert rows(lab, long)[0][1] == "claimed"
    lab.stop("analysis")
    lab.stop("worker")
    lab.rows("update records_study set status = 'stopped' where id = %s returning id", long)
