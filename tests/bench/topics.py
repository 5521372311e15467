"""What `python -m tests.bench` measures by the other benchmarks, a figure a key."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from games import bench, registry
from games.options import from_json
from tests.bench import bench_hands, bench_matches, bench_plies, bench_recording
from tests.bench.bench_games import Case, measure
from tests.bench.goals import Figures
from tests.bench.twins.cases import CASES
from tests.bench.twins.comparison import compare
from tests.bench.twins.program import NoCompilerError

KERNELS: Mapping[str, tuple[str, str, int]] = {
    "carcassonne.random": ("carcassonne", "random", 2),
    "carcassonne.greedy": ("carcassonne", "greedy", 2),
    "carcassonne.informed": ("carcassonne", "informed", 2),
    "kingdomino.tr": ("kingdomino", "tr", 4),
    "kingdomino.pg": ("kingdomino", "pg", 4),
    "kingdomino.fg": ("kingdomino", "fg", 4),
    "dominion.big_money": ("dominion", "big_money", 2),
    "dominoes.random": ("dominoes", "random", 4),
}
"""Game, policy in every seat, seats."""
SOLVED = 100
BATCH = 100
DEALS = 2_000
SEARCHED = {"carcassonne": 16, "kingdomino": 20, "dominion": 80, "dominoes": 24}
"""Deals that engines which search play in a second or two."""


def matches(seconds: float) -> Figures:
    """Matches of policies: played, recorded with every ply, recorded with results alone."""
    for game_id in bench_matches.LINEUPS:
        bench_matches.load(game_id)
    with bench_recording.database():
        _migrate()
        for game_id in bench_matches.LINEUPS:
            yield f"{game_id}.played", bench_matches.alone(game_id, seconds).whole
            for record in ("standard", "matches"):
                yield f"{game_id}.{record}", bench_matches.recorded(game_id, record, seconds).whole


def plies(seconds: float) -> Figures:
    """A ply of a searching engine beside the engine's own work, with the table of its actions."""
    for case in bench_plies.CASES:
        found = bench_plies.path(case, bench_plies.MATCHES, bench_plies.ROUNDS)
        yield f"plies.{case[0]}.{case[2]}", found.best[bench_plies.WEIGHED]["kernel"]


def recording(seconds: float) -> Figures:
    """A ply written to Postgres, matches by the hundred."""
    with bench_recording.database():
        _migrate()
        written = bench_recording.measure(False, BATCH, seconds)
        yield "recorded", 1e6 / written.plies_per_s
        yield "recorded.python", 1e6 * written.python_s


def headless(seconds: float) -> Figures:
    """``worker run`` in two processes against one, of policies and of searches: matches a CPU second, times processes."""
    experiments = {"headless": bench_matches.spec_of("carcassonne", "standard", DEALS)}
    for case in bench_plies.CASES[:4]:  # one a game
        experiments[f"headless.{case[0]}"] = bench_plies.spec_of(case, SEARCHED[case[0]])
    for key, experiment in experiments.items():
        rates = bench_matches.headless_rates(experiment)
        yield key, 2 * rates[2][1] / rates[1][1]


def kernels(seconds: float) -> Figures:
    """Whole matches by kernels alone, all in turn."""
    cases = {key: _case(*given) for key, given in KERNELS.items()}
    yield from measure(cases, seconds).items()


def _case(game_id: str, policy: str, seats: int) -> Case:
    game = registry.get(game_id)
    playouts = bench.Playouts(game, policy)
    start = game.initial_state(from_json(game.options, game.bench_options), seats)

    def run(count: int) -> float:
        playouts.run(start, 0, count, 1)
        return count

    return Case(policy, run, "matches/s")


def solver(seconds: float) -> Figures:
    """Positions of dominoes solved, the value of every action."""
    for laid in bench_hands.LAID:
        yield f"solve.{laid}", bench_hands.solves(laid, SOLVED)["solves_per_s"]


def twins(seconds: float) -> Figures:
    """How many times as fast as our kernels C++ is, by the faster of two programs of g++."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            for key, case in CASES.items():
                yield f"twins.{key}", compare(case(), Path(folder) / key, seconds).ratio
        except NoCompilerError as error:
            print(f"  {error}", file=sys.stderr)


def _migrate() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, skip_checks=True)
