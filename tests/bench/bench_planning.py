"""What plans foresee beside what real intervals and stop rules do: ``python -m tests.bench.bench_planning [--runs N]``.

Prints a JSON row for each case. Deals have two matches each, of which a fifth are decided by a luck that both arms
share; the win rate of the last arm is higher by the gap. Seen: the interval that pages show leaves out 0 on the right
side, or the rule says so.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from worker.analysis.methods import FIXED, AlwaysValid, Method
from worker.analysis.moments import Moments
from worker.analysis.power import Comparison
from worker.analysis.stop_rules.best_of import BestOf
from worker.analysis.stop_rules.chances import chances
from worker.analysis.stop_rules.model import BEST, H1, StopRule
from worker.analysis.stop_rules.sprt import Sprt

Array = NDArray[np.float64]
RUNS, SEED = 2000, 29
CASES = [(50, 0.2, 1), (200, 0.1, 1), (200, 0.1, 5), (785, 0.05, 1)]
"""Deals, true difference of win rates, comparisons that share the error."""


def rates(rng: np.random.Generator, wins: list[float], deals: int, rate: float = 0.5) -> Array:
    """Win rates of deals, float64[arms, deals]; wins: what each arm has more than `rate`."""
    luck = rng.random((deals, 1))
    matches = (len(wins), deals, 2)
    drawn = np.where(rng.random(matches) < 0.2, luck, rng.random(matches))
    return np.asarray((drawn < rate + np.array(wins)[:, None, None]).mean(axis=-1))


def intervals(runs: int) -> Iterator[dict[str, object]]:
    """Intervals of a difference, for one look and for every look."""
    rng = np.random.default_rng(SEED)
    for deals, gap, comparisons in CASES:
        pairs = [rates(rng, [0.0, gap], deals, 0.4) for _ in range(runs)]
        spread = float(np.sqrt(np.mean([(second - first).var(ddof=1) for first, second in pairs])))
        compared = Comparison(spread, comparisons, bounds=(-1.0, 1.0, 0.0))
        methods: list[tuple[str, Method, int | None]] = [("one look", FIXED, None)]
        methods.append(("every look", AlwaysValid(deals), deals))
        for name, method, planned in methods:
            seen = sum(_is_seen(second, first, method, compared.confidence) for first, second in pairs)
            said = compared.power(gap, deals, planned)
            case = {"interval": name, "deals": deals, "gap": gap, "comparisons": comparisons}
            yield case | {"foreseen": round(100 * said, 1), "seen": round(100 * seen / runs, 1)}


def _is_seen(first: Array, second: Array, method: Method, confidence: float) -> bool:
    sums = Moments.of(first - second), Moments.of(first), Moments.of(second)
    found = method.paired_rates(sums, (2, 2), 0, confidence).interval
    return found is not None and found.low > 0


def rules(runs: int) -> Iterator[dict[str, object]]:
    """A test of two arms, and a race of three."""
    rng = np.random.default_rng(SEED)
    tested: list[tuple[StopRule, int, int]] = [(Sprt("win_rate", 0.0, 0.1), 2, 500), (BestOf("win_rate"), 3, 500)]
    for rule, arms, planned in tested:
        for gap in (0.0, 0.05, 0.1, 0.2):
            values = [rates(rng, [*[0.0] * (arms - 1), gap], planned, 0.4) for _ in range(runs)]
            spread = float(np.sqrt(np.mean([(rows[-1] - rows[0]).var(ddof=1) for rows in values])))
            stops = [rule.first_stop(rows, planned) for rows in values]
            found = [
                stop for stop in stops if stop and (stop.reason == H1 or (stop.reason, stop.arm) == (BEST, arms - 1))
            ]
            (said,) = chances(rule, Comparison(spread), arms, planned, [gap])
            deals = float(np.mean([stop.deals for stop in stops if stop]))
            case = {"rule": type(rule).__name__, "arms": arms, "gap": gap, "most": planned}
            yield case | {
                "foreseen": round(100 * said.found, 1),
                "seen": round(100 * len(found) / runs, 1),
                "deals foreseen": round(said.deals),
                "deals": round(deals),
            }


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    runs = parser.parse_args().runs
    for row in intervals(runs):
        print(json.dumps(row), flush=True)
    for row in rules(max(1, runs // 5)):
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
