"""What is said between the lab and the process of an engine: one byte of kind, then JSON or numbers.

A question and its answer are numbers alone: a state is sent as it lies in memory.
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.protocol import Budget, Decision, Table
from games.protocol import State

LOAD, OPEN, ASK = b"L", b"O", b"A"
"""To the process: load a source; make an instance, in place of the one before; decide."""
DONE, ANSWER, FAULT = b"d", b"a", b"f"
"""From it."""
_KEYS = ("playouts", "playouts_per_action", "simulations", "nodes", "depth", "seconds_per_ply", "seconds_per_match")
_WHOLE = 5
_QUESTION = struct.Struct("<i4Q7d??")
_ANSWER = struct.Struct("<qdqqidi")


@dataclass(frozen=True)
class Question:
    """A decision that is asked for. words: the generator of the decision, four numbers."""

    seat: int
    words: tuple[int, ...]
    budget: Budget
    view: State


def document(kind: bytes, data: Any = None) -> bytes:
    """A message that is JSON."""
    return kind + json.dumps(data).encode()


def data_of(message: bytes) -> Any:
    """The JSON of a message."""
    return json.loads(message[1:])


def question(asked: Question) -> bytes:
    """A question as a message."""
    numbers = [getattr(asked.budget, key) for key in _KEYS]
    limits = [math.nan if number is None else float(number) for number in numbers]
    flags = (asked.budget.cpu_clock, asked.budget.wants_line)
    head = _QUESTION.pack(asked.seat, *asked.words, *limits, *flags)
    return ASK + head + asked.view.tobytes()


def question_of(message: bytes) -> Question:
    """The question of a message."""
    seat, *numbers = _QUESTION.unpack_from(message, 1)
    words, limits, (cpu_clock, wants_line) = numbers[:4], numbers[4:11], numbers[11:]
    given: dict[str, Any] = {
        key: None if math.isnan(limit) else (int(limit) if place < _WHOLE else limit)
        for place, (key, limit) in enumerate(zip(_KEYS, limits, strict=True))
    }
    view = np.frombuffer(message, np.int32, offset=1 + _QUESTION.size)
    return Question(seat, tuple(words), Budget(**given, cpu_clock=cpu_clock, wants_line=wants_line), view)


def answer(decision: Decision, cpu_s: float) -> bytes:
    """A decision as a message."""
    table = decision.table
    value = math.nan if decision.value is None else float(decision.value)
    counts = (decision.playouts, decision.nodes, decision.depth)
    head = _ANSWER.pack(decision.action, value, *counts, cpu_s, -1 if table is None else len(table.actions))
    if table is None:
        return ANSWER + head
    columns = (table.values, table.visits, table.deviations, table.actions)
    kinds = (np.float64, np.int64, np.float64, np.int32)
    return ANSWER + head + b"".join(np.asarray(c, k).tobytes() for c, k in zip(columns, kinds, strict=True))


def decision_of(message: bytes, elapsed_s: float) -> Decision:
    """The decision of a message. elapsed_s: how long one waited for it."""
    action, value, playouts, nodes, depth, cpu_s, rows = _ANSWER.unpack_from(message, 1)
    table = _table(message[1 + _ANSWER.size :], rows) if rows >= 0 else None
    known = value if math.isfinite(value) else None
    return Decision(action, known, table, playouts, nodes, depth, elapsed_s, cpu_s)


def _table(content: bytes, rows: int) -> Table:
    numbers = [np.frombuffer(content, kind, rows, 8 * rows * i) for i, kind in enumerate((float, np.int64, float))]
    values, visits, deviations = (column.copy() for column in numbers)
    return Table(np.frombuffer(content, np.int32, rows, 24 * rows).copy(), values, visits, deviations)
