"""Decisions at tables while kernels are cold: by their plain twins where these are quick enough, else by a compiler.

A choice by the twins is the choice that the compiled kernels make, so what is recorded is the same. Of the processes
of one machine that serve tables, one at most compiles: the others answer meanwhile.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from engines.protocol import Budget, Engine
from games import compile_locks, loader, readiness
from games.compile_locks import BusyError
from games.costs import Costs

SLOWDOWN = 1300.0
"""Times as long as by compiled kernels that a decision takes by their twins, at most (docs/findings/speed.md)."""
PLAIN_S = 2.0
"""A decision that takes longer than this by the twins waits for the compiler."""
EXACT = frozenset({"random", "scripted", "uct", "flat_mc", "ims"})
"""Engines whose twins come to the same values, to the last bit; weights of deals by exponentials are rounded
otherwise by compiled kernels."""
_LOCK = "tables.lock"
_BETWEEN_S = 0.2
"""Rest of a process that finds the one that compiles between two folders."""


def is_cold(prepare: Callable[[], object]) -> bool:
    """Whether something that is to be prepared has to be compiled; what is compiled is loaded."""
    try:
        with loader.only_warm():
            prepare()
    except loader.ColdError:
        return True
    return False


def is_quick(engine: Engine, costs: Costs, budget: Budget, num_seats: int) -> bool:
    """Whether the engine decides the same by plain twins, in a time that one waits for; never by a clock."""
    if engine.id not in EXACT or budget.seconds_per_ply is not None or budget.seconds_per_match is not None:
        return False
    return engine.seconds(costs, budget, num_seats) * SLOWDOWN <= PLAIN_S


@contextmanager
def compiling_alone(game_id: str, engine_id: str) -> Iterator[None]:
    """Within it this process may compile what an engine needs; the warm-up has word of it, too.

    Raises BusyError where another process that serves tables compiles.
    """
    readiness.request(game_id, engine_id)
    root = loader.cache_root()
    with (root / _LOCK).open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            busy = next(iter(compile_locks.compilations(root)), None)
            if busy is None:
                time.sleep(_BETWEEN_S)
            raise BusyError(root / busy.kernels if busy else root / _LOCK) from None
        yield
