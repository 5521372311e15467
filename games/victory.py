"""Pictures of victory: a game's own pieces, drawn by its board's code, for who has won a match.

A picture is decoration: it says nothing that does not stand beside it in words. It is drawn once for all readers: a
page leaves out what celebrates (`GLORY`) for who has lost, and has pieces (`PIECE`) take their places where the end
has just been seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from games.svg import FONT, ID, SEAT_COLORS, SEAT_MARKS, number, tag, with_prefix

PIECE, GLORY = "victory-piece", "victory-glory"
"""Classes of a piece that takes its place, and of what is for winners alone."""
_PREFIX = "victory-"
_GOLD = "#FFD84D"
_RAYS = 18
_EDGE = 6.0
"""Room round all pieces, for their shades."""


def document(body: str, box: tuple[float, float, float, float], *, defs: str = "", css: str = "") -> str:
    """A picture of its own, as high as a page lets it be. box: left, top, width and height in its units."""
    sheet = f"<style>{css}</style>" if css else ""
    svg = tag(
        "svg",
        sheet + (tag("defs", defs) if defs else "") + body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(number(side) for side in box),
        font_family=FONT,
        aria_hidden="true",
        focusable="false",
        class_="victory-picture",
    )
    return with_prefix(svg, _PREFIX)


def fan(
    pieces: Sequence[str],
    size: tuple[float, float],
    *,
    winners: Sequence[int],
    step: float,
    radius: float,
    front: str = "",
    defs: str = "",
    css: str = "",
) -> str:
    """Pieces held like a hand of cards, the first one in the middle and before the others; with none, room for one.

    pieces: drawings whose corner is at (0, 0); size: width and height of each; step: degrees between two;
    radius: from the hand that holds them to their middle; front: markup in place of the winners' marks, its origin
    below the middle of the fan.
    """
    places = _places(len(pieces) or 1)
    box = _box([step * place for place in places], size, radius)
    foot = box[1] + box[3] - _EDGE
    held = "".join(
        _held(piece, size, step * place, radius, order)
        for order, (place, piece) in enumerate(reversed(list(zip(places, pieces, strict=False))))
    )
    low = tag("g", front or _marks(winners), transform=f"translate(0 {number(foot)})")
    left, top, width, height = box
    light = rays(left + width / 2, top + height / 2, 1.15 * width, 1.3 * height)
    return document(light + held + low, box, defs=glow() + defs, css=css)


def _places(count: int) -> list[float]:
    """Places from left (below zero) to right in the order of the pieces: the middle, then out from it on both sides."""
    middle = (count - 1) / 2
    return sorted((place - middle for place in range(count)), key=lambda place: (abs(place), place))


def _held(piece: str, size: tuple[float, float], degrees: float, radius: float, order: int) -> str:
    """A piece that unfolds from the middle; order: how many lie behind it."""
    width, height = size
    inner = tag("g", piece, transform=f"translate({number(-width / 2)} {number(-radius - height / 2)})")
    turned = f"rotate({degrees:g})" if degrees else None
    return tag("g", inner, transform=turned, class_=PIECE, style=f"--order: {order}")


def _box(turns: Sequence[float], size: tuple[float, float], radius: float) -> tuple[float, float, float, float]:
    """What the pieces cover, with some room; the point from which they are held is (0, 0)."""
    width, height = size
    corners = [(x, y) for x in (-width / 2, width / 2) for y in (-radius - height / 2, -radius + height / 2)]
    spots = []
    for turn in map(math.radians, turns):
        spots += [
            (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)) for x, y in corners
        ]
    left, top = min(x for x, _ in spots) - _EDGE, min(y for _, y in spots) - _EDGE
    return left, top, max(x for x, _ in spots) + _EDGE - left, max(y for _, y in spots) + _EDGE - top


def _marks(winners: Sequence[int]) -> str:
    """Discs with the winners' marks side by side, standing on the foot of a picture."""
    radius, step = 26.0, 58.0
    start = -step * (len(winners) - 1) / 2
    return "".join(_mark(seat, start + step * place, -radius - 2, radius) for place, seat in enumerate(winners))


def _mark(seat: int, x: float, y: float, radius: float) -> str:
    disc = tag("circle", r=radius, fill=SEAT_COLORS[seat], stroke="#fff", stroke_width=radius / 6)
    sign = tag("path", d=SEAT_MARKS[seat], fill="#fff", transform=f"scale({radius / 9:.2f})")
    return tag("g", disc + sign, transform=f"translate({number(x)} {number(y)})")


def rays(x: float, y: float, width: float, height: float) -> str:
    """Light behind a winner, `width` x `height` round a point; its paint is `glow`."""
    turn, half = 2 * math.pi / _RAYS, math.pi / _RAYS / 1.6
    spots = [(math.cos(turn * k + side), math.sin(turn * k + side)) for k in range(_RAYS) for side in (-half, half)]
    path = "".join(
        f"M0 0L{number(100 * ax)} {number(100 * ay)}L{number(100 * bx)} {number(100 * by)}Z"
        for (ax, ay), (bx, by) in zip(spots[::2], spots[1::2], strict=True)
    )
    paint = f"url(#{ID}glow)"
    body = tag("circle", r=70, fill=paint) + tag("path", d=path, fill=paint)
    place = f"translate({number(x)} {number(y)}) scale({width / 200:.3g} {height / 200:.3g})"
    return tag("g", tag("g", body, transform=place), class_=GLORY)


def glow() -> str:
    """The paint of `rays`, for the definitions."""
    stops = "".join(
        tag("stop", offset=offset, stop_color=_GOLD, stop_opacity=opacity)
        for offset, opacity in ((0, 1), (0.55, 0.75), (1, 0))
    )
    return tag("radialGradient", stops, id=f"{ID}glow")
