"""One position of a dominoes table, drawn from what a view shows."""

from __future__ import annotations

from collections.abc import Sequence

from games.dominoes import reading
from games.dominoes import state as layout
from games.dominoes.board import plates, sheet, snake
from games.dominoes.board.snake import Frame, Place
from games.dominoes.board.symbols import ON_FELT_SOFT, text, tile
from games.protocol import State
from games.svg import ID, SEAT_NAMES, ring, tag

LARGEST = 42.0
"""Drawing units of half a tile, at most."""


class Table:
    """A position as `seat` sees it; state: its view. recent: so many of the last turns are marked."""

    def __init__(self, state: State, seat: int | None, recent: int = 1) -> None:
        self.state, self.looking, self.recent = state, 0 if seat is None else seat, recent
        self.turns = reading.turns(state)
        self.places, self.ends = snake.layout(reading.row(state))
        self.frame = snake.fit(self.places, self.ends, plates.SNAKE, LARGEST)
        self.lines = reading.sheet(state)

    @property
    def player(self) -> int:
        """Seat on turn, or below zero."""
        return int(self.state[layout.PLAYER])

    def markup(self, passed_on: dict[str, object] | None = None) -> str:
        """Felt, row, plates, hands and points. passed_on: attributes of the numbers that seats have passed on."""
        return (
            plates.felt()
            + self.row()
            + "".join(self.seat(seat, passed_on or {}) for seat in reading.SEATS)
            + self.points()
            + self.words()
        )

    # ---- the row
    def row(self) -> str:
        """The tiles on the table, their open ends, and rings round the last ones; the sheet between rounds."""
        if not self.places and self.lines:
            return sheet.svg_rows(self.state)
        if not self.places:
            left, top, width, height = plates.SNAKE
            middle = {"text_anchor": "middle", "fill": ON_FELT_SOFT}
            return text(self._while_bare(), left + width / 2, top + height / 2, 17, **middle)
        body = "".join(laid(place, self.frame, id=f"{ID}laid-{place.turn_laid}") for place in self.places)
        for name, end in zip(("left", "right"), self.ends, strict=True):
            x, y = self.frame.at(end.x, end.y)
            body += plates.end_sign(end.number, x, y, self.frame.unit, id=f"{ID}open-{name}")
        return tag("g", body + self._rings(), id=f"{ID}row", role="group", aria_label="Tiles on the table")

    def _while_bare(self) -> str:
        if self.player >= 0:
            return f"{plates.name_of(self.player)} opens."
        return "The tiles are dealt."

    def _rings(self) -> str:
        last = len(self.turns) - 1
        marked = [place for place in self.places if last - place.turn_laid < self.recent]
        rings = ""
        for place in sorted(marked, key=lambda one: one.turn_laid):
            is_last = place.turn_laid == last
            rings += ringed(place, self.frame, 3.5 if is_last else 2.0, id=f"{ID}last" if is_last else None)
        return rings

    # ---- seats
    def seat(self, seat: int, passed_on: dict[str, object]) -> str:
        """Plate and hand of a seat, and what it has said last."""
        held = int(self.state[layout.COUNT + seat])
        lacks = reading.lacks(self.state, seat)
        words = f"{held} tile{'' if held == 1 else 's'}"
        hand = reading.hand(self.state, seat)
        if hand is not None and not reading.is_hidden(self.state) and self.lines:
            words = f"{self.lines[-1].pips[seat]} pips left"
        below = plates.second_line(words, seat, self.looking)
        for place, n in enumerate(reversed(lacks)):
            below += plates.lacking(n, place, seat, self.looking, **passed_on)
        label = f"{SEAT_NAMES[seat]}: {words}" + (f", passed on {', '.join(map(str, lacks))}" if lacks else "") + "."
        body = plates.plate(seat, self.looking, below, label)
        if seat == self.player:
            body += plates.glow(seat, self.looking)
        body += self._hand(seat, hand, held)
        said = self._said(seat)
        return body + (plates.bubble(said, seat, self.looking) if said else "")

    def _hand(self, seat: int, hand: Sequence[int] | None, held: int) -> str:
        if hand is None:
            return plates.closed_hand(held, seat, self.looking)
        places = plates.open_places(len(hand), seat, self.looking)
        return "".join(
            plates.open_tile(index, place, id=f"{ID}tile-{seat}-{index}")
            for index, place in zip(hand, places, strict=True)
        )

    def _said(self, seat: int) -> str:
        """A pass or a call since the last tile."""
        for turn in reversed(self.turns):
            if turn.tile is not None:
                return ""
            if turn.seat == seat:
                return said(turn)
        return ""

    # ---- points and words
    def points(self) -> str:
        """Points of both teams as they are written down."""
        written = sheet.written(self.state)
        label = (
            f"Points {'against' if written.is_against else 'of'} the teams: {written.points[0]} and {written.points[1]}"
        )
        return plates.score_board("".join(plates.score(team, written.points[team]) for team in (0, 1)), f"{label}.")

    def words(self) -> str:
        """The round and the target, or how the last round ended."""
        written = sheet.written(self.state)
        if self.lines and not (reading.is_hidden(self.state) and self.turns):
            return plates.words(sheet.how_it_ended(self.lines[-1], written.is_against))
        return plates.words((f"Round {max(1, int(self.state[layout.ROUND]))}", sheet.aim(self.state)))


def laid(place: Place, frame: Frame, **marks: object) -> str:
    """A tile of the row with the mark of whoever laid it."""
    x, y = frame.at(place.x, place.y)
    label = f"{place.inner}-{place.outer} by {SEAT_NAMES[place.seat]}"
    piece = tile(place.inner, place.outer, x, y, frame.unit, place.turn, place.seat)
    return tag("g", tag("title", label) + piece, role="img", aria_label=label, **marks)


def ringed(place: Place, frame: Frame, stroke: float, **marks: object) -> str:
    """The ring round a tile."""
    x, y = frame.at(place.x, place.y)
    width, height = (2 * frame.unit, frame.unit) if place.is_flat else (frame.unit, 2 * frame.unit)
    body = ring(x - width / 2 - 1, y - height / 2 - 1, width + 2, height + 2, frame.unit * 0.2, stroke)
    return tag("g", body, **marks)


def said(turn: reading.Turn) -> str:
    """What a seat says that lays no tile; of a call what the hands showed: whether the pass was wrong."""
    if turn.action == layout.PASS:
        return "Pass"
    if turn.action == layout.HAND_OVER:
        return "You open"
    return "Wrong pass" if turn.is_upheld else "Right pass"
