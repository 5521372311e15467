"""The board for play: what `games.protocol.Game.play_svg` promises, with these ids beside the board's.

``cell-SEAT-X-Y``  a square for end a of the domino (step ``square``); under the domino shown there
``discard-SEAT``  below the kingdom: discards the domino (``square`` too, value ``none``)
``take-N-...``  a domino on offer (step ``domino``), one for each way of placing the other before
``home-last``  the own kingdom, where the keys begin
``data-rival``, ``data-large``  the kingdom of another seat, and the same at large, shown while that is pointed at
``hover``  empty: the area under the pointer is copied into it

Whatever is drawn at many places is one symbol: the domino to be placed in each direction
(``gDIRECTION``), a target on offer (``tN``), the sign that a domino can be turned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType

from games.kingdomino import reading
from games.kingdomino import state as layout_of
from games.kingdomino.board import pieces, render, stage
from games.kingdomino.board.layout import WRITING
from games.kingdomino.board.picture import TOTAL, Cell, Offer, Picture, build_picture
from games.kingdomino.board.stage import Stage
from games.kingdomino.board.symbols import pair
from games.kingdomino.metrics import Area
from games.kingdomino.play import dead_squares, kingdoms, spelling
from games.protocol import State
from games.svg import ID, SEAT_COLORS, Canvas, Theme, tag, use

_OFF = "off"
_LARGE_RIM = 16
"""Round another's kingdom at large."""
_CSS = (
    ".ml .off,.kd-tip,.kd-large,.is-narrow .kd-head{display:none}"
    ".is-narrow .kd-no{font-size:28px}"
    "[data-rival]{cursor:zoom-in}"
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
    found = stage.arrange(picture, seat, may_discard=not state[layout_of.MUST_PLACE])
    table = _Table(picture, found, look, seat, recent)
    offer = _Offer(state, actions, table) if actions else None
    areas = _Areas(state, table)
    body = (
        table.home()
        + areas.symbols
        + table.cross()
        + "".join(
            table.on(one, table.kingdom(one) + table.rings(one) + table.dead(state, one) + areas.of(one))
            for one in table.by_size
        )
        + areas.hover
        + table.draft()
        + (offer.markup() if offer else "")
        + table.enlarged()
    )
    canvas = Canvas(
        found.wide.box,
        render.WIDTH,
        look,
        prefix,
        unit=100.0 * max(slot.scale for slot in found.wide.slots),
        writing=WRITING,
    )
    return render.whole(canvas, body, render.description(picture), _CSS, found.narrow)


class _Table(render.Table):
    """A position on a stage: every piece once, with its place in both arrangements."""

    def __init__(self, picture: Picture, found: Stage, theme: Theme, own: int | None, recent: int) -> None:
        super().__init__(picture, found.wide, theme, own, recent)
        self.stage = found

    @property
    def by_size(self) -> list[int]:
        """Seats, the own one first."""
        return sorted(range(self.picture.num_seats), key=lambda seat: (seat != self.own, seat))

    def home(self) -> str:
        """The own kingdom, where the keys begin."""
        if self.own is None:
            return ""
        own = self.arranged.slots[self.own]
        frame = tag("rect", id=f"{ID}home-last", width=own.side, height=own.side, fill="none")
        return pieces.placed(self.stage.kingdom(self.own), frame)

    def on(self, seat: int, body: str) -> str:
        """What lies in a kingdom."""
        is_rival = self.own is not None and seat != self.own
        marks = {"data_rival": seat, "tabindex": 0} if is_rival else {}
        return pieces.placed(self.stage.kingdom(seat), body, **marks)

    def kingdom(self, seat: int) -> str:
        """Squares, castle and dominoes; above those of others their plate."""
        head = "" if seat == self.own else tag("g", self._head(seat), class_="kd-head")
        return head + self.squares(seat)

    def _head(self, seat: int) -> str:
        slot, points = self.arranged.slots[seat], self.picture.points[seat][TOTAL]
        return pieces.small_heading(seat, slot, stage.HEAD - 4, points, self.theme, is_on=seat == self.picture.player)

    def rings(self, seat: int) -> str:
        """Rings round what has been placed here last."""
        earlier = [one for one in self.picture.settled[-self.recent : -1] if one and one.seat == seat]
        rings = "".join(pieces.earlier_ring(self._over(one)) for one in earlier)
        last = self.picture.last
        return rings + (pieces.last_ring(self._over(last)) if last and last.seat == seat else "")

    def cross(self) -> str:
        """The sign of a square that nothing left can cover."""
        strokes = {"stroke": self.theme.color("muted"), "stroke_width": 5, "stroke_linecap": "round"}
        cross = tag(
            "path", id=f"{ID}dead", d="M32 32 68 68M68 32 32 68", fill="none", stroke_dasharray="1 9", **strokes
        )
        return tag("defs", cross)

    def dead(self, state: State, seat: int) -> str:
        """Quiet crosses on the squares in view that nothing left can cover."""
        slot, marks = self.arranged.slots[seat], ""
        left, top = window = self.window(seat)
        for x, y in dead_squares.dead_squares(state, seat):
            if left <= x < left + slot.cells and top <= y < top + slot.cells:
                at = pieces.move(*pieces.corner(slot, window, (x, y)), slot.scale)
                words = f"No domino left can lie {spelling.where(x, y)}."
                marks += use("dead", role="img", aria_label=words, transform=at)
        return tag("g", marks, class_=f"kd-chosen {_OFF}", data_aid=spelling.DEAD) if marks else ""

    # ---- the draft
    def draft(self) -> str:
        """Both rows with their titles, and whose turn it is."""
        picture, body = self.picture, ""
        if picture.order:
            body += self._title("Order", 0)
            for place, seat in enumerate(picture.order):
                king = render.order_king(seat, (0, 0), 1, self.theme, is_done=place < picture.turn)
                body += pieces.placed(self.stage.domino("now", place), king)
        elif picture.now:
            body += self._title("To place", 0) + self._dominoes(picture.now, "place", "now")
        if picture.player is not None and (picture.now or picture.order):
            ring = render.turn_ring(SEAT_COLORS[picture.player], (0, 0), 1)
            body += pieces.placed(self.stage.domino("now", picture.turn), ring)
        if picture.next:
            body += self._title("On offer", 1) + self._dominoes(picture.next, "offer", "next")
        return body

    def _title(self, words: str, row: int) -> str:
        look = {"font_weight": 700, "fill": self.theme.color("ink")}
        return pieces.placed(self.stage.title(row), pieces.text(words, 0, WRITING, WRITING, **look))

    def _dominoes(self, row: Sequence[Offer], name: str, places: str) -> str:
        return "".join(
            pieces.placed(self.stage.domino(places, place), pieces.offer(one, name, (0, 0), 1))
            for place, one in enumerate(row)
        )

    # ---- another's kingdom at large
    def enlarged(self) -> str:
        """Each kingdom of others over the own one, hidden until its plate or its small picture is pointed at."""
        if self.own is None:
            return ""
        own, body = self.arranged.slots[self.own], ""
        for seat in self.by_size[1:]:
            slot = self.arranged.slots[seat]
            inner = own.side - 2 * _LARGE_RIM
            scale = inner / slot.side
            back = tag("rect", x=own.x, y=own.y, width=own.side, height=own.side, rx=14, fill=self.theme.color("page"))
            rim = {"fill": "none", "stroke": SEAT_COLORS[seat], "stroke_width": 6}
            back += tag("rect", x=own.x + 3, y=own.y + 3, width=own.side - 6, height=own.side - 6, rx=12, **rim)
            at = pieces.move(own.x + _LARGE_RIM - slot.x * scale, own.y + _LARGE_RIM - slot.y * scale, scale)
            large = back + use(f"kingdom-{seat}", transform=at)
            body += pieces.placed(self.stage.kingdom(self.own), tag("g", large, class_="kd-large", data_large=seat))
        return tag("g", body, aria_hidden="true", pointer_events="none")


# ---- areas under the pointer, and their points
class _Areas:
    """Every area: a shape to point at, its points for the pointer, its points for all to see."""

    def __init__(self, state: State, table: _Table) -> None:
        self.table, labels = table, ""
        self.areas = [kingdoms.areas(state, seat) for seat in range(table.picture.num_seats)]
        first = 0
        self.first = []
        for areas in self.areas:
            self.first.append(first)
            labels += "".join(pieces.area_label(area, id=f"{ID}a{first + k}") for k, area in enumerate(areas, start=1))
            first += len(areas)
        self.symbols = tag("defs", labels) if labels else ""
        self.hover = tag("g", " ", id=f"{ID}hover", class_=f"kd-hover {_OFF}", data_aid=spelling.TERRITORY)

    def of(self, seat: int) -> str:
        """The areas of a kingdom; of another's only the shapes, to be lit while they are counted."""
        is_small = self.table.own not in (None, seat)
        slot, window = self.table.arranged.slots[seat], self.table.window(seat)
        at = pieces.move(*pieces.corner(slot, window, (0, 0)), slot.scale)
        numbered = list(enumerate(self.areas[seat], start=self.first[seat] + 1))
        shapes = "".join(_area(area, k, has_words=not is_small) for k, area in numbered)
        if is_small:
            return tag("g", shapes, transform=at, pointer_events="none") if shapes else ""
        words = "".join(use(f"a{k}") for k, area in numbered if area.crowns)
        shown = tag("g", words, transform=at)
        return (tag("g", shapes, transform=at) if shapes else "") + (
            tag("g", shown, class_=f"kd-chosen {_OFF}", data_aid=spelling.AREAS) if words else ""
        )


def _area(area: Area, number: int, *, has_words: bool) -> str:
    shape = tag("path", d=pieces.outline(area.squares), class_="kd-area", data_f=number)
    return shape + (use(f"a{number}", class_="kd-tip", data_f=number) if has_words else "")


# ---- what the seat on turn may do
class _Offer:
    """Targets and pictures of the legal actions."""

    def __init__(self, state: State, actions: Sequence[int], table: _Table) -> None:
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
        for spell in (spelling.parts, spelling.other_parts):
            for action in actions:
                if spelt := spell(state, action):
                    self._add([part.value for part in spelt])

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
        squares = (
            "".join(self._square(cell) for cell in sorted(self.ways, key=lambda cell: (cell[1], cell[0])))
            + "".join(self._ghost(way) for way in self._all_ways())
            + "".join(self._turning(cell) for cell, ways in sorted(self.ways.items()) if len(ways) > 1)
            + (self._discard() if self.can_discard else "")
        )
        takes = "".join(self._take(number_, before) for before, free in self.takes.items() for number_ in free)
        defs = tag("defs", "".join(self._symbols()))
        return defs + pieces.placed(self.table.stage.kingdom(self.seat), squares) + takes

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
        for number_ in sorted({number_ for free in self.takes.values() for number_ in free}):
            yield self._take_symbol(number_)

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
        """A button below the own kingdom; over its corner where the domino fits nowhere."""
        width, height = 196, 72  # a finger's width on a phone
        x, y = self.slot.side - width, stage.SIDE - height
        shape = {"width": width, "height": height, "rx": height / 2}
        ground = tag("rect", fill=self.table.theme.color("page"), **shape)
        plate = tag("rect", fill=self.line, stroke=self.line, stroke_width=3, **shape)
        words = pieces.text("Discard it", width / 2, 45, 26, text_anchor="middle", fill=self.table.theme.color("ink"))
        return tag(
            "g",
            ground + plate.replace("<rect", '<rect class="kd-frame"') + words,
            id=f"{ID}{spelling.discard_id(self.seat)}",
            class_=f"kd-step {_OFF}",
            data_step="square",
            data_value=spelling.NO_PLACE,
            data_when="",
            aria_label="Discard the domino.",
            transform=pieces.move(x, y),
        )

    def _take(self, number_: int, before: tuple[str, ...]) -> str:
        place = [one.number for one in self.table.picture.next].index(number_)
        target = use(
            f"t{number_}",
            id=f"{ID}{spelling.take_id(number_, list(before))}",
            class_=f"kd-take {_OFF}",
            data_step="domino",
            data_value=number_,
            data_when="|".join(before),
            aria_label=f"Take domino {spelling.domino_label(number_)}.",
        )
        return pieces.placed(self.table.stage.domino("next", place), target)
