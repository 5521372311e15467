"""Evolves the weights of a game's evaluation by hand: CMA-ES (Hansen 2016, figure 6) on margins of matches.

Each generation plays new deals, the same for all of its candidates, one ply ahead against the set to begin with. The
weight of the points stays, since only proportions decide. Of the set to begin with and the means
every few generations the best is chosen on deals that none of them has met, and measured on yet others.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.learning.duels import Duels, tally
from games import rng
from games.protocol import Game

Numbers = NDArray[np.float64]
SCORE = "score"
CHECKED = 10
"""Generations between means that take part in the last choice."""


@dataclass(frozen=True)
class Search:
    """How long to search, and how wide at first: standard deviation of a weight in its own size, `least` at least."""

    generations: int = 50
    population: int = 12
    deals: int = 60
    last_deals: int = 500
    spread: float = 1.5
    least: float = 1.0


class Strategy:
    """CMA-ES in coordinates where the first deviation is 1."""

    def __init__(self, dimensions: int, population: int, generator: np.random.Generator) -> None:
        n, self._generator, self.population = dimensions, generator, population
        weights = np.log(population / 2 + 0.5) - np.log(np.arange(1, population // 2 + 1))
        self._weights = weights / weights.sum()
        mu = 1.0 / (self._weights**2).sum()
        self._c_sigma = (mu + 2) / (n + mu + 5)
        self._damping = 1 + 2 * max(0.0, ((mu - 1) / (n + 1)) ** 0.5 - 1) + self._c_sigma
        self._c_c = (4 + mu / n) / (n + 4 + 2 * mu / n)
        self._c_one = 2 / ((n + 1.3) ** 2 + mu)
        self._c_mu = min(1 - self._c_one, 2 * (mu - 2 + 1 / mu) / ((n + 2) ** 2 + mu))
        self._chi, self._mu = n**0.5 * (1 - 1 / (4 * n) + 1 / (21 * n * n)), mu
        self.mean, self.sigma, self._covariance = np.zeros(n), 1.0, np.eye(n)
        self._path_sigma, self._path = np.zeros(n), np.zeros(n)

    def ask(self) -> Numbers:
        """Candidates, float64[population, n]."""
        values, vectors = np.linalg.eigh(self._covariance)
        drawn = self._generator.normal(size=(self.population, len(self.mean)))
        found: Numbers = self.mean + self.sigma * (drawn * np.sqrt(values)) @ vectors.T
        return found

    def tell(self, candidates: Numbers, fitness: Numbers) -> None:
        """Learn which candidates did well."""
        best = (candidates[np.argsort(-fitness, kind="stable")[: len(self._weights)]] - self.mean) / self.sigma
        step, n = self._weights @ best, len(self.mean)
        values, vectors = np.linalg.eigh(self._covariance)
        whitened = vectors @ ((vectors.T @ step) / np.sqrt(values))
        self.mean = self.mean + self.sigma * step
        c = self._c_sigma
        self._path_sigma = (1 - c) * self._path_sigma + (c * (2 - c) * self._mu) ** 0.5 * whitened
        length = float(np.linalg.norm(self._path_sigma))
        is_short = float(length < (1.4 + 2 / (n + 1)) * self._chi)
        c = self._c_c
        self._path = (1 - c) * self._path + is_short * (c * (2 - c) * self._mu) ** 0.5 * step
        one = np.outer(self._path, self._path) + (1 - is_short) * c * (2 - c) * self._covariance
        many = (best.T * self._weights) @ best
        kept = 1 - self._c_one - self._c_mu
        self._covariance = kept * self._covariance + self._c_one * one + self._c_mu * many
        self.sigma *= float(np.exp(self._c_sigma / self._damping * (length / self._chi - 1)))


class Evolution:
    """A search from one of the game's sets of weights. Raises KeyError for a set that the game does not have."""

    def __init__(self, game: Game, start: str, seed: int, search: Search) -> None:
        self._duels, self._seed, self._search = Duels(game, None), seed, search
        self._terms = tuple(game.evaluations[start])
        self._start = np.array([game.evaluations[start][term] for term in self._terms])
        self._free = np.array([term != SCORE for term in self._terms])
        self._scale = search.spread * np.maximum(np.abs(self._start[self._free]), search.least)

    def _weights(self, point: Numbers) -> Numbers:
        weights = self._start.copy()
        weights[self._free] += self._scale * point
        return weights

    def run(self, tell: Callable[[Mapping[str, Any]], None]) -> dict[str, Any]:
        """Search; return the log with the weights found. Each generation is told."""
        began, search = time.process_time(), self._search
        strategy = Strategy(int(self._free.sum()), search.population, np.random.default_rng(self._seed))
        means = [np.zeros(int(self._free.sum()))]
        for generation in range(search.generations):
            first, candidates = generation * search.deals, strategy.ask()
            fitness = np.array([self._margins(point, first, search.deals).mean() for point in candidates])
            strategy.tell(candidates, fitness)
            tell({"generation": generation, "margin": round(float(fitness.mean()), 2), "sigma": strategy.sigma})
            if (generation + 1) % CHECKED == 0 or generation + 1 == search.generations:
                means.append(strategy.mean.copy())
        first = search.generations * search.deals
        met = [self._margins(point, first, search.last_deals) for point in means]
        best = int(np.argmax([margins.mean() for margins in met]))
        rounded = [float(f"{weight:.4g}") for weight in self._weights(means[best])]
        last = tally(self._margins(means[best], first + search.last_deals, search.last_deals))
        return {
            "weights": dict(zip(self._terms, rounded, strict=True)),
            "against_start": asdict(last),
            "search": asdict(search),
            "seed": self._seed,
            "cpu_s": round(time.process_time() - began, 1),
        }

    def _margins(self, point: Numbers, first: int, deals: int) -> NDArray[np.int64]:
        return self._duels.play(self._weights(point), self._start, rng.mix(self._seed, 0), first, deals)
