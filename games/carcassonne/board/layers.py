"""The layers of a board, bottom to top: mat, shadows, tiles, offers, last placement, meeples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape

from games.carcassonne.board.curves import turn
from games.carcassonne.board.geometry import tile_shape
from games.carcassonne.board.joins import Joins
from games.carcassonne.board.picture import Picture, Tile, meeple_words, where
from games.carcassonne.board.scenery import VARIANTS, scenery
from games.svg import ID, SEAT_COLORS, Theme, number, ring, tag, use

SMALL = 520
"""Below this many pixels plants go, meeples and what carries rules grow."""
GROWN = 1.25
"""Factor by which meeples grow."""

_MIN_COLUMNS, _MIN_ROWS = 7, 5
KEPT = 64
"""Tables of tiles that a process remembers: up to seventy kilobytes each."""


@dataclass(frozen=True)
class Window:
    """The cells in view: first column and row, number of columns and rows."""

    left: int
    top: int
    columns: int
    rows: int

    @classmethod
    def around(cls, cells: Sequence[tuple[int, int]]) -> Window:
        """All `cells`, and room around so that a young board does not fill the picture."""
        xs, ys = [x for x, _ in cells], [y for _, y in cells]
        columns, rows = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
        more_columns, more_rows = max(0, _MIN_COLUMNS - columns), max(0, _MIN_ROWS - rows)
        return cls(min(xs) - more_columns // 2, min(ys) - more_rows // 2, columns + more_columns, rows + more_rows)

    def box(self, margin: float) -> tuple[float, float, float, float]:
        """Left, top, width and height in drawing units with `margin` on all sides."""
        return (
            100 * self.left - margin,
            100 * self.top - margin,
            100 * self.columns + 2 * margin,
            100 * self.rows + 2 * margin,
        )


def mat(window: Window, theme: Theme) -> str:
    """Faint dots where the corners of cells meet: a line a row, dashes without length."""
    rows = (f"M{100 * window.left} {100 * (window.top + i)}h{100 * window.columns}" for i in range(window.rows + 1))
    dots = {"stroke_width": 6, "stroke_linecap": "round", "stroke_dasharray": "0 100"}
    return tag("path", d="".join(rows), fill="none", stroke=theme.color("line"), **dots)


def axes(window: Window, theme: Theme, **marks: object) -> str:
    """Column and row numbers, so that a cell can be named. marks: further attributes, `class_` among them."""
    left, top = 100 * window.left, 100 * window.top
    labels = [(left + 100 * i + 50, top - 14, window.left + i) for i in range(window.columns)]
    labels += [(left - 27, top + 100 * i + 57, window.top + i) for i in range(window.rows)]
    numbers = "".join(f'<text x="{x}" y="{y}">{name}</text>' for x, y, name in labels)
    return tag(
        "g",
        numbers.replace(">-", ">\N{MINUS SIGN}"),
        fill=theme.color("muted"),
        font_size=21,
        text_anchor="middle",
        aria_hidden="true",
        **{"class_": "cc-axis", **marks},
    )


@cache
def drawing(letter: str, rotation: int, variant: int) -> str:
    """Ground and scenery of a tile whose corner is at (0, 0)."""
    spin = f"rotate({90 * rotation} 50 50)" if rotation else None
    return use(f"t{letter}", width=100, height=100, transform=spin) + scenery(letter, rotation, variant)


def _variant(tile: Tile) -> int:
    return (5 * tile.x + 7 * tile.y) % VARIANTS


def _targets(tile: Tile, index: int, joins: Joins, timed: bool) -> str:
    """The segments of a laid tile: targets for the pointer that know their feature."""
    parts = []
    for segment in tile_shape(tile.type).spots:
        own = joins.numbers[index, segment]
        if timed:
            up = f'" data-up="{joins.parent[own]}" data-at="{joins.since[own]}' if joins.since[own] >= 0 else ""
            data = f"{own}{up}"
        else:
            data = str(joins.root(own))
        parts.append(
            f'<use href="#{ID}{tile.type}-{segment}" id="{ID}seg-{tile.x}-{tile.y}-{segment}"'
            f' class="cc-s" data-f="{data}"/>'
        )
    spin = f' transform="rotate({90 * tile.rotation} 50 50)"' if tile.rotation else ""
    return f"<g{spin}>{''.join(parts)}</g>"


def ground(tiles: Sequence[Tile], shown: int | None, targets: bool) -> str:
    """Shadows and tiles.

    shown: on a replay, the number of plies played at first. targets: whether segments can be
    pointed at.
    """
    return _ground(tuple(tiles), shown, targets)


@lru_cache(maxsize=KEPT)
def _ground(tiles: tuple[Tile, ...], shown: int | None, targets: bool) -> str:
    """The same, drawn once for all who look at these tiles."""
    joins = Joins()
    for tile in tiles if targets else ():
        joins.lay(tile.type, tile.x, tile.y, tile.rotation)
    shadows, groups = [], []
    for index, tile in sorted(enumerate(tiles), key=lambda item: (item[1].y, item[1].x)):
        when = "" if shown is None else f' data-ply="{index}"' + (' class="cc-off"' if index > shown else "")
        who = f"; {meeple_words(tile.meeple)}" if tile.meeple and shown is None else ""
        piece = f' data-moves="tile:{tile.x},{tile.y}" data-turns=""' if targets and shown is None else ""
        shadows.append(f'<path d="M{100 * tile.x} {100 * tile.y}h100v100h-100z"{when}/>')
        groups.append(
            f'<g id="{ID}cell-{tile.x}-{tile.y}" role="img" aria-label="{escape(tile.sentence + who)}"{when}{piece}'
            f' transform="translate({100 * tile.x} {100 * tile.y})">'
            f"{drawing(tile.type, tile.rotation, _variant(tile))}"
            f"{_targets(tile, index, joins, shown is not None) if targets else ''}</g>"
        )
    return tag("g", "".join(shadows), transform="translate(4 6)", opacity=".25") + "".join(groups)


def meeple(tile: Tile, small: bool, **attributes: object) -> str:
    """The meeple of a tile, with its own name and tooltip; empty when there is none.

    A farmer lies in the field, a monk stands at the door of the church. Pages may enlarge the
    ``use``: a standing meeple then grows from its foot, a lying one from its middle.
    """
    if not tile.meeple:
        return ""
    segment, seat = tile.meeple
    x, y = turn(tile_shape(tile.type).spots[segment], tile.rotation)
    size, lying, lift = 1.5, "", 0
    if segment.startswith("field"):
        x, y = min(max(x, 17), 83), min(max(y, 14), 86)
        size, lying, lift = 1.3, " rotate(90)", 11
    elif segment == "monastery":
        x, y = 36, y + 22
    else:
        y += 11
    place = f"translate({number(100 * tile.x + x)} {number(100 * tile.y + y)}){lying}"
    return tag(
        "g",
        f"<title>{escape(meeple_words(tile.meeple))}</title>" + use(f"m{seat}", 0, lift),
        role="img",
        transform=f"{place} scale({size * (GROWN if small else 1):.2f})",
        **({"class_": "cc-meeple"} | attributes),
    )


def meeples(
    tiles: Sequence[Tile], small: bool, homecoming: Mapping[int, int] | None = None, shown: int | None = None
) -> str:
    """All meeples, back to front; on a replay each knows when it comes and goes."""
    parts = []
    for index, tile in sorted(enumerate(tiles), key=lambda item: item[1].y):
        attributes: dict[str, object] = {"id": f"{ID}meeple-{tile.x}-{tile.y}"}
        if tile.meeple and shown is None:
            attributes |= {"data_moves": f"meeple:{tile.x},{tile.y}", "data_owner": tile.meeple[1]}
        if homecoming is not None and shown is not None:
            home = homecoming.get(index)
            attributes |= {"data_from": index, "data_to": home}
            if not index <= shown < (len(tiles) if home is None else home):
                attributes["class_"] = "cc-meeple cc-off"
        parts.append(meeple(tile, small, **attributes))
    return "".join(parts)


def last_ring(tile: Tile, off: bool = False) -> str:
    """The ring round the last placement, in the coordinates of its tile."""
    return tag(
        "g",
        ring(-1.0, -1.0, 102.0, 102.0, 4.0, 5.0),
        id=f"{ID}last",
        class_="cc-last cc-off" if off else "cc-last",
        transform=f"translate({100 * tile.x} {100 * tile.y})",
        pointer_events="none",
    )


def earlier_ring(tile: Tile) -> str:
    """A thinner ring, round a placement a little before the last one."""
    return tag(
        "g",
        ring(2.0, 2.0, 96.0, 96.0, 4.0, 2.5),
        class_="cc-earlier",
        transform=f"translate({100 * tile.x} {100 * tile.y})",
        pointer_events="none",
    )


def offers(picture: Picture, theme: Theme, small: bool) -> str:
    """Cells that are offered, and the tile that might be laid."""
    color = theme.color("ink") if picture.seat is None else SEAT_COLORS[picture.seat]
    parts = []
    for x, y in picture.legal:
        frame = tag("rect", x=7, y=7, width=86, height=86, rx=10, fill=color, fill_opacity=".1", stroke=color)
        cross = tag("path", d="M50 40V60M40 50H60", stroke=color, stroke_width=5)
        parts.append(
            tag(
                "g",
                frame.replace("/>", ' stroke-width="3" stroke-dasharray="9 7"/>') + cross,
                id=f"{ID}legal-{x}-{y}",
                class_="cc-legal",
                role="button",
                tabindex=0,
                aria_label=f"Lay the tile at {where(x, y)}",
                transform=f"translate({100 * x} {100 * y})",
            )
        )
    if picture.candidate:
        parts.append(_candidate(picture.candidate, color, small))
    return "".join(parts)


def _candidate(tile: Tile, color: str, small: bool) -> str:
    """A tile that might be laid: paler, in a frame, with its meeple."""
    frame = tag("rect", width=100, height=100, rx=3, fill="none", stroke=color, stroke_width=6)
    pale = tag("g", drawing(tile.type, tile.rotation, _variant(tile)), opacity=".75")
    who = f"; {meeple_words(tile.meeple)}" if tile.meeple else ""
    body = tag("g", pale + frame, transform=f"translate({100 * tile.x} {100 * tile.y})")
    return tag(
        "g",
        body + meeple(tile, small),
        id=f"{ID}candidate",
        role="img",
        aria_label=f"Might be laid: {tile.sentence}{who}",
    )
