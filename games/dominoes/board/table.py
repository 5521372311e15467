"""One position of a dominoes table, drawn from what a view shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.dominoes.board import arrangement, plates, sheet, snake
from games.dominoes.board.arrangement import FORMS, Form
from games.dominoes.board.snake import End, Frame, Place
from games.dominoes.board.symbols import ON_FELT_SOFT, text, tile
from games.protocol import State
from games.svg import ID, SEAT_NAMES, ring, seat_name, tag


class Row:
    """Row of tiles in an arrangement."""

    def __init__(self, laid: Sequence[reading.Laid], form: Form) -> None:
        self.form = form
        self.places, self.ends = snake.layout(laid, form.limit)
        self.by_turn = {place.turn_laid: place for place in self.places}
        self.make_room(())

    def make_room(self, more: Sequence[Place]) -> None:
        """Lie so that tiles have room at these places, too."""
        self.frame = snake.fit([*self.places, *more], self.ends, self.form.snake, self.form.largest)

    def tile(self, turn: int) -> str:
        """The tile of a turn with the mark of the seat that laid it."""
        place = self.by_turn[turn]
        x, y = self.frame.at(place.x, place.y)
        return tile(place.inner, place.outer, x, y, self.frame.unit, place.turn, place.seat)

    def sign(self, end: End) -> str:
        """The sign of an open end."""
        return plates.end_sign(end.number, *self.frame.at(end.x, end.y), self.frame.unit, self.form.word_size)


class Table:
    """A position as `seat` sees it; state: its view.

    recent: number of the last turns that are marked; has_rim: whether the table ends with the drawing.
    """

    def __init__(
        self, state: State, seat: int | None, recent: int = 1, forms: Sequence[Form] = FORMS, *, has_rim: bool = True
    ) -> None:
        self.state, self.looking, self.recent, self.forms = state, 0 if seat is None else seat, recent, forms
        self.has_rim = has_rim
        self.turns = reading.turns(state)
        self.laid = reading.row(state)
        self.rows = {form.key: Row(self.laid, form) for form in forms}
        self.lines = reading.sheet(state)

    @property
    def player(self) -> int:
        """Seat on turn, or below zero."""
        return int(self.state[layout.PLAYER])

    def both(self, draw: Callable[..., str], *args: object) -> str:
        """Draw ``draw(form, *args)`` on each arrangement."""
        return arrangement.both(self.forms, draw, *args)

    def markup(self, passed_on: dict[str, object] | None = None) -> str:
        """Felt, row, plates, hands and points. passed_on: attributes of the numbers that seats have passed on."""
        return (
            tag("g", self.both(partial(plates.felt, has_rim=self.has_rim)), class_="dm-felt")
            + self.row()
            + "".join(self.seat(seat, passed_on or {}) for seat in reading.SEATS)
            + self.points()
            + self.both(plates.words, self.words())
        )

    # ---- the row
    def row(self) -> str:
        """The tiles on the table, their open ends, and rings round the last ones; the sheet between rounds."""
        if not self.laid and self.lines:
            return self.both(sheet.svg_rows, self.state)
        if not self.laid:
            return self.both(self._while_bare)
        body = "".join(
            laid_tile(one, self.both(self._tile, one.turn), id=f"{ID}laid-{one.turn}", data_moves=piece(one))
            for one in self.laid
        )
        for side, number in enumerate((self.laid[0].left, self.laid[-1].right)):
            body += open_end(number, self.both(self._sign, side), id=f"{ID}open-{'right' if side else 'left'}")
        return tag("g", body + self._rings(), id=f"{ID}row", role="group", aria_label="Tiles on the table")

    def _tile(self, form: Form, turn: int) -> str:
        return self.rows[form.key].tile(turn)

    def _sign(self, form: Form, side: int) -> str:
        row = self.rows[form.key]
        return row.sign(row.ends[side])

    def _while_bare(self, form: Form) -> str:
        """Name of the opener, above the place of the first tile."""
        said = f"To open: {seat_name(self.player, form.plate.room)}" if self.player >= 0 else "The tiles are dealt."
        place = {"text_anchor": "middle", "fill": ON_FELT_SOFT}
        return text(said, form.snake.middle, form.snake.y + form.snake.height * 0.16, form.word_size + 1, **place)

    def _rings(self) -> str:
        last = len(self.turns) - 1
        rings = ""
        for turn in sorted(one.turn for one in self.laid if last - one.turn < self.recent):
            body = self.both(self._ring, turn, 3.5 if turn == last else 2.0)
            rings += tag("g", body, id=f"{ID}last" if turn == last else None)
        return rings

    def _ring(self, form: Form, turn: int, stroke: float) -> str:
        row = self.rows[form.key]
        return tile_ring(row.by_turn[turn], row.frame, stroke)

    # ---- seats
    def seat(self, seat: int, passed_on: dict[str, object]) -> str:
        """Plate and hand of a seat, and what it has said last."""
        held = int(self.state[layout.COUNT + seat])
        lacks = reading.lacks(self.state, seat)
        words = f"{held} tile{'' if held == 1 else 's'}"
        hand = reading.hand(self.state, seat)
        if hand is not None and not reading.is_hidden(self.state) and self.lines:
            left = int(self.lines[-1].pips[seat])
            words = f"{left} pip{'' if left == 1 else 's'} left"
        body = self.both(plates.plate, seat, self.looking) + self.both(plates.second_line, words, seat, self.looking)
        if lacks:
            body += tag("g", self.both(self._lacks, seat, lacks), **passed_on)
        label = f"{SEAT_NAMES[seat]}: {words}" + (f", passed on {', '.join(map(str, lacks))}" if lacks else "") + "."
        body = tag("g", tag("title", label) + body, id=f"{ID}seat-{seat}", role="group", aria_label=label)
        if seat == self.player:
            body += self.both(plates.glow, seat, self.looking)
        body += self._hand(seat, hand, held)
        return body + self._said(seat)

    def _lacks(self, form: Form, seat: int, lacks: Sequence[int]) -> str:
        return "".join(
            tag(
                "g",
                plates.passed_number(form, n, place, seat, self.looking),
                data_moves=f"pass:{seat}-{n}",
                data_drops="",
            )
            for place, n in enumerate(reversed(lacks))
        )

    def _hand(self, seat: int, hand: Sequence[int] | None, held: int) -> str:
        if hand is None:
            return self.both(plates.closed_hand, held, seat, self.looking)
        return "".join(
            held_tile(
                index,
                self.both(plates.open_tile, index, k, len(hand), seat, self.looking),
                id=f"{ID}tile-{seat}-{index}",
                data_moves=f"domino:{tiles.name(index)}",
                data_owner=seat,
            )
            for k, index in enumerate(hand)
        )

    def _said(self, seat: int) -> str:
        """A pass or a call since the last tile."""
        for turn in reversed(self.turns):
            if turn.tile is not None:
                return ""
            if turn.seat == seat:
                word = call_words(turn)
                return bubble(word, seat, self.both(plates.bubble, word, seat, self.looking))
        return ""

    # ---- points and words
    def points(self) -> str:
        """Points of both teams, for them or against them."""
        written = sheet.read_totals(self.state)
        label = (
            f"Points {'against' if written.is_against else 'of'} the teams: {written.points[0]} and {written.points[1]}"
        )
        body = self.both(plates.score_board)
        body += "".join(self.both(plates.score, team, written.numbers[team]) for team in (0, 1))
        return tag("g", tag("title", label) + body, id=f"{ID}points", role="img", aria_label=f"{label}.")

    def words(self) -> tuple[str, ...]:
        """The round and the target, or how the last round ended: markup."""
        written = sheet.read_totals(self.state)
        if self.lines and not (reading.is_hidden(self.state) and self.turns):
            return sheet.how_it_ended(self.lines[-1], written.is_against)
        return (f"Round {max(1, int(self.state[layout.ROUND]))}", sheet.aim(self.state))


def laid_tile(one: reading.Laid, body: str, **marks: object) -> str:
    """A tile of the row, with its label."""
    label = f"{one.left}-{one.right} by {SEAT_NAMES[one.seat]}"
    piece = "-".join(map(str, sorted((one.left, one.right))))
    return tag("g", tag("title", label) + body, role="img", aria_label=label, data_piece=f"piece-{piece}", **marks)


def piece(one: reading.Laid) -> str:
    """Name of a laid tile as a piece that moves: the same as in a hand."""
    return f"domino:{min(one.left, one.right)}-{max(one.left, one.right)}"


def held_tile(index: int, body: str, **marks: object) -> str:
    """A tile of a hand that lies open, told."""
    return tag("g", tag("title", tiles.name(index)) + body, **marks)


def open_end(number: int, body: str, **marks: object) -> str:
    """The sign of an open end, told."""
    return tag("g", body, role="img", aria_label=f"Open end {number}", **marks)


def bubble(word: str, seat: int, body: str, **marks: object) -> str:
    """Speech bubble of a seat, for people who do not see it."""
    return tag("g", body, role="img", aria_label=f"{SEAT_NAMES[seat]}: {word}", **marks)


def tile_ring(place: Place, frame: Frame, stroke: float) -> str:
    """The ring round a tile."""
    x, y = frame.at(place.x, place.y)
    width, height = (2 * frame.unit, frame.unit) if place.is_flat else (frame.unit, 2 * frame.unit)
    return ring(x - width / 2 - 1, y - height / 2 - 1, width + 2, height + 2, frame.unit * 0.2, stroke)


def call_words(turn: reading.Turn) -> str:
    """Words of a seat that lays no tile; of a call what the hands showed: whether the pass was wrong."""
    if turn.action == layout.PASS:
        return "Pass"
    if turn.action == layout.HAND_OVER:
        return "You open"
    return "Wrong pass" if turn.is_upheld else "Right pass"
