"""The plan of a spec: the difference that it will show, deals for a wanted one, and what every stop rule will cost."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from worker import estimate
from worker.analysis.power import LEAST_DEALS, POWER, Comparison
from worker.analysis.stop_rules.chances import Chance, chances
from worker.analysis.stop_rules.model import MARGIN, NORMALISED, WIN_RATE
from worker.planning import design as designs
from worker.planning.design import Design, Spread
from worker.spec import MAX_DEALS, ExperimentSpec, stop, stop_rule
from worker.spec.stop import StopSpec

POINTS = 13
"""Differences of a curve."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What one stop rule will find and cost, with the same most deals as all others.

    alike, wanted: if there is no difference, and if there is the wanted one; curve: over differences from 0 up, in
    the unit of the plan. refused: why it cannot be taken; then there is nothing else.
    """

    rule: StopSpec
    is_chosen: bool
    refused: str = ""
    alike: Chance | None = None
    wanted: Chance | None = None
    curve: tuple[Chance, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Numbers of a plan; differences are those of the result page, in per cent of win rate, or in points.

    detectable: the difference that is seen with `POWER` after all deals, None where none can be;
    at_every_look: the same by the interval that holds while it runs; needed: deals that the wanted difference takes,
    None where they are more than an experiment may have; least: the smallest difference that these would show;
    widest: the largest that there can be, None where there is no limit; arm_deal_s: CPU seconds of a deal in one arm.
    """

    measure: str
    design: Design
    spread: Spread
    deals: int
    wanted: float
    detectable: float | None
    at_every_look: float | None
    half_width: float
    needed: int | None
    least: float
    widest: float | None
    arm_deal_s: float
    outlooks: tuple[Outlook, ...]

    @property
    def is_possible(self) -> bool:
        """Whether the wanted difference can be at all."""
        return self.widest is None or self.wanted < self.widest

    @property
    def deviation(self) -> float:
        """Deviation of a deal, in the unit of the plan."""
        return self.spread.deviation * unit_of(self.design, self.measure)

    @property
    def needed_s(self) -> float | None:
        """CPU seconds of the deals that the wanted difference takes."""
        return None if self.needed is None else self.needed * self.design.arms * self.arm_deal_s


def unit_of(design: Design, measure: str) -> float:
    """What plans write for 1 of what statistics take.

    Win rates are in per cent. The only arm's is taken as it is, but where it has two sides the page shows one less the
    other: twice what one is above even.
    """
    if measure == MARGIN:
        return 1.0
    return 200.0 if design.is_between_sides else 100.0


def plan(spec: ExperimentSpec, spread: Spread, wanted: float) -> Plan:
    """The plan of a spec. spread: of `design.measure_of(spec)`; wanted: a difference above 0, in the plan's unit."""
    design, measure = Design.of(spec), designs.measure_of(spec)
    compared, unit = designs.comparison(design, spread, measure), unit_of(design, measure)
    widest = design.widest * unit if measure == WIN_RATE else None
    needed = compared.deals(wanted / unit)
    return Plan(
        measure=measure,
        design=design,
        spread=spread,
        deals=spec.deals,
        wanted=wanted,
        detectable=_within(compared.detectable(spec.deals), unit, widest),
        at_every_look=_within(compared.detectable(spec.deals, planned=spec.deals), unit, widest),
        half_width=compared.half_width(spec.deals) * unit,
        needed=needed if needed is not None and needed <= MAX_DEALS else None,
        least=(compared.detectable(MAX_DEALS) or 0.0) * unit,
        widest=widest,
        arm_deal_s=arm_deal_s(spec),
        outlooks=_outlooks(spec, compared, measure, wanted, widest),
    )


def arm_deal_s(spec: ExperimentSpec) -> float:
    """CPU seconds of a deal in one arm, as estimated; the mean of all arms."""
    seconds = estimate.estimate(spec).seconds_per_match
    return sum(spec.num_seatings(arm) * match_s for arm, match_s in enumerate(seconds)) / len(spec.arms)


def _within(difference: float | None, unit: float, widest: float | None) -> float | None:
    found = None if difference is None else difference * unit
    return None if found is None or (widest is not None and found > widest) else found


def _outlooks(
    spec: ExperimentSpec, compared: Comparison, measure: str, wanted: float, widest: float | None
) -> tuple[Outlook, ...]:
    """One for each rule; `spec`'s own with its own numbers, the others with those that fit the wanted difference."""
    design = Design.of(spec)
    seen = compared.detectable(max(spec.deals, LEAST_DEALS)) or 0.0
    farthest = max(2 * wanted, 1.5 * seen * unit_of(design, measure))
    gaps = np.linspace(0, farthest if widest is None else min(farthest, widest), POINTS)
    found = []
    for name, refused in designs.rules_for(design).items():
        is_chosen = name == spec.stop.rule
        rule = spec.stop if is_chosen else fitting(name, measure, wanted, design)
        if refused or not compared.deviation:
            found.append(Outlook(rule, is_chosen, refused or "nothing varies"))
            continue
        rows = chances_of(replace(spec, stop=rule), compared, [0.0, wanted, *gaps.tolist()])
        found.append(Outlook(rule, is_chosen, "", rows[0], rows[1], rows[2:]))
    return tuple(found)


def fitting(name: str, measure: str, wanted: float, design: Design) -> StopSpec:
    """A rule with numbers that fit a wanted difference.

    A precision of half of it: then no interval holds both 0 and the wanted difference. It is that of the only arm's win
    rate itself. A test of 0 against it; of the only arm's win rate less that of its opponents, which is farther from 0
    than the rate is from even.
    """
    rate = wanted if measure == MARGIN else 100 * wanted / unit_of(design, measure)
    if name == stop.PRECISION:
        return StopSpec(rule=name, on=measure, half_width=rate / 2)
    if name == stop.SPRT:
        far = min(rate * apart(design), 99.0) if measure == WIN_RATE else wanted
        return StopSpec(rule=name, on=measure, h0=0.0, h1=far)
    return StopSpec(rule=name, on=measure) if name == stop.BEST_OF else StopSpec()


def apart(design: Design) -> float:
    """How far a win rate lies from that of the opponents, for 1 that the only arm's lies from even."""
    return design.parties / (design.parties - 1) if design.arms == 1 else 1.0


def chances_of(spec: ExperimentSpec, compared: Comparison, gaps: list[float]) -> tuple[Chance, ...]:
    """What the rule of a spec finds and costs for some true differences, which are in the unit of the plan."""
    design, rule = Design.of(spec), stop_rule.of(spec)
    unit = unit_of(design, designs.measure_of(spec))
    farther = apart(design) if stop_rule.is_against_opponents(spec) else 1.0
    seen = replace(compared, deviation=compared.deviation * farther)
    differences = [gap / unit * farther for gap in gaps]
    if spec.stop.on == NORMALISED and spec.stop.rule == stop.SPRT:
        differences, seen = [gap / seen.deviation for gap in differences], replace(seen, deviation=1.0)
    arms = 2 if stop_rule.is_against_opponents(spec) else design.arms
    rows = chances(rule, seen, arms, spec.deals, differences)
    shown = design.arms / arms
    return tuple(Chance(gap, row.found, row.deals, row.arm_deals * shown) for gap, row in zip(gaps, rows, strict=True))


def deals_for(spec: ExperimentSpec, spread: Spread, wanted: float, power: float = POWER) -> int:
    """Deals that a wanted difference takes; the most that there may be where these are not enough."""
    design, measure = Design.of(spec), designs.measure_of(spec)
    found = designs.comparison(design, spread, measure).deals(wanted / unit_of(design, measure), power)
    return MAX_DEALS if found is None else min(found, MAX_DEALS)


def rounded(deals: float) -> int:
    """A number of deals that is easily read, and not smaller: two digits, the second one of few a 5 or a 0."""
    size = 10 ** (math.floor(math.log10(deals)) - 1) if deals > 100 else 5
    return math.ceil(deals / size) * size
