"""How often the region of the best value of a sweep holds it. `python -m tests.bench.bench_sweeps [--runs N]`.

Six values on an even scale from 0 to 1, the same deals for all; a deal moves all of them by its own luck and each by
luck that is as large. Curves are one deviation of a match's luck high, more or less. Beside the set of arms and its
span stands what was tried and left: the top of a least-squares parabola with Fieller's set (1954), which holds for
parabolas alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy import special

from worker.analysis import best_set
from worker.analysis.methods import FIXED

Array = NDArray[np.float64]

VALUES = 6
DEALS = (30, 300, 2000)
FINE = np.linspace(0, 1, 2001)
CURVES: Mapping[str, Callable[[Array], Array]] = {
    "level": lambda x: 0 * x,
    "parabola": lambda x: -2 * (x - 0.4) ** 2,
    "tent": lambda x: -np.abs(x - 0.35),
    "rising": lambda x: x / 2,
    "levels off": lambda x: (1 - np.exp(-4 * x)) / 2,
    "plateau": lambda x: np.minimum(x, 0.5),
    "valley": lambda x: (x - 0.4) ** 2 / 2,
}


def main() -> None:
    """Print a table: how often the set, its span and the parabola's region hold the best, and their sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    runs = parser.parse_args().runs
    print("| curve | deals | set holds | arms in it | span holds | span | parabola holds | its region |")
    print("|---" * 8 + "|")
    for name, curve in CURVES.items():
        for deals in DEALS:
            cells = _measure(curve, deals, runs)
            print(f"| {name} | {deals} | " + " | ".join(cells) + " |", flush=True)


def _measure(curve: Callable[[Array], Array], deals: int, runs: int) -> list[str]:
    rng, places = np.random.default_rng(deals), np.linspace(0, 1, VALUES)
    heights, tops = curve(places), FINE[curve(FINE) >= curve(FINE).max() - 1e-12]
    found = []
    for _ in range(runs):
        values = heights + rng.standard_normal((deals, 1)) + rng.standard_normal((deals, VALUES))
        kept = best_set.of_means(values, FIXED)
        low, high = best_set.span(kept, list(places))
        left, right = fieller(values, places)
        found.append(
            (
                int(heights.argmax()) in kept,
                len(kept),
                _holds(tops, low, high),
                high - low,
                _holds(tops, left, right),
                right - left,
            )
        )
    means = np.mean(np.array(found, dtype=np.float64), axis=0)
    return [f"{100 * means[i]:.1f} %" if i % 2 == 0 else f"{means[i]:.2f}" for i in range(6)]


def _holds(tops: Array, low: float, high: float) -> bool:
    return bool(((tops >= low - 1e-3) & (tops <= high + 1e-3)).any())


def fieller(values: Array, places: Array) -> tuple[float, float]:
    """From the first to the last place at which the slope of the parabola of the deals may be 0."""
    coefficients = values @ np.linalg.pinv(np.stack([np.ones_like(places), places, places**2], axis=1)).T
    slopes = coefficients[:, 1:2] + 2 * coefficients[:, 2:] * FINE[None, ::20]
    means, errors = slopes.mean(axis=0), slopes.std(axis=0, ddof=1) / len(values) ** 0.5
    limit = float(special.stdtrit(len(values) - 1, 0.975))
    may_be = np.abs(means) <= limit * errors
    may_be[0] |= means[0] <= limit * errors[0]
    may_be[-1] |= means[-1] >= -limit * errors[-1]
    inside = FINE[::20][may_be]
    if not len(inside):
        top = float(FINE[::20][np.abs(means).argmin()])
        return top, top
    return float(inside[0]) - 0.005, float(inside[-1]) + 0.005


if __name__ == "__main__":
    main()
