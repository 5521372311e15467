"""Plays first matches by clocks that count loads of kernels: ``python -m tests.worker.first_matches GAME``.

Time stands still but for one second at each kernel that numba compiles, or reads from its cache.
Every engine plays in a child of its own, forked before its kernels are loaded.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from numba.core.dispatcher import Dispatcher

from engines import registry
from engines.hands import OverHands
from engines.protocol import Engine
from engines.warm_up import variants
from games import loader, rng
from games import options as option_tools
from games import registry as game_registry
from tests.engines.deciding import small_budget
from tests.games import walks
from worker.runner import play_match
from worker.spec import MatchSpec, SeatSpec

loaded: list[str] = []
"""Names of the kernels that were loaded, in order."""


def count_loads() -> None:
    """Let every clock show how many kernels this process has loaded."""
    load = Dispatcher.compile

    def note(kernel: Any, signature: Any) -> Any:
        before = len(kernel.overloads)
        found = load(kernel, signature)
        if len(kernel.overloads) > before:  # numba asks again for what it has where named tuples are alike
            loaded.append(kernel.py_func.__qualname__)
        return found

    Dispatcher.compile = note
    time.perf_counter = time.thread_time = lambda: float(len(loaded))


def decide(game: Any, engine: Engine) -> float:
    """Seconds of a decision where there is a choice."""
    seats = game.traits.min_seats
    state = next(state for state, _ in walks.walk(game, seats, 1) if _has_choice(game, state))
    seat = game.current_player(state)
    shown = state if engine.peeks else game.view(state, seat)
    decision = engine.choose(game, shown, seat, small_budget(engine), rng.new_stream(1, rng.SEARCH))
    return max(decision.elapsed_s, decision.cpu_s)


def _has_choice(game: Any, state: Any) -> bool:
    return game.current_player(state) >= 0 and len(game.legal_actions(state)) > 1


def configurations(engine_id: str, game_id: str) -> Iterator[Engine]:
    """The engine with each choice of each option that fits the game.

    On a toy, and where there are no more kernels to compile for it, with each policy and each switch, too.
    """
    game, cls = walks.game_of(game_id), registry.get(engine_id)
    given = list(variants(engine_id, game))
    if game_id in walks.TOYS or not cls.budgets or issubclass(cls, OverHands):
        begun = registry.defaults(engine_id, game)
        for row in option_tools.schema(cls.options_class):
            given += [registry.make(engine_id, begun | {row["name"]: value}) for value in _more_values(row, game)]
    return (engine for engine in given if engine.refuses(game) is None)


def _more_values(row: Mapping[str, Any], game: Any) -> list[Any]:
    if row["names"] == "policies":
        return list(game.policies)
    if isinstance(row["default"], bool):
        return [not row["default"]]
    return [1] if row["default"] == 0 else []


def first_match(game_id: str, engine_id: str) -> dict[str, Any]:
    """Seconds of the first match and its decisions, loads before it, those of later decisions of prepared engines."""
    began, game = len(loaded), walks.game_of(game_id)
    engine, seats = registry.make_for(game, engine_id), game.traits.min_seats
    seat = SeatSpec(engine_id, registry.complete_options(engine_id, game, {}), small_budget(engine))
    record = play_match(MatchSpec(game_id, {}, (seat,) * seats, tuple(range(seats)), 0, 0, 0, 1, 2))
    assert record.failure is None, record.failure
    loads, late = len(loaded) - began, list[str]()
    for engine in configurations(engine_id, game_id):
        engine.prepare(game)
        before = len(loaded)
        decide(game, engine)
        late += loaded[before:]
    return {
        "loads": loads,
        "match": [record.elapsed_s, record.cpu_s],
        "decisions": sorted({seconds for ply in record.plies for seconds in (ply.elapsed_s, ply.cpu_s)}),
        "late": sorted(set(late)),
    }


def first_decision(game_id: str, engine_id: str) -> float:
    """Seconds of a decision of an engine that is not prepared, as tables and studies ask it."""
    game = walks.game_of(game_id)
    return decide(game, registry.make_for(game, engine_id))


def apart(work: Callable[[str, str], Any], game_id: str, engine_id: str) -> Any:
    """Return what work gives in a child of this process."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=lambda: sender.send(work(game_id, engine_id)))
    child.start()
    sender.close()
    found = receiver.recv()
    child.join()
    return found


def main(game_id: str) -> None:
    """Print what was counted, by engine."""
    for name, toy in walks.TOYS.items():
        game_registry.GAMES[name] = f"{toy.__module__}:{toy.__name__}"
    count_loads()
    dict(loader.frame())["bits"].lowest_bit(1)  # has numba ready, which takes longest
    game = walks.game_of(game_id)
    suitable = [id_ for id_ in registry.ids() if registry.make_for(game, id_).refuses(game) is None]
    loader.rules(game.folder)
    at_first = len(loaded)
    found = {id_: apart(first_match, game_id, id_) for id_ in suitable}
    assert len(loaded) == at_first, "nothing of the game is loaded before its matches"
    game.kernels()
    decided = {id_: apart(first_decision, game_id, id_) for id_ in suitable}
    print(json.dumps({id_: {**found[id_], "unprepared": decided[id_]} for id_ in suitable}))


if __name__ == "__main__":
    main(sys.argv[1])
