"""How often people's 95 % intervals hold: ``python -m tests.webapp.play.ratings.coverage``.

Worlds of people of known skill, side by side in arrays, counted by the model that counts the lab's matches
(`worker.analysis.skills`, with the constants of `webapp.play.ratings.scale`). The levels of a game stand where
they were measured, and in truth off by errors drawn from the covariance that the measurement says (`is_off`), or
exactly there (then nothing is said to be off).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webapp.play.ratings import anchors, scale
from webapp.play.ratings.scale import AnchorErrors
from worker.analysis.skills import Skills, after_match

Array = NDArray[np.float64]
GAMES = ("carcassonne", "kingdomino", "dominion", "dominoes")


@dataclass(frozen=True)
class Coverage:
    """Percent of intervals that hold, mean error of the points, their deviation, and what they say it is."""

    held: float
    bias: float
    deviation: float
    stated: float


class World:
    """Groups of people beside the levels of a game; every group has levels of its own truth."""

    def __init__(self, game_id: str, true: Array, rng: np.random.Generator, *, is_off: bool = True) -> None:
        self.rng, self.true = rng, true
        errors = anchors.errors(game_id, "paper")
        self.errors = errors if is_off else exact(errors)
        self.levels = np.array([anchor.mean for anchor in anchors.for_game(game_id, "paper")])
        shape = true.shape
        drawn = rng.multivariate_normal(np.zeros(len(errors.ids)), self.errors.covariance, shape[0], method="svd")
        self.true_levels = self.levels + drawn[:, : len(self.levels)]
        self.mean, self.variance = np.full(shape, scale.MEAN), np.full(shape, scale.DEVIATION**2)
        self.leaning = np.zeros((*shape, len(errors.ids)))
        self.leaning[..., -1] = 1

    def meet_level(self, people: Array, level: Array) -> None:
        """One person of each group against a level."""
        groups = np.arange(len(self.true))
        is_won = self._wins(self.true[groups, people] - self.true_levels[groups, level])
        self._count(people[:, None], np.stack([2.0 - is_won, 1.0 + is_won], axis=1), level)

    def meet(self, people: Array) -> None:
        """People of each group at one table, ranked as Plackett and Luce have it."""
        groups = np.arange(len(self.true))[:, None]
        played = self.true[groups, people] + scale.POINTS * self.rng.gumbel(size=people.shape)
        self._count(people, (played[:, None, :] > played[:, :, None]).sum(axis=2) + 1.0, None)

    def _wins(self, points: Array) -> NDArray[np.bool_]:
        return self.rng.random(points.shape) < 1 / (1 + np.exp(-points / scale.POINTS))

    def _count(self, people: Array, ranks: Array, level: Array | None) -> None:
        groups = np.arange(len(self.true))[:, None]
        mean, leaning = self.mean[groups, people], self.leaning[groups, people]
        variance = self.variance[groups, people] + scale.RESTLESSNESS**2
        if level is not None:
            mean = np.concatenate([mean, self.levels[level][:, None]], axis=1)
            variance = np.concatenate([variance, np.zeros_like(variance)], axis=1)
            leaning = np.concatenate([leaning, np.eye(leaning.shape[2])[level][:, None]], axis=1)
        side_of = range(mean.shape[1])
        found = after_match(Skills(mean, variance, leaning), self.errors.covariance, side_of, ranks)
        seats = people.shape[1]
        self.mean[groups, people], self.variance[groups, people] = found.mean[:, :seats], found.variance[:, :seats]
        self.leaning[groups, people] = found.leaning[:, :seats]

    def coverage(self) -> Coverage:
        """Of the points."""
        shared = np.einsum("gpi,ij,gpj->gp", self.leaning, self.errors.covariance, self.leaning)
        return _coverage(self.mean - self.true, self.variance + shared)

    def coverage_of_leads(self) -> Coverage:
        """Of the differences between each person and the next one."""
        between = np.diff(self.leaning, axis=1)
        shared = np.einsum("gpi,ij,gpj->gp", between, self.errors.covariance, between)
        variance = self.variance[:, 1:] + self.variance[:, :-1] + shared
        return _coverage(np.diff(self.mean - self.true, axis=1), variance)


def exact(errors: AnchorErrors) -> AnchorErrors:
    """Anchors without errors; the start keeps its own."""
    covariance = np.zeros_like(errors.covariance)
    covariance[-1, -1] = errors.covariance[-1, -1]
    return AnchorErrors(errors.ids, covariance)


def _coverage(off: Array, variance: Array) -> Coverage:
    deviation = np.sqrt(variance)
    held = 100 * float((np.abs(off) <= scale.WIDTH * deviation).mean())
    return Coverage(held, float(off.mean()), float(off.std()), float(deviation.mean()))


def against_levels(
    game_id: str, skill: float, lengths: tuple[int, ...], runs: int, *, is_off: bool, is_near: bool
) -> list[Coverage]:
    """A person of fixed skill against levels, after so many matches: any level, or always that of the own points."""
    world = World(game_id, np.full((runs, 1), skill), np.random.default_rng(20261129), is_off=is_off)
    person, found = np.zeros(runs, dtype=int), []
    for number in range(1, max(lengths) + 1):
        nearest = np.abs(world.levels - world.mean).argmin(axis=1)
        world.meet_level(person, nearest if is_near else world.rng.integers(0, len(world.levels), runs))
        if number in lengths:
            found.append(world.coverage())
    return found


def among_people(
    seats: int, groups: int, *, met_levels: float = 0.0, centre: float = scale.MEAN, size: int = 24, matches: int = 60
) -> World:
    """Groups of people whose skill spreads by 300 points about the centre; some matches are against a level each."""
    rng = np.random.default_rng(20261129)
    world = World("carcassonne", rng.normal(centre, 300, (groups, size)), rng)
    for _ in range(size * matches // seats):
        if rng.random() < met_levels:
            world.meet_level(rng.integers(0, size, groups), rng.integers(0, len(world.levels), groups))
        else:
            world.meet(rng.random((groups, size)).argsort(axis=1)[:, :seats])
    return world


def main() -> None:
    """Print the tables of docs/findings/ratings.md."""
    for game_id in GAMES:
        for is_near in (False, True):
            for skill in (1200, 1900, 2300, 2700) if game_id == "carcassonne" else (1000, 1400, 1800, 2200):
                cells = [
                    f"{one.held:5.1f}"
                    for is_off in (True, False)
                    for one in against_levels(game_id, skill, (20, 50, 200), 2000, is_off=is_off, is_near=is_near)
                ]
                print(f"{game_id:12}{'near' if is_near else 'any':5}{skill:6}", *cells, flush=True)
    for seats, met_levels, centre in ((2, 0, 1500), (3, 0, 1500), (5, 0, 1500), (2, 0.2, 1900), (2, 0.5, 1900)):
        world = among_people(seats, 100 if seats == 2 else 40, met_levels=met_levels, centre=centre)
        found, leads = world.coverage(), world.coverage_of_leads()
        print(f"{seats} seats, {met_levels:.0%} against levels, about {centre}:", found, "leads:", leads, flush=True)


if __name__ == "__main__":
    main()
