"""The write journal: what it takes back, and where it is told to stop."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from games import loader, rng


@pytest.fixture(params=["jit", "checked", "plain"])
def journal(request: pytest.FixtureRequest) -> ModuleType:
    module: ModuleType = dict(loader.frame(request.param, journal=True))["journal"]
    return module


def test_undo_goes_back_to_a_mark(journal: ModuleType) -> None:
    s, j = np.array([5, 6, 7], np.int32), np.zeros(32, np.int32)
    journal.reset(j)
    journal.write(s, 0, 50, j)
    mark = int(j[0])
    journal.write(s, 0, 51, j)
    journal.write(s, 2, 70, j)
    journal.write(s, 0, 52, j)
    assert s.tolist() == [52, 6, 70]
    journal.undo(s, j, mark)
    assert s.tolist() == [50, 6, 7]
    assert j[0] == mark
    journal.undo(s, j, 1)
    assert s.tolist() == [5, 6, 7]


def test_many_writes_are_undone_in_the_opposite_order(journal: ModuleType) -> None:
    r, s = rng.new_stream(1, rng.ANALYSIS), np.arange(20, dtype=np.int32)
    before, j = s.copy(), np.zeros(1001, np.int32)
    journal.reset(j)
    for _ in range(500):
        journal.write(s, rng.below(r, 20), rng.below(r, 1000), j)
    assert s.tolist() != before.tolist()
    journal.undo(s, j, 1)
    assert s.tolist() == before.tolist()


def test_undo_brings_back_kept_and_fresh_blocks_and_words_between(journal: ModuleType) -> None:
    block = int(journal.BLOCK)
    s, j = np.arange(1, 5 * block + 1, dtype=np.int32), np.zeros(200, np.int32)
    s[3 * block :] = 0
    before = s.copy()
    journal.reset(j)
    journal.write(s, 0, 50, j)
    first = int(j[0])
    with_first = s.copy()
    journal.keep(s, block, j)
    journal.fresh(s, 3 * block, 2, j)
    s[block : 2 * block] = -1
    s[3 * block :] = 9
    journal.write(s, block + 1, 60, j)
    journal.keep(s, 0, j)
    s[:block] = 70
    journal.write(s, 3 * block, 80, j)
    assert s[2 * block : 3 * block].tolist() == before[2 * block : 3 * block].tolist()
    journal.undo(s, j, first)
    assert s.tolist() == with_first.tolist()
    assert j[0] == first
    journal.undo(s, j, 1)
    assert s.tolist() == before.tolist()


def test_without_a_journal_write_only_writes() -> None:
    plain = dict(loader.frame("jit", journal=False))["journal"]
    s, j = np.zeros(2, np.int32), np.ones(1, np.int32)
    plain.write(s, 1, 9, j)
    plain.keep(s, 0, j)
    plain.fresh(s, 0, 1, j)
    assert s.tolist() == [0, 9]
    assert j.tolist() == [1]


def test_copy_copies(journal: ModuleType) -> None:
    source, target = np.arange(9, dtype=np.int32), np.zeros(9, np.int32)
    journal.copy(source, target)
    assert target.tolist() == source.tolist()
    assert not np.shares_memory(source, target)


@pytest.mark.parametrize("seats", [2, 3])
def test_undo_of_every_action_of_the_toy_restores_every_byte(seats: int) -> None:
    from tests.games import walks

    rules = walks.game_of("toy_secret").kernels(journal=True)
    j = np.ones(256, np.int32)
    for state, _ in walks.match("toy_secret", seats):
        for number in range(-1, 10):
            if rules.is_legal(state, number):
                changed = state.copy()
                rules.apply(changed, number, j)
                assert changed.tobytes() != state.tobytes()
                rules.journal.undo(changed, j, 1)
                assert changed.tobytes() == state.tobytes()
