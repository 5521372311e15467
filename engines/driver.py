"""Spends a budget: numbered units of work in slices, between looks at a clock.

Nothing compiled reads a clock. A unit is one playout (or simulation); its result depends on
its number alone, so slices and clocks never change what a unit does, only how many are done.
Tree searches in depth count nodes instead (`NodeAllowance`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engines.protocol import Budget
from games.protocol import Game, State

SLICE_S = 0.02
"""Aimed length of a call into compiled code; calls stay under 50 ms at usual depths."""
MAX_SLICE = 1 << 16
FIRST_RATE = 100_000
"""Nodes a second, until it is known better: after TRUSTED_S seconds."""
TRUSTED_S = 0.002
LAST_SHARE = 0.95
"""Share of a time for counting nodes: what is left then may be misjudged, and nothing new is begun."""
UNLIMITED = 1 << 62


@dataclass(frozen=True)
class Spent:
    """Units done, and the wall and CPU seconds they took."""

    units: int
    elapsed_s: float
    cpu_s: float


class Clock:
    """Wall and CPU time of this thread since its making."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.thread_time()

    @property
    def elapsed_s(self) -> float:
        """Wall seconds."""
        return time.perf_counter() - self._wall

    @property
    def cpu_s(self) -> float:
        """CPU seconds of the calling thread."""
        return time.thread_time() - self._cpu


def seconds_for_ply(budget: Budget, game: Game, view: State, seat: int) -> float | None:
    """Seconds for this ply: as given, or the clock of the match shared over own plies left.

    `budget.seconds_per_match` is what the seat has left (the caller that runs the match keeps count).
    """
    shares = []
    if budget.seconds_per_ply is not None:
        shares.append(budget.seconds_per_ply)
    if budget.seconds_per_match is not None:
        shares.append(budget.seconds_per_match / max(1, game.plies_left(view, seat)))
    return min(shares) if shares else None


def budget_at(budget: Budget, game: Game, state: State, ply: int) -> Budget:
    """The budget of one ply, number `ply` of the match (from 1): a count where it has one for each round or ply."""
    return budget.at(ply, game.round_of(state) if game.round_of else None) if budget.schedules else budget


def interleave(works: Sequence[Callable[[int, int], None]]) -> Callable[[int, int], None]:
    """Work whose unit u is number u // n of work u mod n, for n independent works."""

    def work(first: int, count: int) -> None:
        for number, part in enumerate(works):
            begin, end = (-(-(unit - number) // len(works)) for unit in (first, first + count))
            part(begin, end - begin)

    return work


def spend(
    work: Callable[[int, int], None], units: int | None, seconds: float | None, cpu_clock: bool, least: int
) -> Spent:
    """Call ``work(first, count)`` over units 0, 1, 2, ... until a limit is met.

    units, seconds: limits, at least one of them given; least: units that are done even when
    the time is up (one round over the root actions).
    """
    clock, done, rate = Clock(), 0, 0.0
    while units is None or done < units:
        used = clock.cpu_s if cpu_clock else clock.elapsed_s
        if seconds is not None and used >= seconds and done >= least:
            break
        count = int(rate * SLICE_S)  # the first call is one unit, to learn the rate
        if seconds is not None and rate > 0.0:
            count = min(count, int(rate * max(0.0, seconds - used)) + 1)
        count = max(1, min(count, MAX_SLICE, MAX_SLICE if units is None else units - done))
        if done < least:
            count = min(count, least - done)
        before = clock.elapsed_s
        work(done, count)
        done += count
        rate = count / max(clock.elapsed_s - before, 1e-7)
    return Spent(done, clock.elapsed_s, clock.cpu_s)


class NodeAllowance:
    """Shares a budget of nodes and seconds out to calls of compiled code that count nodes.

    nodes, seconds: limits, None where there is none; times run from its making.
    """

    def __init__(self, nodes: int | None, seconds: float | None, cpu_clock: bool) -> None:
        self.clock = Clock()
        self.nodes, self._seconds, self._cpu_clock = nodes, seconds, cpu_clock

    def _used(self) -> float:
        return self.clock.cpu_s if self._cpu_clock else self.clock.elapsed_s

    def is_over(self, done: int) -> bool:
        """Whether a limit is met after `done` nodes; the last share of a time may be too small to use."""
        if self.nodes is not None and done >= self.nodes:
            return True
        return self._seconds is not None and self._used() >= LAST_SHARE * self._seconds

    def share(self, done: int) -> tuple[int, int]:
        """(nodes at which to look at the clock when convenient, nodes at which to stop at once).

        Counted from the start, as `done` is; at least one more node is always allowed.
        """
        used = self._used() if done else 0.0
        rate = done / used if used > TRUSTED_S else FIRST_RATE
        pause = max(1, min(int(rate * SLICE_S), MAX_SLICE))
        limit = UNLIMITED if self.nodes is None else self.nodes
        if self._seconds is not None:
            left = max(1, int(rate * (self._seconds - used)))
            pause, limit = min(pause, left), min(limit, done + left)
        return min(done + pause, limit), limit
