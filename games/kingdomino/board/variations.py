"""A position and what might be played from it, marked as `games.variations` says.

The kingdom of the seat on turn comes first. Dominoes of a variation are framed in the colour of
the seat that places them, kings stand on what it takes; both are numbered where the variation
has more than one ply. Rows that are drawn on the way are not shown: only what is on offer now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games import readiness
from games.kingdomino import reading
from games.kingdomino import state as layout_of
from games.kingdomino.board import layout, pieces, render, small
from games.kingdomino.board.picture import Laid, build_picture, laid_of
from games.kingdomino.board.symbols import pair
from games.protocol import Game, State
from games.svg import ID, SEAT_COLORS, Canvas, Theme, tag

_CSS = ".kd-number{font-size:34px;font-weight:700;fill:#fff;stroke:#1B1B1B;stroke-width:6;paint-order:stroke}"


class _Step(NamedTuple):
    """Step of a variation, at its ply `step`: a domino laid, or a domino of the row taken by a seat."""

    laid: Laid | None
    taken: tuple[int, int] | None
    step: int
    is_numbered: bool


class _Position(render.Table):
    """A position that nobody looks at as a seat: the kingdom on turn comes first, but is not yours."""

    def name(self, seat: int) -> str:
        """Text on the plate of a kingdom."""
        return render.name_of(seat)


def svg(game: Game, state: State, variations: Sequence[Sequence[State]], *, prefix: str = "") -> str:
    """The board of `state` with every variation in it; see `games.variations`."""
    look = Theme("page")
    picture = build_picture(readiness.rules(game), state)
    arranged = layout.for_all(picture) if picture.player is None else layout.for_seat(picture, picture.player)
    found: dict[_Step, list[int]] = {}
    for number, states in enumerate(variations):
        for step in _steps(state, states):
            found.setdefault(step, []).append(number)
    table = _Position(picture, arranged, look, picture.player, more=[step.laid for step in found if step.laid])
    body = table.markup() + "".join(_drawn(step, numbers, table) for step, numbers in found.items())
    canvas = Canvas(arranged.box, render.WIDTH, look, prefix, unit=render.unit(arranged))
    return render.whole(canvas, body, render.description(picture), _CSS)


def drawn_svg(game: Game, state: State, *, prefix: str = "") -> str:
    """The domino to be placed; empty where there is none."""
    number = reading.to_place(state)
    return "" if number is None else small.held_svg(number, prefix=prefix)


def _steps(state: State, states: Sequence[State]) -> Iterator[_Step]:
    """The dominoes that the plies of a variation lay, and those that they take."""
    before = state
    for step, after in enumerate(states, start=1):
        was, now = (one[layout_of.FATE :][: layout_of.NUM_DOMINOES] for one in (before, after))
        fates = {fate.domino: fate for fate in reading.fates(after)}
        for number in (was != now).nonzero()[0].tolist():
            fate = fates.get(number + 1)
            if fate is None:  # left aside
                continue
            if not was[number]:
                yield _Step(None, (fate.domino, fate.seat), step, len(states) > 1)
            elif laid := laid_of(fate):
                yield _Step(laid, None, step, len(states) > 1)
        before = after


def _drawn(step: _Step, numbers: Sequence[int], table: render.Table) -> str:
    marks = {"class_": "kd-off", "data_variation": " ".join(map(str, numbers)), "data_from": step.step}
    figure = tag("text", str(step.step), x=12, y=40, class_="kd-number") if step.is_numbered else ""
    if step.laid:
        return _laid(step.laid, figure, table, marks)
    assert step.taken is not None
    number, seat = step.taken
    places = {one.number: place for place, one in enumerate(table.picture.next)}
    if number not in places:
        return ""
    draft = table.arranged.draft
    body = _rims(SEAT_COLORS[seat]) + pieces.king(seat, (0, 0), 1) + figure
    return tag("g", body, transform=pieces.move(*draft.next[places[number]], draft.scale), **marks)


def _laid(laid: Laid, figure: str, table: render.Table, marks: dict[str, object]) -> str:
    slot, window = table.arranged.slots[laid.seat], table.window(laid.seat)
    (ax, ay), (bx, by) = laid.ends
    left, top = min(ax, bx), min(ay, by)
    places = ((100 * (ax - left), 100 * (ay - top)), (100 * (bx - left), 100 * (by - top)))
    ground = tag("g", pair(laid.number, places), clip_path=f"url(#{ID}{'flat' if ay == by else 'tall'})")
    turned = None if ay == by else "translate(100 0) rotate(90)"
    rims = tag("g", _rims(SEAT_COLORS[laid.seat]), transform=turned)
    label = f"Might be placed: domino {reading.face(laid.number)}"
    at = pieces.move(*pieces.corner(slot, window, (left, top)), slot.scale)
    return tag("g", ground + rims + figure, role="img", aria_label=label, transform=at, **marks)


def _rims(color: str) -> str:
    """A frame of 200 x 100 in a seat's colour."""
    return "".join(
        tag("rect", width=200, height=100, rx=10, fill="none", stroke=stroke, stroke_width=width)
        for stroke, width in (("#fff", 10), (color, 7))
    )
