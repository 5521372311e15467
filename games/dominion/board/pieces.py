"""Pieces of the table, one function each, in the drawing units of an `Arrangement`.

Whatever a replay shows and hides takes its marks as attributes (`data_from`, ...).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.dominion import cards, reading
from games.dominion.board import symbols, texts
from games.dominion.board.layout import NARROW, Box, Spot, Style
from games.dominion.board.picture import PHASES, Counts, Holder
from games.dominion.board.symbols import LINE, move, text
from games.svg import ID, SEAT_COLORS, SEAT_MARKS, SEAT_NAMES, Theme, seat_name, tag, use

CSS = symbols.CSS
SMALL = 33
"""Height of a plate or of the turn below which they are those of a phone."""
_BACK = (150, 200)
_NAMED = 300
"""Width from which a plate has room for a name."""
_LETTER = 10.2
"""Width of a letter of a name, in a wide face."""
_EDGE = 2.5
_TRASH = "M-8-4H8L6 11H-6ZM-10-4H10M-4-4V-8H4V-4M-3 0-2 7M3 0 2 7"
_PILL = {"m": 0.82, "t": 0.84, "c": 0.93, "s": 0.84}
"""Scale of a number, by form of the card."""
_FIGURES = tuple(enumerate(("deck", "hand", "discard", "points")))
_COUNTERS = (("action", "actions"), ("buy", "buys"), ("coin", "coins"))


def chip(seat: int, x: float, y: float, radius: float) -> str:
    """Round badge of a seat: colour and mark."""
    disc = tag("circle", cx=float(x), cy=float(y), r=float(radius), fill=SEAT_COLORS[seat])
    return disc + tag("path", d=SEAT_MARKS[seat], fill="#fff", transform=move(x, y, radius / 10))


def card(number: int, spot: Spot, **marks: object) -> str:
    """A card that lies open."""
    return use(f"{spot.form.key}{number}", transform=move(spot.x, spot.y, spot.scale), **marks)


def back(box: Box, **marks: object) -> str:
    """A card that lies face down."""
    return use("back", box.x, box.y, width=box.width, height=box.height, **marks)


def count_pill(name: str, spot: Spot, **marks: object) -> str:
    """Count in the corner of a picture. name: of a number among the symbols."""
    size, inset = _PILL[spot.form.key] * max(spot.scale, 1), 4 * spot.scale
    right, low = spot.seen - inset, spot.form.band * spot.scale + inset * 0.6
    if spot.form is symbols.CHIP:
        low = spot.box.height - 23.5 * size
    elif spot.form is symbols.LOW:  # below its picture
        right, low = 35 * spot.scale, spot.box.height - 25 * size
    at = move(spot.x + right, spot.y + low, size)
    return use(name, transform=at, **marks)


def pile_label(number: int, left: int, woodcutter: int) -> str:
    """A pile in words, with the text of its card."""
    one = cards.table()[number]
    return f"{one.name}, costs {one.cost}, {left or 'none'} left. {texts.whole(one, woodcutter)}"


def pile(number: int, spot: Spot, left: int) -> str:
    """A pile of the supply; an empty one is pale."""
    return card(number, spot, opacity=None if left else ".35") + count_pill(f"n{left}", spot)


def trash(spot: Spot, counts: Counts, theme: Theme) -> str:
    """The trash pile, with the number of its cards."""
    box, is_small = spot.box, spot.form is symbols.CHIP
    dash = {"stroke": theme.color("muted"), "stroke_width": 1.4, "stroke_dasharray": "6 5", "stroke_opacity": 0.7}
    frame = tag("rect", x=box.x + 1, y=box.y + 1, width=box.width - 2, height=box.height - 2, rx=8, fill="none", **dash)
    x, y = box.x + box.width * (0.17 if is_small else 0.2), box.y + box.height / 2
    line = {"fill": "none", "stroke": theme.color("muted"), "stroke_width": 2, "stroke_linecap": "round"}
    body = frame + tag("path", d=_TRASH, transform=move(x, y, 0.9 if is_small else 1.1), **line)
    size = 13.8
    number = sum(counts.values())
    body += text("Trash", x + 1.3 * size, y - 0.1 * size, size, fill=theme.color("ink"), font_weight=700)
    return body + text(_plural(number), x + 1.3 * size, y + 0.95 * size, size * 0.88, fill=theme.color("muted"))


def _plural(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards" if count else "empty"


def label(words: str, room: Box, style: Style, theme: Theme, seat: int | None = None, **marks: object) -> str:
    """Label above a row of cards."""
    size = symbols.LEAST if style is NARROW else 14
    y = room.y - (4 if style is NARROW else 7)
    badge = chip(seat, room.x + size * 0.5, y - size * 0.36, size * 0.5) if seat is not None else ""
    x = room.x + (size * 1.35 if badge else 0)
    return tag("g", badge + text(words, x, y, size, font_weight=700, fill=theme.color("ink")), **marks)


def stack(number: int, count: int, spot: Spot) -> str:
    """Cards of a kind that lie one behind another, with their number."""
    edge = _EDGE * spot.scale * (0.6 if spot.form is symbols.CHIP else 1)
    behind = "".join(
        card(number, spot._replace(x=spot.x + edge * k, y=spot.y + edge * k)) for k in range(min(count, 3) - 1, 0, -1)
    )
    return behind + card(number, spot) + (count_pill(f"x{count}", spot) if count > 1 else "")


def no_cards(room: Box, words: str, style: Style, theme: Theme) -> str:
    """An empty place."""
    dash = {"fill": "none", "stroke": theme.color("line"), "stroke_width": 1.4, "stroke_dasharray": "6 5"}
    frame = tag("rect", x=room.x, y=room.y, width=room.width, height=room.height, rx=8, **dash)
    look = {"text_anchor": "middle", "fill": theme.color("muted")}
    size = symbols.LEAST if style is NARROW else 14
    return frame + text(words, room.x + room.width / 2, room.y + room.height / 2 + size * 0.35, size, **look)


def backs(count: int, room: Box, height: float, seen: float) -> str:
    """A hand face down: overlapping backs."""
    width = height * _BACK[0] / _BACK[1]
    step = min(seen, (room.width - width) / max(count - 1, 1))
    return "".join(back(Box(room.x + step * place, room.y, width, height)) for place in range(count))


# ---- seats
def seat_frame(seat: int, box: Box, theme: Theme, *, is_own: bool = False, is_on: bool, is_asked: bool = False) -> str:
    """Plate, badge and name of a seat. is_on: it is its turn; is_asked: it answers to somebody else's."""
    line: dict[str, object] = {"stroke": theme.color("line")}
    if is_on or is_asked:
        line = {"stroke": SEAT_COLORS[seat], "stroke_width": 3, "stroke_dasharray": "9 6" if is_asked else None}
    plate = tag("rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=8, fill=theme.color("page"), **line)
    if box.height < SMALL:
        return plate + chip(seat, box.x + 13, box.y + box.height / 2, 8.5)
    look = {"font_weight": 700, "fill": theme.color("ink")}
    room = int((seat_figures(box)[0].place.x - box.x - 44) / _LETTER)
    name = "You" if is_own else seat_name(seat, room)
    words = text(name, box.x + 44, box.y + box.height / 2 + 5, 15, **look) if box.width > _NAMED else ""
    return plate + chip(seat, box.x + 24, box.y + box.height / 2, 12) + words


class Figure(NamedTuple):
    """A figure of a plate. place: its room; scale: of icon and number."""

    name: str
    place: Box
    scale: float


def seat_figures(box: Box) -> list[Figure]:
    """Places of deck, hand, discard and points on a plate: side by side, else two by two."""
    if box.height < SMALL:
        left, width = box.x + 24, box.width - 26
        if width > 4 * 36:
            return [Figure(name, Box(left + width / 4 * i, box.y, width / 4, box.height), 0.75) for i, name in _FIGURES]
        half = Box(left, box.y + 2, width / 2, box.height / 2 - 2)
        return [
            Figure(name, half._replace(x=left + half.width * (i % 2), y=half.y + half.height * (i // 2)), 0.56)
            for i, name in _FIGURES
        ]
    each = min(84.0, (box.width - (104 if box.width > _NAMED else 48)) / 4)
    left = box.right - 4 * each - 2
    return [Figure(name, Box(left + each * i, box.y, each, box.height), min(1, each / 54)) for i, name in _FIGURES]


def figure_icon(figure: Figure) -> str:
    """The picture beside a figure: a deck face down, a fan, cards put away, a shield."""
    place, scale = figure.place, figure.scale
    at = move(place.x + 12 * scale, place.y + place.height / 2, scale)
    if figure.name == "points":
        return tag("g", tag("g", use("i-vp"), transform="scale(.8)"), transform=at)
    if figure.name == "deck":
        body = "".join(back(Box(k - 9.0, -12.0 - k, 18, 24)) for k in (0, 1.5))
    elif figure.name == "hand":
        card_ = back(Box(-7.5, -15, 15, 20))
        body = "".join(tag("g", card_, transform=f"translate(0 5) rotate({turn})") for turn in (-18, 0, 18))
    else:
        paper = {"fill": symbols.PAPER, "stroke": LINE, "stroke_width": 1.5}
        body = "".join(
            tag("rect", x=-8.5, y=-11.5, width=17, height=23, rx=2, transform=f"rotate({turn})", **paper)
            for turn in (-9, 8)
        )
    return tag("g", body, transform=at)


class Writing(NamedTuple):
    """Place and size of a written number."""

    x: float
    y: float
    size: float


def written(at: Writing, numbers: str, theme: Theme) -> str:
    """The numbers (`value`) that one place may show."""
    return tag("g", numbers, fill=theme.color("ink"), font_weight=700, font_size=at.size, class_="dm-n")


def value(number: int, at: Writing, **marks: object) -> str:
    """A number in its place."""
    return tag("text", str(number), x=at.x, y=at.y, **marks)


def figure_at(figure: Figure) -> Writing:
    """Place of the number of a figure."""
    size = 18 * max(figure.scale, 0.67)
    middle = figure.place.y + figure.place.height / 2
    return Writing(figure.place.x + 27 * figure.scale, middle + size * 0.36, size)


def seat_label(holder: Holder) -> str:
    """Public knowledge of a seat, in words."""
    words = f"{SEAT_NAMES[holder.seat]}: {holder.points} points, turn {holder.turns}, "
    words += f"{holder.deck} cards in the deck, {holder.hand} in hand, {holder.discard} discarded."
    words += f" Owns {reading.list_in_words(dict(holder.owned))}."
    if holder.top:
        words += f" On the deck: {', '.join(cards.name(number) for number in holder.top)}."
    if holder.known:
        words += f" Known in hand: {reading.list_in_words(dict(holder.known))}."
    return words


# ---- the turn
def turn_frame(box: Box, theme: Theme) -> str:
    """The plate of the turn."""
    return tag(
        "rect",
        x=box.x,
        y=box.y,
        width=box.width,
        height=box.height,
        rx=8,
        fill=theme.color("page"),
        stroke=theme.color("line"),
    )


def _counter_x(place: int, box: Box) -> float:
    is_small = box.height < SMALL
    return box.right - (44 if is_small else 72) * (3 - place) + (4 if is_small else 6)


def counter_icon(place: int, box: Box) -> str:
    """The picture beside what is left of actions, buys or coins."""
    scale = 0.72 if box.height < SMALL else 1
    return tag(
        "g", use(f"i-{_COUNTERS[place][0]}"), transform=move(_counter_x(place, box) + 10, box.y + box.height / 2, scale)
    )


def counter_at(place: int, box: Box) -> Writing:
    """Place of the number of cards left."""
    is_small = box.height < SMALL
    size = 16 if is_small else 21
    return Writing(_counter_x(place, box) + (22 if is_small else 28), box.y + box.height / 2 + size * 0.36, size)


def counters_label(values: Sequence[int]) -> str:
    """``1 action, 2 buys, 3 coins left``."""
    words = [f"{value} {name[:-1] if value == 1 else name}" for value, (_, name) in zip(values, _COUNTERS, strict=True)]
    return f"{', '.join(words)} left"


def phases(now: int | None, box: Box, theme: Theme, **marks: object) -> str:
    """The three phases of a turn, the present one marked."""
    is_small = box.height < SMALL
    size, x, body = (symbols.LEAST, box.x + 6, "") if is_small else (14.5, box.x + 14, "")
    middle = box.y + box.height / 2
    for place, name in enumerate(PHASES):
        width = size * (0.56 * len(name) + 1.1)
        is_now = place == now
        if is_now:
            shape = {"width": width, "height": size * 1.75, "rx": size * 0.87, "fill": theme.color("ink")}
            body += tag("rect", x=x, y=middle - size * 0.87, **shape)
        look = {"fill": theme.color("page" if is_now else "muted"), "font_weight": 700 if is_now else None}
        body += text(name, x + width / 2, middle + size * 0.36, size, text_anchor="middle", **look)
        x += width + size * 0.25
    return tag("g", body, **marks)


def question(words: str, box: Box, theme: Theme, **marks: object) -> str:
    """The question of an effect, in place of the phases; in two lines where it is long."""
    is_small = box.height < SMALL
    size, room, x = (float(symbols.LEAST), box.width - 146, 8) if is_small else (16.0, box.width - 250, 18)
    look = {"font_weight": 700, "fill": theme.color("ink")}
    lines = texts.wrap(words, int(room / (0.54 * size)))
    middle = box.y + box.height / 2 + size * 0.36
    step = min(size * 1.1, box.height / 2 - 1)
    body = "".join(
        text(line, box.x + x, middle + step * (k - (len(lines) - 1) / 2), size, **look)
        for k, line in enumerate(lines[:2])
    )
    return tag("g", body, **marks)


# ---- own deck and discard pile
def deck(box: Box, count: int, theme: Theme) -> str:
    """The deck face down, with its number; cards come from it."""
    body = _place(box, theme)
    body += "".join(back(Box(box.x + 2 * k, box.y - 2 * k, box.width, box.height)) for k in range(min(3, count)))
    marks = {} if theme.is_picture else {"data_gives": "card", "data_count": count}
    return tag("g", body, **marks) + _below("Deck", count, box, theme)


def heap(box: Box, counts: Counts, theme: Theme) -> str:
    """The discard pile, where cards end: the picture of its dearest card shows, as the order is nobody's business."""
    body, count = _place(box, theme), sum(counts.values())
    if counts:
        best = max((cards.table()[number] for number in counts), key=lambda one: (one.cost, one.number))
        color, _, behind = symbols.BANDS[texts.band(best)]
        for k in range(min(3, count) - 1, -1, -1):
            edge = {"fill": behind, "stroke": color, "stroke_width": 4, "rx": 7}
            shape = {"width": box.width - 10, "height": box.height - 10}
            body += tag("rect", x=box.x + 3 + 2 * k, y=box.y + 7 - 2 * k, **shape, **edge)
        middle = move(box.x + box.width / 2 - 2, box.y + box.height / 2 + 2, box.width / 190)
        body += tag("g", use(symbols.picture_of(best)), transform=middle, clip_path=f"url(#{ID}clipheap)")
    marks = {} if theme.is_picture else {"data_takes": "card", "data_count": count}
    return tag("g", body, **marks) + _below("Discard", count, box, theme)


def _place(box: Box, theme: Theme) -> str:
    dash = {"fill": "none", "stroke": theme.color("line"), "stroke_width": 1.4, "stroke_dasharray": "6 5"}
    return tag("rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=6, **dash)


def _below(words: str, count: int, box: Box, theme: Theme) -> str:
    look = {"text_anchor": "middle", "fill": theme.color("muted"), "class_": "dm-n"}
    return text(f"{words} {count}", box.x + box.width / 2, box.bottom + 12, 12, **look)
