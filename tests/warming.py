"""Compiles what most tests need, in as many processes as there are cores: ``python -m tests.warming``.

Tests compile what they meet, too, but then the processes that share them out wait for each other:
of one game's kernels only one process compiles at a time. Byte code of the tests themselves is written
by one process, where it is not there: all would rewrite the same assertions otherwise.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from engines import registry
from games import registry as game_registry
from tests.engines import deciding, growing
from tests.games import walks
from tests.trees import nodes
from worker.action_values import action_playouts
from worker.whole_matches import registry as courses
from worker.whole_matches.player import WholePlayer

TESTS = Path(__file__).parent
WHOLE_MATCHES = ("carcassonne", "dominoes")
"""Games whose matches a kernel plays whole in each run: one has notes, the other makes its luck from a seed."""


def compile_rules(game_id: str, journal: bool) -> None:
    """The rules of a game, with its policies and what searches know of it."""
    walks.game_of(game_id).kernels(journal=journal)


def compile_engine(engine_id: str, game_id: str) -> None:
    """An engine over a game's rules, at a position with a choice: no engine searches where it has none."""
    game = walks.game_of(game_id)
    has_choice = (state for state in walks.turns(game_id) if len(game.legal_actions(state)) > 1)
    deciding.decide(engine_id, game_id, next(has_choice))


def compile_playouts(game_id: str) -> None:
    """Matches played out for hints and analyses."""
    action_playouts.playouts_of(game_id)


def compile_whole_matches(game_id: str) -> None:
    """The kernel that plays matches between policies whole, without a journal."""
    game, course = game_registry.get(game_id), courses.get(game_id)
    assert course is not None
    WholePlayer(game, course, walks.usual_seats(game), journal=False).load()


def compile_trees() -> None:
    """UCT over trees made by hand: files of tests that run at once would each compile it, as no lock is asked for."""
    growing.grow("tree", nodes.state(nodes.seat(0, 1, 2)), 2)


def has_byte_code(test: Path) -> bool:
    """Whether pytest has kept a module of tests as it is now."""
    kept = (test.parent / "__pycache__").glob(f"{test.stem}.*-pytest-*.pyc")
    return any(path.stat().st_mtime > test.stat().st_mtime for path in kept)


def write_byte_code() -> None:
    """Let pytest load all tests once, if it has not kept most of them."""
    tests = list(TESTS.rglob("test_*.py"))
    if sum(map(has_byte_code, tests)) < len(tests) / 2:
        command = [sys.executable, "-m", "pytest", "--collect-only", "-qq"]
        subprocess.run(command, cwd=TESTS.parent, check=True, stdout=subprocess.DEVNULL)


def jobs() -> list[Callable[[], None]]:
    """What is to be compiled: byte code, rules, which nothing goes without, then searches, the largest first."""
    first: dict[Path, str] = {}
    for game_id in walks.GAME_IDS:  # games of one folder have the same kernels
        first.setdefault(walks.game_of(game_id).folder, game_id)
    undone = [game_id for game_id in first.values() if walks.is_taken_back(walks.game_of(game_id))]
    rules = [partial(compile_rules, game_id, False) for game_id in first.values()]
    rules += [partial(compile_rules, game_id, True) for game_id in undone]
    engine_ids = ["strategy", "shrewd", *(id_ for id_ in reversed(registry.ids()) if registry.get(id_).budgets)]
    fitting = set(deciding.pairs())
    pairs = [(engine_id, game_id) for engine_id in engine_ids for game_id in first.values()]
    playouts = [partial(compile_playouts, game_id) for game_id in game_registry.ids()]
    whole = [partial(compile_whole_matches, game_id) for game_id in WHOLE_MATCHES]
    engines = [partial(compile_engine, *pair) for pair in pairs if pair in fitting]
    return [write_byte_code, *rules, *playouts, *whole, compile_trees, *engines]


def main() -> None:
    """Do all jobs; what does not compile is left for a test to say."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for future in [pool.submit(job) for job in jobs()]:
            if (error := future.exception()) is not None:
                print(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
