"""Uses one game as workers do and says what was compiled: ``python -m tests.games.use_kernels GAME [ENGINE ...]``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from engines import registry
from engines.protocol import Budget
from games import rng
from games.bench import Playouts
from tests.games import walks

CONFIGURATIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("random", {}),
    ("scripted", {}),
    ("flat_mc", {}),
    ("flat_mc", {"utility": "wdl"}),
    ("uct", {}),
    ("expectimax", {}),
    ("expectimax", {"algorithm": "expectimax", "opponents": "maxn"}),
)


def use(game_id: str, engine_ids: list[str]) -> None:
    """Rules, policies, playouts and these engines (none named: all)."""
    game = walks.game_of(game_id)
    state = walks.turns(game_id)[1]
    for policy in game.policies:
        Playouts(game, policy).run(game.initial_state(game.options(), game.traits.min_seats), 0, 2, 1)
    for engine_id, options in CONFIGURATIONS:
        if engine_ids and engine_id not in engine_ids:
            continue
        engine = registry.make(engine_id, options)
        if engine.refuses(game):
            continue
        r, budget = rng.new_stream(1, rng.SEARCH), Budget(playouts_per_action=2, simulations=2, depth=1)
        engine.choose(game, state, game.current_player(state), budget, r)
    game.kernels(journal=True, mode=walks.mode_of_undo(game))


def kernels() -> Iterator[tuple[str, Any]]:
    """Name and dispatcher of every compiled function in a cache folder, as Python and as kernels call it."""
    for module in list(sys.modules.values()):
        folder = getattr(module, "CACHE_FOLDER", None)
        if folder is not None:
            for name, value in list(vars(module).items()):
                if hasattr(value, "nopython_signatures") and value.__module__ == module.__name__:
                    yield f"{folder.name}/{name}", value
                    yield f"{folder.name}/inner/{name}", value.inner


def main() -> None:
    """Print the signatures compiled (missed) and how many were read from the cache (hits)."""
    use(sys.argv[1], sys.argv[2:])
    missed = [f"{name}{signature}" for name, kernel in kernels() for signature in kernel.stats.cache_misses]
    hits = sum(sum(kernel.stats.cache_hits.values()) for _, kernel in kernels())
    print(json.dumps({"missed": missed, "hits": hits}))


if __name__ == "__main__":
    main()
