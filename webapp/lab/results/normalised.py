"""Normalised Elo of a test on it, and the counts of pairs that it rests on, in words."""

from __future__ import annotations

import numpy as np

from webapp.common.formats import THIN, count, signed
from webapp.lab.results.stop_state import StopState
from worker.analysis import elo
from worker.analysis.stop_rules.model import NORMALISED, Array, contrast
from worker.looks import num_sides

DIGITS = 9
"""Digits to which the values of two deals are the same."""
PAIRS, BY_WINS = "Pairs with 0, ½, 1, 1½, 2 points", "Deals with 2 or 1 wins fewer, as many, 1 or 2 more"
MATCHES = "Losses, draws, wins"


def facts(state: StopState) -> tuple[tuple[str, str], ...]:
    """(label, value): the estimate with its interval, and how often each outcome of a deal came.

    Nothing for other tests, and before the first deal. Outcomes are counted where a deal is a match or a pair.
    """
    spec = state.spec
    if spec.stop.on != NORMALISED or not state.deals:
        return ()
    values = np.round(contrast(state.values), DIGITS)
    outcomes, times = np.unique(values, return_counts=True)
    matches = min(spec.num_seatings(arm) for arm in range(len(spec.arms)))
    found = elo.normalised((1 + outcomes) / 2, times.astype(np.float64), matches)
    if found.value is None or found.interval is None:
        said = [("Normalised Elo", "undefined: all deals ended alike")]
    else:
        ends = " to ".join(signed(end, 1) for end in found.interval)
        said = [("Normalised Elo", signed(found.value, 1)), (f"Its 95{THIN}% interval at one look", ends)]
    return (*said, *_outcomes(state, values, matches))


def _outcomes(state: StopState, values: Array, matches: int) -> tuple[tuple[str, str], ...]:
    arms = range(len(state.spec.arms))
    if matches > 2 or any(num_sides(state.spec, arm) != 2 or state.spec.num_seatings(arm) != matches for arm in arms):
        return ()
    if len(arms) == 1:
        label = PAIRS if matches == 2 else MATCHES
    elif matches == 2:
        label = BY_WINS
    else:
        return ()
    steps = np.arange(-matches, matches + 1) / matches
    return ((label, ", ".join(count(int((values == step).sum())) for step in steps)),)
