"""Drawing tools of every game's board: seat marks, themes, elements, the SVG document.

Ids are written as ``ID + name``; `document` puts the caller's prefix in their place, so that
several boards can stand on one page. A *theme* says where the colours of the page come from:

``page``  CSS variables that the surrounding page sets (its tokens), so its own switch works
``auto``  baked in, follows the reader's system: for a file that stands alone
``light``, ``dark``  literal colours: for pictures, since converters to PNG know no variables
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

ID = "\ue000"
"""Stands for the id prefix until the document is put together."""

SEAT_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")
SEAT_NAMES = ("blue disc", "orange square", "green triangle", "pink diamond", "amber plus")
SEAT_MARKS = (
    "M-4.4 0A4.4 4.4 0 1 1 4.4 0 4.4 4.4 0 1 1-4.4 0Z",
    "M-4-4H4V4H-4Z",
    "M0-4.8 5 4H-5Z",
    "M0-5.4 5 0 0 5.4-5 0Z",
    "M-1.8-5H1.8V-1.8H5V1.8H1.8V5H-1.8V1.8H-5V-1.8H-1.8Z",
)
"""Path of each seat's mark in a box from -5 to 5: colour is never the only sign of a seat."""

COLORS = MappingProxyType(
    {
        "light": {"page": "#FAF8F4", "sunken": "#F3EFE8", "ink": "#1F2328", "muted": "#5A616B", "line": "#DDD6CB"},
        "dark": {"page": "#14161A", "sunken": "#252A32", "ink": "#E8E6E1", "muted": "#A3ACB7", "line": "#3A404A"},
    }
)
THEMES = ("page", "auto", "light", "dark")
KEPT = 30_000
"""Attributes with their values, and empty elements, that a process remembers: some hundred bytes each."""
FONT = "'Segoe UI',Roboto,'Noto Sans','Liberation Sans','DejaVu Sans',Arial,sans-serif"


@dataclass(frozen=True)
class Theme:
    """Source of the page's colours. Raises ValueError for an unknown name."""

    name: str

    def __post_init__(self) -> None:
        if self.name not in THEMES:
            raise ValueError(f"theme must be one of {', '.join(THEMES)}, not {self.name!r}")

    def color(self, token: str) -> str:
        """Value of a paint attribute: a literal, or a variable with a literal to fall back on."""
        if self.name in COLORS:
            return COLORS[self.name][token]
        return f"var(--{'ml-' if self.name == 'auto' else ''}{token},{COLORS['light'][token]})"

    @property
    def is_picture(self) -> bool:
        """Whether nobody can point at what is drawn: hover targets are left out."""
        return self.name in COLORS

    @property
    def css(self) -> str:
        """Rules that define the variables, where the page does not."""
        if self.name != "auto":
            return ""
        light, dark = (
            ";".join(f"--ml-{token}:{value}" for token, value in COLORS[name].items()) for name in ("light", "dark")
        )
        return f".ml{{{light}}}@media(prefers-color-scheme:dark){{.ml{{{dark}}}}}"


@lru_cache(maxsize=KEPT)
def number(value: float) -> str:
    """Shortest text of a coordinate, at most one decimal."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text == "-0" else text


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """One element around `content` (markup).

    In attribute names `_` becomes `-` and a trailing `_` is dropped; values are escaped,
    floats shortened, and None leaves the attribute out.
    """
    if not content:
        return _empty(name, **attributes)
    given = "".join([_written(key, value) for key, value in attributes.items()])
    return f"<{name}{given}>{content}</{name}>"


@lru_cache(maxsize=KEPT, typed=True)
def _empty(name: str, /, **attributes: object) -> str:
    """An element without content: most of them come again with the next move."""
    return f"<{name}{''.join([_written(key, value) for key, value in attributes.items()])}/>"


@lru_cache(maxsize=KEPT, typed=True)
def _written(key: str, value: object) -> str:
    """An attribute. typed: 1 and True are written differently."""
    if value is None:
        return ""
    text = number(value) if isinstance(value, float) else escape(str(value))
    return f' {_attribute(key)}="{text}"'


@cache
def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def use(symbol: str, x: float = 0, y: float = 0, /, **attributes: object) -> str:
    """Reference to the symbol with this id; zero offsets are left out."""
    return tag("use", href=f"#{ID}{symbol}", x=float(x) if x else None, y=float(y) if y else None, **attributes)


def seat_name(seat: int, room: int) -> str:
    """A place for the name of a seat within a text: its colour, until `put_names` replaces it.

    room: letters that it may have.
    """
    return tag("tspan", SEAT_NAMES[seat].split()[0].capitalize(), data_name=seat, data_room=room)


_NAME = re.compile(r'(<tspan data-name="(\d)" data-room="(\d+)">)[^<]*')


def put_names(svg: str, names: Sequence[str]) -> str:
    """A drawing in which seats have these names instead of their colours, wherever it says so (`seat_name`).

    What stands in brackets tells seats of one name apart; it goes first where a name is too long, but
    stands alone where the names would then be the same.
    """

    def put(found: re.Match[str]) -> str:
        head, seat, room = found[1], int(found[2]), int(found[3])
        if seat >= len(names):
            return found[0]
        short = [shorten(name, room) for name in names]
        rest = names[seat].rpartition(" (")[2].removesuffix(")")
        return head + escape(rest if short.count(short[seat]) > 1 and len(rest) <= room else short[seat])

    return _NAME.sub(put, svg)


@lru_cache(maxsize=KEPT)
def shorten(name: str, room: int) -> str:
    """A name shortened to the room of `room` letters of usual width."""
    short = name if _letters(name) <= room else name.partition(" (")[0]
    if _letters(short) <= room:
        return short
    while short and _letters(short) > room - 1:
        short = short[:-1]
    return f"{short.rstrip()}\N{HORIZONTAL ELLIPSIS}"


def _letters(name: str) -> float:
    """Width of a name in usual letters, roughly."""
    return sum(2.0 if unicodedata.east_asian_width(one) in "WF" else 1.5 if one in "MWmw@%" else 1.0 for one in name)


def ring(x: float, y: float, width: float, height: float, radius: float, stroke: float) -> str:
    """Gold on black round the last move: shows on any ground and on any page."""
    return "".join(
        tag("rect", x=x, y=y, width=width, height=height, rx=radius, fill="none", stroke=color, stroke_width=line)
        for color, line in (("#1B1B1B", stroke * 1.8), ("#FFD84D", stroke))
    )


@cache
def art(path: Path) -> MappingProxyType[str, str]:
    """The symbols of a hand-drawn file by id: the children of its ``<defs>``, ids marked with `ID`."""
    source = path.read_text(encoding="utf-8").split("<defs>")[1].split("</defs>")[0]
    source = re.sub(r"<!--.*?-->|\s*\n\s*", "", source, flags=re.DOTALL)
    source = re.sub(r'( id="| href="#|url\(#)', rf"\1{ID}", source)
    starts = [match.start() for match in re.finditer(rf'<\w+ id="{ID}', source)] + [len(source)]
    symbols = (source[start:end] for start, end in pairwise(starts))
    return MappingProxyType({symbol.split(ID)[1].split('"')[0]: symbol for symbol in symbols})


def referenced_ids(markup: str) -> set[str]:
    """Ids that `markup` refers to, by ``href`` or ``url``."""
    return set(re.findall(rf"#{ID}([\w-]+)", markup))


def with_prefix(svg: str, prefix: str) -> str:
    """`svg` with `prefix` before every id. Raises ValueError if ids cannot begin with it."""
    if not re.fullmatch(r"([A-Za-z][\w-]*)?", prefix, re.ASCII):
        raise ValueError(f"an id prefix begins with a letter and holds letters, digits, - and _: not {prefix!r}")
    return svg.replace(ID, prefix)


@dataclass(frozen=True)
class Canvas:
    """Canvas of the document.

    box: left, top, width and height in drawing units. width: pixels. background: whether the
    theme's mat is painted (a page has its own). unit: width of one place of the board in drawing
    units, for scripts that zoom (None: the board has no places). writing: size of the smallest writing in
    drawing units, below whose legible size a page does not shrink it (None: it may). is_map: it grows as it is
    played, and is looked at part by part, its places as large as ever; other boards are seen whole.
    """

    box: tuple[float, float, float, float]
    width: float
    theme: Theme
    prefix: str = ""
    unit: float | None = None
    writing: float | None = None
    is_map: bool = False

    @property
    def background(self) -> str:
        """The mat, for pictures that stand alone."""
        if self.theme.name == "page":
            return ""
        left, top, width, height = self.box
        return tag("rect", x=left, y=top, width=width, height=height, fill=self.theme.color("sunken"))


def document(canvas: Canvas, body: str, *, title: str, desc: str, defs: str = "", css: str = "") -> str:
    """The whole SVG as text, named and described for screen readers.

    On a page it shrinks with its column; ids begin with the canvas's prefix.
    Raises ValueError for a prefix that cannot begin an id.
    """
    _, _, width, height = canvas.box
    head = tag("title", escape(title), id=f"{ID}title") + tag("desc", escape(desc), id=f"{ID}desc")
    sheet = f"<style>{canvas.theme.css}.ml{{font-family:{FONT};max-width:100%;height:auto}}{css}</style>"
    svg = tag(
        "svg",
        head + sheet + (tag("defs", defs) if defs else "") + canvas.background + body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(number(side) for side in canvas.box),
        width=number(canvas.width),
        height=number(canvas.width * height / width),
        role="group",
        aria_labelledby=f"{ID}title {ID}desc",
        class_="ml",
        data_unit=canvas.unit,
        data_writing=canvas.writing,
        data_view="map" if canvas.is_map else None,
    )
    return with_prefix(svg, canvas.prefix)
