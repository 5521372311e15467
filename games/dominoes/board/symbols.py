"""Tiles as symbols: seven faces of pips, the 28 tiles standing up, and a back.

A tile is a box of 100 x 200 units, the lower number on top; the table turns it.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.dominoes import tiles
from games.svg import ID, SEAT_COLORS, SEAT_MARKS, number, referenced, tag, use

INK, IVORY, EDGE = "#241C14", "#FCF6E6", "#C9B78F"
FELT, FELT_DARK, WOOD = "#2E625A", "#234C46", "#7A4E2B"
ON_FELT, ON_FELT_SOFT = "#F4F1E6", "#B9D0C8"
GOLD, RED, PAPER = "#FFD84D", "#C2382E", "#FFF6D6"
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
    return body + box(9, 9, 82, 182, 12, fill="none", stroke="#fff", stroke_width=4)


def _all() -> Iterator[tuple[str, str]]:
    for n in range(tiles.NUM_NUMBERS):
        yield f"p{n}", tag("g", spots(n) or "<g/>", id=f"{ID}p{n}", fill=INK)
    for a, b in tiles.TILES:
        halves = use(f"p{a}") + use(f"p{b}", 0, 100)
        yield f"t{a}{b}", tag("symbol", _ivory() + halves, id=f"{ID}t{a}{b}", viewBox="0 0 100 200")
    back = box(3, 3, 94, 194, 17, fill=_BACK, stroke=INK, stroke_width=5)
    back += tag("path", d="M50 42 78 100 50 158 22 100Z", fill="none", stroke=_BACK_LINE, stroke_width=5)
    back += tag("path", d="M50 76 62 100 50 124 38 100Z", fill=_BACK_LINE)
    yield "back", tag("symbol", back, id=f"{ID}back", viewBox="0 0 100 200")


_SYMBOLS = dict(_all())


def definitions(body: str) -> str:
    """The symbols that a drawing uses, and those that these use."""
    wanted = referenced(body)
    wanted |= {name for symbol in wanted & _SYMBOLS.keys() for name in referenced(_SYMBOLS[symbol])}
    return "".join(symbol for name, symbol in _SYMBOLS.items() if name in wanted)


def mark(seat: int, x: float, y: float, size: float) -> str:
    """A seat's mark in white, `size` wide."""
    at = f"translate({number(x)} {number(y)}) scale({size / 10:.3f})"
    return tag("path", d=SEAT_MARKS[seat], fill="#fff", transform=at)


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
    width, height = (unit, 2 * unit) if turn % 2 == 0 else (2 * unit, unit)
    inset, drop = unit * 0.05, unit * 0.1
    shade = box(x - width / 2 + inset, y - height / 2 + drop, width - 0.06 * unit, height - 0.06 * unit, unit * 0.17)
    color = EDGE if seat is None else SEAT_COLORS[seat]
    bar = tag("path", d="M-40 0H40", stroke=color, stroke_width=4 if seat is None else 8)
    place = f"translate({number(x)} {number(y)}) rotate({90 * (turn % 4)}) scale({unit / 100:.3f})"
    piece = tag("g", use(f"t{a}{b}", -50, -100, width=100, height=200) + bar, transform=place)
    whole = tag("g", shade, opacity=".32") + piece
    if seat is None:
        return whole
    disc = tag("circle", cx=x, cy=y, r=unit * 0.19, fill=color, stroke=IVORY, stroke_width=unit * 0.05)
    return whole + disc + mark(seat, x, y, unit * 0.2)


def back(x: float, y: float, unit: float) -> str:
    """A tile face down, its corner at (x, y)."""
    return use("back", x, y, width=float(unit), height=2.0 * unit)
