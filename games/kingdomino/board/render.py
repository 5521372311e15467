"""Kingdomino tables as SVG: a position, and a whole match that a script steps through.

Ids, all after the caller's prefix: ``kingdom-SEAT``, ``domino-N`` where it lies in a kingdom,
``place-N`` and ``offer-N`` in the rows of the draft, ``last`` the ring round the last placement.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from games.kingdomino.board import layout, pieces
from games.kingdomino.board.layout import Arrangement, Slot, Window
from games.kingdomino.board.picture import TOTAL, Cell, Laid, Offer, Picture, build_picture
from games.kingdomino.board.symbols import LINE, definitions
from games.protocol import State
from games.svg import ID, SEAT_COLORS, SEAT_NAMES, Canvas, Theme, document, number, seat_name, tag

WIDTH = 900


def svg(kernels: ModuleType, state: State, *, seat: int | None, width: float, theme: str, prefix: str = "") -> str:
    """A position. seat: whose kingdom comes first (None: all are alike)."""
    look = Theme(theme)
    picture = build_picture(kernels, state)
    arranged = layout.for_all(picture) if seat is None else layout.for_seat(picture, seat)
    body = Table(picture, arranged, look, seat).markup()
    canvas = Canvas(arranged.box, width, look, prefix, unit=None if look.is_picture else unit(arranged))
    return whole(canvas, body, description(picture))


def unit(arranged: Arrangement) -> float:
    """Width of a square in the largest kingdom."""
    return 100.0 * max(slot.scale for slot in arranged.slots)


def whole(canvas: Canvas, body: str, desc: str, css: str = "", narrow: Arrangement | None = None) -> str:
    """The document round what is drawn; narrow: its other arrangement."""
    css = pieces.CSS + (pieces.ARRANGED if narrow else "") + css
    text = document(canvas, body, title="Kingdomino table", desc=desc, defs=definitions(body), css=css)
    if narrow is None:
        return text
    window = " ".join(map(number, narrow.box))
    return text.replace(' role="group"', f' data-narrow="{window}" role="group"', 1)


def description(picture: Picture) -> str:
    """The position in words."""
    words = f"{picture.title}. Points: "
    seats = enumerate(picture.points)
    words += ", ".join(f"{SEAT_NAMES[seat]} {points[TOTAL]}" for seat, points in seats) + "."
    if picture.last:
        words += f" Last placed: domino {picture.last.number} by {SEAT_NAMES[picture.last.seat]}."
    return words


_ROOM = 16
"""Letters of a name above a kingdom."""


def name_of(seat: int) -> str:
    """Text on the plate of a kingdom: its name, or its colour, as its mark shows its shape."""
    return seat_name(seat, _ROOM)


class Table:
    """A position on its arrangement.

    own: whose kingdom it is that comes first (None: nobody's); recent: number of
    the last plies whose placements have a ring; more: dominoes that may come, for which kingdoms keep room.
    """

    def __init__(
        self,
        picture: Picture,
        arranged: Arrangement,
        theme: Theme,
        own: int | None,
        recent: int = 1,
        more: Sequence[Laid] = (),
    ) -> None:
        self.picture, self.theme, self.own, self.recent, self.more = picture, theme, own, recent, more
        rooms = [self.room(seat) for seat in range(picture.num_seats)]
        slots = [layout.fit_slot(slot, room) for slot, room in zip(arranged.slots, rooms, strict=True)]
        self.arranged = arranged._replace(slots=slots)

    def name(self, seat: int) -> str:
        """Text on the plate of a kingdom."""
        return "Your kingdom" if seat == self.own else name_of(seat)

    def window(self, seat: int) -> Window:
        """The squares of a kingdom that are in view."""
        cells = self.arranged.slots[seat].cells
        return (layout.centre_window if seat == self.own else layout.window)(self.room(seat), cells)

    def room(self, seat: int) -> list[Cell]:
        """Squares that must be in view: of an own kingdom all that it can reach."""
        laid = self.picture.of_seat(seat)
        to_come = [cell for one in self.more if one.seat == seat for cell in one.ends]
        if seat == self.own:
            return [*layout.reach(laid, self.picture.limit), *to_come]
        return [cell for one in laid for cell in one.ends] + to_come

    def markup(self) -> str:
        """All of it."""
        seats = sorted(range(self.picture.num_seats), key=lambda seat: (seat != self.own, seat))
        return "".join(self.kingdom(seat) for seat in seats) + self.ring() + self.draft() + self.points()

    def kingdom(self, seat: int) -> str:
        """Plate, squares, castle, dominoes."""
        slot, points = self.arranged.slots[seat], self.picture.points[seat][TOTAL]
        numbers = pieces.heading_points(points, slot, self.theme)
        is_on = seat == self.picture.player
        return self.squares(seat, pieces.heading(seat, slot, self.name(seat), numbers, self.theme, is_on=is_on))

    def squares(self, seat: int, head: str = "") -> str:
        """Squares, castle and dominoes of a kingdom. head: its plate."""
        slot, window, laid = self.arranged.slots[seat], self.window(seat), self.picture.of_seat(seat)
        taken = {cell for one in laid for cell in one.ends} | {(0, 0)}
        seen = sorted(set(self.room(seat))) if seat == self.own else in_view(slot, window)
        points = self.picture.points[seat][TOTAL]
        return tag(
            "g",
            head
            + pieces.empty([cell for cell in seen if cell not in taken], slot, window, self.theme)
            + pieces.castle(seat, slot, window)
            + "".join(pieces.laid(one, slot, window) for one in laid),
            id=f"{ID}kingdom-{seat}",
            role="group",
            aria_label=f"Kingdom of {SEAT_NAMES[seat]}: {2 * len(laid)} squares, {points} points",
        )

    def ring(self) -> str:
        """The ring round the last placement, thinner ones round those of the recent plies before it."""
        earlier = [one for one in self.picture.settled[-self.recent : -1] if one]
        rings = "".join(pieces.earlier_ring(self._over(one)) for one in earlier)
        last = self.picture.last
        return rings + (pieces.last_ring(self._over(last)) if last else "")

    def _over(self, one: Laid) -> str:
        return pieces.over(self.arranged.slots[one.seat], self.window(one.seat), one.ends)

    def draft(self) -> str:
        """Both rows: the one that is placed, or in round 1 the order of the kings, and the one on offer."""
        picture, draft, theme = self.picture, self.arranged.draft, self.theme
        body = round_name(picture.title, self.arranged, theme)
        if picture.order:
            body += pieces.title("Order", draft.titles[0], theme)
            for place, seat in enumerate(picture.order):
                body += order_king(seat, draft.now[place], draft.scale, theme, is_done=place < picture.turn)
        elif picture.now:
            body += pieces.title("To place", draft.titles[0], theme)
            body += self._row(picture.now, "place", draft.now)
        if picture.player is not None and (picture.now or picture.order):
            body += turn_ring(SEAT_COLORS[picture.player], draft.now[picture.turn], draft.scale)
        if picture.next:
            body += pieces.title("On offer", draft.titles[1], theme) + self._row(picture.next, "offer", draft.next)
        return body

    def _row(self, row: Sequence[Offer], name: str, places: Sequence[tuple[float, float]]) -> str:
        scale = self.arranged.draft.scale
        return "".join(pieces.offer(one, name, places[place], scale) for place, one in enumerate(row))

    def points(self) -> str:
        """Points by kind."""
        picture, place = self.picture, self.arranged.points
        numbers = {
            (kind, seat): pieces.table_number(
                picture.points[seat][kind], kind, seat, row, place, picture.num_seats, self.theme
            )
            for row, kind in enumerate(picture.kinds, start=1)
            for seat in range(picture.num_seats)
        }
        return pieces.points_table(picture.kinds, numbers, place, self.theme)


def in_view(slot: Slot, window: Window) -> list[Cell]:
    """All squares of a window."""
    left, top = int(window.left), int(window.top)
    return [(left + i, top + k) for k in range(slot.cells) for i in range(slot.cells)]


def round_name(words: str, arranged: Arrangement, theme: Theme, **marks: object) -> str:
    """The round, where the arrangement has a place for it."""
    if arranged.round is None:
        return ""
    x, y = arranged.round
    return pieces.text(words, x, y, 30, text_anchor="middle", font_weight=700, fill=theme.color("ink"), **marks)


def order_king(
    seat: int, place: tuple[float, float], scale: float, theme: Theme, *, is_done: bool, **marks: object
) -> str:
    """A king of round 1 on an empty place; pale once it has chosen."""
    frame = {"fill": "none", "stroke": theme.color("line"), "stroke_width": 3, "stroke_dasharray": "9 8"}
    body = tag("rect", x=3, y=3, width=194, height=94, rx=10, **frame) + pieces.king(seat, (0, 0), 1)
    label = f"King of {SEAT_NAMES[seat]}{', has chosen' if is_done else ''}"
    look = {"role": "img", "aria_label": label, "opacity": ".3" if is_done else None}
    return tag("g", body, transform=pieces.move(*place, scale), **look, **marks)


def turn_ring(color: str, place: tuple[float, float], scale: float, **marks: object) -> str:
    """Round the domino (or king) whose turn it is, in its seat's colour."""
    lines = "".join(
        tag("rect", x=-6, y=-6, width=212, height=112, rx=15, fill="none", stroke=stroke, stroke_width=width)
        for stroke, width in ((LINE, 9), ("#fff", 7), (color, 5))
    )
    return tag("g", lines, transform=pieces.move(*place, scale), pointer_events="none", **marks)
