"""The board for play: what `games.protocol.Game.play_svg` promises, with these ids beside the board's.

``legal-X-Y``  a place for the tile in hand (step ``cell``); it stays under the tile that is shown
               there, and holds the sign that the tile can be turned
``spot-X-Y-ROTATION-SEGMENT``  a segment of the tile laid there that may get a meeple (step ``meeple``)

Whatever is drawn at many places is one symbol: the tile in hand in each rotation (``kR``), a
target for a meeple (``sR-SEGMENT``) and the meeple that stands there once it is chosen
(``gR-SEGMENT``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType

from games.carcassonne import reading
from games.carcassonne import state as layout
from games.carcassonne.board import layers, render
from games.carcassonne.board.curves import spread, turn
from games.carcassonne.board.geometry import tile_shape
from games.carcassonne.board.layers import Window
from games.carcassonne.board.picture import Tile, where
from games.carcassonne.play import frontier, spelling
from games.carcassonne.reading import Placement
from games.protocol import State
from games.svg import ID, SEAT_COLORS, Theme, number, tag, use

SPOT = 20
"""Radius of a target for a meeple: 24 pixels across where a tile has 60."""

_OFF = "off"
_WIDTH = 900
_CSS = (
    ".ml .off{display:none}"
    ".ml [data-step]{cursor:pointer}"
    ".cc-chosen{pointer-events:none}"
    ".cc-frame{fill-opacity:.1}.cc-step:hover>.cc-frame,.cc-step:focus-visible>.cc-frame{fill-opacity:.28}"
)
_TURNING = "M6.6-6A8.8 8.8 0 1 0 8.8.4M7.6-12V-5.4H1"

Cell = tuple[int, int]
Laid = tuple[int, int, int]
"""Cell and rotation in which the tile in hand may be laid."""


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

    actions: what the seat on turn may do, empty for everybody else; recent: number of the tiles
    laid last that have a ring.
    """
    look = Theme(theme)
    tiles = [Tile(*tile) for tile in reading.laid_tiles(kernels, state)]
    moves = [reading.placement(state, action) for action in actions]
    offer = _Offer(moves, int(state[layout.PLAYER]), look)
    last = tiles[-1] if len(tiles) > 1 else None
    return render.board(
        layers.ground(tiles, None, targets=not look.is_picture),
        _dead(frontier.dead_cells(state), look)
        + "".join(layers.earlier_ring(tile) for tile in tiles[1:][-recent:-1])
        + (layers.last_ring(last) if last else "")
        + offer.places()
        + layers.meeples(tiles, small=False)
        + offer.spots(),
        Window.around([tile.cell for tile in tiles] + frontier.frontier_cells(state)),
        _description(tiles, last),
        (_WIDTH, look, prefix),
        render.Extra(
            _CSS,
            {"class_": f"cc-hover {_OFF}", "data_aid": spelling.TERRITORY},
            {"class_": f"cc-axis {_OFF}", "data_aid": spelling.COORDINATES},
        ),
    )


def _description(tiles: Sequence[Tile], last: Tile | None) -> str:
    standing = sum(tile.meeple is not None for tile in tiles)
    words = f"Tiles: {len(tiles)}, meeples standing: {standing}."
    return words + (f" Last placed: {last.sentence}." if last else "")


def _dead(cells: Sequence[Cell], theme: Theme) -> str:
    """Quiet crosses on places that nothing left fits."""
    if not cells:
        return ""
    strokes = {"stroke": theme.color("muted"), "stroke_width": 3, "stroke_linecap": "round", "stroke_dasharray": "1 7"}
    cross = tag("path", d="M30 30 70 70M70 30 30 70", fill="none", opacity=".8", **strokes)
    marks = "".join(
        tag("g", cross, role="img", aria_label=f"No tile left fits {where(x, y)}.", transform=_move(x, y))
        for x, y in cells
    )
    return tag("g", marks, class_=_OFF, data_aid=spelling.DEAD, pointer_events="none")


def _move(x: int, y: int) -> str:
    return f"translate({100 * x} {100 * y})"


class _Offer:
    """Choices of the seat on turn with the tile in hand; without moves everything is empty."""

    def __init__(self, moves: Sequence[Placement], seat: int, theme: Theme) -> None:
        self.seat, self.color, self.theme = seat, SEAT_COLORS[seat], theme
        self.letter = moves[0].type if moves else ""
        self.segments: dict[Laid, list[str]] = {}
        for move in moves:
            found = self.segments.setdefault((move.x, move.y, move.rotation), [])
            if move.segment:
                found.append(move.segment)
        self.rotations: dict[Cell, list[int]] = {}
        for x, y, rotation in self.segments:
            self.rotations.setdefault((x, y), []).append(rotation)

    def places(self) -> str:
        """Targets for the tile, and the tile where it has been put."""
        if not self.segments:
            return ""
        # right to left: the sign for turning reaches into the column to its right
        cells = sorted(self.rotations, key=lambda cell: (cell[1], -cell[0]))
        return (
            tag("defs", "".join(self._place_symbols()))
            + "".join(self._place(*cell) for cell in cells)
            + "".join(
                use(f"k{r}", 100 * x, 100 * y, class_=f"cc-chosen {_OFF}", data_show=f"{x},{y}|{r}")
                for x, y, r in sorted(self.segments)
            )
        )

    def _place(self, x: int, y: int) -> str:
        ways = len(self.rotations[x, y])
        turns = f" It fits in {ways} ways." if ways > 1 else ""
        return tag(
            "g",
            use("hit")
            + use("offer", class_=f"cc-frame {_OFF}", data_aid=spelling.LEGAL)
            + (use("turning", class_=_OFF, data_show=f"{x},{y}") if ways > 1 else ""),
            id=f"{ID}legal-{x}-{y}",
            class_=f"cc-step {_OFF}",
            data_step="cell",
            data_value=f"{x},{y}",
            data_when="",
            aria_label=f"Lay the tile at {where(x, y)}.{turns}",
            transform=_move(x, y),
        )

    def _place_symbols(self) -> Iterator[str]:
        # on the page's mat, where its own shade of the seat's colour has enough contrast
        color = f"var(--seat-{self.seat},{self.color})" if self.theme.name == "page" else self.color
        line = {"stroke": color, "stroke_linecap": "round"}
        frame = tag("rect", x=7, y=7, width=86, height=86, rx=10, stroke_width=3, stroke_dasharray="9 7", **line)
        cross = tag("path", d="M50 41V59M41 50H59", stroke_width=5, **line)
        yield tag("rect", id=f"{ID}hit", width=100, height=100, fill="transparent")
        yield tag("g", frame + cross, id=f"{ID}offer", fill=color)
        disc = tag("circle", r=17, fill=self.color, stroke="#fff", stroke_width=3)
        arrow = {"stroke": "#fff", "stroke_width": 3.4, "stroke_linecap": "round", "stroke_linejoin": "round"}
        sign = disc + tag("path", d=_TURNING, fill="none", **arrow)
        yield tag("g", sign, id=f"{ID}turning", transform="translate(114 -14)")
        for rotation in sorted({rotation for _, _, rotation in self.segments}):
            shadow = tag("rect", x=3, y=6, width=104, height=104, rx=4, fill="#000", fill_opacity=".3")
            tile = layers.drawing(self.letter, rotation, 0)
            rim = "".join(
                tag("rect", width=100, height=100, rx=3, fill="none", stroke=color, stroke_width=width)
                for color, width in (("#fff", 8), (self.color, 5))
            )
            lifted = tag("g", tile + rim, transform="translate(-2 -3) scale(1.04)")
            yield tag("g", shadow + lifted, id=f"{ID}k{rotation}")

    def spots(self) -> str:
        """Targets for a meeple, and the meeple where it has been put."""
        laid = [(*where, segment) for where, segments in sorted(self.segments.items()) for segment in segments]
        if not laid:
            return ""
        kinds = sorted({(rotation, segment) for _, _, rotation, segment in laid})
        return (
            tag("defs", "".join(symbol for kind in kinds for symbol in self._spot_symbols(*kind)))
            + "".join(self._spot(*spot) for spot in laid)
            + "".join(
                use(f"g{r}-{segment}", 100 * x, 100 * y, class_=f"cc-chosen {_OFF}", data_show=f"{x},{y}|{r}|{segment}")
                for x, y, r, segment in laid
            )
        )

    def _spot(self, x: int, y: int, rotation: int, segment: str) -> str:
        return use(
            f"s{rotation}-{segment}",
            100 * x,
            100 * y,
            id=f"{ID}{spelling.spot_id(x, y, rotation, segment)}",
            class_=_OFF,
            data_step="meeple",
            data_value=segment,
            data_when=f"{x},{y}|{rotation}",
            aria_label=spelling.segment_sentence(self.letter, rotation, segment),
        )

    def _spot_symbols(self, rotation: int, segment: str) -> Iterator[str]:
        x, y = turn(targets(self.letter)[segment], rotation)
        at = f"translate({number(x)} {number(y)})"
        disc = tag("circle", r=SPOT - 2, fill="#fff", fill_opacity=".86", stroke=self.color, stroke_width=4)
        pose = "rotate(90) " if segment.startswith("field") else ""
        figure = use("mp", fill=self.color, transform=f"{pose}translate(0 9) scale(.68)")
        yield tag("g", disc + figure, id=f"{ID}s{rotation}-{segment}", transform=at)
        chosen = use(f"m{self.seat}", transform=f"{pose}translate(0 16) scale(1.45)")
        yield tag("g", chosen, id=f"{ID}g{rotation}-{segment}", transform=at)


@cache
def targets(letter: str) -> Mapping[str, tuple[float, float]]:
    """Middle of each segment's target in rotation 0: meeple spots, pushed apart so that none hides another."""
    spots = tile_shape(letter).spots
    return dict(zip(spots, spread(list(spots.values()), 2 * SPOT + 1, 6, 94), strict=True))
