import multiprocessing
from concurrent.futures.process import BrokenProcessPool

import pytest

from worker import batch, schedule
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
    """Chunks of about 15 random matches."""
    monkeypatch.setattr(schedule, "CHUNK_S", 0.1)


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
