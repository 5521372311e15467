"""The board for play: what `games.protocol.Game.play_svg` promises, with these ids beside the board's.

``cell-SEAT-X-Y``  a square for end a of the domino (step ``square``); under the domino shown there
``discard-SEAT``  below the kingdom: discards the domino (``square`` too, value ``none``)
``take-N-...``  a domino on offer (step ``domino``), one for each way of placing the other before
``home-last``  the own kingdom and the draft (``data-home``): a phone's view begins with all of it
``hover``  empty: the area under the pointer is copied into it

Whatever is drawn at many places is one symbol: the domino to be placed in each direction
(``gDIRECTION``), a target on offer (``tN``), the sign that a domino can be turned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType

from games.kingdomino import metrics, reading
from games.kingdomino import state as layout_of
from games.kingdomino.board import layout, pieces, render
from games.kingdomino.board.layout import Arrangement
from games.kingdomino.board.picture import Cell, Picture, build_picture
from games.kingdomino.board.symbols import pair
from games.kingdomino.metrics import Area
from games.kingdomino.play import dead_squares, spelling
from games.protocol import State
from games.svg import ID, SEAT_COLORS, Canvas, Theme, tag, use

_OFF = "off"
_PLACES = 8.1
_ROOM = 12
_CSS = (
    ".ml .off,.kd-tip{display:none}"
    ".ml [data-step]{cursor:pointer}"
    ".kd-chosen{pointer-events:none}"
    ".kd-frame{fill-opacity:.14}.kd-step:hover>.kd-frame,.kd-step:focus-visible>.kd-frame{fill-opacity:.34}"
    ".kd-take:hover,.kd-take:focus-visible{--kd-veil:.3}.kd-take.is-chosen{--kd-king:1;--kd-veil:.3}"
    ".kd-area{fill:transparent;stroke:none}"
    ".kd-hover{fill:#FFEE58;fill-opacity:.34;stroke:#4A148C;stroke-width:7;stroke-linejoin:round;pointer-events:none}"
)
_TURNING = "M6.6-6A8.8 8.8 0 1 0 8.8.4M7.6-12V-5.4H1"
_STEPS = dict(zip(spelling.DIRECTIONS, reading.STEPS, strict=True))

Way = tuple[int, int, str]
"""Square of end a and direction to end b."""


def svg(
    kernels: ModuleType,
    state: State,
    actions: Sequence[int],
    *,
    seat: int | None,
    theme: str,
    prefix: str,
    recent: int = 1,
) -> str:
    """The board of a position.

    actions: what `seat` may do now, empty where it is not on turn; recent: the placements of so
    many of the last plies have a ring.
    """
    look = Theme(theme)
    picture = build_picture(kernels, state)
    frame = layout.for_seat(picture, 0 if seat is None else seat)
    arranged = layout.for_all(picture) if seat is None else frame
    table = render.Table(picture, arranged, look, seat, recent)
    body = (
        table.markup()
        + _dead(state, table)
        + _areas(state, table)
        + (_Offer(state, actions, table).markup() if actions else "")
    )
    if seat is None:
        body = tag("g", body, transform=_fit(arranged, frame))
    else:
        body = _home(picture, arranged) + body
    canvas = Canvas(frame.box, render.WIDTH, look, prefix, unit=_unit(frame))
    return render.whole(canvas, body, render.description(picture), _CSS)


def _unit(arranged: Arrangement) -> float:
    """Width of a "place": the board of a phone is eight of them high, and then shows it from top to bottom."""
    return arranged.box[3] / _PLACES


def _fit(arranged: Arrangement, frame: Arrangement) -> str:
    """Put one arrangement into the window of another: the board keeps its window for every seat."""
    left, top, width, height = frame.box
    x, y, own_width, own_height = arranged.box
    scale = min(width / own_width, height / own_height)
    dx, dy = left + (width - scale * own_width) / 2 - scale * x, top + (height - scale * own_height) / 2 - scale * y
    return pieces.move(dx, dy, scale)


def _home(picture: Picture, arranged: Arrangement) -> str:
    """The own kingdom and what lies there of the draft; keys begin there, too, where an id ends in "last"."""
    draft, own = arranged.draft, next(slot for slot in arranged.slots if slot.x == 0)
    rows = draft.next if picture.next else draft.now if picture.now else ()
    height = rows[0][1] + layout.DOMINO[1] * draft.scale if rows else own.y + own.side
    return tag("rect", id=f"{ID}home-last", width=own.side, height=float(height), fill="none", data_home="")


def _dead(state: State, table: render.Table) -> str:
    """Quiet crosses on the squares in view that nothing left can cover, in every kingdom."""
    marks = ""
    for seat, slot in enumerate(table.arranged.slots):
        left, top = window = table.window(seat)
        for x, y in dead_squares.dead_squares(state, seat):
            if left <= x < left + slot.cells and top <= y < top + slot.cells:
                at = pieces.move(*pieces.corner(slot, window, (x, y)), slot.scale)
                words = f"No domino left can lie {spelling.where(x, y)}."
                marks += use("dead", role="img", aria_label=words, transform=at)
    if not marks:
        return ""
    strokes = {"stroke": table.theme.color("muted"), "stroke_width": 5, "stroke_linecap": "round"}
    cross = tag("path", id=f"{ID}dead", d="M32 32 68 68M68 32 32 68", fill="none", stroke_dasharray="1 9", **strokes)
    return tag("defs", cross) + tag("g", marks, class_=f"kd-chosen {_OFF}", data_aid=spelling.DEAD)


# ---- areas under the pointer, and their points
def _areas(state: State, table: render.Table) -> str:
    """Every area: a shape to point at, its points for the pointer, its points for all to see."""
    symbols = targets = labels = ""
    number = 0
    for seat, slot in enumerate(table.arranged.slots):
        window = table.window(seat)
        at = pieces.move(*pieces.corner(slot, window, (0, 0)), slot.scale)
        shapes = words = ""
        for area in metrics.areas(reading.kingdom(state, seat)):
            number += 1
            symbols += pieces.area_label(area, id=f"{ID}a{number}")
            shapes += _area(area, number)
            words += use(f"a{number}") if area.crowns else ""
        targets += tag("g", shapes, transform=at) if shapes else ""
        labels += tag("g", words, transform=at) if words else ""
    hover = tag("g", " ", id=f"{ID}hover", class_=f"kd-hover {_OFF}", data_aid=spelling.TERRITORY)
    shown = tag("g", labels, class_=f"kd-chosen {_OFF}", data_aid=spelling.AREAS) if labels else ""
    return (tag("defs", symbols) if symbols else "") + targets + shown + hover


def _area(area: Area, number: int) -> str:
    shape = tag("path", d=pieces.outline(area.squares), class_="kd-area", data_f=number)
    return shape + use(f"a{number}", class_="kd-tip", data_f=number)


# ---- what the seat on turn may do
class _Offer:
    """Targets and pictures of the legal actions."""

    def __init__(self, state: State, actions: Sequence[int], table: render.Table) -> None:
        self.table, self.seat = table, int(state[layout_of.PLAYER])
        self.number = reading.to_place(state)
        self.color = SEAT_COLORS[self.seat]
        theme = table.theme.name
        # on the page's mat, where its own shade of the seat's colour has enough contrast
        self.line = f"var(--seat-{self.seat},{self.color})" if theme == "page" else self.color
        self.slot, self.window = table.arranged.slots[self.seat], table.window(self.seat)
        self.ways: dict[Cell, list[str]] = {}
        self.takes: dict[tuple[str, ...], list[int]] = {}
        self.can_discard = False
        for action in actions:
            self._add([part.value for part in spelling.parts(state, action)])

    def _add(self, values: list[str]) -> None:
        """Enter a spelt action."""
        before = values
        if self.table.picture.next:
            before = values[:-1]
            self.takes.setdefault(tuple(before), []).append(int(values[-1]))
        if before == [spelling.NO_PLACE]:
            self.can_discard = True
        elif before:
            x, y = map(int, before[0].split(","))
            found = self.ways.setdefault((x, y), [])
            if before[1] not in found:
                found.append(before[1])

    def markup(self) -> str:
        """All of it, what is pointed at first under what is chosen."""
        return (
            tag("defs", "".join(self._symbols()))
            + "".join(self._square(cell) for cell in sorted(self.ways, key=lambda cell: (cell[1], cell[0])))
            + "".join(self._ghost(way) for way in self._all_ways())
            + "".join(self._turning(cell) for cell, ways in sorted(self.ways.items()) if len(ways) > 1)
            + (self._discard() if self.can_discard else "")
            + "".join(self._take(number, before) for before, free in self.takes.items() for number in free)
        )

    def _all_ways(self) -> Iterator[Way]:
        for (x, y), directions in sorted(self.ways.items()):
            for direction in directions:
                yield x, y, direction

    def _at(self, cell: Cell) -> str:
        return pieces.move(*pieces.corner(self.slot, self.window, cell), self.slot.scale)

    def _symbols(self) -> Iterator[str]:
        line = {"stroke": self.line, "stroke_linecap": "round"}
        if self.ways:
            frame = tag("rect", x=8, y=8, width=84, height=84, rx=10, stroke_width=4, stroke_dasharray="10 8", **line)
            cross = tag("path", d="M50 40V60M40 50H60", stroke_width=5, **line)
            yield tag("rect", id=f"{ID}hit", width=100, height=100, fill="transparent")
            yield tag("g", frame + cross, id=f"{ID}target", fill=self.line)
            yield self._turning_symbol()
        for direction in sorted({direction for _, _, direction in self._all_ways()}):
            yield self._ghost_symbol(direction)
        for number in sorted({number for free in self.takes.values() for number in free}):
            yield self._take_symbol(number)

    def _turning_symbol(self) -> str:
        disc = tag("circle", r=17, fill=self.color, stroke="#fff", stroke_width=3)
        arrow = {"stroke": "#fff", "stroke_width": 3.4, "stroke_linecap": "round", "stroke_linejoin": "round"}
        return tag("g", disc + tag("path", d=_TURNING, fill="none", **arrow), id=f"{ID}turning")

    def _ghost_symbol(self, direction: str) -> str:
        """The domino with end a in the square at (0, 0), lifted from the table."""
        assert self.number is not None
        dx, dy = _STEPS[direction]
        left, top, width, height = min(0, 100 * dx), min(0, 100 * dy), 100 + 100 * abs(dx), 100 + 100 * abs(dy)
        box = {"width": width, "height": height, "rx": 10}
        shadow = tag("rect", x=left + 4, y=top + 7, fill="#000", fill_opacity=".32", **box)
        places = ((-left, -top), (100 * dx - left, 100 * dy - top))
        ground = tag("g", pair(self.number, places), clip_path=f"url(#{ID}{'tall' if dy else 'flat'})")
        rims = "".join(
            tag("rect", fill="none", stroke=color, stroke_width=stroke, **box)
            for color, stroke in (("#fff", 9), (self.color, 6))
        )
        return tag("g", shadow + tag("g", ground + rims, transform=pieces.move(left, top)), id=f"{ID}g{direction}")

    def _take_symbol(self, number: int) -> str:
        """A veil over a domino on offer and the seat's king, which stands there once it is chosen."""
        veil = {"fill": self.color, "style": "fill-opacity:var(--kd-veil,0)"}
        rims = "".join(
            tag(
                "rect", x=-5, y=-5, width=210, height=110, rx=14, fill="none", stroke=stroke, stroke_width=width, **dash
            )
            for stroke, width, dash in (("#fff", 9, {}), (self.color, 6, {"stroke_dasharray": "16 9"}))
        )
        king = tag("g", pieces.king(self.seat, (0, 0), 1), style="opacity:var(--kd-king,0)")
        body = tag("rect", width=200, height=100, rx=10, **veil) + rims + king
        return tag("g", body, id=f"{ID}t{number}")

    def _square(self, cell: Cell) -> str:
        ways = len(self.ways[cell])
        turns = f" It fits in {ways} ways." if ways > 1 else ""
        return tag(
            "g",
            use("hit") + use("target", class_=f"kd-frame {_OFF}", data_aid=spelling.LEGAL),
            id=f"{ID}{spelling.square_id(self.seat, *cell)}",
            class_=f"kd-step {_OFF}",
            data_step="square",
            data_value=f"{cell[0]},{cell[1]}",
            data_when="",
            aria_label=f"Put the first end {spelling.where(*cell)}.{turns}",
            transform=self._at(cell),
        )

    def _ghost(self, way: Way) -> str:
        x, y, direction = way
        show = f"{x},{y}|{direction}"
        return use(f"g{direction}", class_=f"kd-chosen {_OFF}", data_show=show, transform=self._at((x, y)))

    def _turning(self, cell: Cell) -> str:
        x, y = pieces.corner(self.slot, self.window, cell)
        side = 100 * self.slot.scale
        show = f"{cell[0]},{cell[1]}"
        at = pieces.move(x + 0.78 * side, y + 0.78 * side, 1.15 * self.slot.scale)
        return use("turning", class_=f"kd-chosen {_OFF}", data_show=show, transform=at)

    def _discard(self) -> str:
        """A button at the right, between the kingdom and the draft."""
        width, height = 210, layout.TITLE + 6
        x, y = self.slot.x + self.slot.side - width, self.table.arranged.draft.titles[0][1] - _ROOM
        plate = tag("rect", width=width, height=height, rx=height / 2, fill=self.line, stroke=self.line, stroke_width=3)
        words = pieces.text("Discard it", width / 2, 33, 24, text_anchor="middle", fill=self.table.theme.color("ink"))
        return tag(
            "g",
            plate.replace("<rect", '<rect class="kd-frame"') + words,
            id=f"{ID}{spelling.discard_id(self.seat)}",
            class_=f"kd-step {_OFF}",
            data_step="square",
            data_value=spelling.NO_PLACE,
            data_when="",
            aria_label="Discard the domino.",
            transform=pieces.move(x, y),
        )

    def _take(self, number: int, before: tuple[str, ...]) -> str:
        draft = self.table.arranged.draft
        place = [one.number for one in self.table.picture.next].index(number)
        return use(
            f"t{number}",
            id=f"{ID}{spelling.take_id(number, list(before))}",
            class_=f"kd-take {_OFF}",
            data_step="domino",
            data_value=number,
            data_when="|".join(before),
            aria_label=f"Take domino {spelling.domino_label(number)}.",
            transform=pieces.move(*draft.next[place], draft.scale),
        )
