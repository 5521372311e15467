"""A position and what might be played from it, marked as `games.variations` says.

It is drawn as the seat on turn sees it, its own hand in front. Tiles of a variation lie where they
would be laid, ringed, and are numbered where it has more than one ply; passes and calls are not drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.dominoes import reading
from games.dominoes.board import render, snake
from games.dominoes.board.arrangement import Form
from games.dominoes.board.symbols import INK, PAPER, text, tile
from games.dominoes.board.table import Table, tile_ring
from games.protocol import Game, State
from games.svg import tag

_OFF = "dm-off"


@dataclass(frozen=True)
class _Step:
    """The tile that the ply `step` of a variation lays. row: as it lies then; turn: of the round, that laid it."""

    variation: int
    step: int
    is_numbered: bool
    row: Sequence[reading.Laid]
    turn: int

    def place(self, form: Form) -> snake.Place:
        """Its place in an arrangement."""
        return next(place for place in snake.layout(self.row, form.limit)[0] if place.turn_laid == self.turn)

    def markup(self, table: Table) -> str:
        """The tile, off until a script shows it."""
        marks = {"class_": _OFF, "data_variation": self.variation, "data_from": self.step}
        return tag("g", table.both(self._tile, table), **marks)

    def _tile(self, form: Form, table: Table) -> str:
        place, frame = self.place(form), table.rows[form.key].frame
        x, y = frame.at(place.x, place.y)
        body = tile(place.inner, place.outer, x, y, frame.unit, place.turn, place.seat) + tile_ring(place, frame, 3.5)
        if not self.is_numbered:
            return body
        outline = {"fill": PAPER, "stroke": INK, "stroke_width": 5, "paint_order": "stroke", "font_weight": 700}
        return body + text(self.step, x, y + 0.25 * frame.unit, 0.7 * frame.unit, text_anchor="middle", **outline)


def svg(game: Game, state: State, variations: Sequence[Sequence[State]], *, prefix: str = "") -> str:
    """The table of `state` with every variation in it; see `games.variations`."""
    player = game.current_player(state)
    seat = player if player >= 0 else None
    table = Table(game.view(state, -1 if seat is None else seat), seat)
    steps = [step for number, states in enumerate(variations) for step in _steps(table, number, states)]
    for form in table.forms:
        table.rows[form.key].make_room([step.place(form) for step in steps])
    body = table.markup() + "".join(step.markup(table) for step in steps)
    return render.on_page(body, render.description(table.state), theme="page", prefix=prefix)


def drawn_svg(game: Game, state: State, *, prefix: str = "") -> str:
    """Nothing: the seat on turn has drawn nothing."""
    return ""


def _steps(table: Table, variation: int, states: Sequence[State]) -> Iterator[_Step]:
    """The tiles that a variation lays in the round of the position."""
    turns = len(table.turns)
    for step, after in enumerate(states, start=1):
        turn = turns + step - 1
        if len(reading.turns(after)) <= turn:  # dealt anew
            return
        row = reading.row(after)
        if any(one.turn == turn for one in row):
            yield _Step(variation, step, len(states) > 1, row, turn)
