"""A position and what might be played from it: tiles and meeples that a script shows and hides.

The attributes are those of `games.variations`. Tiles of a variation are framed in the colour of
the seat that lays them, and numbered where the variation has more than one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import NamedTuple

from games import readiness
from games.carcassonne import reading
from games.carcassonne import state as layout
from games.carcassonne.board import layers, render
from games.carcassonne.board.layers import Window
from games.carcassonne.board.picture import Tile
from games.protocol import Game, State
from games.svg import SEAT_COLORS, Theme, tag

_CSS = ".cc-number{font-size:30px;font-weight:700;fill:#fff;stroke:#1B1B1B;stroke-width:5;paint-order:stroke}"
_DRAWN_SIZE = 56


class _Laid(NamedTuple):
    """A tile that a variation lays at its ply `step`; home: the ply after which its meeple is gone."""

    tile: Tile
    seat: int
    step: int
    home: int | None
    is_numbered: bool


def svg(game: Game, state: State, variations: Sequence[Sequence[State]], *, prefix: str = "") -> str:
    """The board of `state` with every variation in it; see `games.variations`."""
    kernels, theme = readiness.rules(game), Theme("page")
    tiles = [Tile(*tile) for tile in reading.laid_tiles(kernels, state)]
    laid: dict[_Laid, list[int]] = {}
    gone: dict[int, list[str]] = {}
    for number, states in enumerate(variations):
        for entry in _laid(kernels, state, states):
            laid.setdefault(entry, []).append(number)
        for index, step in _gone(kernels, tiles, states):
            gone.setdefault(index, []).append(f"{number}:{step}")
    body = layers.ground(tiles, None, targets=False) + (layers.last_ring(tiles[-1]) if len(tiles) > 1 else "")
    return render.board(
        body,
        _tiles(laid) + _standing(tiles, gone) + _meeples(laid),
        Window.around([tile.cell for tile in tiles] + [entry.tile.cell for entry in laid]),
        f"A position with {len(tiles)} tiles; below it one chooses what might be played.",
        (900, theme, prefix),
        render.Extra(_CSS),
    )


def drawn_svg(game: Game, state: State, *, prefix: str = "") -> str:
    """The tile in hand; empty where none is drawn."""
    drawn = int(state[layout.TILE])
    return render.tile_svg(reading.TABLES.letters[drawn - 1], size=_DRAWN_SIZE, prefix=prefix) if drawn else ""


def _laid(kernels: ModuleType, state: State, states: Sequence[State]) -> Iterator[_Laid]:
    """The tiles that the plies of a variation lay, one each, with the meeples that they place."""
    first = int(state[layout.NUM_LAID])
    before = state
    for step, after in enumerate(states, start=1):
        index = first + step - 1
        words = reading.record(after, index)
        names, claimed = reading.TABLES.segment_names[words[layout.TYPE]], int(words[layout.MEEPLE])
        meeple = (names[claimed - 1], int(words[layout.OWNER])) if claimed else None
        later = (n for n in range(step + 1, len(states) + 1) if not kernels.has_meeple(states[n - 1], index))
        letter = reading.TABLES.letters[words[layout.TYPE]]
        x, y, rotation = (int(words[word]) for word in (layout.X, layout.Y, layout.ROTATION))
        home = next(later, None) if meeple else None
        yield _Laid(Tile(letter, x, y, rotation, meeple), int(before[layout.PLAYER]), step, home, len(states) > 1)
        before = after


def _gone(kernels: ModuleType, tiles: Sequence[Tile], states: Sequence[State]) -> Iterator[tuple[int, int]]:
    """(index of a tile of the position, ply of the variation after which its meeple is gone)."""
    for index, tile in enumerate(tiles):
        if tile.meeple:
            steps = (step for step, after in enumerate(states, start=1) if not kernels.has_meeple(after, index))
            if (step := next(steps, None)) is not None:
                yield index, step


def _tiles(laid: dict[_Laid, list[int]]) -> str:
    """Framed tiles; those that differ in their meeple alone are one."""
    groups: dict[_Laid, list[int]] = {}
    for entry, numbers in laid.items():
        bare = entry._replace(tile=dataclasses.replace(entry.tile, meeple=None), home=None)
        groups.setdefault(bare, []).extend(numbers)
    return "".join(_tile(entry, numbers) for entry, numbers in groups.items())


def _tile(entry: _Laid, numbers: Sequence[int]) -> str:
    tile, color = entry.tile, SEAT_COLORS[entry.seat]
    frame = tag("rect", x=2, y=2, width=96, height=96, rx=3, fill="none", stroke=color, stroke_width=6)
    number = tag("text", str(entry.step), x=10, y=34, class_="cc-number") if entry.is_numbered else ""
    return tag(
        "g",
        layers.drawing(tile.type, tile.rotation, 0) + frame + number,
        role="img",
        aria_label=f"Might be laid: {tile.sentence}",
        transform=f"translate({100 * tile.x} {100 * tile.y})",
        **_marks(entry, numbers, None),
    )


def _standing(tiles: Sequence[Tile], gone: dict[int, list[str]]) -> str:
    """The meeples of the position, back to front."""
    order = sorted(enumerate(tiles), key=lambda item: item[1].y)
    return "".join(
        layers.meeple(tile, False, data_gone=" ".join(gone[index]) if index in gone else None) for index, tile in order
    )


def _meeples(laid: dict[_Laid, list[int]]) -> str:
    return "".join(
        layers.meeple(entry.tile, False, **_marks(entry, numbers, entry.home, "cc-meeple cc-off"))
        for entry, numbers in laid.items()
    )


def _marks(entry: _Laid, numbers: Sequence[int], home: int | None, classes: str = "cc-off") -> dict[str, object]:
    return {
        "class_": classes,
        "data_variation": " ".join(map(str, numbers)),
        "data_from": entry.step,
        "data_to": home,
    }
