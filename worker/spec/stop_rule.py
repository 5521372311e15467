"""The rule that a spec names, as the statistics have it (`worker.analysis.stop_rules`).

Specs and pages write win rates in per cent and normalised Elo in its own points; the rules take
rates from 0 to 1, and means of deals over their deviation.
"""

from __future__ import annotations

import math
from dataclasses import replace

from worker.analysis import elo
from worker.analysis.stop_rules.best_of import BestOf
from worker.analysis.stop_rules.fixed_number import FixedNumber
from worker.analysis.stop_rules.model import MARGIN, NORMALISED, WIN_RATE, StopRule
from worker.analysis.stop_rules.precision import DIFFERENCE, RATE, Precision
from worker.analysis.stop_rules.sprt import Sprt
from worker.spec import stop
from worker.spec.model import ExperimentSpec


def of(spec: ExperimentSpec) -> StopRule:
    """The rule of a spec."""
    asked, size = spec.stop, unit(spec)
    if asked.rule == stop.SPRT:
        return Sprt(asked.on, asked.h0 / size, asked.h1 / size, asked.alpha, asked.beta)
    if asked.rule == stop.BEST_OF:
        return BestOf(asked.on, asked.alpha, spec.baseline)
    if asked.rule == stop.PRECISION:
        alone = MARGIN if asked.on == MARGIN else RATE
        return Precision(DIFFERENCE if len(spec.arms) > 1 else alone, asked.half_width / size)
    return FixedNumber()


def before_e_values(spec: ExperimentSpec) -> StopRule:
    """The rule as it was when only the likelihood ratio ended a test."""
    rule = of(spec)
    return replace(rule, clear=0.0) if isinstance(rule, Sprt) else rule


def unit(spec: ExperimentSpec) -> float:
    """What specs write for 1 of what the rule takes.

    Normalised Elo goes by the deviation of a match: that of a deal by the root of its matches (Van den Bergh).
    """
    if spec.stop.on == NORMALISED:
        return elo.UNIT / math.sqrt(min(spec.num_seatings(arm) for arm in range(len(spec.arms))))
    return 100.0 if spec.stop.on == WIN_RATE else 1.0


def is_against_opponents(spec: ExperimentSpec) -> bool:
    """Whether the rule looks at a side less its opponents: where one arm is tested for winning more than these."""
    return len(spec.arms) == 1 and spec.stop.rule == stop.SPRT and spec.stop.on != MARGIN
