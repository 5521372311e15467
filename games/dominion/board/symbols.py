"""Symbols that a table refers to: every card in five sizes, icons, the back of a card.

``nN``, ``xN``  a number, and so many times
``cN``  a card of the hand      ``tN``  a pile, or a card in play
``bN``  large, with its text    ``mN``, ``hN``  pile and card of the hand on a phone

The type of a card shows as the colour of its band, as a sign in the band and as a word; what it
gives shows as icons; the rest is a few words. A card without a picture of its own gets its sign.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from games.dominion import cards
from games.dominion.board import texts
from games.svg import ID, art, number, referenced_ids, tag, use

LINE, PAPER, SOFT, COIN = "#241C14", "#FBF6E9", "#5D5345", "#F2C230"
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
_LETTER = 0.68
"""Width of a bold letter, as a part of the size of the writing."""
_SMALL_TEXT = 13
LINE_LETTERS = 19
"""Letters of a line on a card of the hand."""
_LINE, _THIN_LETTER = 122, 0.52
"""Most width of such a line, and of a plain letter, as `_LETTER`."""
_LONG = 90
"""Letters of a text that is written smaller."""


@dataclass(frozen=True)
class Form:
    """A size of card. band: height; picture: height below it; name: size of its writing."""

    key: str
    width: int
    height: int
    band: int
    picture: int
    name: float
    radius: int
    has_sign: bool = True


CARD = Form("c", 130, 164, 27, 52, 15.5, 10)
BIG = Form("b", 220, 300, 38, 90, 22, 14)
TILE = Form("t", 163, 90, 26, 37, 16.5, 9)
MINI = Form("m", 93, 44, 17, 27, 12, 7, has_sign=False)
PALM = Form("h", 92, 84, 19, 38, 12, 8, has_sign=False)
FORMS = (CARD, BIG, TILE, MINI, PALM)


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
def _frame(form: Form, kind: str) -> str:
    """Paper, band and what lies behind the picture."""
    color, _, behind = BANDS[kind]
    w, h, b, r = form.width, form.height, form.band, form.radius
    line = {"stroke": LINE, "stroke_width": 1.8}
    body = tag("rect", x=1, y=1, width=w - 2, height=h - 2, rx=r, fill=PAPER)
    body += tag(
        "path", d=f"M1 {b}V{1 + r}A{r} {r} 0 0 1 {1 + r} 1H{w - 1 - r}A{r} {r} 0 0 1 {w - 1} {1 + r}V{b}Z", fill=color
    )
    foot = b + form.picture
    if foot >= h - 1:
        shape = f"M1 {b}H{w - 1}V{h - 1 - r}A{r} {r} 0 0 1 {w - 1 - r} {h - 1}H{1 + r}A{r} {r} 0 0 1 1 {h - 1 - r}Z"
        body += tag("path", d=shape, fill=behind)
    else:
        body += tag("path", d=f"M1 {b}H{w - 1}V{foot}H1Z", fill=behind) + tag("path", d=f"M1 {foot}H{w - 1}", **line)
    body += tag("path", d=f"M1 {b}H{w - 1}", **line)
    body += tag("rect", x=1, y=1, width=w - 2, height=h - 2, rx=r, fill="none", **line)
    return tag("g", body, id=f"{ID}f{form.key}{kind}")


def _clip(form: Form) -> str:
    """Clip path of a card's picture."""
    window = tag("rect", x=1.9, y=form.band + 0.9, width=form.width - 3.8, height=form.picture - 1.8)
    return tag("clipPath", window, id=f"{ID}clip{form.key}")


def _name(form: Form, card: cards.Card) -> str:
    """The sign of the type and the name, as large as they fit."""
    kind = texts.band(card)
    left = form.band * 0.95 if form.has_sign else 6
    room = form.width - left - 5
    size = min(form.name, room / (_LETTER * len(card.name)))
    color = BANDS[kind][1]
    words = text(card.name, left, form.band * 0.5 + size * 0.36, size, fill=color, font_weight=700, class_="dm-s")
    if not form.has_sign:
        return words
    return (
        tag("g", use(f"sign-{kind}"), color=color, transform=move(form.band / 2 + 0.5, form.band / 2, form.band / 30))
        + words
    )


def _picture(form: Form, card: cards.Card) -> str:
    scale = min((form.width - 4) / _ART[0], form.picture / _ART[1])
    at = move(form.width / 2, form.band + form.picture / 2 + 2 * scale, scale)
    if picture_of(card) in pictures():
        return tag("g", tag("g", use(picture_of(card)), transform=at), clip_path=f"url(#{ID}clip{form.key})")
    kind = texts.band(card)
    return tag("g", use(f"sign-{kind}", transform="scale(3.4)"), color=BANDS[kind][0], transform=at)


def _cost(card: cards.Card, x: float, y: float, radius: float) -> str:
    disc = tag("circle", cx=float(x), cy=float(y), r=float(radius), fill=COIN, class_="dm-o")
    look = {"text_anchor": "middle", "fill": LINE, "font_weight": 700}
    return disc + text(card.cost, x, y + radius * 0.43, radius * 1.25, **look)


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
            size = (15 if len(gift.words) < 2 else 11.5) * scale
            body += text(gift.words, x + 13 * scale, y + 0.33 * size, size, text_anchor="middle", fill="#fff", **look)
        else:
            body += text(gift.words, x + 27 * scale, y + 5.7 * scale, 16 * scale, fill=LINE, **look)
        x += width + 6 * scale
    return body


def _row_width(gifts: list[texts.Gift]) -> float:
    return sum(_gift_width(gift) for gift in gifts) + 6 * (len(gifts) - 1)


def _row_scale(gifts: list[texts.Gift], room: float, most: float) -> float:
    return min(most, room / max(_row_width(gifts), 1))


def _lines(lines: list[str], x: float, y: float, size: float, step: float) -> str:
    look = {"text_anchor": "middle", "fill": LINE}
    return "".join(text(line, x, y + step * place, size, **look) for place, line in enumerate(lines))


# ---- whole cards
def _card(card: cards.Card, woodcutter: int) -> str:
    """A card of the hand: what it gives, then a few words."""
    gifts, words = texts.gifts(card, woodcutter), texts.line(card)
    lines = texts.wrap(words, LINE_LETTERS) if words else []
    size = min(_SMALL_TEXT, _LINE / (_THIN_LETTER * max(map(len, lines), default=1)))
    top, middle = CARD.band + CARD.picture, CARD.width / 2
    body = ""
    if gifts and lines:
        body += gift_row(gifts, middle, top + 15, _row_scale(gifts, 118, 0.9))
        body += _lines(lines, middle, top + 38, size, 14)
    elif lines:
        body += _lines(lines, middle, top + 18 + 7 * max(0, 3 - len(lines)), size, 14.5)
    elif len(gifts) > 2:
        body += gift_row(gifts[:2], middle, top + 20, 0.95) + gift_row(gifts[2:], middle, top + 46, 0.95)
    else:
        most = 1.6 if gifts and _is_inside(gifts[0]) else 1.1
        body += gift_row(gifts, middle, top + 34, _row_scale(gifts, 118, most))
    kinds = text(texts.types(card), middle + 10, CARD.height - 9, 10.5, text_anchor="middle", fill=SOFT)
    return body + kinds + _cost(card, 17, CARD.height - 17, 12)


def _big(card: cards.Card, woodcutter: int) -> str:
    """The large card: everything."""
    gifts, middle = texts.gifts(card, woodcutter), BIG.width / 2
    words = texts.whole(card, woodcutter)
    lines = texts.wrap(words, 27 if len(words) > _LONG else 25)
    top = BIG.band + BIG.picture
    body = gift_row(gifts, middle, top + 23, _row_scale(gifts, 200, 1.2)) if gifts else ""
    start = top + (56 if gifts else 30) + (8 if len(lines) < 4 else 0)
    body += _lines(lines, middle, start, 14.5 if len(words) > _LONG else 15.5, 18)
    kinds = text(texts.types(card), middle + 14, BIG.height - 14, 13.5, text_anchor="middle", fill=SOFT)
    return body + kinds + _cost(card, 26, BIG.height - 25, 17)


def _tile(card: cards.Card, woodcutter: int) -> str:
    """A pile: what it gives and the rest in two words, beside its cost."""
    gifts, cue = texts.gifts(card, woodcutter), texts.cue(card)
    y, left = TILE.height - 13.5, 31
    room = TILE.width - left - 7
    words = min(6.6 * len(cue), 92.0 if not gifts else 62.0) if cue else 0
    body = ""
    if gifts:
        scale = _row_scale(gifts, room - (words + 5 if cue else 0), 0.86)
        width = _row_width(gifts) * scale
        body += gift_row(gifts, left + width / 2 + (0 if cue else (room - width) / 2), y, scale)
    if cue:
        size = min(13.0, 1.85 * (room - (width + 4 if gifts else 0)) / len(cue))
        body += text(cue, TILE.width - 8, y + 4.5, size, text_anchor="end", fill=LINE)
    return body + _cost(card, 17, y, 12)


def _mini(card: cards.Card, woodcutter: int) -> str:
    return _cost(card, 12, MINI.height - 12.5, 9)


def _palm(card: cards.Card, woodcutter: int) -> str:
    """A card of the hand on a phone: what it gives stands at the left, which the next card does not cover."""
    gifts, cue = texts.gifts(card, woodcutter), texts.cue(card)
    y, left, room = PALM.height - 13.5, 25, 64
    middle = left + room / 2
    if gifts:
        scale = _row_scale(gifts, room, 0.8)
        row = gift_row(gifts, left + _row_width(gifts) * scale / 2, y, scale)
    else:
        size = min(11.5, 1.85 * room / max(len(cue), 1))
        row = text(cue, middle, y + 4, size, text_anchor="middle", fill=LINE) if cue else ""
    return row + _cost(card, 13, y, 10)


_BODIES = {CARD: _card, BIG: _big, TILE: _tile, MINI: _mini, PALM: _palm}


def card_in(form: Form, card: cards.Card, woodcutter: int = 2) -> str:
    """One card in one size."""
    face = use(f"f{form.key}{texts.band(card)}") + _name(form, card) + _picture(form, card)
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
    found |= {f"f{form.key}{kind}": _frame(form, kind) for form in FORMS for kind in BANDS}
    found |= {f"clip{form.key}": _clip(form) for form in FORMS}
    for count in range(_MOST_COUNTED + 1):
        found |= {f"n{count}": _pill(str(count), f"n{count}"), f"x{count}": _pill(f"{TIMES}{count}", f"x{count}")}
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
