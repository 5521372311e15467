"""Picks layouts to be shown: the first by number, or at random, each as likely as any other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games import rng
from games.kingdomino import dominoes
from games.protocol import Rng
from worker.counting import kingdoms as kingdom_counts
from worker.counting.board import Board, Slot
from worker.counting.laying_order import laying_order
from worker.counting.packings import Layouts, may_be_full

Boards = Sequence[tuple[Board, int]]
"""Boards that differ in their castle, and how many castle cells each stands for."""
WORD = 64


def layouts(rule: str, board: Board, number: int, r: Rng | None) -> list[dict[str, Any]]:
    """Layouts of plain dominoes by a rule, as JSON; r: draws them, without it the first ones come.

    Where there are no more than the number, each comes once. The castle may stand ANYWHERE.
    """
    if rule == "tessellations" and not may_be_full(board):
        return []
    found = Layouts(rule, board)
    if r is None or found.num <= number:
        numbers = list(range(min(number, found.num)))
    else:
        numbers = [below(r, found.num) for _ in range(number)]
    return [_shown(*found[which], which) for which in numbers]


def kingdoms(boards: Boards, number: int, r: Rng) -> list[dict[str, Any]]:
    """Kingdoms drawn at random, full ones where the castle allows it, as JSON with the dominoes laid.

    A castle cell is drawn, then an outline and a domino for each of its slots until the rule
    allows them: each kingdom with this castle is as likely as any other.
    """
    cells = [board for board, weight in boards for _ in range(weight)]
    outlines = {board: _fullest(kingdom_counts.outlines(board)) for board, _ in boards}
    drawn = [cells[rng.below(r, len(cells))] for _ in range(number)]
    return [_kingdom(board, outlines[board], r) for board in drawn]


def _fullest(outlines: Sequence[tuple[Slot, ...]]) -> list[tuple[Slot, ...]]:
    most = max(len(slots) for slots in outlines)
    return [slots for slots in outlines if len(slots) == most]


def _kingdom(board: Board, outlines: Sequence[tuple[Slot, ...]], r: Rng) -> dict[str, Any]:
    """One kingdom at random: tries until one is legal, a few hundred times at most on average."""
    is_equal = dominoes.load().is_equal
    while True:
        slots = outlines[rng.below(r, len(outlines))]
        box = list(range(dominoes.NUM_DOMINOES))
        chosen = [(box.pop(rng.below(r, len(box))), rng.below(r, 2)) for _ in slots]
        if any(is_turned and is_equal[domino] for domino, is_turned in chosen):
            continue  # turned, it is the same kingdom, which would come twice as often
        laid = [
            (domino + 1, *(slot[::-1] if is_turned else slot))
            for (domino, is_turned), slot in zip(chosen, slots, strict=True)
        ]
        try:
            order = laying_order(board, laid)
        except ValueError:
            continue
        return _shown(board.castle, slots, None) | {"dominoes": [list(one) for one in order]}


def _shown(castle: int | None, slots: Sequence[Slot], number: int | None) -> dict[str, Any]:
    """Layout as JSON. number: of the layout, from 1; text, for it knows no end."""
    return {
        "castle": castle,
        "slots": [list(slot) for slot in slots],
        "number": None if number is None else str(number + 1),
    }


def below(r: Rng, n: int) -> int:
    """A whole number from 0 to n - 1, however large n is. Consumes `r`."""
    words = (n.bit_length() + WORD - 1) // WORD or 1
    while True:
        drawn = 0
        for _ in range(words):
            drawn = drawn << WORD | rng.next_u64(r)
        drawn >>= words * WORD - n.bit_length()
        if drawn < n:
            return drawn
