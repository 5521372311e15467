"""Counts ways to fill a board square by square when only a narrow frontier of it matters.

A rule walks over the squares in order. What it has to know of the squares behind it is a state
(hashable); `moves` says what may happen on the next square and to which state that leads. All
ways through which the same state is reached are counted together (the broken profile of
Kolmogorov and of transfer matrices), in whole numbers without end.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

State = TypeVar("State", bound=Hashable)

TAKEN, EMPTY, RIGHT, DOWN, CASTLE = range(5)
"""Cases of a square: it is covered from before, stays empty, a domino begins there, the castle stands there."""


class Rule(Protocol[State]):
    """A way to walk over a board of `size` squares."""

    @property
    def size(self) -> int:
        """Number of squares."""

    @property
    def start(self) -> State:
        """Before the first square."""

    def moves(self, cell: int, state: State) -> Sequence[tuple[int, State]]:
        """Possible cases of a square, and the state after each."""

    def is_end(self, state: State) -> bool:
        """Whether the walk may end like this after the last square."""


def layers(rule: Rule[State]) -> Iterator[dict[State, int]]:
    """State -> number of ways to it, before the first square and after each one."""
    layer = {rule.start: 1}
    yield layer
    for cell in range(rule.size):
        after: dict[State, int] = {}
        for state, ways in layer.items():
            for _, reached in rule.moves(cell, state):
                after[reached] = after.get(reached, 0) + ways
        layer = after
        yield layer


def count(rule: Rule[State]) -> int:
    """All ways over the board. Exact."""
    *_, last = layers(rule)
    return sum(ways for state, ways in last.items() if rule.is_end(state))


class Ways:
    """All ways over the board by number, never written out: the i-th is found by counting.

    A way is what happens on each square; they come in order of their numbers. The table holds
    every state that occurs on the way.
    """

    def __init__(self, rule: Rule[Any]) -> None:
        self._rule = rule
        reached = list(layers(rule))
        rest = {state: int(rule.is_end(state)) for state in reached.pop()}
        self._rest = [rest]
        for cell in reversed(range(rule.size)):
            rest = {state: sum(rest[to] for _, to in rule.moves(cell, state)) for state in reached.pop()}
            self._rest.append(rest)
        self._rest.reverse()
        self.num = rest[rule.start]
        """Number of them (no `len`: that ends at a machine's word)."""

    def __getitem__(self, index: int) -> tuple[int, ...]:
        """The way of this number, from 0. Raises IndexError."""
        if not 0 <= index < self.num:
            raise IndexError(index)
        state, way = self._rule.start, []
        for cell in range(self._rule.size):
            for what, reached in sorted(self._rule.moves(cell, state), key=lambda move: move[0]):
                ways = self._rest[cell + 1][reached]
                if index < ways:
                    way.append(what)
                    state = reached
                    break
                index -= ways
        return tuple(way)
