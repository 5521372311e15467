"""Errors and costs of stop rules and sequences: ``python -m tests.bench.bench_stop_rules [--runs 2000] [PART ...]``.

Prints a JSON row for each part, world and truth. Worlds are those in which a rule is likeliest to err: rates near 0 and
1, pairs, margins that are skewed, and two arms on the same deals. Errors of 5 % in 2,000 runs have a standard error of
0.5 %.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from worker.analysis import betting, beyond, sequences
from worker.analysis.intervals import Interval
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import rate_interval
from worker.analysis.running import running
from worker.analysis.stop_rules.best_of import BestOf
from worker.analysis.stop_rules.model import BEYOND, LEAST, Truth
from worker.analysis.stop_rules.precision import Precision
from worker.analysis.stop_rules.sprt import Sprt

Array = NDArray[np.float64]
Row = dict[str, Any]
RUNS, SEED = 2000, 17
LOOKS = 5000
MOST = 20_000
"""Deals of a test of rates."""
FAR_DEALS = 4000
"""Deals of a test whose claims are both far from the truth."""
AT_ONCE = 100
"""Runs of a sequence at once."""
DEVIATION = 5.0
"""Of margins, before they are rounded to whole points."""
SKEWED = ("exponential", "gamma 4", "pairs", "normal")


def margins(world: str, rng: Generator, shape: tuple[int, ...]) -> Array:
    """Margins with the mean 0 (but for rounding)."""
    match world:
        case "exponential":
            return np.asarray(DEVIATION - rng.exponential(DEVIATION, shape)).round()
        case "gamma 4":
            return np.asarray(2 * DEVIATION - rng.gamma(4, DEVIATION / 2, shape)).round()
        case "pairs":
            sides = rng.normal(8, DEVIATION, shape).round() + rng.normal(-8, DEVIATION, shape).round()
            return np.asarray(sides / 2)
    return np.asarray(rng.normal(0, DEVIATION, shape)).round()


def rates(world: str, rate: float, rng: Generator, shape: tuple[int, ...]) -> Array:
    """Wins of deals of one match, or of two."""
    size = 2 if world == "pairs" else 1
    return rng.binomial(size, rate, shape) / size


def two_arms(rng: Generator, deals: int, difference: float) -> Array:
    """Wins of two arms on the same deals: half of their deals they play with the same luck."""
    first, own = rng.random((2, deals))
    second = np.where(rng.random(deals) < 0.5, first, own)
    return np.stack([first < 0.5, second < 0.5 + difference]).astype(np.float64)


def of_sequences(runs: int) -> Iterator[Row]:
    """Part of the runs in which a 95 % sequence ever leaves out the truth, at 5,000 looks."""
    rng = np.random.default_rng(SEED)
    for planned in (50, 500, 5000):
        for world, rate in (("single", 0.02), ("single", 0.5), ("single", 0.98), ("pairs", 0.3)):
            missed = 0
            for _ in range(runs // AT_ONCE):
                gained = betting.capital(rates(world, rate, rng, (AT_ONCE, LOOKS)), rate, planned, 0.025)
                missed += int((np.maximum(*gained).max(axis=1) >= 40).sum())
            yield {"rate": rate, "world": world, "planned": planned, "missed": missed / runs}
        for world in SKEWED:
            mean, missed = float(margins(world, rng, (4_000_000,)).mean()), 0
            for _ in range(runs // AT_ONCE):
                moments = running(margins(world, rng, (AT_ONCE, LOOKS)) - mean)
                below, above = sequences.limits(moments.skewness, planned, 0.05)
                error = np.where(moments.spread > 0, moments.error, np.inf)
                outside = (moments.mean > error * below) | (-moments.mean > error * above)
                missed += int(outside.any(axis=1).sum())
            yield {"margins": world, "planned": planned, "missed": missed / runs}


def of_widths(runs: int) -> Iterator[Row]:
    """Half-widths beside those of an interval for a fixed number, at the planned end and before."""
    rng = np.random.default_rng(SEED)
    for planned in (50, 500, 5000):
        shape = (max(5, runs // planned), planned)
        for name, samples in (
            ("rate 0.02", rates("single", 0.02, rng, shape)),
            ("rate 0.5", rates("single", 0.5, rng, shape)),
            ("pairs 0.5", rates("pairs", 0.5, rng, shape)),
            ("margins", margins("normal", rng, shape)),
        ):
            make = sequences.mean_sequence if name == "margins" else sequences.rate_sequence
            found, started = [], time.process_time()
            for values in samples:
                found.append(make(values, planned))
            seconds = (time.process_time() - started) / len(samples)
            for deals in (planned // 10, planned // 4, planned):
                halves = [(sequence.high[deals - 1] - sequence.low[deals - 1]) / 2 for sequence in found]
                width = float(np.mean(halves)) / (1.96 * float(samples.std()) / math.sqrt(deals))
                times = width if math.isfinite(width) else None
                yield {"of": name, "planned": planned, "deals": deals, "times_fixed": times, "cpu_ms": 1000 * seconds}


def of_sprt(runs: int) -> Iterator[Row]:
    """Errors and mean deals of the test where h0 and h1 are true, and in the middle, beside the fixed test."""
    rng = np.random.default_rng(SEED)
    for h0, h1, world in (
        (0.5, 0.55, "single"),
        (0.5, 0.65, "single"),
        (0.02, 0.05, "single"),
        (0.95, 0.98, "single"),
        (0.5, 0.55, "pairs"),
    ):
        yield _tested(Sprt("win_rate", h0, h1), partial(_rates, world, rng, MOST), world, runs)
    yield _tested(Sprt("win_rate", 0.0, 0.1), partial(two_arms, rng, MOST), "two arms", runs)
    for effect in (0.1, 0.15, 0.3, 0.5):
        for world in SKEWED:
            mean, deviation = _moments(world, rng)
            sample = partial(_shifted, world, rng, int(60 / effect**2), mean, 1.0)
            yield _tested(Sprt("margin", 0.0, effect * deviation), sample, f"{world}, effect {effect}", runs)
    for effect in (0.15, 0.3):
        for world in SKEWED:
            mean, deviation = _moments(world, rng)
            sample = partial(_shifted, world, rng, int(60 / effect**2), mean, deviation)
            yield _tested(Sprt("normalised", 0.0, effect), sample, world, runs // 4)


def _rates(world: str, rng: Generator, deals: int, rate: float) -> Array:
    return rates(world, rate, rng, (1, deals))


def _shifted(world: str, rng: Generator, deals: int, mean: float, unit: float, shift: float) -> Array:
    return margins(world, rng, (1, deals)) - mean + shift * unit


def _moments(world: str, rng: Generator) -> tuple[float, float]:
    values = margins(world, rng, (4_000_000,))
    return float(values.mean()), float(values.std())


def _tested(rule: Sprt, sample: Callable[[float], Array], world: str, runs: int) -> Row:
    row: Row = {"sprt": rule.on, "h0": round(rule.h0, 3), "h1": round(rule.h1, 3), "world": world, "runs": runs}
    middle = (rule.h0 + rule.h1) / 2
    truths = (
        ("h0", rule.h0, "h1"),
        ("h1", rule.h1, "h0"),
        ("middle", middle, ""),
        ("beyond", 2 * rule.h1 - middle, "h0"),
    )
    for name, truth, wrong in truths:
        values = [sample(truth) for _ in range(8)]
        stops = [rule.first_stop(sample(truth), values[0].shape[1]) for _ in range(runs)]
        row[f"deals_{name}"] = round(float(np.mean([stop.deals for stop in stops if stop])), 1)
        if wrong:
            row[f"error_{name}"] = sum(stop.reason == wrong for stop in stops if stop) / runs
        if name == "h0":
            single = np.concatenate([v[0] if len(v) == 1 else v[1] - v[0] for v in values])
            row["fixed"] = rule.expected(Truth((0.0,) * len(values[0]), float(single.std())), 10**9).fixed
    return row


def of_walds(runs: int) -> Iterator[Row]:
    """Errors where every deal is one match, for which the likelihood ratio is Wald's: ten times as many runs."""
    rng = np.random.default_rng(SEED)
    rule = Sprt("win_rate", 0.5, 0.55)
    steps = np.log([(1 - rule.h1) / (1 - rule.h0), rule.h1 / rule.h0])
    count = np.arange(1, FAR_DEALS + 1)
    for truth, wrong in ((0.45, 1), (0.5, 1), (0.55, -1), (0.6, -1)):
        errors, alone, deals = 0, 0, 0
        for _ in range(runs * 10 // AT_ONCE):
            wins = rng.binomial(1, truth, (AT_ONCE, FAR_DEALS))
            ratio = steps[wins].cumsum(axis=1) * np.maximum(count - 3, 0) / count
            bounds = np.array(
                [rule._bounds(values.astype(float), row) for values, row in zip(wins, ratio, strict=True)]
            )
            clear = [np.log(betting.capital(wins, h, beyond.PLANNED_BETS, 0.005)[k]) for k, h in enumerate((0.5, 0.55))]
            found = []
            for high in (rule.clear_bounds[1], math.inf):
                above = (ratio >= bounds[:, 1]) | (clear[0] >= high)
                below = (ratio <= bounds[:, 0]) | (clear[1] >= high)
                ended = (above | below) & (count >= LEAST)
                first = ended.argmax(axis=1)
                rows = np.arange(AT_ONCE)
                found.append((above if wrong > 0 else below)[rows, first] & ended.any(axis=1))
                deals += int((first + 1).sum()) * (high < math.inf)
            errors, alone = errors + int(found[0].sum()), alone + int(found[1].sum())
        yield {
            "truth": truth,
            "runs": runs * 10,
            "error": errors / runs / 10,
            "by_ratio_alone": alone / runs / 10,
            "deals": deals / runs / 10,
        }


def of_lean(runs: int) -> Iterator[Row]:
    """By how much the mean at the end is farther out than the truth, on average, in parts of the claims' distance."""
    rng = np.random.default_rng(SEED)
    for effect in (0.1, 0.2, 0.3):
        for steps in (0.5, 1.0, 2.0, 4.0):
            rule, planned = Sprt("margin", 0.0, effect * DEVIATION), int(60 / effect**2)
            apart = []
            for _ in range(runs // 4):
                values = margins("normal", rng, (1, planned)) + steps * rule.h1
                stop = rule.first_stop(values, planned)
                assert stop is not None
                apart.append((float(values[0, : stop.deals].mean()) / rule.h1 - steps) * math.copysign(1, steps - 0.5))
            yield {
                "lean": effect,
                "truth": steps,
                "mean": round(float(np.mean(apart)), 3),
                "median": round(float(np.median(apart)), 3),
                "farther_out": float(np.mean(np.array(apart) > 0)),
            }


def of_far(runs: int) -> Iterator[Row]:
    """Mean deals where the truth is far beyond both claims, with e-values and by the likelihood ratio alone."""
    rng = np.random.default_rng(SEED)
    points = partial(_bounded_margins, rng, FAR_DEALS)
    skewed = partial(_shifted, "exponential", rng, FAR_DEALS, _moments("exponential", rng)[0], 1.0)
    for rule, name, sample, truths in (
        (Sprt("margin", -2.0, 0.0), "deviation 15", points, (-100, -25, -12, -7, 3, 5, 10, 25, 100)),
        (Sprt("margin", 0.0, 1.0), "exponential", skewed, (-10, -5, -2, 3, 6, 11)),
        (Sprt("normalised", 0.0, 0.15), "deviation 15", points, (-25, -10, 10, 25, 100)),
        (Sprt("win_rate", 0.0, 0.02), "two arms", partial(two_arms, rng, FAR_DEALS), (-0.25, -0.1, 0.1, 0.25, 0.49)),
        (
            Sprt("win_rate", 0.5, 0.55),
            "single",
            partial(_rates, "single", rng, FAR_DEALS),
            (0.25, 0.4, 0.65, 0.75, 1.0),
        ),
    ):
        for truth in truths:
            wrong, stops, alone = "h1" if truth < rule.h0 else "h0", [], []
            for _ in range(runs // 10):
                values = sample(truth)
                stops.append(rule.first_stop(values, FAR_DEALS))
                alone.append(replace(rule, clear=0.0).first_stop(values, FAR_DEALS))
            deals = [float(np.mean([stop.deals for stop in rows if stop])) for rows in (stops, alone)]
            error = sum(stop.reason == wrong for stop in stops if stop) / len(stops)
            by = sum(stop.by == BEYOND for stop in stops if stop) / len(stops)
            yield {
                "far": rule.on,
                "h0": rule.h0,
                "h1": rule.h1,
                "world": name,
                "truth": truth,
                "deals": round(deals[0], 1),
                "ratio_alone": round(deals[1], 1),
                "by_e_value": by,
                "error": error,
            }


def _bounded_margins(rng: Generator, deals: int, truth: float) -> Array:
    """Whole points with a deviation of 15, none beyond 60 but where the mean is."""
    most = max(60.0, abs(truth) + 15)
    return np.asarray(rng.normal(truth, 15, (1, deals))).clip(-most, most).round()


def of_precision(runs: int) -> Iterator[Row]:
    """Coverage of the interval at the end, and mean deals, beside the number that the true deviation asks for."""
    rng = np.random.default_rng(SEED)
    for half in (0.1, 0.05, 0.03):
        for world, rate in (("single", 0.5), ("single", 0.1), ("single", 0.02), ("pairs", 0.3), ("pairs", 0.98)):
            size = 2 if world == "pairs" else 1
            sample = partial(rates, world, rate, rng, (1, int(1.5 * (0.98 / half) ** 2) + 100))
            held, deals = _held(Precision("rate", half), sample, partial(_rate_interval, size), rate, runs)
            fixed = (1.96 / half) ** 2 * rate * (1 - rate) / size
            yield {"precision": half, "rate": rate, "world": world, "held": held, "deals": deals, "fixed": round(fixed)}
    for half in (0.3, 0.2, 0.1):
        for world in SKEWED:
            mean, deviation = _moments(world, rng)
            fixed = (1.96 / half) ** 2
            sample = partial(margins, world, rng, (1, int(4 * fixed)))
            held, deals = _held(Precision("margin", half * deviation), sample, _mean_interval, mean, runs)
            yield {"precision": f"{half} s", "margins": world, "held": held, "deals": deals, "fixed": round(fixed)}


def _held(
    rule: Precision, sample: Callable[[], Array], interval: Callable[[Array], Interval | None], truth: float, runs: int
) -> tuple[float, float]:
    """Part of the runs whose interval at the end held the truth, and their mean number of deals."""
    held = deals = 0
    for _ in range(runs):
        values = sample()
        stop = rule.first_stop(values, values.shape[1])
        assert stop is not None
        found = interval(values[0, : stop.deals])
        assert found is not None
        held, deals = held + (found.low <= truth <= found.high), deals + stop.deals
    return held / runs, deals / runs


def _rate_interval(size: int, values: Array) -> Interval | None:
    return rate_interval(BlockMoments.of([Moments(size, float(won)) for won in values * size]))


def _mean_interval(values: Array) -> Interval | None:
    return Moments.of(values).interval()


def of_best_of(runs: int) -> Iterator[Row]:
    """False claims among equal arms, and deals of all arms where one is best, beside the fixed design."""
    rng = np.random.default_rng(SEED)
    for variants in (1, 4, 9):
        for on in ("margin", "win_rate"):
            wrong = 0
            for _ in range(runs // 4):
                values = rng.normal(0, 3, 1000) + margins("normal", rng, (variants + 1, 1000))
                wrong += bool(BestOf(on).drops(values if on == "margin" else (values > 2).astype(np.float64), 1000))
            yield {"best_of": on, "variants": variants, "false_claims": wrong / (runs // 4), "runs": runs // 4}
    for means in ((0.0, 1.0), (0.0, 1.0, -1.0, -2.0, 0.0), (0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)):
        rule, deals, played, right = BestOf("margin"), 0, 0, 0
        expected = rule.expected(Truth(means, DEVIATION * math.sqrt(2)), 4000)
        for _ in range(runs // 20):
            values = margins("normal", rng, (len(means), 4000)) + np.array(means)[:, None]
            stop = rule.first_stop(values, 4000)
            assert stop is not None
            deals, right = deals + stop.deals, right + (stop.arm == int(np.argmax(means)))
            played += stop.deals * (len(means) - len(stop.drops)) + sum(drop.deals for drop in stop.drops)
        yield {
            "best_of": "margin",
            "means": means,
            "best_found": right / (runs // 20),
            "deals": deals / (runs // 20),
            "arm_deals": played / (runs // 20),
            "expected_arm_deals": expected.arm_deals,
            "fixed_arm_deals": expected.fixed_arm_deals,
        }


PARTS = {
    "sequences": of_sequences,
    "widths": of_widths,
    "sprt": of_sprt,
    "walds": of_walds,
    "far": of_far,
    "lean": of_lean,
    "precision": of_precision,
    "best_of": of_best_of,
}


def main() -> None:
    """Print one JSON row a world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; default: all")
    parser.add_argument("--runs", type=int, default=RUNS)
    options = parser.parse_args()
    for part in options.parts or PARTS:
        for row in PARTS[part](options.runs):
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
