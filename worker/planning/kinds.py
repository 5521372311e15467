"""Three ways to begin: a quick look, a result to publish, a regression test. Each sets deals, stop rule and error."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from worker.analysis.stop_rules.chances import Chance
from worker.analysis.stop_rules.model import WIN_RATE
from worker.planning import design as designs
from worker.planning.design import Design, Spread
from worker.planning.plan import apart, chances_of, deals_for, rounded, unit_of
from worker.spec import MAX_DEALS, MAX_MATCHES, ExperimentSpec, stop
from worker.spec.stop import StopSpec

QUICK, PUBLISHABLE, REGRESSION = "quick", "publishable", "regression"
KINDS = (QUICK, PUBLISHABLE, REGRESSION)
WANTED = {QUICK: 20.0, PUBLISHABLE: 5.0, REGRESSION: 5.0}
"""Difference that each looks for, in per cent of win rate; of the only arm's win rate from even."""
HALF_WIDTH = 3.0
"""Precision to publish with, in per cent of an arm's win rate, or of the difference of two."""
LEAST = 30
"""Deals of a quick look, at least: before these no interval is worth much."""
RESERVE = {stop.PRECISION: 1.5, stop.SPRT: 1.5, stop.BEST_OF: 2.0, stop.FIXED: 1.0}
"""Most deals, for 1 that a fixed number would take: so each sees what it looks for in 4 of 5 cases at least."""


class Kind(NamedTuple):
    """What a kind sets: the most deals, the stop rule, and the difference that it looks for, in the plan's unit."""

    name: str
    deals: int
    stop: StopSpec
    wanted: float


def wanted_by(name: str, design: Design) -> float:
    """The difference that a kind looks for, in the unit of the plan."""
    return WANTED[name] * unit_of(design, WIN_RATE) / 100


def kind(name: str, spec: ExperimentSpec, spread: Spread) -> Kind | None:
    """What a kind sets for the line-ups of a spec; None where it does not fit. spread: of win rates."""
    design = Design.of(spec)
    wanted = wanted_by(name, design)
    asked = replace(spec, stop=_rule(name, design), deals=MAX_DEALS)
    if designs.rules_for(design)[asked.stop.rule]:
        return None
    deals = deals_for(asked, spread, wanted)
    if name == QUICK:
        return Kind(name, _fitting(spec, max(LEAST, rounded(deals))), asked.stop, wanted)
    if asked.stop.rule == stop.PRECISION:
        (found,) = chances_of(asked, designs.comparison(design, spread, WIN_RATE), [0.0])
        deals = round(found.deals)
    return Kind(name, _fitting(spec, rounded(RESERVE[asked.stop.rule] * deals)), asked.stop, wanted)


def outlook(found: Kind, spec: ExperimentSpec, spread: Spread) -> Chance:
    """What a kind costs if what it looks for is true: a difference, or of a regression test that there is none."""
    asked = replace(spec, stop=found.stop, deals=found.deals)
    gap = 0.0 if found.name == REGRESSION else found.wanted
    return chances_of(asked, designs.comparison(Design.of(spec), spread, WIN_RATE), [gap])[0]


def _rule(name: str, design: Design) -> StopSpec:
    if name == QUICK or not design.is_paired:
        return StopSpec()
    if name == REGRESSION:
        return StopSpec(rule=stop.SPRT, on=WIN_RATE, h0=-WANTED[REGRESSION] * apart(design), h1=0.0)
    if design.arms >= stop.LEAST_ARMS:
        return StopSpec(rule=stop.BEST_OF, on=WIN_RATE)
    return StopSpec(rule=stop.PRECISION, on=WIN_RATE, half_width=HALF_WIDTH)


def _fitting(spec: ExperimentSpec, deals: int) -> int:
    """As many deals as an experiment may have, at most."""
    a_deal = sum(spec.num_seatings(arm) for arm in range(len(spec.arms)))
    return min(deals, MAX_DEALS, MAX_MATCHES // a_deal)
