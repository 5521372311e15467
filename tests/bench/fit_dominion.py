"""Learns the weights of Dominion's policy `learned` by matches against itself, from weights by hand.

    .venv/bin/python -m tests.bench.fit_dominion [--seed N] [--folder FOLDER] [--shorter N] [--keep]

An evolution strategy (Salimans et al. 2017, arXiv 1703.03864): in each generation pairs of players, the present
weights with a random change and with its opposite, play each other at one table, and the weights move along the
changes that won, by Adam (Kingma, Ba 2015). Two matches of five have the ten cards of the thesis, the others a named
or a random kingdom. What is kept is the mean of the last weights. A run that was stopped goes on from its folder.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import loader, registry
from games import rng as random_streams
from games.dominion import cards
from games.dominion import learned_weights as table
from games.protocol import State

TEMPLATE = Path(__file__).parent / "evolving.py"
FOLDER = Path("learning") / "dominion-policy"
LOG = table.FILE.with_name("learned.log.json")
Weights = NDArray[np.float64]
THESIS_SHARE = 0.4
KINGDOMS, NAMED_TIMES = 400, 6
"""Random kingdoms that are met, and how often each named one stands beside them."""
WORTH_OF_POINT, MOST_POINTS = 0.02, 30
"""A match counts as won or lost, and a little by its margin."""
MOMENTUM, SQUARES, FLOOR = 0.9, 0.98, 1e-3
KEPT = 0.95
"""Share of the mean that each generation leaves of it."""
MEASURED = 4000


@dataclass(frozen=True)
class Stage:
    """Generations alike: pairs of players in each, matches of a pair, size of the changes, and of a step."""

    generations: int
    pairs: int
    matches: int
    change: float
    step: float


STAGES = (
    Stage(250, 128, 100, 0.2, 0.05),
    Stage(250, 256, 200, 0.2, 0.03),
    Stage(150, 256, 200, 0.12, 0.015),
)


def by_hand() -> Weights:
    """The first weights: treasures before Actions before points, points at the end; dear Actions before cheap ones."""
    gains = {"Copper": -1.0, "Silver": 1.0, "Gold": 2.0, "Estate": -2.0, "Duchy": -2.0, "Province": 5.0}
    gains |= {"Curse": 0.0, "Witch": 2.5, "Gardens": -2.0}
    kept = {"Copper": -0.3, "Curse": -2.0, "Estate": -1.0, "Province": 6.0, "Gold": 2.0, "Silver": 0.9, "Duchy": 0.5}
    late = {"Estate": (0.0, 8.0), "Duchy": (2.0, 8.0), "Gardens": (0.0, 6.0)}
    weights = np.zeros((cards.NUM_CARDS, table.COLUMNS))
    for card in cards.table():
        row = weights[card.number]
        row[0] = gains.get(card.name, 0.2 + 0.15 * card.cost)
        row[2:4] = late.get(card.name, (0.0, 0.0))
        row[table.PLAY_AT - 1] = 1.5 if card.name == "Copper" else 0.0  # any card is a tenth of a point for Gardens
        row[table.KEEP_AT] = kept.get(card.name, 0.2 + 0.1 * card.cost)
        row[table.KEEP_AT + 1] = 2.0 if "Victory" in card.types else 0.0
        if "Action" in card.types:
            row[1], row[table.PLAY_AT] = -0.4, 0.5 * card.cost
            row[5] = 0.0 if card.gives.get("actions", 0) else -0.5
    return weights


def used() -> Weights:
    """1 for weights that are ever read: no Curse is gained, no card but an Action played."""
    mask = np.ones((cards.NUM_CARDS, table.COLUMNS))
    for card in cards.table():
        if card.name == "Curse":
            mask[card.number, : table.PLAY_AT] = 0.0
        if "Action" not in card.types:
            mask[card.number, table.PLAY_AT : table.KEEP_AT] = 0.0
    return mask


class Tables:
    """Kernels, kingdoms, and matches between weights."""

    def __init__(self) -> None:
        game = registry.get("dominion")
        self._rules = game.kernels()
        names = (*loader.frame(), ("R", self._rules), ("P", self._rules.policies.learned))
        self._kernels = loader.template(TEMPLATE, game.folder, "dominion_evolving", "jit", names)
        self.thesis = game.initial_state(game.options(), 2)
        random = [game.options(kingdom="random", kingdom_seed=number) for number in range(1, KINGDOMS)]
        named = [game.options(kingdom=name) for name in cards.sets() if name != "thesis"] * NAMED_TIMES
        self.others = [game.initial_state(options, 2) for options in random + named]
        self._buffers = (
            np.empty(self._rules.SIZE, np.int32),
            np.empty(4, np.uint64),
            np.empty(self._rules.MAX_ACTIONS, np.int32),
            np.ones(1, np.int32),
        )

    def play(self, start: State, count: int, seed: int, one: Weights, other: Weights | str) -> NDArray[np.int64]:
        """Margins and results of `one` against other weights, or a policy."""
        out = np.zeros((count, 2), np.int64)
        is_policy = isinstance(other, str)
        policy = self._rules.policies.NAMES.index(other) if is_policy else -1
        self._kernels.play(start, count, np.uint64(seed), one, one if is_policy else other, policy, self._buffers, out)
        return out

    def share(self, start: State, one: Weights, other: Weights | str, count: int = MEASURED) -> float:
        """Share of points that `one` wins, a draw counting half."""
        return round(float((self.play(start, count, 1, one, other)[:, 1].mean() + 1) / 2), 4)

    def share_of_kingdoms(self, one: Weights, other: Weights | str) -> float:
        """The same over random kingdoms."""
        return round(float(np.mean([self.share(start, one, other, 40) for start in self.others[:100]])), 4)


@dataclass
class Progress:
    """What a run knows after a generation: weights, the two means of Adam, the mean of weights, CPU seconds."""

    generation: int
    weights: Weights
    slope: Weights
    square: Weights
    mean: Weights
    cpu_s: float

    @classmethod
    def begun(cls) -> Progress:
        """Before the first generation."""
        first = by_hand()
        return cls(0, first, np.zeros_like(first), np.zeros_like(first), first.copy(), 0.0)

    @classmethod
    def read(cls, file: Path) -> Progress:
        """What was kept in a file."""
        with np.load(file) as kept:
            weights, slope, square, mean = (kept[name] for name in ("weights", "slope", "square", "mean"))
            return cls(int(kept["generation"]), weights, slope, square, mean, float(kept["cpu_s"]))

    def write(self, file: Path) -> None:
        """Keep it in a file."""
        file.parent.mkdir(parents=True, exist_ok=True)
        np.savez(file, **vars(self))


def generation(tables: Tables, now: Progress, stage: Stage, seed: int, mask: Weights) -> None:
    """One generation, whose draws are those of (seed, its number)."""
    draws = np.random.Generator(np.random.PCG64(random_streams.mix(seed, now.generation)))
    slope = np.zeros_like(now.weights)
    for _ in range(stage.pairs):
        change = draws.standard_normal(now.weights.shape) * mask
        is_thesis, place = draws.random() < THESIS_SHARE, int(draws.integers(len(tables.others)))
        start, luck = tables.thesis if is_thesis else tables.others[place], int(draws.integers(1 << 60))
        step = stage.change * change
        found = tables.play(start, stage.matches, luck, now.weights + step, now.weights - step)
        margins = np.clip(found[:, 0], -MOST_POINTS, MOST_POINTS)
        slope += float((found[:, 1] + WORTH_OF_POINT * margins).mean()) * change
    slope /= stage.pairs * stage.change
    now.generation += 1
    now.slope = MOMENTUM * now.slope + (1 - MOMENTUM) * slope
    now.square = SQUARES * now.square + (1 - SQUARES) * slope**2
    size = np.sqrt(now.square / (1 - SQUARES**now.generation)) + FLOOR
    now.weights = now.weights + stage.step * now.slope / (1 - MOMENTUM**now.generation) / size
    now.mean = KEPT * now.mean + (1 - KEPT) * now.weights


def evolve(tables: Tables, stages: list[Stage], seed: int, folder: Path) -> tuple[Progress, list[dict[str, Any]]]:
    """All generations that are left; return the end and what was measured after each stage."""
    state, rows_file = folder / "progress.npz", folder / "stages.json"
    now = Progress.read(state) if state.exists() else Progress.begun()
    rows: list[dict[str, Any]] = json.loads(rows_file.read_text()) if rows_file.exists() else []
    mask, last, first = used(), 0, by_hand()
    for number, stage in enumerate(stages):
        last += stage.generations
        while now.generation < last:
            began = time.process_time()
            generation(tables, now, stage, seed, mask)
            now.cpu_s += time.process_time() - began
            if now.generation % 10 == 0 or now.generation == last:
                now.write(state)
        if number >= len(rows):
            row = {
                **asdict(stage),
                "against_double_witch": tables.share(tables.thesis, now.mean, "double_witch"),
                "against_first": tables.share(tables.thesis, now.mean, first),
                "random_kingdoms_against_big_money": tables.share_of_kingdoms(now.mean, "big_money"),
                "random_kingdoms_against_double_witch": tables.share_of_kingdoms(now.mean, "double_witch"),
                "cpu_s": round(now.cpu_s, 1),
            }
            rows.append(row)
            rows_file.write_text(json.dumps(rows))
            print(json.dumps(row), flush=True)
    return now, rows


def log_text(command: str, seed: int, now: Progress, rows: list[dict[str, Any]]) -> str:
    """The log that is kept beside the weights."""
    head = {
        "format": "learned-log-1",
        "command": command,
        "seed": seed,
        "day": time.strftime("%Y-%m-%d", time.gmtime()),
        "machine": f"{platform.machine()}, numpy {np.__version__}",
        "cpu_s": round(now.cpu_s, 1),
        "shares": f"of points won, draws counting half: {MEASURED} matches of the thesis' ten cards, "
        "or 40 of each of 100 random kingdoms",
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    stages = ",\n ".join(json.dumps(row) for row in rows)
    return "{" + ",\n".join([*lines, f'"stages": [\n {stages}\n]']) + "}\n"


def main(arguments: list[str] | None = None) -> int:
    """Learn, or go on; with --keep put weights and log into the game's data; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fit_dominion", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--shorter", type=int, default=1, help="divide the generations of every stage by this")
    parser.add_argument("--keep", action="store_true", help="put the weights into the project's data")
    given = parser.parse_args(arguments)
    stages = [Stage(**{**asdict(stage), "generations": stage.generations // given.shorter}) for stage in STAGES]
    now, rows = evolve(Tables(), stages, given.seed, given.folder)
    if given.keep:
        table.FILE.write_text(table.as_json(now.mean), encoding="utf-8")
        command = f"python -m tests.bench.fit_dominion --seed {given.seed} --shorter {given.shorter} --keep"
        LOG.write_text(log_text(command, given.seed, now, rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
