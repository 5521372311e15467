"""When an engine's answer is shown, where seats hide something: at a time that tells nothing about its hand.

An engine answers at once where one action is legal, and faster the fewer are. Whoever measures that at a
table learns when an opponent had exactly one tile that fits. So an answer is held back until the time that a
decision of this engine takes at all, which follows from what everybody knows: game, engine and budget.
"""

from __future__ import annotations

import time

from engines.driver import seconds_for_ply
from webapp.table.live.models import LiveMatch, LiveSeat
from worker import engine_decision, estimate
from worker.engine_decision import Question
from worker.spec.model import SeatSpec

BEYOND_SHARE, BEYOND_S = 0.05, 0.03
"""What a clock is exceeded by at most on an idle machine, as a share and in seconds (`tests/bench/bench_tables`)."""
AVERAGES = 2.0
"""An engine that counts units takes at most about as many of its average times: early plies are the longest."""
UNSEEN_S = 0.005
"""Whatever takes less cannot be told apart through a network and a page that waits."""
MOST_S = 30.0
"""No answer is held back longer than this: an estimate may be far out on a strange machine."""


def shown_after_s(match: LiveMatch, entry: LiveSeat, question: Question, slowdown: float = 1.0) -> float:
    """Seconds after an engine was asked before which its answer is not shown; 0 in games without secrets.

    slowdown: how many times as long as usual its decisions take, without a clock.
    """
    if not question.game.traits.has_hidden_information or entry.configuration is None:
        return 0.0
    budget = engine_decision.budget_left(question)
    clock_s = seconds_for_ply(budget, question.game, question.state, question.seat)
    if clock_s is not None:
        return clock_s * (1 + BEYOND_SHARE) + BEYOND_S
    seat = SeatSpec(entry.configuration.engine, entry.configuration.options, budget)
    costs = estimate.match_costs(match.game, match.options, match.num_seats)
    usual_s = AVERAGES * slowdown * estimate.thinking_s(costs, seat, match.num_seats)
    return 0.0 if usual_s < UNSEEN_S else min(MOST_S, usual_s + BEYOND_S)


def hold(until: float) -> None:
    """Sleep until then (of `time.monotonic`); a signal breaks it off."""
    time.sleep(max(0.0, until - time.monotonic()))
