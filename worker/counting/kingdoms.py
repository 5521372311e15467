"""End states of one kingdom by Kingdomino's rule on boards of at most nine squares, all of them.

One player lays any of the 48 dominoes (Wong and Kang, section 3): each touches the castle or a
square of its own terrain, nothing is scored for bonuses, and it ends when no two neighbouring
squares are empty; a domino that fits is always left before that, because every terrain is on six
dominoes or more and at most three lie. In which order dominoes were laid does not matter: a
kingdom can be laid if and only if its dominoes hang together by such contacts with the castle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from worker.counting import points
from worker.counting.board import Board, Slot
from worker.counting.faces import Faces
from worker.counting.packings import Layouts

MAX_SQUARES = 9
"""Larger boards have too many kingdoms to list."""
EMPTY = -1
"""Mark in place of a kind of square."""

Small = NDArray[np.int16]


@dataclass(frozen=True)
class Tally:
    """Tally of end states: how many there are, and how many of them fill the board.

    ends, complete: as they look, wherever the seams are; outlines, ...: seams told apart;
    numbers, ...: seams, and which of the 48 dominoes lies where.
    """

    ends: int = 0
    complete: int = 0
    outlines: int = 0
    complete_outlines: int = 0
    numbers: int = 0
    complete_numbers: int = 0


@dataclass(frozen=True)
class Kingdoms:
    """All kingdoms of an outline.

    slots: where the dominoes lie; kinds: of each covered square, in order [kingdoms]; weight: how
    many sets of the 48 dominoes show each.
    """

    slots: tuple[Slot, ...]
    kinds: dict[int, Small]
    weight: Small


def outlines(board: Board) -> list[tuple[Slot, ...]]:
    """Slots of the dominoes in each end state of plain dominoes that grow from the castle."""
    layouts = Layouts("grown", board)
    return [layouts[number].slots for number in range(layouts.num)]


def covered_squares(places: Sequence[Slot]) -> tuple[int, ...]:
    """Covered squares in order, the castle left out."""
    return tuple(sorted(cell for slot in places for cell in slot))


def parts(board: Board, faces: Faces) -> Iterator[tuple[int, int]]:
    """(square, kind) of the parts in which `tally` counts: every kind of one square."""
    cell = 0 if board.castle != 0 else 1
    yield from ((cell, kind) for kind in range(EMPTY, faces.num_kinds))


def tally(board: Board, faces: Faces, cell: int, kind: int) -> tuple[Tally, points.Best | None]:
    """Count the end states whose square `cell` is of this kind (EMPTY: not covered), and find the best of them.

    Every end state belongs to one kind of that square, so parts add up.
    """
    counts = np.zeros((3, 2), np.int64)
    best: points.Best | None = None
    fitting = [places for places in outlines(board) if (cell in covered_squares(places)) == (kind != EMPTY)]
    for squares, group in groupby(sorted(fitting, key=covered_squares), key=covered_squares):
        is_full = int(len(squares) == board.size - 1)
        looks = []
        for places in group:
            found = kingdoms(board, faces, places, cell, kind)
            looks.append(_looks(faces, found))
            counts[1, is_full] += len(found.weight)
            counts[2, is_full] += int(found.weight.sum(dtype=np.int64))
            best = points.better(board, faces, found.slots, found.kinds, best)
        counts[0, is_full] = counts[0, is_full] + len(np.unique(np.concatenate(looks)))
    each = [number for row in counts for number in (int(row.sum()), int(row[1]))]
    return Tally(*each), best


def kingdoms(board: Board, faces: Faces, places: Sequence[Slot], cell: int, kind: int) -> Kingdoms:
    """Every way to choose a face for each slot that box and rule allow, `cell` being of a kind (EMPTY: any)."""
    chosen, weight = np.zeros((0, 1), np.int16), np.ones(1, np.int16)
    for slot in places:
        own = np.arange(len(faces), dtype=np.int16)
        if cell in slot and kind != EMPTY:
            own = own[(faces.first if slot[0] == cell else faces.second)[own] == kind]
        before = np.repeat(chosen, len(own), axis=1)
        last = np.tile(own, chosen.shape[1])
        used = (faces.face[before] == faces.face[last]).sum(axis=0, dtype=np.int16)
        weight = np.repeat(weight, len(own)) * (faces.copies[faces.face[last]] - used)
        is_left = weight > 0
        chosen, weight = np.vstack([before, last])[:, is_left], weight[is_left]
    kinds = {
        square: ends[row]
        for slot, row in zip(places, chosen, strict=True)
        for square, ends in zip(slot, (faces.first, faces.second), strict=True)
    }
    is_legal = _hangs_together(board, faces, places, kinds)
    return Kingdoms(tuple(places), {square: kinds[square][is_legal] for square in sorted(kinds)}, weight[is_legal])


def _hangs_together(board: Board, faces: Faces, places: Sequence[Slot], kinds: dict[int, Small]) -> NDArray[np.bool_]:
    """Whether every domino can be laid: by contacts of equal terrain with others, and at last with the castle."""
    assert board.castle is not None
    size = len(kinds[places[0][0]]) if places else 1
    gates = board.neighbours(board.castle)
    reached = [np.full(size, slot[0] in gates or slot[1] in gates) for slot in places]
    contacts = [(i, j, _touch(board, faces, kinds, places[i], places[j])) for i in range(len(places)) for j in range(i)]
    for _ in places:
        for i, j, touch in contacts:
            both = touch & (reached[i] | reached[j])
            reached[i] |= both
            reached[j] |= both
    return np.logical_and.reduce(reached, axis=0) if reached else np.ones(1, np.bool_)


def _touch(board: Board, faces: Faces, kinds: dict[int, Small], a: Slot, b: Slot) -> NDArray[np.bool_]:
    """Whether two dominoes touch with equal terrain."""
    touch = np.zeros(len(kinds[a[0]]), np.bool_)
    for square in a:
        for other in b:
            if other in board.neighbours(square):
                touch |= faces.terrain[kinds[square]] == faces.terrain[kinds[other]]
    return touch


def _looks(faces: Faces, found: Kingdoms) -> NDArray[np.uint32]:
    """Look of each kingdom as one number: its covered squares in order, at most 8 of 16 kinds."""
    code = np.zeros(len(found.weight), np.uint32)
    for kinds in found.kinds.values():
        code = code * np.uint32(faces.num_kinds) + kinds.astype(np.uint32)
    return code
