"""The search with which Wong and Kang counted kingdoms, as their published program runs it.

It differs from the rule (`worker.counting.kingdoms`) in two things. Boards are told apart by
terrain alone: crowns count neither for what has been seen nor for what is found. And an empty
square is tried only beside the first laid square with a terrain of the domino that a
breadth-first walk from the castle meets next to it (below, above, right, left), so that a domino
whose other end matches a second neighbour is not laid that way round. Depth first, every board
once.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.kingdomino import dominoes
from worker.counting.board import Board

CASTLE, EMPTY = len(dominoes.TERRAINS), len(dominoes.TERRAINS) + 1
"""Beside the terrains, what a square can hold."""

Squares = tuple[int, ...]
Pair = tuple[int, int]


def pairs() -> list[Pair]:
    """Terrains of the 48 dominoes."""
    ends = dominoes.load().terrain.tolist()
    return list(zip(ends[::2], ends[1::2], strict=True))


class FirstTouch:
    """The search from one castle cell. ends, complete: what it found."""

    def __init__(self, board: Board) -> None:
        if board.castle is None:
            raise ValueError("the search grows from a castle")
        self._board = board
        self._beside = [_around(board, cell) for cell in range(board.size)]
        self._seen: set[Squares] = set()
        self.ends = 0
        self.complete = 0
        start = [EMPTY] * board.size
        start[board.castle] = CASTLE
        self._search(tuple(start), pairs())

    def _search(self, squares: Squares, box: list[Pair]) -> None:
        self._seen.add(squares)
        if not any(self._room(squares, cell) for cell, holds in enumerate(squares) if holds == EMPTY):
            self.ends += 1
            self.complete += EMPTY not in squares
            return
        touched = list(self._touches(squares))
        for pair in dict.fromkeys(box):  # another domino of the same terrains leads to the same boards
            for after in self._laid(squares, touched, pair):
                if after not in self._seen:
                    at = box.index(pair)
                    self._search(after, box[:at] + box[at + 1 :])

    def _room(self, squares: Squares, cell: int) -> list[int]:
        """Empty squares beside one."""
        return [other for other in self._beside[cell] if squares[other] == EMPTY]

    def _touches(self, squares: Squares) -> Iterator[tuple[int, int]]:
        """(empty square, what lies beside it) as the walk from the castle meets them."""
        assert self._board.castle is not None
        walk, queued = [self._board.castle], {self._board.castle}
        for cell in walk:
            for other in self._beside[cell]:
                if squares[other] == EMPTY:
                    yield other, squares[cell]
                elif other not in queued:
                    queued.add(other)
                    walk.append(other)

    def _laid(self, squares: Squares, touched: list[tuple[int, int]], pair: Pair) -> Iterator[Squares]:
        """Boards after a domino, each empty square tried beside its first match only."""
        first: dict[int, int] = {}
        for cell, holds in touched:
            if holds == CASTLE or holds in pair:
                first.setdefault(cell, holds)
        for cell, holds in first.items():
            ways = {pair, pair[::-1]} if holds == CASTLE else {pair if pair[0] == holds else pair[::-1]}
            for other in self._room(squares, cell):
                for near, far in sorted(ways):
                    after = list(squares)
                    after[cell], after[other] = near, far
                    yield tuple(after)


def _around(board: Board, cell: int) -> list[int]:
    """Squares below, above, right and left, where the board has them."""
    column, row = board.place(cell)
    found = [cell + board.width] if row + 1 < board.height else []
    found += [cell - board.width] if row else []
    found += [cell + 1] if column + 1 < board.width else []
    return found + ([cell - 1] if column else [])
