"""Kingdoms domino by domino, in an order in which the rule lets them be laid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.kingdomino import dominoes
from worker.counting.board import Board, Slot

Laid = tuple[int, int, int]
"""Number of a domino, squares of its ends a and b."""
Square = tuple[int, int]
"""Terrain and crowns."""


@dataclass(frozen=True)
class Kingdom:
    """A kingdom and its points, bonuses left out."""

    points: int
    laid: tuple[Laid, ...]


def laying_order(board: Board, kingdom: Sequence[Laid]) -> tuple[Laid, ...]:
    """Dominoes in an order that the rule allows. Raises ValueError where there is none.

    Each touches the castle or, with an end, its own terrain. Whatever can be laid may be laid at
    once: it takes nothing from the others.
    """
    terrain = dominoes.load().terrain
    on: dict[int, int] = {}
    waiting, laid = sorted(kingdom), []

    def fits(one: Laid) -> bool:
        return any(
            other == board.castle or on.get(other) == terrain[2 * (one[0] - 1) + end]
            for end, square in enumerate(one[1:])
            for other in board.neighbours(square)
        )

    while waiting:
        one = next((one for one in waiting if fits(one)), None)
        if one is None:
            raise ValueError(f"domino {waiting[0][0]} touches nothing of its terrain")
        for end, square in enumerate(one[1:]):
            on[square] = int(terrain[2 * (one[0] - 1) + end])
        waiting.remove(one)
        laid.append(one)
    return tuple(laid)


def number_dominoes(board: Board, slots: Sequence[Slot], squares: Sequence[tuple[Square, Square]]) -> tuple[Laid, ...]:
    """Dominoes that show these squares on these slots, in order. Raises ValueError where the box has none."""
    tables = dominoes.load()
    ends = list(zip(tables.terrain.tolist(), tables.crowns.tolist(), strict=True))
    box = {number: (ends[2 * number - 2], ends[2 * number - 1]) for number in range(1, dominoes.NUM_DOMINOES + 1)}
    found: list[Laid] = []
    for (a, b), pair in zip(slots, squares, strict=True):
        number = next((number for number, faces in box.items() if pair in (faces, faces[::-1])), None)
        if number is None:
            raise ValueError(f"no domino is left that shows {pair}")
        found.append((number, a, b) if box.pop(number) == pair else (number, b, a))
    return laying_order(board, found)
