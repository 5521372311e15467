"""Carcassonne boards as SVG, from plain data: what lies where, and which meeple stands on what.

Nothing here knows the rules or a state. Drawing units: a tile is 100 wide, cell (x, y) begins at
(100 x, 100 y), y grows downwards. The document's ``viewBox`` is in these units, so a script pans
and zooms by changing it.

Ids, all after the caller's prefix: ``cell-X-Y`` a laid tile, ``seg-X-Y-SEGMENT`` its segments
(named as in ``data/tiles.json``), ``meeple-X-Y``, ``legal-X-Y`` a free cell that is offered,
``candidate`` a tile that might be laid, ``last`` the ring round the last placement, ``hover`` an
empty layer over the tiles.

Lighting up a feature: put copies of the ``.cc-s`` elements that belong to it (without id and
class) into ``hover``, each under the transforms of its tile's group and of its own parent. Equal
``data-f`` means one feature; on a replay the feature of the moment is found by climbing, see
`replay_svg`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.carcassonne.board import layers
from games.carcassonne.board.layers import GROWN, SMALL, Window
from games.carcassonne.board.picture import Picture, Tile, check_cells
from games.carcassonne.board.symbols import definitions, tile_definitions
from games.svg import ID, Canvas, Theme, document, tag, with_prefix

__all__ = ["Picture", "Tile", "board_svg", "replay_svg", "tile_svg", "tile_symbols_svg"]

CSS_TILE = (
    ".cc-o{stroke:#4A3B2A;stroke-width:.8;stroke-linejoin:round}"
    ".cc-g{stroke:#2B4A22;stroke-width:.8;stroke-linejoin:round}"
)
_CSS_BOARD = ".cc-off{display:none}"
_CSS_TARGETS = (
    ".cc-s{fill:transparent}"
    ".cc-road{fill:none;stroke:transparent;stroke:var(--cc-lit,transparent);stroke-width:15}"
    ".cc-hover{fill:#FFEE58;--cc-lit:#FFEE58;pointer-events:none}"
)
_CSS_SMALL = ".cc-fine,.cc-axis{display:none}.cc-key>use{transform:scale(1.35)}"
_CSS_PHONE = f"@media(max-width:{SMALL}px){{{_CSS_SMALL}.cc-meeple>use{{transform:scale({GROWN})}}}}"
# Outline of a union of shapes: close the hairlines between tiles, grow, cut the inside out; the
# fill turns translucent. Its region is the whole board: a straight road has a box without height.
_LIT = (
    f'<filter id="{ID}lit" filterUnits="userSpaceOnUse" x="{{}}" y="{{}}" width="{{}}" height="{{}}">'
    '<feMorphology in="SourceAlpha" operator="dilate" radius="1.4" result="a"/>'
    '<feMorphology in="a" operator="dilate" radius="3"/><feComposite in2="a" operator="out" result="rim"/>'
    '<feFlood flood-color="#4A148C"/><feComposite in2="rim" operator="in" result="line"/>'
    '<feComponentTransfer in="SourceGraphic" result="fill"><feFuncA type="linear" slope=".42"/></feComponentTransfer>'
    '<feMerge><feMergeNode in="fill"/><feMergeNode in="line"/></feMerge></filter>'
)


def board_svg(picture: Picture, *, width: float = 900, theme: str = "auto", prefix: str = "") -> str:
    """The board as one SVG element, `width` pixels wide.

    theme: page, auto, light or dark (`games.svg`). The last two are pictures: no segments to
    point at, nothing that a converter to PNG does not know. prefix: begins every id, so that
    several boards can stand on one page. Raises ValueError for a bad argument.
    """
    small, look = width < SMALL, Theme(theme)
    last = None if picture.last is None else picture.tiles[picture.last]
    over = layers.offers(picture, look, small) + (layers.last_ring(last) if last else "")
    cells = [tile.cell for tile in picture.tiles] + list(picture.legal)
    cells += [picture.candidate.cell] if picture.candidate else []
    num_meeples = sum(tile.meeple is not None for tile in picture.tiles)
    desc = f"{_count(len(picture.tiles), 'tile')}, {_count(num_meeples, 'meeple')} standing."
    return board(
        layers.ground(picture.tiles, None, not look.is_picture),
        over + layers.meeples(picture.tiles, small),
        Window.around(cells),
        desc + (f" Last placed: {last.sentence}." if last else ""),
        (width, look, prefix),
    )


def replay_svg(
    tiles: Sequence[Tile],
    homecoming: Mapping[int, int],
    *,
    ply: int | None = None,
    width: float = 900,
    theme: str = "auto",
    prefix: str = "",
) -> str:
    """One SVG of a whole match that a small script steps through without the server.

    tiles: the start tile, then the tile of each ply; `meeple` is what that ply placed, whether
    or not it came home later. homecoming: index of a tile -> number of plies after which its
    meeple is in hand again. ply: number of plies shown at first (None: all).

    With n plies played, these are shown; all else has class ``cc-off``:

    * ``data-ply="p"`` (a tile, its shadow): while p <= n; the start tile has 0;
    * ``data-from="p"`` and perhaps ``data-to="q"`` (a meeple): while p <= n < q;
    * ``last``: takes the ``transform`` of the tile of ply n; off at n = 0.

    Each segment (``.cc-s``) has ``data-f``, its number, and where it was joined to another,
    ``data-up``, the number of that one, and ``data-at``, the ply of the join. Its feature after
    n plies is found by climbing while data-at <= n; segments that end at one number are one
    feature. Raises ValueError for a bad argument, or a ply that is not in the match.
    """
    check_cells(tiles)
    shown = len(tiles) - 1 if ply is None else ply
    if shown not in range(len(tiles)):
        raise ValueError(f"ply must be between 0 and {len(tiles) - 1}, not {ply!r}")
    look = Theme(theme)
    return board(
        layers.ground(tiles, shown, not look.is_picture),
        layers.last_ring(tiles[shown], off=shown == 0) + layers.meeples(tiles, width < SMALL, homecoming, shown),
        Window.around([tile.cell for tile in tiles]),
        f"Replay of a match: {_count(len(tiles), 'tile')} in the order of laying.",
        (width, look, prefix),
    )


def tile_svg(
    type: str, rotation: int = 0, *, size: float = 64, prefix: str = "", defs: bool = True, label: str | None = None
) -> str:
    """One tile alone, `size` pixels wide, for lists and for the tile in hand.

    defs: whether it carries its symbols; without, `tile_symbols_svg` with the same prefix must
    stand on the page. label: for screen readers, instead of the tile's description.
    Raises ValueError for a bad argument.
    """
    tile = Tile(type, 0, 0, rotation)
    body = layers.drawing(type, rotation, 0)
    svg = tag(
        "svg",
        (f"<style>{CSS_TILE}</style>" + tag("defs", definitions(body)) if defs else "") + body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox="0 0 100 100",
        width=float(size),
        height=float(size),
        role="img",
        aria_label=label or tile.description,
    )
    return with_prefix(svg, prefix)


def tile_symbols_svg(*, prefix: str = "") -> str:
    """An invisible SVG with the symbols of all tile types, once for a page of many tiles."""
    svg = tag(
        "svg",
        f"<style>{CSS_TILE}</style>" + tag("defs", tile_definitions()),
        xmlns="http://www.w3.org/2000/svg",
        width=0,
        height=0,
        style="position:absolute",
        aria_hidden="true",
    )
    return with_prefix(svg, prefix)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


@dataclass(frozen=True)
class Extra:
    """Additions to the usual board: rules of style, attributes of the layer that lights up, of the numbers."""

    css: str = ""
    hover: Mapping[str, object] = field(default_factory=dict)
    axes: Mapping[str, object] = field(default_factory=dict)


def board(
    below: str, above: str, window: Window, desc: str, look: tuple[float, Theme, str], extra: Extra | None = None
) -> str:
    """Put the layers together: `below` and `above` the one that lights a feature up.

    look: width in pixels, theme, prefix of ids.
    """
    extra = extra or Extra()
    width, theme, prefix = look
    small = width < SMALL
    box = window.box(14 if small else 52)
    css, lit, hover = CSS_TILE + _CSS_BOARD + extra.css, "", ""
    if not theme.is_picture:
        css += _CSS_TARGETS
        lit = _LIT.format(*(round(side) for side in box))
        hover = tag("g", " ", id=f"{ID}hover", **{"class_": "cc-hover", **extra.hover}, filter=f"url(#{ID}lit)")
    if small:
        css += _CSS_SMALL
    elif not theme.is_picture:
        css += _CSS_PHONE
    axes = "" if small else layers.axes(window, theme, **extra.axes)
    body = layers.mat(window, theme) + axes + below + hover + above
    return document(
        Canvas(box, width, theme, prefix, unit=None if theme.is_picture else 100.0, is_map=not theme.is_picture),
        body,
        title="Carcassonne board",
        desc=desc,
        defs=lit + definitions(body),
        css=css,
    )
