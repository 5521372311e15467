"""A table drawn with every value that its places take during a match; a script shows those of the moment.

The drawing is the same for a replay, which steps through a match, and for variations of a
position; these say which values there are, and by which marks a script shows each
(`LayeredTable.values`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from games.dominion.board import layout, pieces, render
from games.dominion.board.layout import NARROW, WIDE, Arrangement, Box, Spot
from games.dominion.board.picture import Counts, Picture
from games.dominion.board.symbols import FORMS, move
from games.svg import ID, SEAT_COLORS, Theme, ring, tag, use

CSS = ".dm-off{display:none}"
OFF = "dm-off"
Marks = dict[str, Any]
"""Attributes that say when something is shown."""
_KINDS_ON_TABLE = 6
"""Kinds of cards for which the table has room; the hand has the rest."""


class LayeredTable(ABC):
    """A table on both arrangements. last: a picture that has every seat and every pile."""

    def __init__(self, last: Picture, theme: Theme) -> None:
        self.last, self.theme = last, theme
        seats = len(last.holders)
        self.forms = [layout.arrange(style, seats, last.order, has_deck=False) for style in (WIDE, NARROW)]
        self.table = render.Table(last, self.forms, theme, None)
        self.rooms = {form.key: layout.rooms(form, [_KINDS_ON_TABLE], 4) for form in self.forms}

    @abstractmethod
    def values(self, key: Callable[[Picture], Hashable]) -> Iterator[tuple[Picture, Marks]]:
        """Each value that something takes: a picture that has it, and the marks of when it is shown."""

    @abstractmethod
    def rings_of(self, form: Arrangement) -> str:
        """Rings round what plies have touched (`ring`, within marks)."""

    def markup(self) -> str:
        """Seats, supply, turn, cards on the table and in the hand, and the rings over all."""
        symbols = tag("defs", "".join(self._symbols(form) for form in self.forms) + _rings())
        rings = tag("g", self.table.both(self.rings_of), id=f"{ID}rings", pointer_events="none")
        return symbols + self.seats() + self.supply() + self.turn() + self.cards() + rings

    def each(self, key: Callable[[Picture], Hashable], draw: Callable[[Picture, Marks], str]) -> str:
        """Everything that something is, one after another."""
        return "".join(draw(picture, marks) for picture, marks in self.values(key))

    # ---- seats
    def seats(self) -> str:
        """Plates with their figures."""
        return "".join(
            tag("g", self.table.both(partial(self._seat, seat)), id=f"{ID}seat-{seat}")
            for seat in range(len(self.last.holders))
        )

    def _seat(self, seat: int, form: Arrangement) -> str:
        box = form.seats[seat]
        body = pieces.seat_frame(seat, box, self.theme, is_on=False)
        line = {"fill": "none", "stroke": SEAT_COLORS[seat], "stroke_width": 3, "rx": 8}
        for picture, marks in self.values(lambda picture: picture.turn == seat and not picture.is_over):
            if picture.turn == seat and not picture.is_over:
                body += tag("rect", **box._asdict(), **line, **marks)
        for figure in pieces.seat_figures(box):
            body += pieces.figure_icon(figure)
            body += self._figure(seat, figure)
        return body

    def _figure(self, seat: int, figure: pieces.Figure) -> str:
        return self._numbers(pieces.figure_at(figure), lambda picture: getattr(picture.holders[seat], figure.name))

    def _numbers(self, at: pieces.Writing, number: Callable[[Picture], int]) -> str:
        """Every number that a place shows."""
        values = self.each(number, lambda picture, marks: pieces.value(number(picture), at, **marks))
        return pieces.written(at, values, self.theme)

    # ---- supply
    def supply(self) -> str:
        """Every pile with its numbers, pale once it is empty; the trash."""
        last = self.last
        body = ""
        for number in last.piles:
            label = pieces.pile_label(number, last.piles[number], last.woodcutter).partition(". ")[2]
            body += tag(
                "g",
                tag("title", label) + self.table.both(partial(self._pile, number)),
                id=f"{ID}pile-{number}",
            )
        return body + tag("g", self.table.both(self._trash), id=f"{ID}trash")

    def _pile(self, number: int, form: Arrangement) -> str:
        spot = form.piles[number]
        body = self.each(
            lambda picture: not picture.piles.get(number),
            lambda picture, marks: pieces.card(
                number, spot, opacity=None if picture.piles.get(number) else ".35", **marks
            ),
        )
        return body + self.each(
            lambda picture: picture.piles.get(number, 0),
            lambda picture, marks: pieces.count_pill(f"n{picture.piles.get(number, 0)}", spot, **marks),
        )

    def _trash(self, form: Arrangement) -> str:
        return self.each(
            lambda picture: sum(picture.trash.values()),
            lambda picture, marks: tag("g", pieces.trash(form.piles[layout.TRASH], picture.trash, self.theme), **marks),
        )

    # ---- the turn
    def _symbols(self, form: Arrangement) -> str:
        """Symbols that are drawn again and again: the phases, what stands above cards, the ring of a pile."""
        corner = form.turn._replace(x=0, y=0)
        found = "".join(
            pieces.phases(phase, corner, self.theme, id=f"{ID}phase-{form.key}-{name}")
            for name, phase in (("none", None), ("0", 0), ("1", 1), ("2", 2))
        )
        for seat in range(len(self.last.holders)):
            for words in ("In play", "Hand"):
                name = f"label-{form.key}-{words.split()[-1].lower()}-{seat}"
                found += pieces.label(words, Box(0, 0, 0, 0), form.style, self.theme, seat, id=f"{ID}{name}")
        return found

    def turn(self) -> str:
        """Phases or question, and what is left in the turn."""
        return tag("g", self.table.both(self._turn), id=f"{ID}turn")

    def _turn(self, form: Arrangement) -> str:
        body = pieces.turn_frame(form.turn, self.theme)
        body += self.each(_course, lambda picture, marks: self._course(picture, form, marks))
        for place, name in enumerate(("actions", "buys", "coins")):
            at = pieces.counter_at(place, form.turn)
            body += pieces.counter_icon(place, form.turn) + self._numbers(at, attrgetter(name))
        return body

    def _course(self, picture: Picture, form: Arrangement, marks: Marks) -> str:
        if picture.is_over or picture.question:
            words = "The match is over" if picture.is_over else picture.question
            return pieces.question(words, form.turn, self.theme, **marks)
        name = "none" if picture.phase is None else picture.phase
        return use(f"phase-{form.key}-{name}", form.turn.x, form.turn.y, **marks)

    # ---- cards
    def cards(self) -> str:
        """The cards on the table, and the hand of the seat on turn."""
        table = self.table.both(
            lambda form: self.each(_on_table, lambda picture, marks: tag("g", self._laid(picture, form), **marks))
        )
        hands = self.table.both(
            lambda form: self.each(_in_hand, lambda picture, marks: tag("g", self._hand(picture, form), **marks))
        )
        return tag("g", table, id=f"{ID}table") + tag("g", hands, id=f"{ID}hand")

    def _groups(self, picture: Picture, form: Arrangement) -> Iterator[tuple[render.Group, Box, list[Spot]]]:
        groups = render.groups_of(picture)
        rooms = layout.split(form.style, self.rooms[form.key].groups[0], [len(group.counts) for group in groups])
        for group, room in zip(groups, rooms, strict=True):
            yield group, room, layout.played_spots(form.style, room, len(group.counts))

    def _laid(self, picture: Picture, form: Arrangement) -> str:
        body = ""
        for group, room, spots in self._groups(picture, form):
            if group.zone == "table":
                body += use(f"label-{form.key}-play-{group.seat}", room.x, room.y)
            else:
                body += pieces.label(group.words, room, form.style, self.theme, group.seat)
            body += _flat(group.counts, spots) or pieces.no_cards(room, "nothing yet", form.style, self.theme)
        return body

    def _hand(self, picture: Picture, form: Arrangement) -> str:
        counts, room = picture.hand or {}, self.rooms[form.key].hand
        body = use(f"label-{form.key}-hand-{picture.hand_of}", room.x, room.y)
        laid = _flat(counts, layout.hand(form.style, room, len(counts)))
        return body + (laid or pieces.no_cards(room, "no cards", form.style, self.theme))

    # ---- what a ply did
    def touched(self, before: Picture, after: Picture, form: Arrangement) -> list[Spot]:
        """Cards that a ply has played, and the piles that it took from."""
        spots = [form.piles[number] for number in after.piles if after.piles[number] < before.piles.get(number, 0)]
        if before.turn == after.turn:
            spots += [
                spot
                for group, _, places in self._groups(after, form)
                for number, spot in zip(group.counts, places, strict=True)
                if group.zone == "table" and after.played[number] > before.played.get(number, 0)
            ]
        return spots

    def ring(self, spot: Spot) -> str:
        """A ring round a card."""
        return use(f"ring-{spot.form.key}", transform=move(spot.x, spot.y, spot.scale))


def _rings() -> str:
    """A ring for each form of card."""
    return "".join(
        tag("g", ring(-1.0, -1.0, form.width + 2, form.height + 2, form.radius + 1, 3.5), id=f"{ID}ring-{form.key}")
        for form in FORMS
    )


def _flat(counts: Counts, spots: Sequence[Spot]) -> str:
    """Cards with their numbers."""
    return "".join(
        pieces.card(number, spot) + (pieces.count_pill(f"x{counts[number]}", spot) if counts[number] > 1 else "")
        for number, spot in zip(counts, spots, strict=True)
    )


def _course(picture: Picture) -> Hashable:
    return picture.is_over, picture.question, picture.phase


def _on_table(picture: Picture) -> Hashable:
    zones = (picture.played, picture.aside, picture.loot)
    return picture.turn, picture.drawer, tuple(tuple(zone.items()) for zone in zones)


def _in_hand(picture: Picture) -> Hashable:
    return picture.hand_of, tuple((picture.hand or {}).items())
