"""Whatever is killed in the middle of a study, it ends with the same rows."""

from __future__ import annotations

import os
import signal

import pytest

from tests import counting
from tests.crash.experiment import SPEC, STUDY, Rows, finish_study, study_rows
from tests.crash.lab import Lab
from webapp.records.pieces import DIED

_DEATHS = "select sum(deaths) from records_studypiece where study_id = %s"


def at_work(lab: Lab) -> list[int]:
    """Process ids of the workers that hold a piece."""
    found = lab.rows("select worker from records_studypiece where status = 'claimed' order by id")
    return [int(worker.rpartition(":")[2]) for (worker,) in found]


def begun(lab: Lab) -> int:
    """A study in the middle: a piece is done, others are being done and held."""
    lab.hold()
    study = lab.create_study(STUDY)
    lab.wait(lambda: study_rows(lab, study)[0][1] == "done" and len(at_work(lab)) == 2, "a study in the middle")
    return study


@pytest.mark.slow
def test_more_workers_leave_the_same(lab: Lab, undisturbed_study: Rows) -> None:
    lab.need(2)
    assert finish_study(lab, lab.create_study(STUDY)) == undisturbed_study


@pytest.mark.slow
def test_a_killed_child_of_the_worker(held: Lab, undisturbed_study: Rows) -> None:
    held.need(2)
    study = begun(held)
    os.kill(at_work(held)[0], signal.SIGKILL)
    held.wait(lambda: held.rows(_DEATHS, study) == [(1,)], "the death to be noticed")
    held.let_go()
    assert finish_study(held, study) == undisturbed_study
    assert held.rows(_DEATHS, study) == [(1,)]


@pytest.mark.slow  # pieces are put up again like chunks, whose worker test_kills.py kills
def test_a_killed_worker(held: Lab, undisturbed_study: Rows) -> None:
    held.need(2)
    study = begun(held)
    held.kill("worker")
    held.wait(lambda: not at_work(held), "the dead pieces to be put up again")
    held.let_go()
    held.start_worker(2)
    assert finish_study(held, study) == undisturbed_study
    assert held.rows(_DEATHS, study) == [(2,)]


@pytest.mark.slow
def test_a_worker_asked_to_stop_gives_its_piece_back(lab: Lab) -> None:
    lab.need(2)
    study = lab.create_study(counting.spec(pieces=1, seconds=600.0))
    lab.wait(lambda: at_work(lab), "the piece to begin")
    lab.stop("worker")
    assert study_rows(lab, study)[0][1] == "waiting"
    lab.rows("update records_study set status = 'stopped' where id = %s returning id", study)
    assert lab.rows("select deaths from records_studypiece where study_id = %s", study) == [(0,)]


@pytest.mark.slow
def test_a_piece_that_kills_its_process_has_failed_and_the_rest_is_done(lab: Lab) -> None:
    lab.need(2)
    found = finish_study(lab, lab.create_study(counting.spec(pieces=4, dies_at=1)))
    assert [row[1] for row in found] == ["done", "failed", "done", "done"]
    assert found[1][3] == DIED


@pytest.mark.slow
def test_an_experiment_and_a_study_share_the_workers(lab: Lab) -> None:
    lab.need(1)
    experiment = lab.create(SPEC, [(1, 0, 12)])
    study = lab.create_study(counting.spec(pieces=3))
    assert [row[1] for row in finish_study(lab, study)] == ["done"] * 3
    lab.wait_finished(experiment)


@pytest.mark.slow
def test_the_queue_of_analyses_is_served_while_batches_keep_their_workers_busy(lab: Lab) -> None:
    lab.need(1)
    long = lab.create_study(counting.spec(pieces=1, seconds=600.0))
    lab.wait(lambda: at_work(lab), "the long piece to begin")
    lab.start_analysis()
    waited_for = lab.create_study(counting.spec(pieces=3), queue="analysis")
    assert [row[1] for row in finish_study(lab, waited_for)] == ["done"] * 3
    assert study_rows(lab, long)[0][1] == "claimed"
    lab.stop("analysis")
    lab.stop("worker")
    lab.rows("update records_study set status = 'stopped' where id = %s returning id", long)
