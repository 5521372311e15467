"""Squares of a kingdom that matter to people: those that no domino can cover any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from games.kingdomino import dominoes, reading
from games.kingdomino import state as layout
from games.kingdomino.play import kingdoms
from games.kingdomino.reading import CASTLE, STEPS
from games.protocol import TERMINAL, State

Cell = tuple[int, int]
KEPT = 1024
"""Kingdoms that a process remembers: one or two kilobytes each."""


@dataclass(frozen=True)
class _Kingdom:
    """Squares of a kingdom, castle included; box: least and greatest x, least and greatest y; faces: terrains that may
    still come, either way round; has_one: whether that is a single domino.
    """

    terrains: Mapping[Cell, str]
    box: tuple[int, int, int, int]
    limit: int
    faces: frozenset[tuple[str, str]]
    has_one: bool = False

    def squares(self) -> Iterator[Cell]:
        """Empty squares within the limit."""
        west, east, north, south = self.box
        for y in range(south - self.limit + 1, north + self.limit):
            for x in range(east - self.limit + 1, west + self.limit):
                if (x, y) not in self.terrains:
                    yield x, y

    def is_within(self, *cells: Cell) -> bool:
        """Whether the kingdom with these squares keeps to the limit."""
        west, east, north, south = self.box
        xs = [west, east, *(x for x, _ in cells)]
        ys = [north, south, *(y for _, y in cells)]
        return max(xs) - min(xs) < self.limit and max(ys) - min(ys) < self.limit

    def can_hold(self, first: Cell, second: Cell) -> bool:
        """Whether a domino may ever lie there: beside what is still empty, another of several may come first."""
        if not self.faces or first in self.terrains or second in self.terrains or not self.is_within(first, second):
            return False
        beside = ([near for near in neighbours(one) if near not in (first, second)] for one in (first, second))
        around = [[(near, self.terrains.get(near)) for near in found] for found in beside]
        if not self.has_one and any(
            terrain is None and self.is_within(near) for found in around for near, terrain in found
        ):
            return True
        touched = [{terrain for _, terrain in found if terrain} for found in around]
        if any(CASTLE in found for found in touched):
            return True
        return any(end in found for face in self.faces for end, found in zip(face, touched, strict=True))


def neighbours(cell: Cell) -> list[Cell]:
    """The four squares beside one."""
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in STEPS]


def dead_squares(state: State, seat: int) -> list[Cell]:
    """The empty squares of a kingdom that nothing left can cover, sorted; none once the match is over.

    Left are the dominoes to be drawn while rows are to come, those on offer that nobody else has
    taken, and the seat's own that wait to be placed.
    """
    if state[layout.PLAYER] == TERMINAL:
        return []
    terrains = {(square.x, square.y): square.terrain for square in kingdoms.kingdom(state, seat)} | {(0, 0): CASTLE}
    faces = [_terrains(number) for number in _left(state, seat)]
    both = frozenset([*faces, *((second, first) for first, second in faces)])
    box, limit = reading.bounds(state, seat), int(state[layout.LIMIT])
    return list(_dead(frozenset(terrains.items()), box, limit, both, len(faces) == 1))


@lru_cache(maxsize=KEPT)
def _dead(
    terrains: frozenset[tuple[Cell, str]],
    box: tuple[int, int, int, int],
    limit: int,
    faces: frozenset[tuple[str, str]],
    has_one: bool,
) -> tuple[Cell, ...]:
    """The same of a kingdom: a board has several, and most stay as they are for some plies. See `_Kingdom`."""
    found = _Kingdom(dict(terrains), box, limit, faces, has_one)
    dead = (
        cell
        for cell in found.squares()
        if found.is_within(cell) and not any(found.can_hold(cell, near) for near in neighbours(cell))
    )
    return tuple(sorted(dead))


def _left(state: State, seat: int) -> Iterator[int]:
    if state[layout.ROUND] < state[layout.NUM_ROWS]:
        yield from reading.undrawn_dominoes(state)
    for place, number in enumerate(reading.offered_dominoes(state)):
        if int(state[layout.CLAIM + place]) in (0, seat + 1):
            yield number
    for place in range(int(state[layout.TURN]), int(state[layout.NUM_KINGS])):
        if state[layout.LAST + place] and int(state[layout.OWNER + place]) == seat + 1:
            yield int(state[layout.LAST + place])


def _terrains(number: int) -> tuple[str, str]:
    first, second = (dominoes.TERRAINS[int(reading.TABLES.terrain[2 * (number - 1) + end])] for end in (0, 1))
    return first, second
