"""The board for play: what `games.protocol.Game.play_svg` promises, with these ids beside the table's.

It fills a stage on which the page has plates of the seats, so it draws none.

``hand-N``, ``supply-N``, ``aside-N``, ``loot-N``  a card that may be chosen now (by its number)
``home-last``  what is asked about: where the view of a phone begins
``hover``      empty: the enlarged card under the pointer is copied into it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType

from games.dominion import cards
from games.dominion import state as layout_of
from games.dominion.board import layout, render, texts
from games.dominion.board.layout import NARROW, WIDE, Arrangement, Box, Spot
from games.dominion.board.picture import build_picture, visible_state
from games.dominion.board.symbols import CARD, LEAST, move
from games.dominion.play import spelling
from games.protocol import State
from games.svg import ID, SEAT_COLORS, Canvas, Theme, tag, use

_OFF = "off"
_UNIT = 68
"""A "place" of the board: on a phone it is then drawn large enough for its names to be read."""
_ENLARGED = 1.6
"""Most scale of the enlarged card."""
_AWAY = 10
_CSS = (
    ".ml .off,.dm-big{display:none}"
    ".ml [data-step]{cursor:pointer}"
    ".dm-veil,.dm-tick{opacity:0}"
    ".dm-step:hover .dm-veil{opacity:.16}"
    ".is-chosen .dm-veil{opacity:.14}.is-chosen .dm-tick{opacity:1}"
    ".dm-step:focus-visible .dm-veil{opacity:1;fill-opacity:.16;stroke:#241C14;stroke-width:4.5}"
    ".dm-hover{pointer-events:none}.dm-hover>*{animation:dm-show .12s .3s both}@keyframes dm-show{from{opacity:0}}"
    ".is-narrow .dm-at{transform:var(--narrow)}"
)
_TICK = "M-5.5.5-1.5 4.5 6-4"


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
    """The board of a position as `seat` (None: a spectator) may see it.

    actions: what it may do now, empty where it is not on turn.
    """
    view = visible_state(kernels, state, seat)
    look, picture = Theme(theme), build_picture(kernels, view, seat)
    forms = [
        layout.arrange(style, len(picture.holders), picture.order, has_deck=seat is not None, has_seats=False)
        for style in (WIDE, NARROW)
    ]
    table = render.Table(picture, forms, look, seat, has_titles=False)
    body = table.markup() + _Offer(view, actions, table).markup() + _Enlarged(view, actions, table).markup()
    canvas = Canvas(forms[0].box, render.WIDTH, look, prefix, unit=_UNIT, writing=float(LEAST))
    return render.whole(canvas, body, picture, _CSS, narrow=forms[1].box)


# ---- the enlarged card under the pointer
class _Enlarged:
    """Each card on the table at large, hidden, and the layer into which one is copied.

    It lies beside the card pointed at, and never over a place where one may be chosen now: over the hand
    while a card of the supply is asked for, else over the supply.
    """

    def __init__(self, view: State, actions: Sequence[int], table: render.Table) -> None:
        self.table = table
        self.asked = spelling.ASKED[int(view[layout_of.KIND])].zone if len(actions) else ""

    def markup(self) -> str:
        """One for each card that can be pointed at, and the layer."""
        body = ""
        for zone, number in self.table.marks():
            wide, narrow = (
                self._beside(zone, _spot(self.table, form, zone, number), form) for form in self.table.forms
            )
            name = f"{zone}-{number}" if zone in ("pile", "table") else f"{zone}-card-{number}"
            body += tag(
                "g",
                use(f"{CARD.key}{number}", class_="dm-big", data_f=name),
                class_="dm-at",
                transform=wide,
                style=f"--narrow:{_in_css(narrow)}",
            )
        return body + tag("g", " ", id=f"{ID}hover", class_=f"dm-hover {_OFF}", data_aid=spelling.POINTED)

    def _beside(self, zone: str, spot: Spot, form: Arrangement) -> str:
        """Place of the enlarged card."""
        is_pile, room = zone == "pile", form.box
        below = Box(room.x, form.supply.bottom, room.width, room.bottom - form.supply.bottom)
        is_below = self.asked == spelling.PILES or (is_pile and not self.asked)
        scale = min(_ENLARGED, (below.height - 4) / CARD.height)
        width, height = CARD.width * scale, CARD.height * scale
        left, right = room.x + 3, room.right - 3 - width
        x = max(left, min(spot.box.x + spot.box.width / 2 - width / 2, right))
        if is_below != is_pile:  # where the card itself lies: at its side
            after, before = spot.box.right + _AWAY, spot.box.x - _AWAY - width
            x = after if after <= right else max(left, before)
        y = below.y + 2 if is_below else form.supply.bottom - height - 2
        return move(x, y, scale)


def _spot(table: render.Table, form: Arrangement, zone: str, number: int) -> Spot:
    return form.piles[number] if zone in ("pile", spelling.PILES) else table.spots(form)[zone, number]


def _in_css(transform: str) -> str:
    """A ``transform`` as style sheets write it: lengths have units."""
    place, _, scale = transform.partition(" scale")
    x, y = place[len("translate(") : -1].split()
    return f"translate({x}px,{y}px)" + (f" scale{scale}" if scale else "")


# ---- what the seat on turn may do
class _Offer:
    """Targets of the legal actions."""

    def __init__(self, view: State, actions: Sequence[int], table: render.Table) -> None:
        self.view, self.actions, self.table = view, actions, table
        seat = int(view[layout_of.PLAYER])
        self.kind = int(view[layout_of.KIND])
        self.color = SEAT_COLORS[max(seat, 0)]
        # on the page's mat, where its own shade of the seat's colour has enough contrast
        self.line = f"var(--seat-{seat},{self.color})" if table.theme.name == "page" else self.color

    def markup(self) -> str:
        """A target for each card, and what is asked about."""
        targets = "".join(self._target(*one) for one in self._cards())
        return targets + self._home()

    def _cards(self) -> Iterator[tuple[str, int, str]]:
        """Zone, number and words of every card that may be chosen on the table."""
        for action in self.actions:
            if action < cards.NUM_CARDS and (zone := spelling.ASKED[self.kind].zone):
                yield zone, action, spelling.parts(self.view, action)[0].label

    def _target(self, zone: str, number: int, words: str) -> str:
        asked, one = spelling.ASKED[self.kind], cards.table()[number]
        return tag(
            "g",
            self.table.both(lambda form: self._ring(_spot(self.table, form, zone, number))),
            id=f"{ID}{spelling.element(self.kind, number)}",
            class_=f"dm-step {_OFF}",
            data_step=asked.name,
            data_value=one.name,
            data_when="",
            data_f=f"pile-{number}" if zone == spelling.PILES else f"{zone}-card-{number}",
            aria_label=f"{words}. {texts.whole(one, self.table.picture.woodcutter)}",
        )

    def _ring(self, spot: Spot) -> str:
        """Round a card: where to press, a veil, the ring of the aid, the tick of what is chosen."""
        box, radius = spot.box._replace(width=spot.seen), spot.form.radius * spot.scale + 2
        place = {"x": box.x - 1.5, "y": box.y - 1.5, "width": box.width + 3, "height": box.height + 3, "rx": radius}
        ring = "".join(
            tag("rect", fill="none", stroke=color, stroke_width=width, **place)
            for color, width in (("#fff", 6.5), (self.line, 4))
        )
        x, y = box.right - 15, box.bottom - 15
        disc = tag("circle", r=11, fill=self.color, stroke="#fff", stroke_width=2)
        line = {"fill": "none", "stroke": "#fff", "stroke_width": 2.6, "stroke_linecap": "round"}
        hit = {"x": box.x - 2, "y": box.y - 2.2, "width": box.width + 4, "height": box.height + 4.4}  # chips touch
        return (
            tag("rect", fill="transparent", **hit)
            + tag("g", ring, class_=_OFF, data_aid=spelling.LEGAL)
            + tag("rect", class_="dm-veil", fill=self.color, **place)
            + tag("g", disc + tag("path", d=_TICK, **line), class_="dm-tick", transform=move(x, y))
        )

    def _home(self) -> str:
        """The supply where a card of it is asked for, else the hand and what lies beside it."""
        zone = spelling.ASKED[self.kind].zone if self.actions else spelling.HAND

        def draw(form: Arrangement) -> str:
            box = form.table
            if zone == spelling.PILES:
                box = Box(0, form.supply.y, form.style.width, form.turn.bottom - form.supply.y)
            return tag("rect", x=box.x, y=box.y, width=box.width, height=box.height, fill="none")

        return tag("g", self.table.both(draw), id=f"{ID}home-last")
