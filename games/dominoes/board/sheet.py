"""The score sheet in words and as a picture: how rounds ended, points, running totals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.dominoes.board import plates
from games.dominoes.board.arrangement import Form
from games.dominoes.board.symbols import INK, PAPER, box, chip, text, tile
from games.dominoes.reading import Line
from games.protocol import State
from games.svg import seat_name, tag

_ENDS = {"out": "{} went out", "block": "{} blocked", "foul": "{} was at fault", "doubles": "{} had four doubles"}


class Totals(NamedTuple):
    """Points of both teams as the sheet has them: for a team, or against it."""

    points: tuple[int, int]
    is_against: bool

    @property
    def numbers(self) -> tuple[str, str]:
        """The points in figures, as boxes show them; which way they count is said beside (`aim`)."""
        return str(self.points[0]), str(self.points[1])


def read_totals(state: State) -> Totals:
    """The totals."""
    a, b = int(state[layout.CREDIT]), int(state[layout.CREDIT + 1])
    return Totals((a, b), False) if state[layout.DIRECTION] else Totals((b, a), True)


def aim(state: State) -> str:
    """``First to 100 loses``."""
    if state[layout.LENGTH]:
        return "A single round"
    return f"First to {int(state[layout.TARGET])} {'wins' if state[layout.DIRECTION] else 'loses'}"


def how_it_ended(line: Line, is_against: bool) -> tuple[str, ...]:
    """A round in up to three short lines of markup."""
    rows = [_ended(line, 10) + (": capicúa" if line.is_capicua else "")]
    if line.winner is None:
        return (*rows, "Nobody wins")
    team = 1 - line.winner if is_against else line.winner
    return (*rows, f"{line.credit(line.winner)} {'against' if is_against else 'for'}", plates.team_names(team))


def _ended(line: Line, room: int) -> str:
    return _ENDS[line.kind].format(seat_name(line.seat, room))


def svg_rows(form: Form, state: State) -> str:
    """The sheet: a line a round, totals after it, and the hands left in the last round."""
    lines, is_against = reading.sheet(state), read_totals(state).is_against
    left, top, width, height = form.snake
    style = form.sheet
    body = box(left, top, width, height, form.corner, fill=PAPER, stroke=INK, stroke_width=2)
    body += _row(form, ("Round", "Opened", "How it ended", "", ""), top + style.first, True)
    for team, x in ((0, style.columns[3]), (1, style.columns[4])):
        radius = style.size * 0.6
        at = top + style.first - radius * 0.6
        body += chip(team, x - 3.3 * radius, at, radius) + chip(team + 2, x - radius, at, radius)
    totals = _totals(lines, is_against)
    first = max(0, len(lines) - style.lines)
    for k, line in enumerate(lines[first:]):
        number = first + k
        ended = _ended(line, style.room) + (", capicúa" if line.is_capicua else "")
        cells = (number + 1, seat_name(line.opener, style.room), ended, *totals[number])
        body += _row(form, cells, top + style.first + style.step * (k + 1), False)
    return body + (_hands(form, state) if lines else "")


def _totals(lines: Sequence[Line], is_against: bool) -> list[tuple[int, int]]:
    """Points of both teams after each round, as they are written down."""
    of_team = [[line.credit(1 - team if is_against else team) for line in lines] for team in (0, 1)]
    return list(zip(accumulate(of_team[0]), accumulate(of_team[1]), strict=True))


def _row(form: Form, cells: Sequence[object], y: float, is_head: bool) -> str:
    weight = 700 if is_head else None
    body = ""
    anchors = ("start", "start", "start", "end", "end")
    for content, x, anchor in zip(cells, form.sheet.columns, anchors, strict=True):
        if content != "":
            body += text(content, x, y, form.sheet.size, fill=INK, text_anchor=anchor, font_weight=weight)
    return body


def _hands(form: Form, state: State) -> str:
    """Hands that seats were left with in the last round."""
    unit = form.sheet.size * 1.15
    x, y, body = form.sheet.columns[0] + unit * 0.5, form.snake.y + form.sheet.hands, ""
    for seat, hand in zip(reading.SEATS, reading.last_hands(state), strict=True):
        body += chip(seat, x, y, unit * 0.5)
        x += unit * 1.2
        for index in hand:
            a, b = tiles.TILES[index]
            body += tile(a, b, x, y, unit)
            x += unit * 1.1
        x += unit * 0.4
    return tag("g", body, role="img", aria_label="Hands left in the last round")
