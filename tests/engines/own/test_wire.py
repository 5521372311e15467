"""What is said between the lab and an engine's process arrives as it was said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.own import wire
from engines.protocol import Budget, Decision, Table


@pytest.mark.parametrize(
    "budget",
    [
        Budget(),
        Budget(playouts=7, depth=2, cpu_clock=False),
        Budget(seconds_per_match=1.5, nodes=1, wants_line=True, playouts_per_action=3, simulations=9_999_999),
    ],
)
def test_questions_arrive(budget: Budget) -> None:
    view = np.array([-1, 0, 2**31 - 1], np.int32)
    asked = wire.Question(3, (2**64 - 1, 0, 1, 5), budget, view)
    heard = wire.question_of(wire.question(asked))
    assert (heard.seat, heard.words, heard.budget) == (3, asked.words, budget)
    assert heard.view.tolist() == view.tolist()


def test_answers_arrive() -> None:
    plain = Decision(2**31 - 1)
    assert wire.decision_of(wire.answer(plain, 0.25), 0.5) == replace(plain, elapsed_s=0.5, cpu_s=0.25)
    table = Table(np.array([4, 5], np.int32), np.array([0.5, np.nan]), np.array([3, 0]), np.array([1.5, np.nan]))
    heard = wire.decision_of(wire.answer(Decision(4, 0.5, table, 3, 2, 1), 0.0), 0.0)
    assert (heard.action, heard.value, heard.playouts, heard.nodes, heard.depth) == (4, 0.5, 3, 2, 1)
    assert heard.table is not None
    for name in ("actions", "values", "visits", "deviations"):
        np.testing.assert_array_equal(getattr(heard.table, name), getattr(table, name))
