"""Trial deals: a few deals of an experiment's line-ups, from which its spread is known before it starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from worker import estimate
from worker.looks import Array, Looks, RecordLooks
from worker.planning import design as designs
from worker.planning.design import Spread
from worker.records import MatchRecord
from worker.spec import ExperimentSpec, stop
from worker.spec.stop import StopSpec

MOST_DEALS = 24
"""Enough for a deviation that is right to 15 %."""
SECONDS = 20.0
"""Longest that trial deals may take, as estimated; half of it usually."""


def num_deals(spec: ExperimentSpec, processes: int) -> int:
    """How many trial deals fit into the time; 0 where these are too few to plan with, or agents take part."""
    if spec.has_agents:
        return 0
    one = estimate.estimate(replace(spec, deals=1), 1).seconds
    fitting = round(SECONDS * processes / max(one, 1e-9)) if one else MOST_DEALS
    return 0 if fitting < designs.LEAST_DEALS else min(MOST_DEALS, fitting)


def trial_spec(spec: ExperimentSpec, deals: int, seed: int) -> ExperimentSpec:
    """The trial of an experiment: few deals of its own, all of which are played."""
    return replace(spec, deals=deals, seed=seed, stop=StopSpec(), record="matches")


def looked_at(spec: ExperimentSpec, measure: str) -> ExperimentSpec:
    """The spec as a look at a measure reads it: all deals, whatever its stop rule goes by."""
    return replace(spec, stop=StopSpec(rule=stop.FIXED, on=measure))


def values_of(spec: ExperimentSpec, records: Iterable[MatchRecord], measure: str) -> Array:
    """float64[arms, deals] of the complete deals of match records."""
    looks = RecordLooks(looked_at(spec, measure))
    looks.write(records)
    return known_values(looks.looks)


def known_values(looks: Looks) -> Array:
    """float64[arms, deals] of the deals that are complete."""
    return looks.prefix({}).values


def spread(spec: ExperimentSpec, values: Array, measure: str, source: str) -> Spread | None:
    """The spread of values that a spec's deals had; None of too few."""
    seatings = min(spec.num_seatings(arm) for arm in range(len(spec.arms)))
    return designs.spread_of(values, 1 / seatings, source)
