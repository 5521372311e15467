"""What each stop rule finds and costs, by the true difference: how often it says "better", after how many deals.

All arms are alike but the last one, which is better than the first by the difference. Deals are normal and independent.
A number of deals that is fixed, or that a precision asks for, has a formula (`power`); tests and races are simulated as
walks that meet the bounds of the rules, the same luck for each difference, so that curves are smooth. The rules
themselves, on outcomes as games have them, come out alike by simulation in the tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from worker.analysis import beyond, sequences
from worker.analysis.power import Comparison
from worker.analysis.stop_rules import best_of, model, sprt
from worker.analysis.stop_rules.best_of import BestOf
from worker.analysis.stop_rules.fixed_number import FixedNumber
from worker.analysis.stop_rules.model import MARGIN, NORMALISED, Array, StopRule, Truth
from worker.analysis.stop_rules.precision import Precision
from worker.analysis.stop_rules.sprt import Sprt

SEED = 20_250_607
RUNS = 2000
"""Experiments that are simulated for a test: the standard error of a chance is at most 1.1 points."""
LOOKS = 500
"""Looks of such an experiment, most of them early; a walk that is back before the next one is not seen."""
CELLS = 1_500_000
"""Differences of pairs at looks, over all experiments of a race: more arms have fewer of both."""
FEWEST_RUNS = 40


@dataclass(frozen=True, slots=True)
class Chance:
    """If the last arm is better by `difference`: the chance that the rule says so, and mean numbers of deals.

    deals: until the end; arm_deals: over all arms, of which some end earlier.
    """

    difference: float
    found: float
    deals: float
    arm_deals: float


def chances(
    rule: StopRule, compared: Comparison, arms: int, planned: int, differences: Sequence[float]
) -> tuple[Chance, ...]:
    """The chances of a rule.

    compared: what the rule looks at, in its own unit; arms: rows of its values; planned: the most deals that it may
    take. Raises ValueError without deals.
    """
    if planned < 1:
        raise ValueError(f"planned must be at least 1, not {planned!r}")
    return KINDS[type(rule)](rule, compared, arms, planned, tuple(differences))


def _of_fixed(
    rule: StopRule, compared: Comparison, arms: int, planned: int, differences: tuple[float, ...]
) -> tuple[Chance, ...]:
    """All deals at which a rule is sure to end, and one look there."""
    deals = round(rule.expected(Truth((0.0,) * arms, compared.deviation), planned).deals)
    return tuple(Chance(gap, compared.power(gap, deals), deals, deals * arms) for gap in differences)


@lru_cache(maxsize=64)
def _of_test(
    rule: Sprt, compared: Comparison, arms: int, planned: int, differences: tuple[float, ...]
) -> tuple[Chance, ...]:
    unit = 1.0 if rule.on == NORMALISED else compared.deviation
    looks = _looks(planned, LOOKS)
    luck = _walks(RUNS, 1, looks)[:, 0]
    effect, middle = (rule.h1 - rule.h0) / unit, (rule.h0 + rule.h1) / 2 / unit
    lower, upper = (bound * _farther(rule, effect, looks) for bound in rule.bounds)
    near = min(sprt.OVERSHOOT * effect, sprt.NEAREST * rule.bounds[1])
    scale = effect * np.maximum(looks - sprt.SPARE, 0) / looks
    edges = [_edge(rule.clear * level, planned, looks) for level in (rule.alpha, rule.beta)]
    found = []
    for gap in differences:
        total = luck + gap / compared.deviation * looks
        ratio = scale * (total - middle * looks)
        above = (ratio >= upper - near) | (total - rule.h0 / unit * looks >= edges[0])
        below = (ratio <= lower + near) | (rule.h1 / unit * looks - total >= edges[1])
        ended = (above | below) & (looks >= model.LEAST)
        first = np.where(ended.any(axis=-1), ended.argmax(axis=-1), len(looks) - 1)
        is_better = np.take_along_axis(ended & above, first[:, None], axis=-1)
        deals = float(looks[first].mean())
        found.append(Chance(gap, float(is_better.mean()), deals, deals * arms))
    return tuple(found)


def _edge(level: float, planned: int, looks: NDArray[np.int64]) -> Array:
    """Sums of standard normal values at which an e-value reaches 1 / level; infinite for a level of 0."""
    if not level:
        return np.full(len(looks), np.inf)
    limit, _ = sequences.limits(np.zeros(planned), beyond.PLANNED, level)
    return np.asarray(limit[looks - 1] * np.sqrt(looks))


def _farther(rule: Sprt, effect: float, looks: NDArray[np.int64]) -> Array:
    """By how much bounds lie farther away for values that may be skewed, as in `sprt`."""
    return 1 + (sprt.SKEWED * effect * np.sqrt(6 / looks) if rule.on == MARGIN else np.zeros(len(looks)))


@lru_cache(maxsize=16)
def _of_race(
    rule: BestOf, compared: Comparison, arms: int, planned: int, differences: tuple[float, ...]
) -> tuple[Chance, ...]:
    cells = CELLS // math.comb(arms, 2)
    looks = _looks(planned, max(FEWEST_RUNS, min(best_of.STEPS, math.isqrt(2 * cells))))
    runs = max(FEWEST_RUNS, min(RUNS // 8, cells // len(looks)))
    limit, _ = sequences.limits(np.zeros(planned), planned, rule.alpha / math.comb(arms, 2))
    edge = limit[looks - 1] * np.sqrt(looks)
    luck = _walks(runs, arms, looks) / math.sqrt(2)
    return tuple(_raced(gap, luck, gap / compared.deviation, edge, looks) for gap in differences)


def _raced(gap: float, luck: Array, drift: float, edge: Array, looks: NDArray[np.int64]) -> Chance:
    runs, arms, _ = luck.shape
    total = luck.copy()
    total[:, -1] += drift * looks
    claims: list[list[tuple[int, int, int]]] = [[] for _ in range(runs)]
    for worse in range(arms):
        beyond = total - total[:, worse : worse + 1] > edge
        run, better = np.nonzero(beyond.any(axis=-1))
        for i, arm, look in zip(
            run.tolist(), better.tolist(), beyond[run, better].argmax(axis=-1).tolist(), strict=True
        ):
            claims[i].append((int(looks[look]), worse, arm))
    races = [best_of.race(arms, int(looks[-1]), rows) for rows in claims]
    deals = [race.deals for race in races]
    played = [race.arm_deals for race in races]
    seen = [arms - 1 in race.beaten_by for race in races]
    return Chance(gap, float(np.mean(seen)), float(np.mean(deals)), float(np.mean(played)))


def _looks(planned: int, most: int) -> NDArray[np.int64]:
    """Numbers of deals after which is looked: all of the first ones, then farther and farther apart."""
    early = min(planned, most // 2)
    late = np.geomspace(early, planned, most - early).round().astype(np.int64)
    return np.unique(np.concatenate([np.arange(1, early + 1), late]))


def _walks(runs: int, rows: int, looks: NDArray[np.int64]) -> Array:
    """Sums of as many standard normal numbers as there are deals until each look: float64[runs, rows, looks].

    The second half of the runs has the luck of the first one, mirrored: so chances that should be alike are.
    """
    rng = np.random.Generator(np.random.PCG64(SEED))
    steps = np.sqrt(np.diff(looks, prepend=0))
    half = np.cumsum(steps * rng.standard_normal((runs // 2, rows, len(looks))), axis=-1)
    return np.concatenate([half, -half])


KINDS: Mapping[type, Callable[..., tuple[Chance, ...]]] = {
    FixedNumber: _of_fixed,
    Precision: _of_fixed,
    Sprt: _of_test,
    BestOf: _of_race,
}
