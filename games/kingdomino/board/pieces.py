"""Pieces of the table, one function each, in the drawing units of an `Arrangement`.

Whatever a replay shows and hides takes its marks as attributes (`data_ply`, `data_from`, ...).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.kingdomino import reading
from games.kingdomino.board.layout import DOMINO, HEAD, TABLE_ROW, TITLE, TITLE_SIZE, WRITING, Slot, Window
from games.kingdomino.board.picture import TOTAL, Cell, Laid, Offer
from games.kingdomino.board.stage import Place
from games.kingdomino.board.symbols import LINE, PAPER, TERRAINS, mark, pair
from games.kingdomino.metrics import Area
from games.svg import ID, SEAT_COLORS, SEAT_NAMES, Theme, number, ring, seat_name, tag, use

CSS = (
    ".kd-o{stroke:#241C14;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}"
    ".kd-off{display:none}"
    ".kd-n{font-variant-numeric:tabular-nums}"
)
ARRANGED = (
    ".kd-small,.is-narrow .kd-wide{display:none}.is-narrow .kd-small{display:inline}"
    ".is-narrow .kd-at{transform:var(--narrow)}"
)
"""Of a document with two arrangements, see `render.whole`."""
_KING_SIZE = 1.25
_TURNED = 90
_LONG_LABEL = 7


def move(x: float, y: float, scale: float = 1, turned: int = 0) -> str:
    """Value of a ``transform``."""
    return (
        f"translate({number(x)} {number(y)})"
        + (f" scale({scale:.4g})" if scale != 1 else "")
        + (f" rotate({turned})" if turned else "")
    )


def corner(slot: Slot, window: Window, cell: Cell) -> tuple[float, float]:
    """Upper left corner of a square of a kingdom."""
    side = 100 * slot.scale
    return slot.x + side * (cell[0] - window.left), slot.y + side * (cell[1] - window.top)


def text(words: object, x: float, y: float, size: float, **attributes: object) -> str:
    """A word or a number."""
    return tag("text", str(words), x=float(x), y=float(y), font_size=size, **attributes)


def placed(place: Place, body: str, **marks: object) -> str:
    """A piece in its places of both arrangements."""
    wide = move(*place.wide) if place.wide != (0, 0, 1) else None
    if place.narrow is None:
        return tag("g", body, class_="kd-wide", transform=wide, **marks)
    return tag("g", body, class_="kd-at", transform=wide, style=narrow(*place.narrow), **marks)


def narrow(x: float, y: float, scale: float, turned: int = 0) -> str:
    """Value of a ``style``: the ``transform`` in the narrow arrangement."""
    turn = f" rotate({turned}deg)" if turned else ""
    return f"--narrow:translate({number(x)}px,{number(y)}px) scale({scale:.4g}){turn}"


def spot(slot: Slot, window: Window, ends: tuple[Cell, Cell]) -> tuple[float, float, float, int]:
    """Corner, scale and turn that put a shape of 200 x 100 over two squares."""
    (ax, ay), (bx, by) = ends
    x, y = corner(slot, window, (min(ax, bx), min(ay, by)))
    if ay == by:
        return x, y, slot.scale, 0
    return x + 100 * slot.scale, y, slot.scale, _TURNED


def over(slot: Slot, window: Window, ends: tuple[Cell, Cell]) -> str:
    """The ``transform`` that puts a shape of 200 x 100 over two squares."""
    return move(*spot(slot, window, ends))


def laid(domino: Laid, slot: Slot, window: Window, ringed: str | None = None, **marks: object) -> str:
    """A domino in its kingdom; what lies on it stands upright however it is turned.

    ringed: style of its frame that says where the ring round it lies in the narrow arrangement.
    """
    (ax, ay), (bx, by) = domino.ends
    left, top = min(ax, bx), min(ay, by)
    places = ((100 * (ax - left), 100 * (ay - top)), (100 * (bx - left), 100 * (by - top)))
    clip = "flat" if ay == by else "tall"
    ground = tag("g", pair(domino.number, places), clip_path=f"url(#{ID}{clip})")
    return tag(
        "g",
        tag("g", ground, transform=move(*corner(slot, window, (left, top)), slot.scale))
        + use("frame", transform=over(slot, window, domino.ends), data_ply=marks.get("data_ply"), style=ringed),
        id=f"{ID}domino-{domino.number}",
        role="img",
        aria_label=f"Domino {reading.face(domino.number)}",
        data_moves=f"domino:{domino.number}",
        **marks,
    )


def castle(seat: int, slot: Slot, window: Window) -> str:
    """The castle in its square."""
    body = use(f"castle{seat}", width=100, height=100) + use("rim")
    return tag("g", body, transform=move(*corner(slot, window, (0, 0)), slot.scale))


def empty(cells: Sequence[Cell], slot: Slot, window: Window, theme: Theme) -> str:
    """Squares on which nothing lies."""
    look = {"fill": theme.color("page"), "fill_opacity": ".55", "stroke": theme.color("line"), "stroke_width": 3}
    uses = "".join(use("cell", 100 * (x - window.left), 100 * (y - window.top)) for x, y in cells)
    return tag("g", uses, transform=move(slot.x, slot.y, slot.scale), stroke_dasharray="9 8", **look)


def heading(seat: int, slot: Slot, words: str, points: str, theme: Theme, *, is_on: bool) -> str:
    """The plate above a kingdom: mark, name, points (markup)."""
    y, height = slot.y - HEAD, HEAD - 12
    line = {"stroke": SEAT_COLORS[seat], "stroke_width": 4} if is_on else {"stroke": theme.color("line")}
    plate = tag("rect", x=slot.x, y=y, width=slot.side, height=height, rx=10, fill=theme.color("page"), **line)
    chip = seat_chip(seat, slot.x + 28, y + height / 2, 14)
    return plate + chip + text(words, slot.x + 54, y + 33, 27, fill=theme.color("ink")) + points


def heading_points(points: int, slot: Slot, theme: Theme, **marks: object) -> str:
    """The points at the right end of the plate."""
    x, y = slot.x + slot.side - 16, slot.y - HEAD + 35
    look = {"text_anchor": "end", "font_weight": 700, "fill": theme.color("ink")}
    return text(points, x, y, 32, **look, **{"class_": "kd-n", **marks})


def small_heading(seat: int, slot: Slot, height: float, points: int | None, theme: Theme, *, is_on: bool) -> str:
    """The plate above a small kingdom: mark, name, points (None: without), in a size that does not shrink with its
    squares."""
    y = slot.y - height - 3
    line = {"stroke": SEAT_COLORS[seat], "stroke_width": 3} if is_on else {"stroke": theme.color("line")}
    plate = tag("rect", x=slot.x, y=y, width=slot.side, height=height, rx=6, fill=theme.color("page"), **line)
    middle, look = y + height / 2 + 5.5, {"fill": theme.color("ink")}
    room = slot.side - 26 - (0 if points is None else 10 * len(str(points)) + 10)
    name = seat_name(seat, int(room / (0.56 * WRITING)))
    body = plate + seat_chip(seat, slot.x + 12, y + height / 2, 7) + text(name, slot.x + 24, middle, WRITING, **look)
    if points is None:
        return body
    place = {"text_anchor": "end", "font_weight": 700, "data_points_of": seat, "class_": "kd-n"}
    return body + text(points, slot.x + slot.side - 6, middle, 17, **place, **look)


def seat_chip(seat: int, x: float, y: float, radius: float) -> str:
    """Round badge of a seat: colour and mark."""
    disc = tag("circle", cx=float(x), cy=float(y), r=radius, fill=SEAT_COLORS[seat])
    return disc + mark(seat, x, y, radius)


def title(words: str, place: tuple[float, float], theme: Theme) -> str:
    """Name of a row of the draft."""
    return text(words, place[0], place[1] + TITLE - 15, TITLE_SIZE, font_weight=700, fill=theme.color("ink"))


def king(seat: int, place: tuple[float, float], scale: float, **marks: object) -> str:
    """A king that stands on a domino whose corner is `place`."""
    x, y = place[0] + DOMINO[0] / 2 * scale, place[1] + 0.8 * DOMINO[1] * scale
    return use(f"king{seat}", transform=move(x, y, scale * _KING_SIZE), **marks)


def offer(one: Offer, name: str, place: tuple[float, float], scale: float) -> str:
    """A domino of the draft with its king; pale once it has been placed. name: of its id."""
    whose = f", taken by {SEAT_NAMES[one.seat]}" if one.seat is not None else ""
    standing = ""
    if one.seat is not None and not one.is_done:
        standing = king(one.seat, (0, 0), 1, data_moves=f"crown:{one.number}", data_owner=one.seat)
    return tag(
        "g",
        use(f"d{one.number}") + standing,
        id=f"{ID}{name}-{one.number}",
        role="img",
        aria_label=f"Domino {reading.face(one.number)}{', has been placed' if one.is_done else whose}",
        opacity=".3" if one.is_done else None,
        data_moves=None if one.is_done else f"domino:{one.number}",
        transform=move(*place, scale),
    )


def last_ring(transform: str, **attributes: object) -> str:
    """The ring round the domino placed last."""
    lines = ring(-1.0, -1.0, 202.0, 102.0, 11.0, 6.0)
    return tag("g", lines, id=f"{ID}last", transform=transform, pointer_events="none", **attributes)


def earlier_ring(transform: str) -> str:
    """The ring round a domino placed a few plies ago."""
    lines = ring(1.0, 1.0, 198.0, 98.0, 10.0, 2.5)
    return tag("g", lines, transform=transform, pointer_events="none")


def outline(cells: Sequence[Cell]) -> str:
    """Path round all squares of an area, its sides in order; square (x, y) begins at (100 x, 100 y)."""
    inside = set(cells)
    sides: dict[Cell, list[Cell]] = {}
    for x, y in sorted(inside):
        for (dx, dy), start, end in (
            ((0, -1), (x, y), (x + 1, y)),
            ((1, 0), (x + 1, y), (x + 1, y + 1)),
            ((0, 1), (x + 1, y + 1), (x, y + 1)),
            ((-1, 0), (x, y + 1), (x, y)),
        ):
            if (x + dx, y + dy) not in inside:
                sides.setdefault(start, []).append(end)
    path = ""
    while sides:
        start = here = min(sides)
        path += f"M{100 * here[0]} {100 * here[1]}"
        while True:
            was, here = here, sides[here].pop()
            if not sides[was]:
                del sides[was]
            if here == start:
                break
            path += f"L{100 * here[0]} {100 * here[1]}"
        path += "Z"
    return path


def area_label(area: Area, **marks: object) -> str:
    """Squares x crowns = points, on the square of an area that has most of it around."""
    heart = max(area.squares, key=lambda cell: sum(abs(cell[0] - x) + abs(cell[1] - y) < 2 for x, y in area.squares))
    words = f"{len(area.squares)}\N{MULTIPLICATION SIGN}{area.crowns}={area.points}"
    pill = tag("rect", x=3, y=50, width=94, height=40, rx=20, fill=PAPER, fill_opacity=1, stroke=LINE, stroke_width=3)
    look = {"text_anchor": "middle", "font_weight": 700, "fill": "#1F2328", "fill_opacity": 1, "stroke": "none"}
    return tag(
        "g",
        pill + text(words, 50, 78, 24 if len(words) < 7 else 22, **look),
        transform=move(100 * heart[0], 100 * heart[1]),
        **marks,
    )


def points_table(
    kinds: Sequence[str], numbers: Mapping[tuple[str, int], str], place: tuple[float, float, float], theme: Theme
) -> str:
    """Points by kind and seat, and what each terrain looks like. numbers: markup by kind and seat."""
    x, y, _ = place
    seats = sorted({seat for _, seat in numbers})
    body = "".join(seat_chip(seat, table_column(place, seat, len(seats)), y + 18, 15) for seat in seats)
    for row, kind in enumerate(kinds, start=1):
        top = y + TABLE_ROW * row
        weight = 700 if kind == TOTAL else None
        body += text(kind.capitalize(), x + 48, top + 29, 26, fill=theme.color("ink"), font_weight=weight)
        if kind in TERRAINS:
            picture = use(f"{kind}0", width=100, height=100) + use("rim")
            body += tag("g", picture, transform=move(x, top + 2, 0.35))
        body += "".join(numbers[kind, seat] for seat in seats)
    return tag("g", body, role="group", aria_label="Points by kind")


def table_column(place: tuple[float, float, float], seat: int, seats: int) -> float:
    """Middle of a seat's column."""
    step = (place[2] - 165) / seats
    return place[0] + 165 + step * (seat + 0.5)


def table_number(
    value: int,
    kind: str,
    seat: int,
    row: int,
    place: tuple[float, float, float],
    seats: int,
    theme: Theme,
    **marks: object,
) -> str:
    """One number of the table of points."""
    look = {"text_anchor": "middle", "fill": theme.color("ink" if value else "muted")}
    y = place[1] + TABLE_ROW * row + 29
    weight = 700 if kind == TOTAL else None
    words = value or "\N{EN DASH}"
    return text(
        words, table_column(place, seat, seats), y, 26, **look, font_weight=weight, **{"class_": "kd-n", **marks}
    )
