"""The board for play: what `games.protocol.Game.play_svg` promises, with these ids beside the board's.

``hand-A-B``       a tile of the own hand that may be laid (step ``tile``)
``end-SIDE-A-B``   where it may go, if it fits both ends (step ``end``)
``pass``, ``partner``, ``call-SEAT``   what may be said instead (step ``tile`` too)

A tile that has been chosen is shown where it would lie.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.dominoes.board import plates, render, sheet, snake
from games.dominoes.board.snake import Place
from games.dominoes.board.symbols import FELT_DARK, GOLD, INK, ON_FELT, PAPER, box, spots, text, tile
from games.dominoes.board.table import Table
from games.dominoes.play import spelling
from games.dominoes.reading import Laid
from games.protocol import State
from games.svg import ID, Canvas, Theme, tag

_OFF = "off"
_CSS = (
    ".ml .off{display:none}.ml [data-step]{cursor:pointer}"
    ".dm-tile:hover .dm-ring,.dm-tile:focus-visible .dm-ring{stroke-width:7}"
    ".dm-end:hover,.dm-end:focus-visible{opacity:1}.dm-end{opacity:.72}"
    ".dm-chosen{pointer-events:none}"
    ".dm-say:hover rect,.dm-say:focus-visible rect{stroke-width:5}"
)
_PLACES = 8.1
"""The board of a phone is so many places high, and then shows it from top to bottom."""


def svg(
    view: State,
    actions: Sequence[int],
    *,
    seat: int | None,
    theme: str,
    prefix: str,
    recent: int = 1,
) -> str:
    """The table of a position. view: what `seat` sees; actions: what it may do now, empty where not on turn."""
    table = Table(view, seat, recent)
    body = table.markup({"data_aid": spelling.PASSED_ON, "class_": _OFF})
    body += _counts(view, seat) + _sheet(view)
    body += tag("rect", width=plates.WIDTH, height=plates.HEIGHT, fill="none", data_home="")
    if actions:
        body += "".join(_targets(table, actions))
    canvas = Canvas(render.BOX, plates.WIDTH, Theme(theme), prefix, unit=plates.HEIGHT / _PLACES)
    return render.whole(canvas, body, render.description(view), _CSS)


# ---- aids
def _counts(view: State, seat: int | None) -> str:
    """How many tiles of each number are neither on the table nor in the own hand."""
    hand = reading.hand(view, seat) if seat is not None else None
    unseen = set(tiles.listed(int(view[layout.UNPLAYED]))) - set(hand or ())
    left, top, width, height = plates.SNAKE
    step, body = 62.0, ""
    for n in range(tiles.NUM_NUMBERS):
        x = left + width / 2 + step * (n - 3) - 24
        out = sum(n in tiles.TILES[index] for index in unseen)
        face = box(0, 0, 100, 100, 20, fill=PAPER) + tag("g", spots(n) or "<g/>", fill=INK)
        body += tag("g", face, transform=f"translate({x:.1f} {top + height - 24:.1f}) scale(.22)")
        body += text(f"\N{MULTIPLICATION SIGN}{out}", x + 27, top + height - 7, 16, fill=ON_FELT)
    return tag("g", body, class_=f"dm-chosen {_OFF}", data_aid=spelling.COUNTS)


def _sheet(view: State) -> str:
    return tag("g", sheet.svg_rows(view), class_=f"dm-chosen {_OFF}", data_aid=spelling.SHEET)


# ---- what the seat on turn may do
def _targets(table: Table, actions: Sequence[int]) -> Iterator[str]:
    sides: dict[int, list[int]] = {}
    for action in actions:
        if action < layout.PASS:
            sides.setdefault(action >> 1, []).append(action & 1)
        else:
            yield _say(table, action)
    hand = reading.hand(table.state, table.player) or ()
    places = plates.open_places(len(hand), table.player, table.looking)
    for index, place in zip(hand, places, strict=True):
        if index in sides:
            yield _tile(index, place)
    for index, of_tile in sides.items():
        for side in of_tile:
            yield from _laid(table, index, side, len(of_tile) > 1)


def _tile(index: int, place: tuple[float, float, float]) -> str:
    """A tile of the hand: all of it can be pointed at."""
    x, y, unit = place
    frame = {"fill": "none", "stroke": GOLD, "stroke_width": 4, "class_": f"dm-ring {_OFF}", "data_aid": spelling.LEGAL}
    hit = box(x - unit / 2, y - unit, unit, 2 * unit, 10, fill="transparent")
    mark = box(x - unit / 2 - 2, y - unit - 2, unit + 4, 2 * unit + 4, unit * 0.2, **frame)
    return tag(
        "g",
        hit + mark,
        id=f"{ID}{spelling.tile_id(index)}",
        class_=f"dm-tile {_OFF}",
        data_step="tile",
        data_value=tiles.name(index),
        data_when="",
        aria_label=f"Lay the {spelling.tile_label(index).lower()}.",
    )


def _laid(table: Table, index: int, side: int, has_choice: bool) -> Iterator[str]:
    """A tile where it would lie: once it is chosen, and before that as an end to choose."""
    piece = _ghost(table, index, side)
    name, word = tiles.name(index), "left" if side == layout.LEFT_SIDE else "right"
    show = f"{name}|{word}" if has_choice else name
    yield tag("g", piece, class_=f"dm-chosen {_OFF}", data_show=show)
    if has_choice:
        yield tag(
            "g",
            piece,
            id=f"{ID}{spelling.end_id(index, word)}",
            class_=f"dm-end {_OFF}",
            data_step="end",
            data_value=word,
            data_when=name,
            aria_label=f"{spelling.end_label(table.state, word)}.",
        )


def _ghost(table: Table, index: int, side: int) -> str:
    """A tile at an end, ringed, in the frame of the row as it lies now."""
    place = _place(table, index, side)
    x, y = table.frame.at(place.x, place.y)
    unit = table.frame.unit
    width, height = (2 * unit, unit) if place.is_flat else (unit, 2 * unit)
    rim = {"fill": "none", "stroke": GOLD, "stroke_width": 3, "stroke_dasharray": "7 5"}
    frame = box(x - width / 2 - 2, y - height / 2 - 2, width + 4, height + 4, unit * 0.2, **rim)
    return tile(place.inner, place.outer, x, y, unit, place.turn, table.player) + frame


def _place(table: Table, index: int, side: int) -> Place:
    """Where a tile would lie."""
    row, (a, b) = reading.row(table.state), tiles.TILES[index]
    new = len(table.turns)
    if not row:
        laid = [Laid(a, b, table.player, new)]
    elif side == layout.LEFT_SIDE:
        laid = [Laid(a + b - row[0].left, row[0].left, table.player, new), *row]
    else:
        laid = [*row, Laid(row[-1].right, a + b - row[-1].right, table.player, new)]
    return next(place for place in snake.layout(laid)[0] if place.turn_laid == new)


def _say(table: Table, action: int) -> str:
    """A button: a pass and handing over beside the own plate, a call on the plate of whoever passed."""
    (part,) = spelling.parts(table.state, action)
    if layout.CALL <= action < layout.HAND_OVER:
        x, y = plates.home(action - layout.CALL, table.looking)
        x, y, width, height, words = x + plates.PLATE[0] - 74, y + 52, 70.0, 30.0, "Call!"
    else:
        x, y, width, height = plates.MIDDLE
        words = "Pass" if action == layout.PASS else "Partner opens"
    body = box(x, y, width, height, height / 2, fill=FELT_DARK, stroke=GOLD, stroke_width=3)
    middle = {"text_anchor": "middle", "font_weight": 700}
    body += text(words, x + width / 2, y + height / 2 + 6, 18 if height > 40 else 16, **middle)
    return tag(
        "g",
        body,
        id=f"{ID}{part.element}",
        class_=f"dm-say {_OFF}",
        data_step="tile",
        data_value=part.value,
        data_when="",
        aria_label=f"{part.label}.",
    )
