"""The score sheet in words and as a picture: how rounds ended, points, running totals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.dominoes.board import plates
from games.dominoes.board.symbols import INK, PAPER, box, chip, text, tile
from games.dominoes.reading import Line
from games.protocol import State
from games.svg import tag

_LINES = 10
"""Rounds shown, the latest ones."""
_ENDS = {"out": "{} went out", "block": "{} blocked", "foul": "{} was at fault", "doubles": "{} had four doubles"}


class Written(NamedTuple):
    """Points of both teams as the sheet has them: for a team, or against it."""

    points: tuple[int, int]
    is_against: bool


def written(state: State) -> Written:
    """The totals."""
    a, b = int(state[layout.CREDIT]), int(state[layout.CREDIT + 1])
    return Written((a, b), False) if state[layout.DIRECTION] else Written((b, a), True)


def aim(state: State) -> str:
    """``First to 100 loses``."""
    if state[layout.LENGTH]:
        return "A single round"
    return f"First to {int(state[layout.TARGET])} {'wins' if state[layout.DIRECTION] else 'loses'}"


def how_it_ended(line: Line, is_against: bool) -> tuple[str, ...]:
    """A round in up to three short lines."""
    rows = [_ENDS[line.kind].format(plates.name_of(line.seat)) + (": capicúa" if line.is_capicua else "")]
    if line.winner is None:
        return (*rows, "Nobody wins")
    team = 1 - line.winner if is_against else line.winner
    names = f"{plates.name_of(team)} and {plates.name_of(team + 2)}"
    rows.append(f"{line.credit(line.winner)} {'against' if is_against else 'for'}")
    return (*rows, names)


def svg_rows(state: State) -> str:
    """The sheet: a line a round, totals after it, and the hands left in the last round."""
    lines, is_against = reading.sheet(state), written(state).is_against
    left, top, width, height = plates.SNAKE
    body = box(left, top, width, height, 14, fill=PAPER, stroke=INK, stroke_width=2)
    body += _row(("Round", "Opened", "How it ended", "", ""), top + 32, True)
    for team, x in ((0, 560.0), (1, 660.0)):
        body += chip(team, x - 14, top + 26, 10) + chip(team + 2, x + 12, top + 26, 10)
    totals = _totals(lines, is_against)
    first = max(0, len(lines) - _LINES)
    for k, line in enumerate(lines[first:]):
        number = first + k
        ended = _ENDS[line.kind].format(plates.name_of(line.seat)) + (", capicúa" if line.is_capicua else "")
        cells = (number + 1, plates.name_of(line.opener), ended, totals[number][0], totals[number][1])
        body += _row(cells, top + 62 + 25 * k, False)
    return body + (_hands(state) if lines else "")


def _totals(lines: Sequence[Line], is_against: bool) -> list[tuple[int, int]]:
    """Points of both teams after each round, as they are written down."""
    of_team = [[line.credit(1 - team if is_against else team) for line in lines] for team in (0, 1)]
    return list(zip(accumulate(of_team[0]), accumulate(of_team[1]), strict=True))


def _row(cells: Sequence[object], y: float, is_head: bool) -> str:
    weight = 700 if is_head else None
    body = ""
    for content, (x, anchor) in zip(
        cells, ((54.0, "start"), (126.0, "start"), (230.0, "start"), (572.0, "end"), (672.0, "end")), strict=True
    ):
        if content != "":
            body += text(content, x, y, 16, fill=INK, text_anchor=anchor, font_weight=weight)
    return body


def _hands(state: State) -> str:
    """What seats were left with in the last round."""
    _, top, _, height = plates.SNAKE
    x, y, body = 54.0, top + height - 42, ""
    for seat, hand in zip(reading.SEATS, reading.last_hands(state), strict=True):
        body += chip(seat, x, y, 10)
        x += 26
        for index in hand:
            a, b = tiles.TILES[index]
            body += tile(a, b, x, y, 22)
            x += 24
        x += 10
    return tag("g", body, role="img", aria_label="Hands left in the last round")
