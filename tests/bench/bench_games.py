"""What the kernels are worth: rates and their ratios, measured in turn in one run on one core.

    .venv/bin/python -m tests.bench.bench_games [--game ID] [--seconds S]

Complete random matches by kernels and by the slow reference, with the write journal and
without; matches by each other policy; one ply tried out by copy and make, by make and undo, and
with an evaluation in between, which is what a search does at its leaves. All per second of CPU
time, the best of several slices that take turns.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engines.bench import position
from games import bench, loader, registry
from games.options import from_json
from games.protocol import Game

SLICES = 7
POSITIONS = 20
JOURNAL_WORDS = 1 << 16
TEMPLATE = Path(__file__).parent / "trying.py"


class Case(NamedTuple):
    """Something that can be done n times, and what one of it is."""

    name: str
    run: Callable[[int], float]
    unit: str


class Row(NamedTuple):
    """A line of the table: a rate, and how many times that of the case it is compared with."""

    name: str
    rate: float
    unit: str
    ratio: float
    to: str


def matches(game: Game, journal: bool) -> Callable[[int], float]:
    """Random matches by one variant of the rules; returns matches done."""
    rules = game.kernels(journal=journal)
    start = game.initial_state(from_json(game.options, game.bench_options), game.traits.min_seats)
    buffers = (np.empty(rules.SIZE, np.int32), np.zeros(4, np.uint64), np.empty(rules.MAX_ACTIONS, np.int32))
    j, totals = np.ones(JOURNAL_WORDS if journal else 1, np.int32), np.zeros(rules.MAX_SEATS, np.int64)

    def run(count: int) -> float:
        numbers = np.uint64(0), np.uint64(count), np.uint64(1)
        rules.playout.playouts(start, 0, *numbers, *buffers, j, totals)
        return count

    return run


def policy_matches(game: Game, policy: str) -> Callable[[int], float]:
    """Matches with one policy in every seat; returns matches done."""
    playouts = bench.Playouts(game, policy)
    start = game.initial_state(from_json(game.options, game.bench_options), game.traits.min_seats)

    def run(count: int) -> float:
        playouts.run(start, 0, count, 1)
        return count

    return run


def trials(game: Game, way: str) -> Callable[[int], float]:
    """Legal actions of mid-game positions, tried in one of the ways of TEMPLATE; returns actions tried."""
    journal = way != "copy_and_make"
    rules, trying = game.kernels(journal=journal), loader.algorithm(TEMPLATE, game.folder, journal)
    states = [position(game, seed, game.traits.max_plies // 2) for seed in range(POSITIONS)]
    work = [(state, game.legal_actions(state).copy()) for state in states]
    scratch, j = np.empty(rules.SIZE, np.int32), np.ones(JOURNAL_WORDS, np.int32)
    last: dict[str, tuple[Any, ...]] = {"make_and_undo": (j,), "copy_and_make": (scratch, j)}
    if way == "make_evaluate_undo":
        weights = np.array(list(next(iter(game.evaluations.values())).values()))
        last[way] = (weights, np.zeros(rules.MAX_SEATS), j)

    def run(count: int) -> float:
        for state, actions in work:
            getattr(trying, way)(state, actions, count, *last[way])
        return count * sum(len(actions) for _, actions in work)

    return run


def measure(cases: Mapping[str, Case], seconds: float) -> dict[str, float]:
    """Best rate of each case per CPU second, its slices taking turns with those of the others."""
    counts, best = dict.fromkeys(cases, 1), dict.fromkeys(cases, 0.0)
    for name, case in cases.items():  # compile, then find how many fill a slice
        case.run(1)
        while _timed(case, counts[name])[1] < seconds / SLICES / 2:
            counts[name] *= 2
    for _ in range(SLICES):
        for name, case in cases.items():
            done, cpu_s = _timed(case, counts[name])
            best[name] = max(best[name], done / cpu_s)
    return best


def _timed(case: Case, count: int) -> tuple[float, float]:
    before = time.thread_time()
    done = case.run(count)
    return done, time.thread_time() - before


def table(game: Game, seconds: float) -> list[Row]:
    """All rows for one game; `seconds` is what each of them may take."""
    others = game.policies[1:]
    cases = {
        "random": Case("random matches by kernels", matches(game, False), "matches/s"),
        "journal": Case("random matches, with journal", matches(game, True), "matches/s"),
        **{name: Case(f"{name} matches", policy_matches(game, name), "matches/s") for name in others},
        "copy": Case("plies tried on copies", trials(game, "copy_and_make"), "plies/s"),
        "undo": Case("plies made and undone", trials(game, "make_and_undo"), "plies/s"),
    }
    compared = dict.fromkeys(cases, "random") | {"copy": "copy", "undo": "copy"}
    if game.evaluations:
        name = "plies made, evaluated and undone"
        cases["evaluate"] = Case(name, trials(game, "make_evaluate_undo"), "plies/s")
        compared["evaluate"] = "undo"
    rates = measure(cases, seconds)
    rows = [
        Row(case.name, rates[name], case.unit, rates[name] / rates[compared[name]], cases[compared[name]].name)
        for name, case in cases.items()
    ]
    reference = bench.reference_rate(game, seconds)
    if reference is not None:
        name = "random matches by the slow reference"
        rows.insert(1, Row(name, reference, "matches/s", reference / rates["random"], cases["random"].name))
    return rows


def show(game: Game, rows: list[Row]) -> str:
    """The table as text; plies also in nanoseconds."""
    lines = [f"{game.label}, {game.traits.min_seats} seats, one core, per second of CPU time"]
    for row in rows:
        ns = f" = {1e9 / row.rate:,.0f} ns each" if row.unit == "plies/s" else ""
        lines.append(f"  {row.name:38} {row.rate:14,.1f} {row.unit:10} {row.ratio:9.4f} x {row.to}{ns}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    """Print one table per game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", choices=registry.ids(), nargs="+", default=list(registry.ids()))
    parser.add_argument("--seconds", type=float, default=3.0, help="for each row")
    given = parser.parse_args(arguments)
    for game_id in given.game:
        game: Any = registry.get(game_id)
        print(show(game, table(game, given.seconds)), flush=True)


if __name__ == "__main__":
    main()
