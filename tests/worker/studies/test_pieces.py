from __future__ import annotations

import math
import os
import signal
import threading
from typing import Any

import pytest

from tests import counting
from worker import stop_switch
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

    def is_wanted(self) -> bool:
        return True

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
    before = signal.signal(signal.SIGUSR2, stop.ask)
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR2)).start()
    try:
        pieces.work_on(piece, stop)
    finally:
        signal.signal(signal.SIGUSR2, before)
    assert piece.outcomes == []


def test_a_piece_that_nobody_waits_for_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stop_switch, "AGAIN_S", 0.01)
    piece = KeptPiece(study(seconds=600), 0)
    monkeypatch.setattr(piece, "is_wanted", lambda: False)
    pieces.work_on(piece, StopSwitch())
    assert piece.outcomes == []


def test_after_a_stop_no_piece_is_begun() -> None:
    stop, piece = StopSwitch(), KeptPiece(study(dies_at=0), 0)
    stop.ask()
    pieces.work_on(piece, stop)
    assert piece.outcomes == []


def test_more_than_no_process_is_needed() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        next(batch.outcomes(study(), 0))
