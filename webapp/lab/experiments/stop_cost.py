"""What a stop rule will cost, said before the start: deals if the truth is one thing or another."""

from __future__ import annotations

import math
from typing import NamedTuple

from django.db.models import Sum

from games import registry as game_registry
from webapp.common.formats import number
from webapp.records.metrics import WHOLE_MATCH
from webapp.records.models import Experiment, Summary
from worker.analysis.moments import Moments
from worker.analysis.stop_rules.model import MARGIN, NORMALISED, WIN_RATE, Truth
from worker.spec import ExperimentSpec, stop, stop_rule

LEAST_MATCHES = 50
"""Of fewer stored matches the deviation of margins is not known."""


class Case(NamedTuple):
    """What may be true, in words; deals of an arm then, on average, and of a fixed number that tells as much."""

    words: str
    deals: int
    fixed: int | None


def cases(spec: ExperimentSpec) -> list[Case]:
    """The cases of a rule; empty without one, and where nothing is known of the game's margins yet."""
    match = None if spec.stop.is_fixed else _match_deviation(spec)
    if match is None:
        return []
    deviation = _deviation(spec, match)
    rule, unit = stop_rule.of(spec), stop_rule.unit(spec)
    if spec.stop.on == NORMALISED:
        unit /= deviation  # it counts in deviations
    rows = max(len(spec.arms), 2 if stop_rule.is_against_opponents(spec) else 1)
    found = []
    for words, effect in _effects(spec, match):
        means = (*[0.0] * (rows - 1), effect / unit)
        plan = rule.expected(Truth(means, deviation), spec.deals)
        found.append(Case(words, math.ceil(plan.deals), plan.fixed))
    return found


def _deviation(spec: ExperimentSpec, match: float) -> float:
    """Deviation of what the rule looks at on a deal, luck that its matches share apart; match: that of a match.

    Two arms differ by independent numbers; of one arm the opponents share what it has not won itself.
    """
    seatings = min(spec.num_seatings(arm) for arm in range(len(spec.arms)))
    parties, apart = _parties(spec), 1.0
    if len(spec.arms) > 1:
        apart = math.sqrt(2)
    elif stop_rule.is_against_opponents(spec):
        apart = parties / (parties - 1)
    return match / math.sqrt(seatings) * apart


def _parties(spec: ExperimentSpec) -> int:
    """How many win or lose by themselves."""
    return 2 if game_registry.get(spec.game).traits.has_teams else max(2, spec.seats)


def _effects(spec: ExperimentSpec, match: float) -> list[tuple[str, float]]:
    """Differences that may be true, in words and in the unit of the spec; match: the deviation of a match."""
    rule = spec.stop
    if rule.rule == stop.SPRT:
        low, high = (number(value, 0 if value == int(value) else 1) for value in (rule.h0, rule.h1))
        middle = (rule.h0 + rule.h1) / 2
        return [(f"where it is {low}", rule.h0), (f"where it is {high}", rule.h1), ("where it lies between", middle)]
    if rule.rule == stop.BEST_OF:
        clear = 20.0 if rule.on == WIN_RATE else match / 2
        return [("where all are alike", 0.0), (f"where one is better by {number(clear, 0)}", clear)]
    return [("to be so precise", 0.0)]


def _match_deviation(spec: ExperimentSpec) -> float | None:
    """Deviation of what is compared in one match, in the rule's own measure; None where nobody knows."""
    if spec.stop.on != MARGIN:  # of equals, where draws are rare
        even = 1 / _parties(spec)
        return math.sqrt(even * (1 - even))
    stored = Summary.objects.filter(
        metric="margin",
        ply=WHOLE_MATCH,
        experiment__game=spec.game,
        experiment__kind=Experiment.Kind.EXPERIMENT,
        experiment__spec__options=dict(spec.options),
    ).aggregate(n=Sum("n"), total=Sum("total"), squares=Sum("total_squares"))
    if (stored["n"] or 0) < LEAST_MATCHES:
        return None
    return Moments(stored["n"], stored["total"], stored["squares"]).deviation
