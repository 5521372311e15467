"""The board for play: what `games.protocol.Game.play_svg` promises, with these ids beside the board's.

``hand-A-B``       a tile of the own hand that may be laid (step ``tile``)
``end-SIDE-A-B``   where it may go, if it fits both ends (step ``end``)
``pass``, ``partner``, ``call-SEAT``   what may be said instead (step ``tile`` too)

A tile that has been chosen is shown where it would lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType

from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.dominoes.board import arrangement, plates, render, sheet, snake
from games.dominoes.board.arrangement import FORMS, Box, Form
from games.dominoes.board.snake import Place
from games.dominoes.board.symbols import FELT_DARK, GOLD, INK, ON_FELT, PAPER, box, spots, text, tile
from games.dominoes.board.table import Table
from games.dominoes.play import spelling
from games.dominoes.reading import Laid
from games.protocol import State
from games.svg import ID, tag

_OFF = "off"
_CSS = (
    ".ml .off{display:none}.ml [data-step]{cursor:pointer}"
    ".dm-tile:hover .dm-ring,.dm-tile:focus-visible .dm-ring{stroke-width:7}"
    ".dm-end:hover,.dm-end:focus-visible{opacity:1}.dm-end{opacity:.72}"
    ".dm-chosen{pointer-events:none}"
    ".dm-say:hover rect,.dm-say:focus-visible rect{stroke-width:5}"
)


def svg(
    kernels: ModuleType,
    view: State,
    actions: Sequence[int],
    *,
    seat: int | None,
    theme: str,
    prefix: str,
    recent: int = 1,
) -> str:
    """The table of a position. view: what `seat` sees; actions: what it may do now, empty where not on turn."""
    table = Table(view, seat, recent, has_rim=False)
    for form in table.forms:
        laid = [_place(form, table, action >> 1, action & 1) for action in actions if action < layout.PASS]
        table.rows[form.key].make_room(laid)
    body = table.markup({"data_aid": spelling.PASSED_ON, "class_": _OFF})
    body += _aid(spelling.COUNTS, _counts, view, seat)
    body += _aid(spelling.SHEET, sheet.svg_rows, view)
    if actions:
        body += "".join(_targets(table, actions))
    return render.on_page(body, render.description(view), theme=theme, prefix=prefix, css=_CSS)


# ---- aids
def _aid(name: str, draw: Callable[..., str], *args: object) -> str:
    """Layers that lie over the table while an aid is on."""
    return tag("g", arrangement.both(FORMS, draw, *args), class_=f"dm-chosen {_OFF}", data_aid=name)


def _counts(form: Form, view: State, seat: int | None) -> str:
    """Number of tiles of each number that are neither on the table nor in the seat's own hand."""
    hand = reading.hand(view, seat) if seat is not None else None
    unseen = set(tiles.tile_indices(int(view[layout.UNPLAYED]))) - set(hand or ())
    size = form.word_size
    step, top = 3.6 * size, form.snake.y + form.snake.height - 1.8 * size
    body = ""
    for n in range(tiles.NUM_NUMBERS):
        x = form.snake.middle + step * (n - 3) - 1.5 * size
        out = sum(n in tiles.TILES[index] for index in unseen)
        face = box(0, 0, 100, 100, 20, fill=PAPER) + tag("g", spots(n) or "<g/>", fill=INK)
        body += tag("g", face, transform=f"translate({x:.1f} {top:.1f}) scale({size * 0.0145:.3f})")
        body += text(f"\N{MULTIPLICATION SIGN}{out}", x + 1.75 * size, top + 1.15 * size, size, fill=ON_FELT)
    return body


# ---- what the seat on turn may do
def _targets(table: Table, actions: Sequence[int]) -> Iterator[str]:
    sides: dict[int, list[int]] = {}
    for action in actions:
        if action < layout.PASS:
            sides.setdefault(action >> 1, []).append(action & 1)
        else:
            yield _say(table, action)
    hand = reading.hand(table.state, table.player) or ()
    for k, index in enumerate(hand):
        if index in sides:
            yield _tile(table, index, k, len(hand))
    for index, of_tile in sides.items():
        for side in of_tile:
            yield from _laid(table, index, side, len(of_tile) > 1)


def _tile(table: Table, index: int, k: int, count: int) -> str:
    """A tile of the hand: all of it can be pointed at."""

    def draw(form: Form) -> str:
        x, y, unit = plates.open_places(form, count, table.player, table.looking)[k]
        frame = {"fill": "none", "stroke": GOLD, "stroke_width": 4, "class_": f"dm-ring {_OFF}"}
        hit = box(x - unit / 2, y - unit, unit, 2 * unit, 10, fill="transparent")
        mark = box(x - unit / 2 - 2, y - unit - 2, unit + 4, 2 * unit + 4, unit * 0.2, data_aid=spelling.LEGAL, **frame)
        return hit + mark

    return tag(
        "g",
        table.both(draw),
        id=f"{ID}{spelling.tile_id(index)}",
        class_=f"dm-tile {_OFF}",
        data_step="tile",
        data_value=tiles.name(index),
        data_when="",
        aria_label=f"Lay the {spelling.tile_label(index).lower()}.",
    )


def _laid(table: Table, index: int, side: int, has_choice: bool) -> Iterator[str]:
    """A tile where it would lie: once it is chosen, and before that as an end to choose."""
    piece = table.both(_ghost, table, index, side)
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


def _ghost(form: Form, table: Table, index: int, side: int) -> str:
    """A tile at an end, ringed, in the frame of the row as it lies now."""
    place, frame = _place(form, table, index, side), table.rows[form.key].frame
    x, y = frame.at(place.x, place.y)
    unit = frame.unit
    width, height = (2 * unit, unit) if place.is_flat else (unit, 2 * unit)
    rim = {"fill": "none", "stroke": GOLD, "stroke_width": 3, "stroke_dasharray": "7 5"}
    ring = box(x - width / 2 - 2, y - height / 2 - 2, width + 4, height + 4, unit * 0.2, **rim)
    return tile(place.inner, place.outer, x, y, unit, place.turn, table.player) + ring


def _place(form: Form, table: Table, index: int, side: int) -> Place:
    """Place where a tile would lie."""
    row, (a, b) = reading.row(table.state), tiles.TILES[index]
    new = len(table.turns)
    if not row:
        laid = [Laid(a, b, table.player, new)]
    elif side == layout.LEFT_SIDE:
        laid = [Laid(a + b - row[0].left, row[0].left, table.player, new), *row]
    else:
        laid = [*row, Laid(row[-1].right, a + b - row[-1].right, table.player, new)]
    return next(place for place in snake.layout(laid, form.limit)[0] if place.turn_laid == new)


def _say(table: Table, action: int) -> str:
    """A button: a pass and handing over near the own hand, a call below the plate of the seat that passed."""
    (part,) = spelling.parts(table.state, action)
    if layout.CALL <= action < layout.HAND_OVER:
        words = "Call!"
    else:
        words = "Pass" if action == layout.PASS else "Partner opens"

    def draw(form: Form) -> str:
        x, y, width, height = _call_box(table, form, action) if words == "Call!" else form.say
        body = box(x, y, width, height, height / 2, fill=FELT_DARK, stroke=GOLD, stroke_width=3)
        size = form.word_size + (2 if height > 30 else 0)
        middle = {"text_anchor": "middle", "font_weight": 700}
        return body + text(words, x + width / 2, y + height / 2 + size * 0.35, size, **middle)

    return tag(
        "g",
        table.both(draw),
        id=f"{ID}{part.element}",
        class_=f"dm-say {_OFF}",
        data_step="tile",
        data_value=part.value,
        data_when="",
        aria_label=f"{part.label}.",
    )


def _call_box(table: Table, form: Form, action: int) -> Box:
    """At the lower right end of a plate."""
    plate, (width, height) = plates.frame_of(form, action - layout.CALL, table.looking), form.call
    return Box(plate.x + plate.width - width - 3, plate.y + plate.height + 1, width, height)
