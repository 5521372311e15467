"""Tiles as symbols: seven faces of pips, the 28 tiles standing up and turned, a back, marks of seats.

A tile is a box of 100 x 200 units, the lower number on top.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.dominoes import tiles
from games.svg import ID, SEAT_COLORS, SEAT_MARKS, number, referenced_ids, tag, use

INK, IVORY, EDGE = "#241C14", "#FCF6E6", "#C9B78F"
FELT, FELT_DARK, WOOD = "#2E625A", "#234C46", "#7A4E2B"
ON_FELT, ON_FELT_SOFT = "#F4F1E6", "#C2D8D0"
GOLD, RED, PAPER = "#FFD84D", "#C2382E", "#FFF6D6"
_ROOM = 15
"""Round a turned tile, for its shade."""
_BACK, _BACK_LINE = "#3B5A7D", "#A9C3DE"
_SPOTS = (
    (),
    ((50, 50),),
    ((26, 26), (74, 74)),
    ((26, 26), (50, 50), (74, 74)),
    ((26, 26), (74, 26), (26, 74), (74, 74)),
    ((26, 26), (74, 26), (50, 50), (26, 74), (74, 74)),
    ((26, 23), (74, 23), (26, 50), (74, 50), (26, 77), (74, 77)),
)


def box(x: float, y: float, width: float, height: float, radius: float, /, **attributes: object) -> str:
    """A rectangle with round corners."""
    return tag("rect", x=float(x), y=float(y), width=float(width), height=float(height), rx=float(radius), **attributes)


def text(content: object, x: float, y: float, size: float, **attributes: object) -> str:
    """A line of text; light on felt unless said."""
    return tag(
        "text", str(content), **({"x": float(x), "y": float(y), "font_size": size, "fill": ON_FELT} | attributes)
    )


def spots(n: int) -> str:
    """The pips of a number in a box of 100 x 100."""
    return "".join(tag("circle", cx=x, cy=y, r=11 if n < 6 else 10) for x, y in _SPOTS[n])


def _ivory() -> str:
    body = box(3, 3, 94, 194, 17, fill=IVORY, stroke=INK, stroke_width=5)
    body += box(9, 9, 82, 182, 12, fill="none", stroke="#fff", stroke_width=4)
    return body + tag("path", d="M10 100H90", stroke=EDGE, stroke_width=4)


def _turned(a: int, b: int, turn: int) -> str:
    """A tile as it lies, with its shade; turn: quarter turns clockwise."""
    width, height = (100, 200) if turn % 2 == 0 else (200, 100)
    shade = box(5, 10, width - 6, height - 6, 17, opacity=".32")
    place = f"translate({width / 2:g} {height / 2:g}) rotate({90 * turn}) translate(-50 -100)"
    piece = use(f"t{a}{b}", width=100, height=200, transform=place if turn else None)
    window = f"{-_ROOM} {-_ROOM} {width + 2 * _ROOM} {height + 2 * _ROOM}"
    return tag("symbol", shade + piece, id=f"{ID}t{a}{b}r{turn}", viewBox=window)


def _laid_by(seat: int, is_flat: bool) -> str:
    """Marks on a tile on the table: a bar across its middle, and a disc with the mark of a seat."""
    way = "M50 10V90" if is_flat else "M10 50H90"
    body = tag("path", d=way, stroke=SEAT_COLORS[seat], stroke_width=8)
    body += tag("circle", cx=50, cy=50, r=19, fill=SEAT_COLORS[seat], stroke=IVORY, stroke_width=5)
    body += mark(seat, 50, 50, 20)
    return tag("symbol", body, id=f"{ID}s{seat}{'f' if is_flat else ''}", viewBox="0 0 100 100")


def _all() -> Iterator[tuple[str, str]]:
    for n in range(tiles.NUM_NUMBERS):
        yield f"p{n}", tag("g", spots(n) or "<g/>", id=f"{ID}p{n}", fill=INK)
    for a, b in tiles.TILES:
        halves = use(f"p{a}") + use(f"p{b}", 0, 100)
        yield f"t{a}{b}", tag("symbol", _ivory() + halves, id=f"{ID}t{a}{b}", viewBox="0 0 100 200")
        for turn in range(4):
            yield f"t{a}{b}r{turn}", _turned(a, b, turn)
    back = box(3, 3, 94, 194, 17, fill=_BACK, stroke=INK, stroke_width=5)
    back += tag("path", d="M50 42 78 100 50 158 22 100Z", fill="none", stroke=_BACK_LINE, stroke_width=5)
    back += tag("path", d="M50 76 62 100 50 124 38 100Z", fill=_BACK_LINE)
    yield "back", tag("symbol", back, id=f"{ID}back", viewBox="0 0 100 200")
    for seat in range(4):
        for is_flat in (False, True):
            yield f"s{seat}{'f' if is_flat else ''}", _laid_by(seat, is_flat)


def mark(seat: int, x: float, y: float, size: float) -> str:
    """A seat's mark in white, `size` wide."""
    at = f"translate({number(x)} {number(y)}) scale({size / 10:.3f})"
    return tag("path", d=SEAT_MARKS[seat], fill="#fff", transform=at)


_SYMBOLS = dict(_all())


def definitions(body: str) -> str:
    """The symbols that a drawing uses, and those that these use."""
    wanted = referenced_ids(body)
    for _ in range(2):  # turned tiles, tiles, pips
        wanted |= {name for symbol in wanted & _SYMBOLS.keys() for name in referenced_ids(_SYMBOLS[symbol])}
    return "".join(symbol for name, symbol in _SYMBOLS.items() if name in wanted)


def chip(seat: int, x: float, y: float, radius: float) -> str:
    """A disc in a seat's colour with its mark."""
    disc = tag("circle", cx=float(x), cy=float(y), r=radius, fill=SEAT_COLORS[seat], stroke="#fff", stroke_width=2)
    return disc + mark(seat, x, y, radius * 1.1)


def tile(a: int, b: int, x: float, y: float, unit: float, turn: int = 0, seat: int | None = None) -> str:
    """A tile centred on (x, y), `unit` wide; with the mark of a seat across it where one has laid it.

    turn: quarter turns clockwise that bring end a from the top to the right, bottom, left.
    """
    if a > b:
        a, b, turn = b, a, turn + 2
    is_flat = turn % 2 == 1
    room = 1 + 2 * _ROOM / 100
    width, height = (unit * (1 + room), unit * room) if is_flat else (unit * room, unit * (1 + room))
    whole = use(f"t{a}{b}r{turn % 4}", x - width / 2, y - height / 2, width=width, height=height)
    if seat is None:
        return whole
    half = unit / 2
    return whole + use(f"s{seat}{'f' if is_flat else ''}", x - half, y - half, width=unit, height=unit)


def back(x: float, y: float, unit: float) -> str:
    """A tile face down, its corner at (x, y)."""
    return use("back", x, y, width=float(unit), height=2.0 * unit)
