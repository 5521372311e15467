"""What a ply of a searching engine costs beside the engine's own work: ply by ply and along a kernel, in turn.

    .venv/bin/python -m tests.bench.bench_plies [--game ID ...] [--matches N] [--rounds N]

Plays matches with an engine in every seat and remembers its decisions; then plays the same matches with these, so that
all that is left is the path: luck, rules, views, streams, records (with the best five actions of each table) and
metrics. Microseconds of CPU a ply, the best of some rounds; own: of the engine, by its own clock. So the path is
measured with its code at hand; behind an engine that has thought for long, caches hold other things.
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from engines import registry
from engines.protocol import Decision, Engine
from games import garbage
from games.protocol import Game
from worker import schedule
from worker import spec as specs
from worker.records import MatchRecord
from worker.runner import play_match
from worker.whole_matches import players

Case = tuple[str, int, str, dict[str, Any], dict[str, int]]
"""Game, seats, engine, its options, its budget."""
CASES: tuple[Case, ...] = (
    ("carcassonne", 2, "flat_mc", {"policy": "random"}, {"playouts_per_action": 5}),
    ("kingdomino", 4, "flat_mc", {"policy": "random"}, {"playouts_per_action": 20}),
    ("dominion", 2, "flat_ucb", {"policy": "bmfsm"}, {"simulations": 50}),
    ("dominoes", 4, "pimc", {}, {"simulations": 50}),
    ("dominoes", 4, "ismcts", {}, {"simulations": 150}),
)
MATCHES, ROUNDS = 12, 12
WAYS = {"ply by ply": partial(play_match, is_by_ply=True), "kernel": play_match}
HEAD = f"  {'':12}{'µs a ply':34}{'own':>9}{'ply by ply':>12}{'kernel':>9}{'ratio':>7}{'own share':>17}"


class Remembering:
    """An engine in the place of another: passes its decisions on and keeps them, then gives them again."""

    id = "remembering"
    version = "1"
    options_class: ClassVar[type]
    budgets: ClassVar[Sequence[str]]
    default_budget: ClassVar[dict[str, int]] = {}
    peeks = False
    inner: ClassVar[type[Engine]]
    kept: ClassVar[list[Decision]] = []
    again: ClassVar[Iterator[Decision] | None] = None

    def __init__(self, options: Any) -> None:
        self._engine = self.inner(options)

    def refuses(self, game: Game) -> str | None:
        return self._engine.refuses(game)

    def prepare(self, game: Game) -> None:
        self._engine.prepare(game)

    def choose(self, *asked: Any) -> Decision:
        if self.again is not None:
            return next(self.again)
        self.kept.append(self._engine.choose(*asked))
        return self.kept[-1]


def spec_of(case: Case, deals: int) -> dict[str, Any]:
    """An experiment of a case's engine in all seats."""
    game_id, seats, engine_id, options, budget = case
    arm = {"name": "a", "seats": [{"engine": engine_id, "options": options, "budget": budget}] * seats}
    return {"version": 1, "game": game_id, "seats": seats, "arms": [arm], "deals": deals, "seed": 7}


def matches_of(case: Case, number: int) -> Any:
    """Matches of the engine that `Remembering` stands for."""
    game_id, seats, _, options, budget = case
    spec = specs.from_json(spec_of((game_id, seats, Remembering.id, options, budget), number))
    return list(schedule.match_specs(spec, 0, 0, number))


def measured(matches: Sequence[specs.MatchSpec], decisions: Sequence[Decision], rounds: int) -> dict[str, float]:
    """Microseconds a ply of each way with these decisions, the best round."""
    best = dict.fromkeys(WAYS, float("inf"))
    for _ in range(rounds):
        for name, play in WAYS.items():
            Remembering.again = iter(decisions)
            began = time.process_time()
            plies = sum(played(play(match)).num_plies for match in matches)
            best[name] = min(best[name], (time.process_time() - began) / plies * 1e6)
    return best


def played(record: MatchRecord) -> MatchRecord:
    """The record of a match that did not fail."""
    assert record.failure is None, record.failure
    return record


class Cost(NamedTuple):
    """What plies of a case cost, in microseconds each: own of the engine; best: of each way, by what is given."""

    own: float
    best: dict[str, dict[str, float]]


WEIGHED, BARE = "with a table", "without"


def path(case: Case, number: int, rounds: int) -> Cost:
    """Play a case's matches, then again with the decisions that were made: with their tables, and without."""
    engine_id = case[2]
    registry.ENGINES[Remembering.id] = f"{__name__}:Remembering"
    players.WORTH_S = 0.0
    garbage.collect_seldom()  # as workers do
    Remembering.inner = registry.get(engine_id)
    Remembering.options_class, Remembering.budgets = Remembering.inner.options_class, Remembering.inner.budgets
    Remembering.kept, Remembering.again = [], None
    matches = matches_of(case, number)
    own = 0.0
    for match in matches:
        own += sum(ply.cpu_s for ply in played(play_match(match)).plies)
    decisions = list(Remembering.kept)
    given = {WEIGHED: decisions, BARE: [dataclasses.replace(decision, table=None) for decision in decisions]}
    best = {what: measured(matches, each, rounds) for what, each in given.items()}
    return Cost(own / len(decisions) * 1e6, best)


def rows(case: Case, found: Cost) -> Iterator[str]:
    """The lines of a case."""
    game_id, _, engine_id, _, budget = case
    for what, best in found.best.items():
        own, by_ply, kernel = found.own, best["ply by ply"], best["kernel"]
        shares = " -> ".join(f"{own / (own + ply):.2f}" for ply in (by_ply, kernel))
        name = f"{engine_id} {next(iter(budget.values()))}, {what}"
        yield f"  {game_id:12}{name:34}{own:>9.1f}{by_ply:>12.1f}{kernel:>9.1f}{by_ply / kernel:>7.1f}{shares:>17}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known = list(dict.fromkeys(case[0] for case in CASES))
    parser.add_argument("--game", choices=known, nargs="+", default=known)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    print(HEAD)
    for case in CASES:
        if case[0] in given.game:
            for line in rows(case, path(case, given.matches, given.rounds)):
                print(line, flush=True)


if __name__ == "__main__":
    main()
