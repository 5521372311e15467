"""The three ways to lay dominoes on a plain board, as rules of `worker.counting.profiles`.

Tessellations cover every square. Packings are those to which no domino can be added: no two
neighbouring squares are empty (maximal matchings of the grid). Grown packings are those that can
be laid one by one, each domino beside the castle or an earlier one (Wong and Kang, algorithm 2):
exactly the packings whose covered squares hang together with the castle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from worker.counting.board import Board, Slot
from worker.counting.profiles import CASTLE, DOWN, EMPTY, RIGHT, TAKEN, Rule, Ways, count

ANYWHERE = -1
"""Value of a castle that may be on any one square."""
CLOSED = -1
"""Mark in place of labels: what was covered is complete, nothing more may be covered."""

Moves = Sequence[tuple[int, tuple[int, int, int]]]
Labels = tuple[int, ...]


@dataclass(frozen=True)
class _Walk:
    """Common part of the three rules.

    Squares ahead that a domino behind already covers are bits: bit 0 is the square on turn.
    """

    board: Board

    @property
    def size(self) -> int:
        return self.board.size

    def _needs_castle(self) -> int:
        return int(self.board.castle == ANYWHERE)

    def _covers(self, cell: int, ahead: int, waits: int) -> list[tuple[int, int, int]]:
        """Covers of a square: (what, bits ahead after it, castles that are still to come)."""
        board = self.board
        if ahead & 1:
            return [] if cell == board.castle else [(TAKEN, ahead >> 1, waits)]
        if cell == board.castle:
            return [(CASTLE, ahead >> 1, waits)]
        found = []
        if (cell + 1) % board.width and not ahead & 2:
            found.append((RIGHT, (ahead | 2) >> 1, waits))
        if cell + board.width < board.size:
            found.append((DOWN, (ahead | 1 << board.width) >> 1, waits))
        if waits:
            found.append((CASTLE, ahead >> 1, 0))
        return found


class Tessellations(_Walk):
    """Every square is covered. State: bits ahead, castles to come."""

    @property
    def start(self) -> tuple[int, int]:
        """Nothing is covered."""
        return 0, self._needs_castle()

    def moves(self, cell: int, state: tuple[int, int]) -> Sequence[tuple[int, tuple[int, int]]]:
        """See `profiles.Rule`."""
        return [(what, (ahead, waits)) for what, ahead, waits in self._covers(cell, *state)]

    def is_end(self, state: tuple[int, int]) -> bool:
        """Whether the castle stands."""
        return state == (0, 0)


class Packings(_Walk):
    """No two neighbouring squares are empty. State: bits ahead, castles to come, empty squares behind.

    Of the squares behind the last row counts, bit 0 above the square on turn.
    """

    @property
    def start(self) -> tuple[int, int, int]:
        """Nothing is covered, and the edge above counts as such."""
        return 0, self._needs_castle(), 0

    def moves(self, cell: int, state: tuple[int, int, int]) -> Moves:
        """See `profiles.Rule`."""
        ahead, waits, empty = state
        found: list[tuple[int, tuple[int, int, int]]] = []
        for what, bits, castles in self._covers(cell, ahead, waits):
            # nothing that is covered already can be empty, so what lies above it is forgotten
            behind = empty >> 1 & ~1 if bits & 1 else empty >> 1
            found.append((what, (bits, castles, behind)))
        width = self.board.width
        is_beside = empty & 1 or (cell % width and empty >> (width - 1) & 1)
        if not ahead & 1 and cell != self.board.castle and not is_beside:
            found.append((EMPTY, (ahead >> 1, waits, empty >> 1 | 1 << (width - 1))))
        return found

    def is_end(self, state: tuple[int, int, int]) -> bool:
        """Whether the castle stands."""
        return state[1] == 0


class Grown(_Walk):
    """Packings that hang together with their castle.

    State: bits ahead, castles to come, then for each square of the last row (first the one above
    the square on turn) 0 where it is empty or outside, else the number of its part: squares that
    hang together as far as the walk has come have one number. Once a part that reaches the row no
    more is all there is, CLOSED is said in place of castles to come.
    """

    @property
    def start(self) -> Labels:
        """Nothing is covered."""
        return (0, self._needs_castle(), *[0] * self.board.width)

    def moves(self, cell: int, state: Labels) -> Sequence[tuple[int, Labels]]:
        """See `profiles.Rule`."""
        ahead, waits, *row = state
        above, left = row[0], row[-1] if cell % self.board.width else 0
        found = []
        if waits != CLOSED:
            for what, bits, castles in self._covers(cell, ahead, waits):
                found.append((what, (bits, castles, *_joined(row, above, left))))
        if ahead & 1 or cell == self.board.castle or self._is_beside(cell, row):
            return found
        rest = [*row[1:], 0]
        if above and above not in rest:
            if any(rest) or waits == 1:
                return found
            waits = CLOSED
        return [*found, (EMPTY, (ahead >> 1, waits, *_numbered(rest)))]

    def _is_beside(self, cell: int, row: Sequence[int]) -> bool:
        """Whether the square above or to the left is on the board and empty."""
        return (cell >= self.board.width and not row[0]) or (cell % self.board.width > 0 and not row[-1])

    def is_end(self, state: Labels) -> bool:
        """Whether the castle stands and there is one part."""
        _, waits, *row = state
        return waits == CLOSED or (waits == 0 and max(row) <= 1)


def _joined(row: Sequence[int], above: int, left: int) -> Labels:
    """The row after a covered square, which joins the parts above and to the left of it."""
    own = above or left or len(row) + 1
    return _numbered([*(own if part and part in (above, left) else part for part in row[1:]), own])


def _numbered(row: Sequence[int]) -> Labels:
    """The row with its parts numbered in the order in which they come."""
    numbers = {0: 0}
    return tuple([numbers.setdefault(part, len(numbers)) for part in row])


RULES: dict[str, Callable[[Board], Rule[Any]]] = {
    "tessellations": Tessellations,
    "packings": Packings,
    "grown": Grown,
}


def number_of(rule: str, board: Board) -> int:
    """Number of packings by a rule of RULES; the castle may stand ANYWHERE. Exact."""
    if rule == "tessellations" and not may_be_full(board):
        return 0
    return count(RULES[rule](_narrow(board)))


def may_be_full(board: Board) -> bool:
    """Whether colours allow a tessellation: a domino covers one square of each colour."""
    if board.castle is None:
        return board.size % 2 == 0
    return board.size % 2 == 1 and (board.castle == ANYWHERE or not board.is_odd(board.castle))


class Layout(NamedTuple):
    """Layout: where the castle stands (None: there is none), and where dominoes lie."""

    castle: int | None
    slots: tuple[Slot, ...]


class Layouts:
    """All layouts of a board by a rule, by number from 0; the castle may stand ANYWHERE.

    They come in the order of what happens on each square, row by row of the narrower board.
    """

    def __init__(self, rule: str, board: Board) -> None:
        self._board = board
        self._narrow = _narrow(board)
        self._ways = Ways(RULES[rule](self._narrow))
        self.num = self._ways.num

    def __getitem__(self, index: int) -> Layout:
        """Raises IndexError."""
        narrow, way = self._narrow, self._ways[index]
        steps = {RIGHT: 1, DOWN: narrow.width}
        found = [(cell, cell + steps[what]) for cell, what in enumerate(way) if what in steps]
        castle = way.index(CASTLE) if CASTLE in way else None
        if narrow is self._board:
            return Layout(castle, tuple(found))
        slots = sorted((_across(narrow, a), _across(narrow, b)) for a, b in found)
        return Layout(None if castle is None else _across(narrow, castle), tuple(slots))


def _narrow(board: Board) -> Board:
    """The board laid so that its rows are its shorter sides: the walk has less to remember."""
    if board.width <= board.height:
        return board
    castle = board.castle
    if castle is not None and castle != ANYWHERE:
        castle = _across(board, castle)
    return Board(board.height, board.width, castle)


def _across(board: Board, cell: int) -> int:
    """The square where columns are rows."""
    column, row = board.place(cell)
    return column * board.height + row
