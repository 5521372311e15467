"""Decides which kingdoms of 5 x 5 squares have more than 124 points, tessellation by tessellation.

What the dominoes allow leaves little to look for. Eleven dominoes bring at most 116 points and
twelve without all six that show mines at most 120, geometry left out (`worker.counting.bound`);
with all six, nine sets of the other six bring 125 or more (`SETS`; tests repeat all three). In all
nine the six mines have all ten crowns of mines, lie on six dominoes, and only wheat and swamp
have crowns besides. An area that falls into parts of s and t squares with c and d crowns loses
s * d + t * c points: mines lose 10 at least, swamp and wheat more than a set has to spare, but
for one square of wheat without a crown in the set of 128 points, which loses 2. So mines, swamp
and wheat each have to hang together, and every way to do so is tried: each connected set of six
squares for the mines, the ends of the other dominoes for swamp and wheat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.kingdomino import dominoes
from worker.counting.board import Board, Slot
from worker.counting.laying_order import Kingdom, Laid, laying_order

SIZE = 5
MINES = (23, 40, 45, 46, 47, 48)
"""The dominoes that show a mine: beside it wheat on four, swamp on 46 and 47."""
MINES_WITH_SWAMP = 2
SETS = (
    (128, (12, 22, 38, 39, 43, 44)),
    (126, (19, 20, 22, 38, 43, 44)),
    (126, (19, 21, 22, 38, 43, 44)),
    (126, (20, 21, 22, 38, 43, 44)),
    (126, (19, 22, 38, 39, 43, 44)),
    (126, (20, 22, 38, 39, 43, 44)),
    (126, (21, 22, 38, 39, 43, 44)),
    (125, (19, 20, 21, 22, 38, 43)),
    (125, (19, 20, 21, 22, 43, 44)),
)
"""Points, geometry left out, and the six dominoes beside MINES: all with 125 points or more."""
WORTHWHILE = 125
LOOSE_LOSS = 2
"""Loss by a crownless square of wheat apart from the rest, in the set of 128 points."""
ROW = SIZE + 1
"""Squares are bits, with an empty column between rows so that shifts never wrap."""

WHEAT, SWAMP, MINE = (dominoes.TERRAINS.index(name) for name in ("wheat", "swamp", "mine"))
Bits = NDArray[np.int64]


class Pattern(NamedTuple):
    """Pattern of the six other dominoes: how many show swamp twice, wheat and swamp, swamp, wheat (beside neither)."""

    points: int
    swamps: int
    wheat_swamp: int
    swamp: int
    wheat: int

    @property
    def spare(self) -> int:
        """Squares of wheat that may lie apart."""
        return (self.points - WORTHWHILE) // LOOSE_LOSS if self.swamps else 0


class Areas(NamedTuple):
    """Areas of mines, swamp and wheat, as bits; loose: the wheat apart from the rest."""

    mines: int
    swamp: int
    wheat: int
    loose: int


def best(board: Board, slots: Sequence[Slot]) -> Kingdom | None:
    """The best kingdom on a tessellation of 5 x 5 squares if it has 125 points or more, else None."""
    top: Kingdom | None = None
    for pattern, numbers in _patterns().items():
        if top and top.points >= pattern.points:
            continue
        for areas in _areas(board, slots, pattern):
            points = pattern.points - LOOSE_LOSS * areas.loose.bit_count()
            if top is None or points > top.points:
                try:
                    order = laying_order(board, _laid(slots, areas, numbers))
                except ValueError:  # its areas do not hang together with the castle
                    continue
                top = Kingdom(points, order)
    return top


@cache
def _patterns() -> dict[Pattern, tuple[int, ...]]:
    """Each pattern, most points first, with the dominoes of one set that has it."""
    found: dict[Pattern, tuple[int, ...]] = {}
    for points, numbers in SETS:
        ends = [frozenset(_terrains(number)) for number in numbers]
        pattern = Pattern(
            points,
            sum(pair == {SWAMP} for pair in ends),
            sum(pair == {WHEAT, SWAMP} for pair in ends),
            sum(SWAMP in pair and WHEAT not in pair and len(pair) > 1 for pair in ends),
            sum(WHEAT in pair and SWAMP not in pair for pair in ends),
        )
        found.setdefault(pattern, numbers)
    return found


def _terrains(number: int) -> tuple[int, int]:
    terrain = dominoes.load().terrain
    return int(terrain[2 * number - 2]), int(terrain[2 * number - 1])


# ---- areas
def _areas(board: Board, slots: Sequence[Slot], pattern: Pattern) -> Iterator[Areas]:
    """Every way to lay the three terrains on a tessellation so that they hang together."""
    pairs = [bit(a) | bit(b) for a, b in slots]
    shapes = _shapes()
    is_free = (shapes & bit(_castle(board))) == 0
    for pair in pairs:
        is_free &= (shapes & pair) != pair
    for mines in shapes[is_free].tolist():
        partners = [pair & ~mines for pair in pairs if pair & mines]
        rest = [slot for slot, pair in zip(slots, pairs, strict=True) if not pair & mines]
        yield from _fillings(mines, partners, rest, pattern)


def _castle(board: Board) -> int:
    assert board.castle is not None
    return board.castle


def _fillings(mines: int, partners: Sequence[int], rest: Sequence[Slot], pattern: Pattern) -> Iterator[Areas]:
    """Swamp and wheat beside the mines and on the other six slots."""
    chosen = np.array([a | b for a, b in combinations(partners, MINES_WITH_SWAMP)], np.int64)
    ends = np.array([bit(cell) for slot in rest for cell in slot], np.int64)
    swamps = (_selections(pattern) @ ends)[:, None] | chosen
    for row, column in np.argwhere(_hang_together(swamps)):
        swamp, by_mines = int(swamps[row, column]), sum(partners) & ~int(chosen[column])
        cells = [(bit(a), bit(b)) for a, b in rest]
        beside = [(a | b) & ~swamp for a, b in cells if bool(a & swamp) != bool(b & swamp)]
        free = [pair for pair in cells if not (pair[0] | pair[1]) & swamp]
        for some, others in product(combinations(beside, pattern.wheat_swamp), product(*free)):
            wheat = by_mines | sum(some) | sum(others)
            loose = _loose(wheat)
            if loose.bit_count() <= pattern.spare:
                yield Areas(mines, swamp, wheat, loose)


@cache
def _selections(pattern: Pattern) -> Bits:
    """Ways to make ends of the six slots swamp, as bits [ways, twelve ends]."""
    found = []
    single = pattern.wheat_swamp + pattern.swamp
    for both in combinations(range(6), pattern.swamps):
        for one in combinations([slot for slot in range(6) if slot not in both], single):
            for ends in product((0, 1), repeat=single):
                way = [0] * 12
                for slot in both:
                    way[2 * slot] = way[2 * slot + 1] = 1
                for slot, end in zip(one, ends, strict=True):
                    way[2 * slot + end] = 1
                found.append(way)
    return np.array(found, np.int64)


@cache
def _shapes() -> Bits:
    """All connected sets of six squares."""
    shapes = {bit(cell) for cell in range(SIZE * SIZE)}
    everything = sum(shapes)
    for _ in range(len(MINES) - 1):
        shapes = {
            shape | bit(cell) for shape in shapes for cell in range(SIZE * SIZE) if _grown(shape) & ~shape & bit(cell)
        }
    return np.array(sorted(shape & everything for shape in shapes), np.int64)


def bit(cell: int) -> int:
    """The bit of a square."""
    return 1 << cell // SIZE * ROW + cell % SIZE


def _grown(squares: int) -> int:
    return squares | squares << 1 | squares >> 1 | squares << ROW | squares >> ROW


def _hang_together(squares: Bits) -> NDArray[np.bool_]:
    """Whether each set hangs together."""
    reached = squares & -squares
    while True:
        more = (reached | reached << 1 | reached >> 1 | reached << ROW | reached >> ROW) & squares
        if (more == reached).all():
            together: NDArray[np.bool_] = reached == squares
            return together
        reached = more


def _loose(squares: int) -> int:
    """The squares beside the largest part that hangs together."""
    left, largest = squares, 0
    while left:
        part = left & -left
        while (more := _grown(part) & squares) != part:
            part = more
        left &= ~part
        largest = max(part, largest, key=int.bit_count)
    return squares & ~largest


# ---- dominoes
def _laid(slots: Sequence[Slot], areas: Areas, numbers: Sequence[int]) -> list[Laid]:
    """Real dominoes for the areas: crowns of wheat anywhere but on a loose square."""
    box, laid = [*MINES, *numbers], []
    crowns = dominoes.load().crowns
    for slot in sorted(slots, key=lambda pair: not (bit(pair[0]) | bit(pair[1])) & areas.loose):
        wanted = [_terrain(cell, areas) for cell in slot]
        is_loose = [bool(bit(cell) & areas.loose) for cell in slot]
        for number, turned in product(box, (False, True)):
            ends = (2 * number - 1, 2 * number - 2) if turned else (2 * number - 2, 2 * number - 1)
            shown = [_kind(int(dominoes.load().terrain[end])) for end in ends]
            if shown == wanted and not any(apart and crowns[end] for apart, end in zip(is_loose, ends, strict=True)):
                laid.append((number, *(slot[::-1] if turned else slot)))
                box.remove(number)
                break
    assert not box, "the pattern has a domino for each slot"
    return laid


def _terrain(cell: int, areas: Areas) -> int | None:
    for terrain, squares in ((MINE, areas.mines), (SWAMP, areas.swamp), (WHEAT, areas.wheat)):
        if squares & bit(cell):
            return terrain
    return None


def _kind(terrain: int) -> int | None:
    """A terrain that counts, None for the others."""
    return terrain if terrain in (MINE, SWAMP, WHEAT) else None
