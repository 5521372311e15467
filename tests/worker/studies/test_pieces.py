from __future__ import annotations

import math
import signal
from typing import Any

import pytest

from tests import counting
from worker.stop_switch import StopSwitch
from worker.studies import batch, pieces
from worker.studies import spec as specs
from worker.studies.pieces import Outcome
from worker.studies.protocol import StudySpec


def study(**parameters: Any) -> StudySpec:
    return specs.from_json(counting.spec(**parameters))


class KeptPiece:
    """A piece whose outcomes are a list."""

    def __init__(self, spec: StudySpec, index: int) -> None:
        self.spec, self.index = spec, index
        self.rows: dict[int, dict[str, Any]] = {}
        self.outcomes: list[Outcome] = []

    def write(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)


def test_every_piece_leaves_its_row_in_order() -> None:
    found = list(batch.outcomes(study(pieces=4)))
    assert [outcome.row for outcome in found] == [{"number": i, "square": i * i} for i in range(4)]
    assert found[0].versions["counting"] == counting.Counting.version


def test_a_piece_that_raises_costs_itself() -> None:
    found = list(batch.outcomes(study(raises_at=1)))
    assert [(outcome.row is None, outcome.failure) for outcome in found] == [
        (False, ""),
        (True, "ZeroDivisionError: a kind's fault"),
        (False, ""),
    ]


def test_a_row_that_is_no_json_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting.Counting, "piece", lambda self, spec, index: {"value": math.nan})
    outcome = pieces.carry_out(study(), 0)
    assert outcome.row is None
    assert outcome.failure.startswith("ValueError")


def test_a_stop_breaks_a_piece_off_and_nothing_is_written() -> None:
    stop, piece = StopSwitch(), KeptPiece(study(seconds=600), 0)
    before = signal.signal(signal.SIGALRM, stop.ask)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        pieces.work_on(piece, stop)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert piece.outcomes == []


def test_after_a_stop_no_piece_is_begun() -> None:
    stop, piece = StopSwitch(), KeptPiece(study(dies_at=0), 0)
    stop.ask()
    pieces.work_on(piece, stop)
    assert piece.outcomes == []


def test_more_than_no_process_is_needed() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        next(batch.outcomes(study(), 0))
