"""Symbols that a table refers to: every card in three forms, icons, the back of a card.

``nN``, ``xN``  a number, and so many times
``cN``  a card with its whole text: in the supply, in the hand, in play
``sN``  a lower card, for large kingdoms: what it gives, and its text as far as there is room
``tN``  a basic card in the row of the supply that all know
``mN``  a chip, where there is no room for a card: name, cost and picture

The type of a card shows as the colour of its band and as a sign in it; what it gives shows as icons, the
rest as words. Drawn one unit to a pixel, no writing is smaller than `LEAST` pixels. A card without a
picture of its own gets its sign.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from games.dominion import cards
from games.dominion.board import texts
from games.svg import ID, art, number, referenced_ids, tag, use

LINE, PAPER, COIN = "#241C14", "#FBF6E9", "#F2C230"
BANDS = {
    "Action": ("#4F6378", "#FFFFFF", "#DCE6EC"),
    "Attack": ("#A23B3B", "#FFFFFF", "#E9D8DD"),
    "Reaction": ("#2B6A96", "#FFFFFF", "#D5E7F2"),
    "Treasure": ("#D8A31A", "#241C14", "#F7E9BF"),
    "Victory": ("#37753F", "#FFFFFF", "#DBEBD0"),
    "Curse": ("#5F3A8C", "#FFFFFF", "#DDD2EA"),
}
"""Colour of the band, of the writing on it, and behind the picture."""
SERIF = "Georgia,'Noto Serif','DejaVu Serif',serif"
CSS = (
    ".dm-o{stroke:#241C14;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}"
    f".dm-s{{font-family:{SERIF}}}.dm-n{{font-variant-numeric:tabular-nums}}"
)
TIMES = "\N{MULTIPLICATION SIGN}"
_ART = (146, 68)
_PILL = 15
_MOST_COUNTED = 60
"""Cards of a kind that there can be (`state.py`)."""
LEAST = 12
"""Size of the smallest writing."""
_LETTER, _CHIP_LETTER, _PLAIN_LETTER = 0.7, 0.68, 0.5
"""Width of a letter of a name on a card and on a chip, and of a text, as a part of the size of the writing."""
_TEXT_SIZES = ((13, 15), (12.5, 14), (12, 13))
"""Sizes of a text with its lines' distance, the largest that fits first."""
_ROW = 21
"""Height of a row of icons above a text."""
_LEAST_PICTURE = 22


@dataclass(frozen=True)
class Form:
    """A form of card. band: height; picture: height below it, at most; name: size of its writing."""

    key: str
    width: int
    height: int
    band: int
    picture: int
    name: float
    radius: int


CARD = Form("c", 160, 132, 27, 46, 16, 10)
BASIC = Form("t", 113, 88, 25, 35, 14, 9)
CHIP = Form("m", 120, 40, 6, 33, 12.5, 7)
LOW = Form("s", 160, 94, 27, 65, 16, 10)
FORMS = (CARD, BASIC, CHIP, LOW)
_CHIP_PICTURE = 32
"""Width of the picture of a chip, at its left."""
_LOW_PICTURE = 36
"""The same of a low card."""
_ASIDE = {CHIP: _CHIP_PICTURE, LOW: _LOW_PICTURE}
"""Width of the picture where it stands beside what is written."""


def move(x: float, y: float, scale: float = 1) -> str:
    """Value of a ``transform``."""
    return f"translate({number(x)} {number(y)})" + (f" scale({scale:.3g})" if scale != 1 else "")


def text(words: object, x: float, y: float, size: float, **look: object) -> str:
    """A word or a number."""
    return tag("text", str(words), x=float(x), y=float(y), font_size=float(size), **look)


def picture_of(card: cards.Card) -> str:
    """Name of a card's picture."""
    return f"art-{card.name.replace(' ', '')}"


def _pill(words: str, name: str) -> str:
    """A dark pill with a number, its right upper corner at (0, 0)."""
    width = _PILL * (0.8 + 0.62 * len(words))
    look = {"fill": LINE, "stroke": "#fff", "stroke_width": 1.2}
    body = tag("rect", x=-width, width=width, height=_PILL * 1.35, rx=_PILL * 0.67, **look)
    number_ = {"text_anchor": "middle", "fill": "#fff", "font_weight": 700, "class_": "dm-n"}
    return tag("g", body + text(words, -width / 2, _PILL * 1.03, _PILL, **number_), id=f"{ID}{name}")


# ---- parts of a card
def _frame(form: Form, kind: str, picture: int) -> str:
    """Paper, band and what lies behind a picture of this height."""
    color, _, behind = BANDS[kind]
    w, h, b, r = form.width, form.height, form.band, form.radius
    line = {"stroke": LINE, "stroke_width": 1.8}
    body = tag("rect", x=1, y=1, width=w - 2, height=h - 2, rx=r, fill=PAPER)
    if form is CHIP:
        body += tag("rect", x=1, y=1, width=_CHIP_PICTURE, height=h - 2, rx=r, fill=behind)
        shape = f"M1 {1 + b}V{1 + r}A{r} {r} 0 0 1 {1 + r} 1H{w - 1 - r}A{r} {r} 0 0 1 {w - 1} {1 + r}V{1 + b}Z"
        body += tag("path", d=shape, fill=color)
    else:
        shape = f"M1 {b}V{1 + r}A{r} {r} 0 0 1 {1 + r} 1H{w - 1 - r}A{r} {r} 0 0 1 {w - 1} {1 + r}V{b}Z"
        foot, side = b + picture, _ASIDE.get(form, w - 2) + 1
        corner = f"H{1 + r}A{r} {r} 0 0 1 1 {h - 1 - r}Z" if form is LOW else "H1Z"
        body += tag("path", d=shape, fill=color)
        body += tag("path", d=f"M1 {b}H{side}V{foot}{corner}", fill=behind)
        rim = f"M{side} {b}V{foot}" if form is LOW else f"M1 {foot}H{w - 1}"
        body += tag("path", d=f"{rim}M1 {b}H{w - 1}", **line)
    body += tag("rect", x=1, y=1, width=w - 2, height=h - 2, rx=r, fill="none", **line)
    return tag("g", body, id=f"{ID}{_frame_id(form, kind, picture)}")


def _frame_id(form: Form, kind: str, picture: int) -> str:
    return f"f{form.key}{kind}{picture}"


def _clip(form: Form, picture: int) -> str:
    """Clip path of a picture of this height."""
    width = _ASIDE.get(form, form.width - 3.8)
    window = tag("rect", x=1.9, y=form.band + 0.9, width=width, height=picture - 1.8)
    return tag("clipPath", window, id=f"{ID}clip{form.key}{picture}")


def _named(words: str, x: float, y: float, size: float, room: float, letter: float = _LETTER, **look: object) -> str:
    """A name, smaller where it is long, then narrower. letter: as `_LETTER`."""
    fitting = max(float(LEAST), min(size, room / (letter * len(words))))
    is_tight = letter * len(words) * fitting > room * 1.02
    squeeze = {"textLength": float(room), "lengthAdjust": "spacingAndGlyphs"} if is_tight else {}
    return text(words, x, y + fitting * 0.36, fitting, font_weight=700, **look, **squeeze)


def _name(form: Form, card: cards.Card) -> str:
    """The sign of the type and the name, as large as they fit; a card has its cost beside them."""
    kind, middle = texts.band(card), form.band * 0.5
    if form is CHIP:
        return _named(
            card.name, _CHIP_PICTURE + 5, 12.5, form.name, form.width - _CHIP_PICTURE - 9, _CHIP_LETTER, fill=LINE
        )
    left = form.band * 0.98
    room = form.width - left - (5 if form is BASIC else 29)
    color = BANDS[kind][1]
    sign = tag("g", use(f"sign-{kind}"), color=color, transform=move(middle + 1, middle, form.band / 30))
    return sign + _named(card.name, left, middle + 0.5, form.name, room, fill=color, class_="dm-s")


def _picture(form: Form, card: cards.Card, height: int) -> str:
    if form in _ASIDE:
        scale, x = 0.45, _ASIDE[form] / 2 + 1
    else:
        scale, x = min((form.width - 4) / _ART[0], height / _ART[1]), form.width / 2
    above = _PILL / 2 if form is LOW else 0  # the number of a pile stands at its foot
    at = move(x, form.band + height / 2 + 2 * scale - above, scale)
    if picture_of(card) in pictures():
        drawn = tag("g", use(picture_of(card)), transform=at)
        return tag("g", drawn, clip_path=f"url(#{ID}clip{form.key}{height})")
    kind = texts.band(card)
    size = 2.2 if form in _ASIDE else 3.4
    return tag("g", use(f"sign-{kind}", transform=f"scale({size})"), color=BANDS[kind][0], transform=at)


def _cost(card: cards.Card, x: float, y: float, radius: float) -> str:
    disc = tag("circle", cx=float(x), cy=float(y), r=float(radius), fill=COIN, class_="dm-o")
    look = {"text_anchor": "middle", "fill": LINE, "font_weight": 700}
    return disc + text(card.cost, x, y + radius * 0.43, max(radius * 1.25, float(LEAST)), **look)


def _gift_width(gift: texts.Gift) -> float:
    return 26 if _is_inside(gift) else 29 + 10.5 * len(gift.words)


def _is_inside(gift: texts.Gift) -> bool:
    """Whether the words stand in the icon: points in their shield."""
    return gift.icon in ("vp", "hex") and len(gift.words) < 3


def gift_row(gifts: list[texts.Gift], cx: float, y: float, scale: float) -> str:
    """Icons with their words, centred on `cx`."""
    widths = [_gift_width(gift) * scale for gift in gifts]
    x, body = cx - _row_width(gifts) * scale / 2, ""
    for gift, width in zip(gifts, widths, strict=True):
        body += tag("g", use(f"i-{gift.icon}"), transform=move(x + 13 * scale, y, scale))
        look = {"font_weight": 700}
        if _is_inside(gift):
            size = (15 if len(gift.words) < 2 else 13.4) * scale
            body += text(gift.words, x + 13 * scale, y + 0.33 * size, size, text_anchor="middle", fill="#fff", **look)
        else:
            body += text(gift.words, x + 27 * scale, y + 5.7 * scale, 16 * scale, fill=LINE, **look)
        x += width + 6 * scale
    return body


def _row_width(gifts: list[texts.Gift]) -> float:
    return sum(_gift_width(gift) for gift in gifts) + 6 * (len(gifts) - 1)


def _row_scale(gifts: list[texts.Gift], room: float, most: float) -> float:
    return min(most, room / max(_row_width(gifts), 1))


# ---- whole cards
@dataclass(frozen=True)
class _Text:
    """Lines of a text in a size, and their distance."""

    lines: tuple[str, ...]
    size: float
    step: float


def _text_of(card: cards.Card) -> _Text:
    """The text of a card as large as it leaves room for a picture."""
    words, has_gifts = texts.rest(card), bool(texts.gifts(card))
    found = _Text((), LEAST, 0)
    for size, step in _TEXT_SIZES:
        letters = int((CARD.width - 8) / (_PLAIN_LETTER * size)) if words else 1
        found = _Text(tuple(texts.wrap(words, letters)) if words else (), size, step)
        if CARD.height - CARD.band - _height(found, has_gifts=has_gifts) >= _LEAST_PICTURE:
            break
    return found


def _height(found: _Text, *, has_gifts: bool) -> float:
    """Height of a text with its row of icons."""
    return len(found.lines) * found.step + (_ROW if has_gifts else 0) + 9


def picture_height(form: Form, card: cards.Card) -> int:
    """Height of the picture: what a long text leaves."""
    found = _text_of(card) if form is CARD else None
    if found is None or not found.lines:
        return form.picture
    return int(min(form.picture, CARD.height - CARD.band - _height(found, has_gifts=bool(texts.gifts(card)))))


def _card(card: cards.Card, woodcutter: int) -> str:
    """What it gives, then the rest of its text."""
    gifts, found, middle = texts.gifts(card, woodcutter), _text_of(card), CARD.width / 2
    top = CARD.band + picture_height(CARD, card)
    y, room = (top + CARD.height) / 2, CARD.width - 14
    cost = _cost(card, CARD.width - 15, CARD.band / 2 + 0.5, 10.5)
    if found.lines:
        block = _height(found, has_gifts=bool(gifts)) - 9
        start = y - block / 2
        row = gift_row(gifts, middle, start + _ROW / 2, _row_scale(gifts, room, 0.78)) if gifts else ""
        first = start + (_ROW if gifts else 0) + found.step * 0.78
        look = {"text_anchor": "middle", "fill": LINE}
        lines = (text(line, middle, first + found.step * k, found.size, **look) for k, line in enumerate(found.lines))
        return cost + row + "".join(lines)
    if len(gifts) > 2:
        rows = ((gifts[:2], -13), (gifts[2:], 13))
        return cost + "".join(gift_row(part, middle, y + away, 0.9) for part, away in rows)
    most = 1.5 if gifts and _is_inside(gifts[0]) else 1.15
    return cost + gift_row(gifts, middle, y, _row_scale(gifts, room, most))


def _basic(card: cards.Card, woodcutter: int) -> str:
    """What it gives, beside its cost."""
    gifts, y = texts.gifts(card, woodcutter), (BASIC.band + BASIC.picture + BASIC.height) / 2
    row = gift_row(gifts, BASIC.width / 2 + 8, y, _row_scale(gifts, BASIC.width - 34, 0.9))
    return row + _cost(card, 15, y, 10.5)


def _low(card: cards.Card, woodcutter: int) -> str:
    """What it gives, then as much of its text as there is room for; the enlarged card has all of it."""
    gifts, words = texts.gifts(card, woodcutter), texts.rest(card)
    left, room = _LOW_PICTURE + 4, LOW.width - _LOW_PICTURE - 8
    size, step = _TEXT_SIZES[-1]
    most = int((LOW.height - LOW.band - 6 - (_ROW if gifts else 0)) / step)
    lines = texts.wrap_within(words, int(room / (_PLAIN_LETTER * size)), most) if words else []
    cost = _cost(card, LOW.width - 15, LOW.band / 2 + 0.5, 10.5)
    middle, y = left + room / 2, (LOW.band + LOW.height) / 2
    if not lines:
        rows = [gifts[:2], gifts[2:]] if len(gifts) > 2 else [gifts]
        away = [-14, 14] if len(rows) > 1 else [0]
        return cost + "".join(
            gift_row(row, middle, y + off, _row_scale(row, room, 0.95)) for row, off in zip(rows, away, strict=True)
        )
    start = y - ((_ROW if gifts else 0) + step * len(lines)) / 2
    row = gift_row(gifts, middle, start + _ROW / 2, _row_scale(gifts, room, 0.78)) if gifts else ""
    first = start + (_ROW if gifts else 0) + step * 0.78
    look = {"text_anchor": "middle", "fill": LINE}
    return cost + row + "".join(text(line, middle, first + step * k, size, **look) for k, line in enumerate(lines))


def _chip(card: cards.Card, woodcutter: int) -> str:
    return _cost(card, _CHIP_PICTURE + 15, CHIP.height - 11.5, 9)


_BODIES = {CARD: _card, BASIC: _basic, CHIP: _chip, LOW: _low}


def card_in(form: Form, card: cards.Card, woodcutter: int = 2) -> str:
    """One card in one form."""
    height = picture_height(form, card)
    face = use(_frame_id(form, texts.band(card), height)) + _picture(form, card, height) + _name(form, card)
    return tag("g", face + _BODIES[form](card, woodcutter), id=f"{ID}{form.key}{card.number}")


# ---- all of them
@cache
def pictures() -> Mapping[str, str]:
    """The hand-drawn symbols by id."""
    return art(Path(__file__).parent / "art" / "cards.svg")


@cache
def symbols(woodcutter: int = 2) -> Mapping[str, str]:
    """Every symbol by id. woodcutter: coins of the card whose coins are an option of the rules."""
    found = dict(pictures())
    for form in FORMS:
        for height in {form.picture, *(picture_height(form, card) for card in cards.table())}:
            found |= {_frame_id(form, kind, height): _frame(form, kind, height) for kind in BANDS}
            found[f"clip{form.key}{height}"] = _clip(form, height)
    for count in range(_MOST_COUNTED + 1):
        found |= {f"n{count}": _pill(str(count), f"n{count}"), f"x{count}": _pill(f"{TIMES}{count}", f"x{count}")}
    inside = tag("rect", x=-81, y=-57, width=162, height=114, rx=12)
    found["clipheap"] = tag("clipPath", inside, id=f"{ID}clipheap")
    return found | {
        f"{form.key}{card.number}": card_in(form, card, woodcutter) for form in FORMS for card in cards.table()
    }


@cache
def _needs(symbol: str, woodcutter: int) -> frozenset[str]:
    """`symbol` and all that it refers to."""
    known = symbols(woodcutter)
    inner = (_needs(name, woodcutter) for name in referenced_ids(known[symbol]))
    return frozenset({symbol}).union(*inner)


def definitions(markup: str, woodcutter: int = 2) -> str:
    """The symbols that `markup` refers to, and those that they refer to."""
    known = symbols(woodcutter)
    needed = frozenset[str]().union(*(_needs(name, woodcutter) for name in referenced_ids(markup) if name in known))
    return "".join(known[name] for name in sorted(needed))
