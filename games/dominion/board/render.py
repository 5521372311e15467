"""Dominion tables as SVG.

Ids, all after the caller's prefix: ``seat-N``, ``pile-N``, ``trash``, ``turn``, ``table-N``,
``aside-card-N``, ``loot-card-N``, ``hand-card-N`` by number of the card.
A board on a page holds both arrangements: the wide one is shown until a script gives the root the
class ``is-narrow`` and its ``data-narrow`` as its window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import ModuleType
from typing import NamedTuple

from games.dominion import cards, reading
from games.dominion.board import layout, pieces, texts
from games.dominion.board.layout import NARROW, WIDE, Arrangement, Box, Rooms, Spot
from games.dominion.board.picture import PHASES, Counts, Picture, build_picture, visible_state
from games.dominion.board.symbols import definitions
from games.dominion.play import spelling
from games.protocol import State
from games.svg import ID, SEAT_NAMES, Canvas, Theme, document, number, tag

WIDTH = 900
SMALL = 600
"""Pixels below which a picture is drawn as on a phone."""
CSS = ".dm-narrow,.is-narrow .dm-wide{display:none}.is-narrow .dm-narrow{display:inline}"


class Group(NamedTuple):
    """Cards on the table that belong together. zone: begins their ids."""

    zone: str
    words: str
    seat: int | None
    counts: Counts


def groups_of(picture: Picture) -> list[Group]:
    """Groups of cards in play, and of whatever is shown or waits to be gained."""
    found = [Group("table", "In play", picture.turn, picture.played)]
    if picture.aside:
        found.append(Group(spelling.ASIDE, "Shown", picture.drawer, picture.aside))
    if picture.loot:
        found.append(Group(spelling.LOOT, "Trashed", None, picture.loot))
    return found


def svg(kernels: ModuleType, state: State, *, seat: int | None, width: float, theme: str, prefix: str = "") -> str:
    """A position as `seat` (None: a spectator) may see it."""
    look, picture = Theme(theme), build_picture(kernels, visible_state(kernels, state, seat), seat)
    style = NARROW if width < SMALL else WIDE
    arranged = layout.arrange(style, len(picture.holders), picture.order, has_deck=seat is not None)
    table = Table(picture, [arranged], look, seat)
    canvas = Canvas(arranged.box, width, look, prefix)
    return whole(canvas, table.markup(), picture)


def whole(canvas: Canvas, body: str, picture: Picture, css: str = "", desc: str = "", narrow: Box | None = None) -> str:
    """The document round what is drawn. narrow: the window of the narrow arrangement."""
    defs = definitions(body, picture.woodcutter)
    text = document(
        canvas, body, title="Dominion table", desc=desc or description(picture), defs=defs, css=pieces.CSS + CSS + css
    )
    if narrow is None:
        return text
    window = " ".join(number(side) for side in narrow)
    return text.replace(' role="group"', f' data-narrow="{window}" role="group"', 1)


def description(picture: Picture) -> str:
    """The position in words."""
    seats = ", ".join(f"{SEAT_NAMES[one.seat]} {one.points}" for one in picture.holders)
    words = f"Points: {seats}."
    if picture.is_over:
        return f"The match is over. {words}"
    phase = "" if picture.phase is None else f", {PHASES[picture.phase].lower()}"
    left = pieces.counters_label((picture.actions, picture.buys, picture.coins))
    turn = f"Turn of {SEAT_NAMES[picture.turn]}{phase}: {left}."
    asked = f" {picture.question}." if picture.question else ""
    return f"{turn}{asked} {words}"


class Table:
    """A position on its arrangements. own: whose table it is (None: nobody's).

    has_titles: whether a pointer shows the words of a card (a board in play shows the card at large).
    """

    def __init__(
        self, picture: Picture, forms: Sequence[Arrangement], theme: Theme, own: int | None, *, has_titles: bool = True
    ) -> None:
        self.picture, self.forms, self.theme, self.own = picture, forms, theme, own
        self.has_titles = has_titles
        self.shown = groups_of(picture)
        self._spots: dict[str, dict[tuple[str, int], Spot]] = {}

    def both(self, draw: Callable[[Arrangement], str]) -> str:
        """Draw a thing on each arrangement, the one that is not asked for hidden."""
        if len(self.forms) == 1:
            return draw(self.forms[0])
        return "".join(tag("g", draw(form), class_=f"dm-{form.key}") for form in self.forms)

    def thing(self, name: str, label: str, draw: Callable[[Arrangement], str], **marks: object) -> str:
        """A piece with its id and its words."""
        is_told = self.has_titles or "data_f" not in marks
        title = tag("title", label) if is_told and not self.theme.is_picture else ""
        return tag("g", title + self.both(draw), id=f"{ID}{name}", role="img", aria_label=label, **marks)

    def markup(self) -> str:
        """All of it."""
        return self.seats() + self.supply() + self.turn() + self.groups() + self.hand() + self.own_piles()

    # ---- seats and supply
    def seats(self) -> str:
        """Draw the plates of all seats, where an arrangement has places for them."""
        if not self.forms[0].seats:
            return ""
        return "".join(
            self.thing(f"seat-{one.seat}", pieces.seat_label(one), partial(self._seat, one.seat))
            for one in self.picture.holders
        )

    def _seat(self, seat: int, form: Arrangement) -> str:
        box, one = form.seats[seat], self.picture.holders[seat]
        values = {"deck": one.deck, "hand": one.hand, "discard": one.discard, "points": one.points}
        is_on = seat == self.picture.turn and not self.picture.is_over
        is_asked = seat == self.picture.player and not is_on
        body = pieces.seat_frame(seat, box, self.theme, is_own=seat == self.own, is_on=is_on, is_asked=is_asked)
        for figure in pieces.seat_figures(box):
            at = pieces.figure_at(figure)
            body += pieces.figure_icon(figure) + pieces.written(at, pieces.value(values[figure.name], at), self.theme)
        return body

    def supply(self) -> str:
        """The piles and the trash."""
        picture = self.picture
        body = "".join(
            self.thing(
                f"pile-{number}",
                pieces.pile_label(number, left, picture.woodcutter),
                partial(self._pile, number, left),
                data_f=f"pile-{number}",
                **self._piece(number, left),
            )
            for number, left in picture.piles.items()
        )
        trashed = reading.list_in_words(dict(picture.trash)) or "nothing"
        spot = layout.TRASH
        return body + self.thing(
            "trash", f"Trash: {trashed}.", lambda form: pieces.trash(form.piles[spot], picture.trash, self.theme)
        )

    def _pile(self, number: int, left: int, form: Arrangement) -> str:
        return pieces.pile(number, form.piles[number], left)

    # ---- the turn
    def turn(self) -> str:
        """Phase or question, and what is left in this turn."""
        picture = self.picture
        values = (picture.actions, picture.buys, picture.coins)

        def draw(form: Arrangement) -> str:
            body = pieces.turn_frame(form.turn, self.theme)
            if picture.is_over:
                return body + pieces.question("The match is over", form.turn, self.theme)
            if picture.question:
                body += pieces.question(picture.question, form.turn, self.theme)
            else:
                body += pieces.phases(picture.phase, form.turn, self.theme)
            return body + "".join(self._counter(place, value, form) for place, value in enumerate(values))

        return self.thing("turn", description(picture), draw)

    def _counter(self, place: int, value: int, form: Arrangement) -> str:
        at = pieces.counter_at(place, form.turn)
        return pieces.counter_icon(place, form.turn) + pieces.written(at, pieces.value(value, at), self.theme)

    # ---- cards on the table and in the hand
    def rooms(self, form: Arrangement) -> Rooms:
        """Rooms of the groups and of the hand."""
        in_hand = len(self.picture.hand) if self.picture.hand is not None else 4
        return layout.rooms(form, [len(group.counts) for group in self.shown], in_hand)

    def spots(self, form: Arrangement) -> dict[tuple[str, int], Spot]:
        """Places of every card on the table and in the hand, by zone and number."""
        if form.key not in self._spots:
            self._spots[form.key] = self._lay(form)
        return self._spots[form.key]

    def _lay(self, form: Arrangement) -> dict[tuple[str, int], Spot]:
        rooms = self.rooms(form)
        found: dict[tuple[str, int], Spot] = {}
        for group, room in zip(self.shown, rooms.groups, strict=True):
            places = layout.played_spots(form.style, room, len(group.counts))
            found |= {(group.zone, card): spot for card, spot in zip(group.counts, places, strict=True)}
        if self.picture.hand is not None:
            places = layout.hand(form.style, rooms.hand, len(self.picture.hand))
            found |= {(spelling.HAND, card): spot for card, spot in zip(self.picture.hand, places, strict=True)}
        return found

    def groups(self) -> str:
        """Everything that lies open beside the hand."""
        labels = self.both(
            lambda form: "".join(
                self._group_frame(group, room, form)
                for group, room in zip(self.shown, self.rooms(form).groups, strict=True)
            )
        )
        return labels + "".join(self._cards(group.zone, group.counts) for group in self.shown)

    def _group_frame(self, group: Group, room: Box, form: Arrangement) -> str:
        body = pieces.label(group.words, room, form.style, self.theme, group.seat)
        return body if group.counts else body + pieces.no_cards(room, "nothing yet", form.style, self.theme)

    def _cards(self, zone: str, counts: Counts) -> str:
        return "".join(self.laid(zone, number, count) for number, count in counts.items())

    def laid(self, zone: str, number: int, count: int) -> str:
        """Cards of a kind on the table or in the hand."""
        name = zone if zone == "table" else f"{zone}-card"
        one = cards.table()[number]
        return self.thing(
            f"{name}-{number}",
            f"{count} {one.name}. {texts.whole(one, self.picture.woodcutter)}",
            lambda form: pieces.stack(number, count, self.spots(form)[zone, number]),
            data_f=f"{name}-{number}",
            **self._piece(number, count),
        )

    def _piece(self, number: int, count: int) -> dict[str, object]:
        """Marks of cards that move: so many of a kind lie there."""
        return {} if self.theme.is_picture else {"data_moves": f"card:{number}", "data_count": count}

    def hand(self) -> str:
        """The hand, open or face down."""
        picture = self.picture
        held = picture.holders[picture.hand_of].hand
        words = "Your hand" if picture.hand_of == self.own else "Hand"

        def frame(form: Arrangement) -> str:
            room = self.rooms(form).hand
            body = pieces.label(f"{words}, {held}", room, form.style, self.theme, picture.hand_of)
            if not held:
                return body + pieces.no_cards(room, "no cards", form.style, self.theme)
            if picture.hand is None:
                body += pieces.backs(held, room, room.height * 0.85, 46 if form.style is WIDE else 26)
            return body

        counts = picture.hand or {}
        return self.both(frame) + self._cards(spelling.HAND, counts)

    def own_piles(self) -> str:
        """The own deck and discard pile, where an arrangement has places for them."""
        if self.own is None:
            return ""
        picture, count = self.picture, self.picture.holders[self.picture.hand_of].deck

        def draw(form: Arrangement) -> str:
            if form.deck is None or form.heap is None:
                return ""
            return pieces.deck(form.deck, count, self.theme) + pieces.heap(form.heap, picture.heap, self.theme)

        heap = reading.list_in_words(dict(picture.heap)) or "nothing"
        return self.thing("own-piles", f"Deck: {count} cards. Discarded: {heap}.", draw)

    def marks(self) -> Iterator[tuple[str, int]]:
        """Zone and number of all cards that a pointer can show at large."""
        yield from (("pile", number) for number in self.picture.piles)
        for group in self.shown:
            yield from ((group.zone, number) for number in group.counts)
        yield from ((spelling.HAND, number) for number in self.picture.hand or {})
