"""What the commands answer, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.analysis import always_valid, elo, holm, likelihood, plackett_luce, ratings, sequences
from worker.analysis.intervals import Interval, wilson
from worker.analysis.methods import AlwaysValid
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.paired import paired_difference, paired_moments
from worker.analysis.rate_differences import independent_rates, paired_rates
from worker.analysis.rates import Share, rate_interval
from worker.analysis.stop_rules import model, sprt
from worker.analysis.stop_rules.model import BEYOND, NORMALISED, RATIO, Stop
from worker.analysis.stop_rules.sprt import Sprt
from worker.stats.tables import OF_COLUMNS, RATED, Arm, InputError, prefix

Json = dict[str, Any]
Array = NDArray[np.float64]
SEED = 1_952
"""Seed of resampling: the same file gives the same answer."""
LOOKS = 500
"""Looks of a sequence that are printed at most."""


def count_rate(wins: float, of: int, confidence: float) -> Json:
    """Wilson's interval of independent matches."""
    return {"rate": wins / of, "interval": _ends(wilson(wins, of, confidence))}


def count_difference(first: tuple[int, int], second: tuple[int, int], confidence: float) -> Json:
    """Score interval of independent matches; first, second: wins and matches."""
    rates = [wins / of for wins, of in (first, second)]
    found = independent_rates(Share(*first), Share(*second), confidence)
    return {"rates": rates, "difference": found.mean, "interval": _ends(found.interval), "p": found.p}


def rates(arms: Sequence[Arm], on: str, planned: int | None, confidence: float) -> Json:
    """Mean of each arm, with the interval of a number of deals fixed beforehand, and with the one for every look."""
    answers = []
    for arm in arms:
        blocks = BlockMoments.of([Moments.of(values) for values in arm.deals.values()])
        interval = rate_interval(blocks, confidence) if on in RATED else blocks.interval(confidence)
        deals = planned or blocks.blocks
        if on in RATED:
            every_look = always_valid.of_rate(blocks, confidence)
        else:
            every_look = always_valid.of_blocks(blocks, deals, confidence)
        answers.append(
            {
                "arm": arm.number,
                "name": arm.name,
                "deals": len(arm.deals),
                "matches": arm.matches,
                "left_out": arm.left_out,
                "mean": blocks.mean,
                "interval": _ends(interval),
                "always_valid": {"interval": _ends(every_look), "planned": deals},
            }
        )
    return {"on": on, "confidence": confidence, "arms": answers}


def differences(arms: Sequence[Arm], on: str, baseline: int, planned: int | None, confidence: float) -> Json:
    """Each arm less the baseline, deal by deal: intervals are Bonferroni's over all of them, p-values Holm's."""
    base, others = _apart(arms, baseline)
    each = 1 - (1 - confidence) / len(others)
    sums = {arm.number: {deal: Moments.of(values) for deal, values in arm.deals.items()} for arm in arms}
    compare = paired_rates if on in RATED else paired_difference
    found = [compare(sums[arm.number], sums[base.number], each) for arm in others]
    adjusted = holm.adjust([row.p for row in found])
    answers = []
    for arm, row, p in zip(others, found, adjusted, strict=True):
        moments = paired_moments(sums[arm.number], sums[base.number])
        deals = planned or row.blocks
        method, paired = AlwaysValid(deals), moments[:3]
        if on in RATED:
            sizes = (arm.matches / max(1, len(arm.deals)), base.matches / max(1, len(base.deals)))
            every_look = method.paired_rates(paired, sizes, row.left_out, each).interval
        else:
            every_look = method.paired(paired, row.left_out, each).interval
        answers.append(
            {
                "arm": arm.number,
                "name": arm.name,
                "deals": row.blocks,
                "left_out": row.left_out,
                "difference": row.mean,
                "interval": _ends(row.interval),
                "p": row.p,
                "holm_p": p,
                "variance_ratio": row.variance_ratio,
                "always_valid": {"interval": _ends(every_look), "planned": deals},
            }
        )
    return {"on": on, "confidence": confidence, "baseline": baseline, "differences": answers}


def sequence(arms: Sequence[Arm], on: str, planned: int | None, confidence: float, baseline: int | None) -> Json:
    """Sequence of the only arm, or of the difference of the other arm to the baseline."""
    if baseline is None:
        if len(arms) != 1:
            raise InputError(f"--arm: the file has arms {_numbers(arms)}; name one, or a --baseline")
        values = prefix(tuple(arms))[0]
    else:
        base, others = _apart(arms, baseline)
        if len(others) != 1:
            raise InputError(f"--arm: beside the baseline the file has arms {_numbers(others)}; name one")
        shared = prefix((base, others[0]))
        values = shared[1] - shared[0]
    found = _sequence(values, on, planned, confidence, difference=baseline is not None)
    looks = np.unique(np.linspace(1, len(values), min(len(values), LOOKS)).round().astype(np.int64))
    means = values.cumsum() / np.arange(1, len(values) + 1)
    rows = [{"deals": int(n), "mean": float(means[n - 1]), "interval": _ends(found.interval(int(n)))} for n in looks]
    return {"on": on, "confidence": confidence, "planned": planned or len(values), "looks": rows}


def sprt_of_counts(counts: Sequence[int], rule: Sprt, elo0: float, elo1: float) -> Json:
    """Test of matches (counts of losses, draws, wins) or pairs (of 0, 1/2, 1, 3/2, 2 points).

    rule: its hypotheses are those that elo0 and elo1 stand for. By the likelihood ratio alone, as fishtest has it:
    counts have no order in which an e-value could grow.
    """
    matches = 2 if len(counts) == 5 else 1
    outcomes = np.arange(len(counts)) / (len(counts) - 1)
    observed = np.array(counts, dtype=np.float64)
    weights = np.where(observed > 0, observed, likelihood.UNSEEN)
    if rule.on == "normalised":
        llr = float(likelihood.normalised_ratio(outcomes - 0.5, weights, rule.h0, rule.h1))
    else:
        llr = float(likelihood.mean_ratio(outcomes, weights, rule.h0, rule.h1))
    lower, upper = replace(rule, clear=0.0).bounds
    logistic, normalised = elo.logistic(outcomes, observed), elo.normalised(outcomes, observed, matches)
    return {
        "units": int(observed.sum()),
        "matches": int(observed.sum()) * matches,
        "points": float(observed @ outcomes / observed.sum()),
        "elo": {"value": logistic.value, "interval": _ends(logistic.interval)},
        "normalised_elo": {"value": normalised.value, "interval": _ends(normalised.interval)},
        "elo0": elo0,
        "elo1": elo1,
        "llr": llr,
        "bounds": [lower, upper],
        "accepted": "h1" if llr >= upper else "h0" if llr <= lower else None,
        "leans_outward_by": sprt.LEAN * (elo1 - elo0) if llr >= upper or llr <= lower else None,
    }


def _estimate(values: Array, stop: Stop | None, rule: Sprt) -> Json:
    """Mean of the deals until the end, and by how much such a mean leans outward on average; in its own unit."""
    seen = values[: stop.deals] if stop else values
    if rule.on == NORMALISED:
        mean = float(seen.mean() / seen.std()) if len(seen) and np.ptp(seen) else None
    else:
        mean = float(seen.mean()) if len(seen) else None
    return {"value": mean, "leans_outward_by": rule.lean if stop else None}


def sprt_of_arms(values: Array, rule: Sprt) -> Json:
    """Test of deals in their order: where it ends, and by which evidence.

    Both kinds of evidence, and their bounds, are those there, or at the last deal.
    """
    deals = values.shape[1]
    stop, course = rule.first_stop(values, deals + 1), rule.course(values, deals + 1)
    last = {curve.name: curve.values[-1] if curve.values else None for curve in course.curves}
    return {
        "rule": rule.to_json(),
        "deals": deals,
        "ended_after": stop.deals if stop else None,
        "estimate": _estimate(model.contrast(values), stop, rule),
        "accepted": stop.reason if stop else None,
        "ended_by": {RATIO: "likelihood ratio", BEYOND: "one claim alone"}[stop.by] if stop else None,
        "llr": last["llr"],
        "bounds": [last["lower"], last["upper"]],
        "against_one_claim": last.get("beyond"),
        "bounds_against_one_claim": [last.get("beyond_lower"), last.get("beyond_upper")],
    }


def ladder(
    names: Sequence[str], matches: Sequence[plackett_luce.Ranking], anchor: str | None, confidence: float, seed: int
) -> Json:
    """Ratings of players, the strongest first, with the covariance of their errors in the same order."""
    if anchor is not None and anchor not in names:
        raise InputError(f"--anchor: no player {anchor!r}; there are {', '.join(names)}")
    try:
        found = ratings.rate(matches, len(names), seed)
    except ValueError as error:
        raise InputError(str(error)) from None
    if anchor is not None:
        found = found.less(list(names).index(anchor))
    order = found.order()
    return {
        "confidence": confidence,
        "less": anchor or "the mean of all",
        "deals": len({match.deal for match in matches}),
        "players": [
            {
                "player": names[i],
                "elo": float(found.elo[i]),
                "interval": None if names[i] == anchor else _ends(found.interval(i, confidence)),
                "ranks": list(found.ranks(i, confidence)),
                "above_next": found.probability_above(i, below) if below is not None else None,
                **_played(i, matches),
            }
            for i, below in zip(order, [*order[1:], None], strict=True)
        ],
        "covariance": found.covariance[np.ix_(order, order)].tolist(),
    }


def _played(player: int, matches: Sequence[plackett_luce.Ranking]) -> Json:
    """Matches of a player, and its points there: one for each that it beat, a half for a draw, over their number."""
    own = [match for match in matches if player in match.players]
    points = sum(match.times * _points(match, match.players.index(player)) for match in own)
    return {"matches": sum(match.times for match in own), "points": points}


def _points(match: plackett_luce.Ranking, place: int) -> float:
    others = [rank for i, rank in enumerate(match.ranks) if i != place]
    own = match.ranks[place]
    return sum((rank > own) + (rank == own) / 2 for rank in others) / len(others)


def _sequence(
    values: Array, on: str, planned: int | None, confidence: float, *, difference: bool
) -> sequences.ConfidenceSequence:
    if on in OF_COLUMNS:
        make = sequences.mean_sequence
    else:
        make = sequences.difference_sequence if difference else sequences.rate_sequence
    return make(values, planned or max(len(values), 1), confidence)


def _apart(arms: Sequence[Arm], baseline: int) -> tuple[Arm, list[Arm]]:
    base = [arm for arm in arms if arm.number == baseline]
    others = [arm for arm in arms if arm.number != baseline]
    if not base or not others:
        raise InputError(f"--baseline: {baseline} and another arm are needed; there are {_numbers(arms)}")
    return base[0], others


def _numbers(arms: Sequence[Arm]) -> str:
    return ", ".join(str(arm.number) for arm in arms)


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]
