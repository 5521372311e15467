"""Plies by column are written and added up as the same plies one by one."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tests.records import samples
from webapp.records import summaries
from webapp.records.batches import Batch
from webapp.records.ply_rows import ply_rows
from worker.records import MatchRecord
from worker.whole_matches.plies import PlyColumns

NUM = 5


def columns(**changes: object) -> PlyColumns:
    seats = np.arange(NUM) % 2
    whole = PlyColumns(
        seats=seats,
        actions=np.array([7, 2**31 - 1, 0, 3, 1]),
        legal_counts=np.array([12, 1, 3, 9, 200]),
        notations=["U 1,0 90° field0", "pass", "a\tb\\", "100%", "x" * 130],
        scores=np.array([[0, -3], [4, 2], [4, 2], [5, 2], [5, 900]]),
        digests=np.array([1, -(2**63), 2**63 - 1, 0, -9]),
        notes={"projected": np.arange(2 * NUM).reshape(NUM, 2), "in_hand": np.ones((NUM, 2), np.int64)},
        elapsed_s=1.25e-05,
        cpu_s=1e-05,
    )
    return dataclasses.replace(whole, **changes)


def both(**changes: object) -> tuple[MatchRecord, MatchRecord]:
    """A match with its plies by column, and one by one."""
    plies = columns(**changes)
    record = dataclasses.replace(samples.match(3), num_plies=NUM, plies=plies)
    return record, dataclasses.replace(record, plies=tuple(plies))


@pytest.mark.parametrize("changes", [{}, {"notes": {}}, {"elapsed_s": 0.1, "cpu_s": 0.0}])
def test_lines_of_copy_are_the_same(changes: dict[str, object]) -> None:
    by_column, one_by_one = both(**changes)
    lines = list(ply_rows([17], Batch([by_column])))
    assert lines == list(ply_rows([17], Batch([one_by_one])))
    assert len(lines) == NUM


def test_summaries_are_the_same() -> None:
    by_column, one_by_one = both()
    pairs = zip(summaries.summarise(Batch([by_column] * 3)), summaries.summarise(Batch([one_by_one] * 3)), strict=True)
    for found, expected in pairs:
        assert found[:-1] == expected[:-1]
        assert np.array_equal(found.histogram, expected.histogram) if found.histogram is not None else True


def test_plies_by_column_are_a_sequence_of_records() -> None:
    plies = columns()
    assert len(plies) == NUM
    assert plies == tuple(plies)
    assert plies[-1].digest == -9
    assert [ply.ply for ply in plies[1:3]] == [1, 2]
    assert plies[0].info == {"after": {"projected": [0, 1], "in_hand": [1, 1]}}
