import json
import multiprocessing
import os
import select
import signal
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool

import pytest

from worker import batch, estimate, schedule
from worker import spec as specs

CARCASSONNE = {
    "version": 1,
    "game": "carcassonne",
    "seats": 2,
    "arms": [{"name": "random", "seats": [{"engine": "random"}, {"engine": "random"}]}],
    "deals": 150,
    "seed": 1,
    "record": "matches",
}


def test_one_process_plays_in_seed_order(dice):
    spec = specs.from_json(dice(("taker", "dicer"), ("dicer", "weigher"), ("dicer", "dicer")))
    records = [record for chunk in batch.play(spec) for record in chunk]
    assert [(r.arm, r.deal, r.rotation) for r in records] == [
        *((arm, deal, rotation) for arm in range(2) for deal in range(4) for rotation in range(2)),
        *((2, deal, 0) for deal in range(4)),  # of equal engines there is one seating
    ]


def test_no_processes_are_refused(dice):
    with pytest.raises(ValueError, match="processes must be at least 1"):
        next(batch.play(specs.from_json(dice()), 0))


@pytest.fixture
def small_chunks(monkeypatch):
    """Chunks of about 15 random matches, whatever these are thought to take."""
    match_s = estimate.estimate(specs.from_json(CARCASSONNE), keeping=estimate.FILE).seconds_per_match[0]
    monkeypatch.setattr(schedule, "CHUNK_S", 15 * match_s)


@pytest.mark.long
def test_a_process_that_dies_is_reported_and_no_other_stays(small_chunks):
    chunks = batch.play(specs.from_json(CARCASSONNE), processes=2)
    next(chunks)
    multiprocessing.active_children()[0].kill()
    with pytest.raises(BrokenProcessPool):
        list(chunks)
    assert multiprocessing.active_children() == []


@pytest.mark.long
def test_stopping_early_leaves_no_process(small_chunks):
    chunks = batch.play(specs.from_json(CARCASSONNE), processes=2)
    assert len(next(chunks)) > 1
    chunks.close()
    assert multiprocessing.active_children() == []


@pytest.mark.long
def test_processes_end_with_the_one_that_started_them():
    """However that ends: where it is killed it has no time to say so. The writing end of a pipe is theirs, too."""
    code = (
        "import json, os, signal, sys\n"
        "from worker import batch, schedule, spec\n"
        "schedule.CHUNK_S = 0.1\n"
        "next(batch.play(spec.from_json(json.loads(sys.argv[1])), processes=2))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    reader, writer = os.pipe()
    done = subprocess.run([sys.executable, "-c", code, json.dumps(CARCASSONNE)], pass_fds=[writer], check=False)
    os.close(writer)
    assert done.returncode == -signal.SIGKILL
    assert select.select([reader], [], [], 30)[0], "a process still holds the pipe"
    assert os.read(reader, 1) == b""
    os.close(reader)
