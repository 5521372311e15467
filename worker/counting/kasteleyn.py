"""Tessellations as a determinant (Kasteleyn 1961), in whole numbers: a check of the walk over profiles.

The squares of one colour are rows, those of the other columns; horizontal pairs are 1, vertical
ones 1 and -1 by column, so that round every four squares the product of signs is -1, and all
tessellations count with one sign. A castle inside the board makes one face with eight sides of
its four: the vertical pairs to the right of it, on the row below, change their sign, which mends
that face and leaves all others as they are.
"""

from __future__ import annotations

from worker.counting.board import Board


def tessellations(board: Board) -> int:
    """Number of ways to cover the board, castle left out. Exact."""
    cells = [cell for cell in range(board.size) if cell != board.castle]
    dark = [cell for cell in cells if board.is_odd(cell)]
    light = {cell: i for i, cell in enumerate(cell for cell in cells if not board.is_odd(cell))}
    if len(dark) != len(light):
        return 0
    matrix = [[0] * len(light) for _ in dark]
    for i, cell in enumerate(dark):
        for other in board.neighbours(cell):
            if other in light:
                matrix[i][light[other]] = _sign(board, *sorted((cell, other)))
    return abs(determinant(matrix))


def _sign(board: Board, first: int, second: int) -> int:
    if second - first == 1 and board.width > 1:
        return 1
    column, row = board.place(first)
    sign = -1 if column % 2 else 1
    if board.castle is None:
        return sign
    at, line = board.place(board.castle)
    return -sign if row == line and column > at else sign


def determinant(matrix: list[list[int]]) -> int:
    """Determinant of whole numbers, every division without rest (Bareiss 1968). Empty: 1."""
    rows = [list(row) for row in matrix]
    sign, before = 1, 1
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return 0
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            sign = -sign
        top = rows[k]
        for i in range(k + 1, len(rows)):
            row, factor = rows[i], rows[i][k]
            rows[i] = [0] * (k + 1) + [(top[k] * row[j] - factor * top[j]) // before for j in range(k + 1, len(rows))]
        before = top[k]
    return sign * before
