"""How often the words of verdicts are wrong: ``python -m tests.bench.bench_verdicts``.

Prints a JSON row for each case. Two independent rates: all outcomes, weighed by their chances. Rates over deals of two
matches, means and tables: RUNS runs, seeded, so a share of 1 % has a standard error of 0.2 points.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rate_differences import TwoRates
from worker.analysis.rates import Share
from worker.analysis.verdict import Sample, judge_samples, judge_shares

RUNS, SEED, MARGIN = 3000, 20, 0.05
WORLDS = ("none", "some", "alike")
"""Luck of the deal: none, of a beta distribution with one success and failure beforehand, both matches go alike."""


def exact(ours: int, published: int, rates: tuple[float, ...]) -> dict[str, Any]:
    """Chance of "differs" where both have the same rate."""
    p = np.array(
        [[TwoRates(Share(x, ours), Share(y, published)).p() for y in range(published + 1)] for x in range(ours + 1)]
    )
    weights = {r: np.outer(*(stats.binom.pmf(np.arange(n + 1), n, r) for n in (ours, published))) for r in rates}
    return {str(rate): round(float(100 * weight[p < 0.01].sum()), 2) for rate, weight in weights.items()}


def in_deals(deals: int, published: int, rate: float, rng: np.random.Generator) -> dict[str, Any]:
    """The same for ours in deals of two matches."""
    found = {}
    for world in WORLDS:
        chances = {
            "none": np.full((RUNS, deals), rate),
            "some": rng.beta(2 * rate, 2 - 2 * rate, (RUNS, deals)),
            "alike": (rng.random((RUNS, deals)) < rate).astype(float),
        }[world]
        won, theirs = rng.binomial(2, chances), rng.binomial(published, rate, RUNS)
        wrong = sum(_differs(row, Share(int(y), published)) for row, y in zip(won, theirs, strict=True))
        found[world] = round(100 * wrong / RUNS, 2)
    return found


def _differs(won: NDArray[np.int64], published: Share) -> bool:
    ours = Share.of_blocks(BlockMoments.of([Moments(2, float(total)) for total in won]))
    assert ours is not None
    return TwoRates(ours, published).p() < 0.01


def words_of_rates(ours: int, published: int, rates: tuple[float, float], rng: np.random.Generator) -> dict[str, Any]:
    """How often each word is given. rates: true ones, of ours and of the paper."""
    pairs = zip(rng.binomial(ours, rates[0], RUNS), rng.binomial(published, rates[1], RUNS), strict=True)
    found = Counter()
    for x, y in pairs:
        judged = judge_shares(Share(int(x), ours), Share(int(y), published), MARGIN)
        assert judged is not None
        found[judged.verdict] += 1
    return {word: round(100 * number / RUNS, 1) for word, number in found.items()}


def words_of_means(ours: int, published: int, gap: float, rng: np.random.Generator) -> dict[str, Any]:
    """The same of means with a deviation of 10 points each, and a margin of 2."""
    found: Counter[str] = Counter()
    for _ in range(RUNS):
        one, other = (Moments.of(rng.normal(mean, 10, n)) for mean, n in ((60 + gap, ours), (60, published)))
        mine, theirs = Sample.of(one), Sample.of(other)
        assert mine is not None
        assert theirs is not None
        found[judge_samples(mine, theirs, 2.0).verdict] += 1
    return {word: round(100 * number / RUNS, 1) for word, number in found.items()}


def main() -> None:
    """Print all of it."""
    rng = np.random.default_rng(SEED)
    for ours, published in ((40, 50), (100, 100), (200, 50), (30, 200), (400, 1000)):
        print(
            json.dumps({"equal rates": [ours, published], "differs %": exact(ours, published, (0.02, 0.1, 0.5, 0.9))})
        )
    for deals, published in ((10, 100), (50, 100), (50, 1000), (500, 100)):
        for rate in (0.02, 0.5, 0.9):
            case = {"deals": deals, "published": published, "rate": rate}
            print(json.dumps({**case, "differs %": in_deals(deals, published, rate, rng)}), flush=True)
    for ours, published, rates in (
        (400, 40, (0.65, 0.5)),
        (400, 20, (0.7, 0.5)),
        (400, 100, (0.6, 0.5)),
        (400, 1000, (0.6, 0.5)),
        (900, 900, (0.55, 0.5)),
        (2000, 2000, (0.55, 0.5)),
        (2000, 2000, (0.95, 0.9)),
        (2000, 2000, (0.5, 0.5)),
    ):
        print(
            json.dumps(
                {"ours": ours, "published": published, "rates": rates, "%": words_of_rates(ours, published, rates, rng)}
            )
        )
    for ours, published, gap in ((100, 100, 0.0), (30, 200, 0.0), (2000, 500, 0.0), (2000, 500, 2.0), (100, 100, 4.0)):
        print(json.dumps({"means": [ours, published], "gap": gap, "%": words_of_means(ours, published, gap, rng)}))


if __name__ == "__main__":
    main()
