"""Symbols that a board refers to: terrains, crowns, castles, kings, and the 48 dominoes.

A square is 100 units wide; each terrain has three scattered variants, chosen by the domino's
number, so that a kingdom looks painted by hand while the file stays small.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from games.kingdomino import dominoes
from games.kingdomino.board.picture import faces
from games.svg import ID, SEAT_COLORS, SEAT_MARKS, art, number, referenced_ids, tag, use

TERRAINS = {
    "wheat": ("#E8C547", "#C79E22", "#F6E08A"),
    "forest": ("#2F6B3C", "#1F4D2B", "#4B8F57"),
    "lake": ("#3C8DBC", "#2B6E99", "#8CC4E3"),
    "pasture": ("#9CCB5A", "#78A93C", "#C2E38D"),
    "swamp": ("#8C7B5A", "#675A3F", "#B3A37F"),
    "mine": ("#4A4A55", "#2C2C35", "#7C7C8A"),
}
"""Base colour, darker and lighter tone."""
LINE, PAPER, VARIANTS = "#241C14", "#FBF6EA", 3

_GROWTH: Mapping[str, tuple[str, int, tuple[str | None, ...]]] = {
    "wheat": ("k-ear", 11, ("k-sheaf", None, "k-sheaf")),
    "forest": ("k-fir", 7, ("k-oak", "k-oak", None)),
    "lake": ("k-wave", 7, ("k-boat", None, "k-fish")),
    "pasture": ("k-tuft", 6, ("k-sheep", "k-flower", "k-sheep")),
    "swamp": ("k-pool", 5, ("k-reed", "k-log", "k-reed")),
    "mine": ("k-rock", 5, ("k-cave", "k-gold", "k-gold")),
}
"""Growth by terrain: scattered small things, how many at most, and one bigger thing by variant."""
_FURROWS = "M-5 30Q50 10 105 26M-5 55Q50 35 105 51M-5 80Q50 60 105 76M-5 105Q50 85 105 101"


def _terrain(terrain: str, variant: int) -> str:
    """One square: mottled ground, then what grows on it from back to front; the corners above stay free for crowns."""
    base, dark, light = TERRAINS[terrain]
    rng = random.Random(f"{terrain}{variant}")
    ground = tag("path", d="M0 0H100V100H0Z", fill=base)
    if terrain == "wheat":
        ground += tag("path", d=_FURROWS, stroke=dark, stroke_width=4, opacity=".45", fill="none")
    else:
        for _ in range(4):
            x, y, rx, ry = (round(rng.uniform(*span)) for span in ((5, 95), (5, 95), (14, 30), (8, 15)))
            ground += tag("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=rng.choice((dark, light)), opacity=".28")
    body = "".join(
        use(name, transform=f"translate({round(x)} {round(y)}){' scale(1.25)' if is_big else ''}")
        for x, y, name, is_big in sorted(_places(terrain, variant, rng), key=lambda place: place[1])
    )
    return tag("symbol", ground + body, id=f"{ID}{terrain}{variant}", viewBox="0 0 100 100")


def _places(terrain: str, variant: int, rng: random.Random) -> list[tuple[float, float, str, bool]]:
    """Places of things, none in another's way."""
    small, most, bigs = _GROWTH[terrain]
    places: list[tuple[float, float, str, bool]] = []
    if big := bigs[variant]:
        places.append((rng.uniform(36, 64), rng.uniform(70, 80), big, True))
    for _ in range(300):
        x, y = rng.uniform(14, 86), rng.uniform(24, 94)
        apart = (abs(x - px) / 1.2 + abs(y - py) > (30 if is_big else 21) for px, py, _, is_big in places)
        if len(places) <= most and all(apart):
            places.append((x, y, small, False))
    return places


def mark(seat: int, x: float, y: float, size: float) -> str:
    """The seat's own shape in white, `size` units wide."""
    place = f"translate({number(x)} {number(y)}) scale({size / 10:.2f})"
    return tag("path", d=SEAT_MARKS[seat], fill="#fff", transform=place)


def _castle(seat: int) -> str:
    body = use("k-castle", color=SEAT_COLORS[seat]) + mark(seat, 59, 15, 9)
    return tag("symbol", body, id=f"{ID}castle{seat}", viewBox="0 0 100 100")


def _king(seat: int) -> str:
    """A king in the seat's colour, foot at (0, 0), 48 high."""
    return tag("g", use("k-king", color=SEAT_COLORS[seat]) + mark(seat, 0, -9, 11), id=f"{ID}king{seat}")


def _crowns(count: int) -> str:
    """Crowns on a dark ribbon, its left end at (5, 5)."""
    ribbon = tag("rect", x=5, y=5, width=ribbon_width(count), height=27, rx=13.5, fill=LINE, opacity=".86")
    return tag("g", ribbon + "".join(use("k-crown", 22 + 25 * k, 19) for k in range(count)), id=f"{ID}c{count}")


def ribbon_width(count: int) -> int:
    """Width of the ribbon under a number of crowns."""
    return 25 * count + 9


def square(terrain: str, crowns: int, variant: int, x: float, y: float, *, is_right: bool = False) -> str:
    """One square with its crowns in the upper left corner, or the upper right one."""
    body = use(f"{terrain}{variant % VARIANTS}", x, y, width=100, height=100)
    if crowns:
        body += use(f"c{crowns}", x + (90 - ribbon_width(crowns) if is_right else 0), y)
    return body


def pair(number_: int, places: tuple[tuple[float, float], tuple[float, float]], *, is_right: bool = False) -> str:
    """Both squares of a domino at these corners; is_right: the second one's crowns lie on the right."""
    return "".join(
        square(terrain, crowns, number_ + end, *places[end], is_right=is_right and end == 1)
        for end, (terrain, crowns) in enumerate(faces(number_))
    )


def _face(number_: int) -> str:
    """A domino without its number: 200 x 100."""
    seam = tag("path", d="M100 4V96", stroke=LINE, stroke_width=1.6, opacity=".5")
    body = tag("g", pair(number_, ((0, 0), (100, 0)), is_right=True) + seam, clip_path=f"url(#{ID}flat)")
    return tag("g", body + use("frame"), id=f"{ID}e{number_}")


NUMBER_SIZE = 26
"""Size of the number of a domino, on a plate in its corner."""


def _domino(number_: int) -> str:
    """A domino of the draft: 200 x 100, its number in the corner below."""
    plate = tag("rect", x=150, y=64, width=44, height=31, rx=8, fill=PAPER, stroke=LINE, stroke_width=2)
    words = {"x": 172, "y": 88.8, "font_size": NUMBER_SIZE, "text_anchor": "middle", "font_weight": 700}
    words |= {"fill": "#1F2328"}
    words["class_"] = "kd-no"
    corner = tag("g", plate + tag("text", str(number_), **words), class_="kd-plate")
    return tag("g", use(f"e{number_}") + corner, id=f"{ID}d{number_}")


def _plain() -> dict[str, str]:
    """Clips, frames and the empty square."""
    found = {
        name: tag("clipPath", tag("rect", width=width, height=height, rx=10), id=f"{ID}{name}")
        for name, width, height in (("flat", 200, 100), ("tall", 100, 200))
    }
    for name, width in (("frame", 200), ("rim", 100)):
        outer = {"fill": "none", "stroke": LINE, "stroke_width": 3.4}
        inner = {"fill": "none", "stroke": "#fff", "stroke_opacity": ".35", "stroke_width": 1.6}
        lines = tag("rect", x=1.5, y=1.5, width=width - 3, height=97, rx=9, **outer)
        lines += tag("rect", x=4, y=4, width=width - 8, height=92, rx=6, **inner)
        found[name] = tag("g", lines, id=f"{ID}{name}")
    found["cell"] = tag("rect", id=f"{ID}cell", x=5, y=5, width=90, height=90, rx=10)
    return found


@cache
def symbols() -> Mapping[str, str]:
    """Every symbol by id."""
    found = dict(art(Path(__file__).parent / "art" / "pieces.svg")) | _plain()
    found |= {f"{terrain}{variant}": _terrain(terrain, variant) for terrain in TERRAINS for variant in range(VARIANTS)}
    for seat in range(len(SEAT_COLORS)):
        found |= {f"castle{seat}": _castle(seat), f"king{seat}": _king(seat)}
    found |= {f"c{count}": _crowns(count) for count in range(1, dominoes.MAX_CROWNS + 1)}
    for number_ in range(1, dominoes.NUM_DOMINOES + 1):
        found |= {f"d{number_}": _domino(number_), f"e{number_}": _face(number_)}
    return found


@cache
def _needs(symbol: str) -> frozenset[str]:
    """`symbol` and all that it refers to."""
    inner = (_needs(name) for name in referenced_ids(symbols()[symbol]))
    return frozenset({symbol}).union(*inner)


def definitions(markup: str) -> str:
    """The symbols that `markup` refers to, and those that they refer to."""
    known = symbols()
    needed = frozenset[str]().union(*(_needs(name) for name in referenced_ids(markup) if name in known))
    return "".join(known[name] for name in sorted(needed))
