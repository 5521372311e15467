"""What tuning leaves of what can be gained, by halving and by SPSA. `python -m tests.bench.bench_tuning [--runs N]`.

Objectives over the unit cube with a known optimum: a bowl, a plateau with slopes, a narrow peak on a plain. A deal (two
matches with exchanged seats) has a deviation of 8.5 points, about Kingdomino's. Halving plays each candidate against
one opponent; SPSA (Spall 1998; as fishtest has it, by the sign of the result) plays two perturbed points against each
other, which tells twice as much a match. Its gains are in parts of the range.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from worker.analysis import halving

Array = NDArray[np.float64]
Objective = Callable[[Array], float]

DEVIATION = 8.5
DIMENSIONS, DEALS = (1, 2), (500, 2000)
GAINS: Mapping[str, tuple[float, float]] = {
    "SPSA 0.3 / 0.2": (0.3, 0.2),
    "SPSA 0.15 / 0.15": (0.15, 0.15),
    "SPSA 0.05 / 0.1": (0.05, 0.1),
}
"""First step and first perturbation."""
CANDIDATES = (16, 32, 64)


def main() -> None:
    """Print a table of points lost at the end, and at the start."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=150)
    runs = parser.parse_args().runs
    names = [*(f"halving {n}" for n in CANDIDATES), *GAINS]
    print(f"| options | objective | deals | start | {' | '.join(names)} |")
    print("|---" * (4 + len(names)) + "|")
    for dimensions in DIMENSIONS:
        for name in ("bowl", "plateau", "peak"):
            for deals in DEALS:
                rng = np.random.default_rng(dimensions * deals)
                found = np.mean([_losses(rng, name, dimensions, deals) for _ in range(runs)], axis=0)
                cells = " | ".join(f"{loss:.2f}" for loss in found)
                print(f"| {dimensions} | {name} | {deals} | {cells} |", flush=True)


def _losses(rng: np.random.Generator, name: str, dimensions: int, deals: int) -> list[float]:
    best = rng.uniform(0.15, 0.85, dimensions)
    weights = rng.dirichlet(np.ones(dimensions)) * dimensions
    objective, start = _objective(name, best, weights), rng.uniform(0, 1, dimensions)
    found = [start, *(_halved(rng, objective, start, n, deals) for n in CANDIDATES)]
    found += [_spsa(rng, objective, start, gains, deals) for gains in GAINS.values()]
    return [objective(best) - objective(point) for point in found]


def _objective(name: str, best: Array, weights: Array) -> Objective:
    """Points of an option's values; weights: of each option."""

    def of(point: Array) -> float:
        apart = np.abs(point - best)
        if name == "bowl":
            return float(-40 * (apart**2 * weights).mean())
        if name == "plateau":
            return float(-21 * (np.clip(apart - 0.15, 0, None) * weights).mean())
        return float(8 * np.exp(-(apart**2 * weights).sum() / 0.06))

    return of


def _halved(rng: np.random.Generator, objective: Objective, start: Array, number: int, deals: int) -> Array:
    shift = rng.random(len(start))
    points = [start, *(halving.points(n, len(start), shift) for n in range(1, number))]
    sums, met, playing = np.zeros(number), np.zeros(number), tuple(range(number))
    for _, more in halving.rounds(number, deals):
        for k in playing:
            sums[k] += more * objective(points[k]) + DEVIATION * more**0.5 * rng.standard_normal()
            met[k] += more
        playing = halving.better_half(playing, [float(sums[k] / met[k]) for k in playing])
    return points[playing[0]]


def _spsa(
    rng: np.random.Generator, objective: Objective, start: Array, gains: tuple[float, float], deals: int
) -> Array:
    point, stability, half = start.copy(), 0.1 * deals, []
    for k in range(deals):
        step = gains[0] * ((1 + stability) / (1 + stability + k)) ** 0.602
        apart = gains[1] / (1 + k) ** 0.101
        way = rng.choice([-1.0, 1.0], len(start))
        up, down = np.clip(point + apart * way, 0, 1), np.clip(point - apart * way, 0, 1)
        won = np.sign(objective(up) - objective(down) + DEVIATION * rng.standard_normal())
        point = np.clip(point + step * apart * won * way, 0, 1)
        if k >= deals // 2:
            half.append(point)
    return np.asarray(np.mean(half, axis=0))


if __name__ == "__main__":
    main()
