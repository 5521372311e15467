"""Looks for kingdoms with many points: simulated annealing of many full boards at once.

A board is a tessellation and a domino on each of its slots. A step swaps two dominoes (one may
come from the box, where more may be laid than slots are), turns one round, or turns two that lie
side by side in a square of four; it is kept as Metropolis et al. (1953) say, at a temperature
that falls (Kirkpatrick, Gelatt, Vecchi 1983). Squares whose domino the rule of contacts does not
reach from the castle cost points, so that boards end legal. All boards take their step together,
as rows of arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.kingdomino import dominoes
from worker.counting.board import Board, Slot
from worker.counting.laying_order import Kingdom, Laid, laying_order

HOT, COLD = 7.0, 0.4
"""Temperatures in points at the start and at the end."""
UNREACHED = 2
"""Points that a square costs which the rule does not reach."""
SWAP, TURN = 0.62, 0.72
"""Chances of a swap, and of a swap or a turn of one domino; else two are turned."""

ALL = tuple(range(1, dominoes.NUM_DOMINOES + 1))
Small = NDArray[np.int8]
Generator = np.random.Generator


@dataclass
class _Boards:
    """Many boards. dominoes: [boards, box], the first of them on the slots; ends: [boards, slots, 2], their squares."""

    dominoes: Small
    ends: Small

    def copy(self) -> _Boards:
        return _Boards(self.dominoes.copy(), self.ends.copy())

    def keep(self, other: _Boards, where: NDArray[np.bool_]) -> None:
        """Take over some boards of another."""
        self.dominoes[where], self.ends[where] = other.dominoes[where], other.ends[where]


class Annealing:
    """Boards with one castle cell and the arrays that all of them share."""

    def __init__(
        self, board: Board, tilings: Sequence[Sequence[Slot]], rng: Generator, numbers: Sequence[int] = ALL
    ) -> None:
        """tilings: tessellations to begin with, one for each board. numbers: dominoes that may be laid."""
        assert board.castle is not None
        tables = dominoes.load()
        self._board, self._rng = board, rng
        self._terrain = tables.terrain.reshape(-1, 2).astype(np.int8)
        self._crowns = tables.crowns.reshape(-1, 2).astype(np.int8)
        self._pairs = [pair for pair in board.pairs() if board.castle not in pair]
        self._gates = board.neighbours(board.castle)
        self._fours = np.array([
            (cell, cell + 1, cell + board.width, cell + board.width + 1)
            for cell in range(board.size - board.width)
            if (cell + 1) % board.width
        ])  # fmt: skip
        self._rows = np.arange(len(tilings))
        order = np.argsort(rng.random((len(tilings), len(numbers))), axis=1)
        self._now = _Boards((np.array(numbers, np.int8) - 1)[order], np.array(tilings, np.int8))

    def run(self, steps: int) -> Kingdom:
        """Cool the boards down; the best legal one that was met. Raises ValueError where none was."""
        value, is_legal = self._worth(self._now)
        best, top = None, -1
        for step in range(steps):
            temperature = HOT * (COLD / HOT) ** (step / steps)
            tried = self._stepped()
            worth, legal = self._worth(tried)
            gain = (worth - value) / temperature
            kept = np.log(1 - self._rng.random(len(gain))) < gain
            self._now.keep(tried, kept)
            value, is_legal = np.where(kept, worth, value), np.where(kept, legal, is_legal)
            first = int(np.where(is_legal, value, -1).argmax())
            if is_legal[first] and value[first] > top:
                best, top = _Boards(self._now.dominoes[first], self._now.ends[first]).copy(), int(value[first])
        if best is None:
            raise ValueError("no board became legal; more steps are needed")
        return Kingdom(top, self._order(best))

    def _stepped(self) -> _Boards:
        """A random step of every board."""
        after, rng, rows = self._now.copy(), self._rng, self._rows
        kind, slots = rng.random(len(rows)), after.ends.shape[1]
        slot = rng.integers(slots, size=len(rows))
        at = rows[kind < SWAP]
        other = rng.integers(after.dominoes.shape[1], size=len(at))
        order, mine = after.dominoes, slot[at]
        order[at, mine], order[at, other] = order[at, other].copy(), order[at, mine].copy()
        at = rows[(kind >= SWAP) & (kind < TURN)]
        after.ends[at, slot[at]] = after.ends[at, slot[at], ::-1]
        self._turn_two(after, rows[kind >= TURN])
        return after

    def _turn_two(self, boards: _Boards, at: NDArray[np.int64]) -> None:
        """Lay two dominoes across where they fill a square of four."""
        four = self._fours[self._rng.integers(len(self._fours), size=len(at))].astype(np.int8)
        whose = np.full((len(at), self._board.size), -1, np.int8)
        ends = boards.ends[at].astype(np.int64)
        for end in (0, 1):
            numbers = np.broadcast_to(np.arange(ends.shape[1], dtype=np.int8), ends.shape[:2])
            np.put_along_axis(whose, ends[:, :, end], numbers, axis=1)
        owner = np.take_along_axis(whose, four.astype(np.int64), axis=1)
        is_inside = (owner >= 0).all(axis=1)
        lying = is_inside & (owner[:, 0] == owner[:, 1]) & (owner[:, 2] == owner[:, 3])
        standing = is_inside & (owner[:, 0] == owner[:, 2]) & (owner[:, 1] == owner[:, 3])
        for is_so, first, second in ((lying, (0, 2), (1, 3)), (standing, (0, 1), (2, 3))):
            chosen = at[is_so]
            boards.ends[chosen, owner[is_so, first[0]]] = four[is_so][:, first]
            boards.ends[chosen, owner[is_so, second[1]]] = four[is_so][:, second]

    # ---- what boards are worth
    def _worth(self, boards: _Boards) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Points less what unreached squares cost, and whether none is unreached."""
        board, num = self._board, len(boards.ends)
        slots = boards.ends.shape[1]
        terrain = np.full((board.size, num), -1, np.int8)
        crowns, partner = np.zeros((board.size, num), np.int8), np.zeros((board.size, num), np.int64)
        for end in (0, 1):
            squares = boards.ends[:, :, end].astype(np.int64).T
            lying = boards.dominoes[:, :slots].T
            np.put_along_axis(terrain, squares, self._terrain[lying, end], axis=0)
            np.put_along_axis(crowns, squares, self._crowns[lying, end], axis=0)
            np.put_along_axis(partner, squares, boards.ends[:, :, 1 - end].astype(np.int64).T, axis=0)
        joins = [terrain[a] == terrain[b] for a, b in self._pairs]
        unreached = (~self._reached(joins, partner)).sum(axis=0)
        return self._points(joins, crowns) - UNREACHED * unreached, unreached == 0

    def _points(self, joins: Sequence[NDArray[np.bool_]], crowns: Small) -> NDArray[np.int64]:
        """Squares times crowns of all areas."""
        size, num = crowns.shape
        label = np.repeat(np.arange(size, dtype=np.int8)[:, None], num, axis=1)
        while True:
            before = label.copy()
            for order in (1, -1):
                for (a, b), join in zip(self._pairs[::order], joins[::order], strict=True):
                    lower = np.minimum(label[a], label[b])
                    np.copyto(label[a], lower, where=join)
                    np.copyto(label[b], lower, where=join)
            if (label == before).all():
                break
        flat = (label.astype(np.int64) + size * np.arange(num)).ravel()
        squares = np.bincount(flat, minlength=size * num)
        crowned = np.bincount(flat, weights=crowns.ravel(), minlength=size * num)
        found: NDArray[np.int64] = (squares * crowned).reshape(num, size).sum(axis=1).astype(np.int64)
        return found

    def _reached(self, joins: Sequence[NDArray[np.bool_]], partner: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Squares whose domino the rule of contacts reaches from the castle."""
        reached = np.zeros(partner.shape, np.bool_)
        reached[self._gates] = True
        reached[self._board.castle] = True
        while True:
            before = reached.sum()
            reached |= np.take_along_axis(reached, partner, axis=0)
            for (a, b), join in zip(self._pairs, joins, strict=True):
                either = join & (reached[a] | reached[b])
                reached[a] |= either
                reached[b] |= either
            if reached.sum() == before:
                return reached

    def _order(self, one: _Boards) -> tuple[Laid, ...]:
        """The dominoes of a legal board in an order in which the rule lets them be laid."""
        waiting = [
            (int(number) + 1, int(a), int(b)) for number, (a, b) in zip(one.dominoes, one.ends.tolist(), strict=False)
        ]
        return laying_order(self._board, waiting)
