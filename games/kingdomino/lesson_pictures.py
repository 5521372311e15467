"""Pictures of lessons: one kingdom of a position, or the row that is chosen from."""

from __future__ import annotations

from games.kingdomino import reading
from games.kingdomino import state as layout
from games.kingdomino.board import pieces
from games.kingdomino.board.lone import Lone, draw_boards
from games.kingdomino.board.picture import Cell, Offer
from games.kingdomino.board.symbols import definitions
from games.protocol import State
from games.svg import tag, with_prefix

_STEP, _HEIGHT = 214, 116


def kingdom(state: State, *, prefix: str) -> str:
    """The kingdom of seat 0, with the squares that it has still room for left out."""
    laid = [(one.domino, one.squares) for one in reading.fates(state) if one.seat == 0 and one.squares]
    cells = [(0, 0), *(cell for _, squares in laid for cell in squares)]
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    width, height = max(x for x, _ in cells) - left + 1, max(y for _, y in cells) - top + 1

    def moved(cell: Cell) -> Cell:
        return cell[0] - left, cell[1] - top

    ends = tuple((number, moved(a), moved(b)) for number, (a, b) in laid)
    drawn = draw_boards([Lone(width, height, moved((0, 0)), laid=ends, name="A kingdom")], prefix=prefix)
    return drawn.symbols + drawn.pictures[0]


def row(state: State, *, prefix: str) -> str:
    """The row that is chosen from, two by two, with the kings that stand there."""
    shown = [
        Offer(number, int(state[layout.CLAIM + i]) - 1 if state[layout.CLAIM + i] else None)
        for i, number in enumerate(reading.offered_dominoes(state))
    ]
    body = "".join(pieces.offer(one, "offer", (_STEP * (i % 2), _HEIGHT * (i // 2)), 1) for i, one in enumerate(shown))
    height = _HEIGHT * (-(-len(shown) // 2))
    return with_prefix(
        tag(
            "svg",
            f"<style>{pieces.CSS}</style>" + tag("defs", definitions(body)) + body,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"-6 -6 {2 * _STEP} {height}",
            role="img",
            aria_label="The row to choose from",
        ),
        prefix,
    )
