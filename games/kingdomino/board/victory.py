"""A fan of the winners' finest dominoes, those with most crowns, behind their kings."""

from __future__ import annotations

from collections.abc import Sequence

from games import victory
from games.kingdomino import reading
from games.kingdomino.board.pieces import CSS
from games.kingdomino.board.symbols import definitions, pair
from games.protocol import State
from games.svg import ID, number, tag, use

_MOST = 5
_KING = 2.1
_BETWEEN = 92.0


def picture(state: State, winners: Sequence[int]) -> str:
    """The fan at the end of a match; winners: seats."""
    pieces = [_standing(domino) for domino in _finest(state, winners)]
    start = -_BETWEEN * (len(winners) - 1) / 2
    kings = "".join(
        use(f"king{seat}", transform=f"translate({number(start + _BETWEEN * place)} -4) scale({_KING})")
        for place, seat in enumerate(winners)
    )
    defs = definitions("".join(pieces) + kings)
    return victory.fan(pieces, (100, 200), winners=winners, step=9.5, radius=620, front=kings, defs=defs, css=CSS)


def _finest(state: State, winners: Sequence[int]) -> list[int]:
    """Dominoes in the winners' kingdoms, those with most crowns first."""
    crowns: dict[int, int] = {}
    for seat in winners:
        for square in reading.kingdom(state, seat):
            crowns[square.domino] = crowns.get(square.domino, 0) + square.crowns
    return sorted(crowns, key=lambda domino: (-crowns[domino], -domino))[:_MOST]


def _standing(domino: int) -> str:
    """A domino upright, 100 wide and 200 high."""
    ground = tag("g", pair(domino, ((0, 0), (0, 100))), clip_path=f"url(#{ID}tall)")
    return ground + use("frame", transform="translate(100 0) rotate(90)")
