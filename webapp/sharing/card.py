"""The preview picture of a shared result: 1200 x 630, drawn from its numbers."""

from __future__ import annotations

import hashlib
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path

import resvg_py

from webapp.common.formats import THIN, percent, span
from webapp.lab.results.forest import Forest
from webapp.lab.results.selectors import SideResult

WIDTH, HEIGHT = 1200, 630
FONTS = Path(__file__).parent / "fonts"
MAX_ROWS = 6
KEPT_PICTURES = 64
LEFT, PLOT_LEFT, PLOT_RIGHT, PLOT_TOP, PLOT_BOTTOM = 56, 640, 1136, 78, 478
FACT_STEP = 125
BOARD_LEFT, BOARD_TOP, BOARD_HEIGHT = 620, 44, 490
SCORES_BOTTOM, SCORES_RIGHT, SCORE_LINE = 506, 570, 40
ROW_LETTERS, NAME_LETTERS, FACT_LETTERS = 26, 30, 38
TITLE_LINE, TITLE_LETTERS, TITLE_LINES = 54, 21, 5
TEXTS = ((27, 38, 36, 5), (23, 32, 43, 6))
"""Size, height of a line, letters and lines of the text: the smaller one where it does not fit the larger."""
CAPTION_LETTERS = 60
# The light palette of static/css/tokens.css, checked by a test.
PALETTE = {
    "page": "#faf8f4",
    "ink": "#1f2328",
    "muted": "#5a616b",
    "line": "#ddd6cb",
    "edge": "#8a8579",
    "accent": "#1f5fa8",
    "seat-0": "#0072b2",
    "seat-1": "#c75300",
    "seat-2": "#00875f",
    "seat-3": "#b85c90",
    "seat-4": "#a87200",
}
MEEPLE = (
    "M12 2.2c2 0 3.4 1.5 3.4 3.3 0 .8-.3 1.5-.7 2 2.3.9 5.4 2.4 6.9 3.9.6.6.4 1.6-.4 1.9-1.2.5-2.6.9-4 1.1 1 1.9"
    " 2.4 4.1 3.2 5.6.5.9-.2 1.9-1.2 1.9h-4.3c-.5 0-.9-.3-1.1-.7L12 18l-1.8 3.2c-.2.4-.6.7-1.1.7H4.8c-1 0-1.7-1"
    "-1.2-1.9.8-1.5 2.2-3.7 3.2-5.6-1.4-.2-2.8-.6-4-1.1-.8-.3-1-1.3-.4-1.9 1.5-1.5 4.6-3 6.9-3.9-.4-.5-.7-1.2-.7"
    "-2 0-1.8 1.4-3.3 3.4-3.3z"
)
MARKS = (
    '<circle r="10"/>',
    '<rect x="-9" y="-9" width="18" height="18"/>',
    '<path d="M0-11 11 9H-11z"/>',
    '<path d="M0-12 12 0 0 12-12 0z"/>',
    '<path d="M-4-12H4V-4H12V4H4V12H-4V4H-12V-4H-4z"/>',
)


@dataclass(frozen=True)
class Row:
    """One dot with its whisker, all in per cent of the axis."""

    name: str
    mark: int | None
    middle: float
    low: float
    high: float
    words: str


@dataclass(frozen=True)
class Scale:
    """The axis of dots.

    ticks: (per cent of the axis, text); line: where nothing differs, dotted; words, more: below it, a line each.
    """

    ticks: tuple[tuple[float, str], ...]
    line: float | None
    words: str
    more: str = ""


@dataclass(frozen=True)
class Card:
    """The content of the picture: dots of an experiment, scores and board of a match, or facts of a study.

    scores: (name, mark, points) per seat; board: an SVG element from the game; facts: (label, value), at most four.
    """

    title: str
    text: str
    address: str
    rows: tuple[Row, ...] = ()
    scale: Scale | None = None
    scores: tuple[tuple[str, int, str], ...] = ()
    board: str = ""
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """A digest that changes with the picture."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:32]


def rows_of(results: Sequence[SideResult]) -> tuple[Row, ...]:
    """Dots for the rows of a result table; the first ones where there are too many."""
    rows = []
    for row in results:
        rate, interval = row.result.win_rate, row.result.win_rate_interval
        if rate is None or interval is None:
            continue
        low, high = 100 * interval.low, 100 * interval.high
        words = f"{percent(rate)} ({span(low, high)})"
        rows.append(Row(row.side.name, row.side.mark, 100 * rate, low, high, words))
    return tuple(rows[:MAX_ROWS])


def scale_of_rates(fair: float | None) -> Scale:
    """Win rates from 0 to 100 %. fair: share of matches that a side wins among equals."""
    words = "Win rate, %, with 95 % interval"
    if fair is not None:
        words += f"; dotted: {percent(fair)}, an equal share"
    return Scale(tuple((tick, str(tick)) for tick in (0, 25, 50, 75, 100)), None if fair is None else 100 * fair, words)


def rows_of_forest(forest: Forest) -> tuple[Row, ...]:
    """Dots for the rows of a forest: the baseline, and the best of the others where there are too many."""
    shown = [row for row in forest.rows if row.middle]
    if len(shown) > MAX_ROWS:
        best = sorted(shown[:-1], key=lambda row: float(row.middle))[1 - MAX_ROWS :]
        shown = [row for row in shown[:-1] if row in best] + shown[-1:]
    return tuple(
        Row(
            row.side.name,
            row.side.mark,
            float(row.middle),
            float(row.low or row.middle),
            float(row.high or row.middle),
            f"{row.difference} ({row.interval})" if row.low else row.state,
        )
        for row in shown
    )


def scale_of_forest(forest: Forest, more: str = "") -> Scale:
    """The axis of a forest. more: what has to be said with it."""
    ticks = tuple((float(tick.at), tick.text) for tick in forest.ticks)
    return Scale(ticks, float(forest.zero), f"{forest.unit.capitalize()}, {forest.kind}; dotted: the baseline", more)


@lru_cache(maxsize=KEPT_PICTURES)
def png(card: Card) -> bytes:
    """The picture; equal cards are drawn once per process."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg(card),
            skip_system_fonts=True,
            font_dirs=[str(FONTS)],
            sans_serif_family="Arimo",
            font_family="Arimo",
        )
    )


def svg(card: Card) -> str:
    """The picture as SVG."""
    title = _wrap(card.title, TITLE_LETTERS, TITLE_LINES)
    top = 66 + TITLE_LINE * len(title)
    size, height, lines = _fitted(card.text, len(title))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="Arimo">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PALETTE["page"]}"/>',
        f'<rect width="{WIDTH}" height="12" fill="{PALETTE["accent"]}"/>',
        *(_text(LEFT, 106 + TITLE_LINE * i, line, 48, bold=True) for i, line in enumerate(title)),
        *(_text(LEFT, top + 62 + height * i, line, size, colour="muted") for i, line in enumerate(lines)),
        *(_dots(card.rows, card.scale) if card.scale else _facts(card.facts) if card.facts else _match(card)),
        f'<path transform="translate({LEFT} 546) scale(1.85)" fill="{PALETTE["accent"]}" d="{MEEPLE}"/>',
        _text(LEFT + 54, 578, "Meeple Lab", 30, bold=True),
        _text(PLOT_RIGHT, 578, _clip(card.address, 46), 22, colour="muted", anchor="end"),
        "</svg>",
    ]
    return "".join(parts)


def _fitted(text: str, title_lines: int) -> tuple[int, int, list[str]]:
    """Size of the text, height of a line, and its lines; under a long title there is one fewer."""
    for size, height, letters, most in TEXTS:
        lines = textwrap.wrap(text, letters)
        if len(lines) <= most - (title_lines > 3):
            return size, height, lines
    return size, height, _wrap(text, letters, most - (title_lines > 3))


def _dots(rows: Sequence[Row], axis: Scale) -> list[str]:
    """Dots on one axis, name and numbers above each whisker."""
    scale = (PLOT_RIGHT - PLOT_LEFT) / 100
    step = (PLOT_BOTTOM - PLOT_TOP) / len(rows)
    parts = [part for at, text in axis.ticks for part in _grid_line(text, PLOT_LEFT + scale * at)]
    if axis.line is not None:
        parts.append(_dotted_line(PLOT_LEFT + scale * axis.line))
    middle = (PLOT_LEFT + PLOT_RIGHT) / 2
    size = 18 if len(axis.words) <= CAPTION_LETTERS else 16
    top = PLOT_BOTTOM + (46 if axis.more else 54)
    parts.append(_text(middle, top, axis.words, size, colour="muted", anchor="middle"))
    if axis.more:
        parts.append(_text(middle, top + 21, axis.more, 16, colour="muted", anchor="middle"))
    for i, row in enumerate(rows):
        y = PLOT_TOP + step * (i + 0.5) + 12
        colour = PALETTE["muted" if row.mark is None else f"seat-{row.mark}"]
        left, right, x = (PLOT_LEFT + scale * value for value in (row.low, row.high, row.middle))
        parts += [
            f'<path d="M{PLOT_LEFT - 8} {y - 29:.1f}H{PLOT_RIGHT + 8}" stroke="{PALETTE["page"]}" stroke-width="25"/>',
            _text(PLOT_LEFT, y - 22, _clip(row.name, ROW_LETTERS), 20),
            _text(PLOT_RIGHT, y - 22, row.words, 20, colour="muted", anchor="end"),
            f'<path d="M{left:.1f} {y:.1f}H{right:.1f}" stroke="{colour}" stroke-width="5"/>',
            f'<g transform="translate({x:.1f} {y:.1f})" fill="{colour}" stroke="{PALETTE["page"]}" stroke-width="2">',
            f"{MARKS[row.mark or 0]}</g>",
        ]
    return parts


def _grid_line(tick: str, x: float) -> list[str]:
    """One upright line with its number."""
    return [
        f'<path d="M{x:.1f} {PLOT_TOP}V{PLOT_BOTTOM}" stroke-width="1.5" stroke="{PALETTE["line"]}"/>',
        _text(x, PLOT_BOTTOM + 28, tick, 20, colour="muted", anchor="middle"),
    ]


def _dotted_line(x: float) -> str:
    """The upright line where nothing differs."""
    style = f'stroke="{PALETTE["edge"]}" stroke-width="1.5" stroke-dasharray="3 5"'
    return f'<path d="M{x:.1f} {PLOT_TOP}V{PLOT_BOTTOM}" {style}/>'


def _match(card: Card) -> list[str]:
    """The points of each seat below the text, and the board on the right."""
    parts = []
    for i, (name, seat, points) in enumerate(card.scores):
        y = SCORES_BOTTOM - SCORE_LINE * (len(card.scores) - 1 - i)
        parts += [
            f'<g transform="translate({LEFT + 12} {y - 9})" fill="{PALETTE[f"seat-{seat}"]}">{MARKS[seat]}</g>',
            _text(LEFT + 36, y, _clip(name, NAME_LETTERS), 26),
            _text(SCORES_RIGHT, y, points, 30, bold=True, anchor="end"),
        ]
    return [*parts, _board(card.board)] if card.board else parts


def _facts(facts: Sequence[tuple[str, str]]) -> list[str]:
    """The facts of a study, one below the other."""
    step = min(FACT_STEP, (PLOT_BOTTOM - PLOT_TOP) / len(facts))
    top = (PLOT_TOP + PLOT_BOTTOM - step * len(facts)) / 2
    parts = [f'<path d="M{PLOT_LEFT} {PLOT_TOP}V{PLOT_BOTTOM}" stroke-width="1.5" stroke="{PALETTE["line"]}"/>']
    for i, (label, value) in enumerate(facts):
        y = top + step * (i + 0.5) - 16
        parts += [
            _text(PLOT_LEFT + 36, y, _clip(label, FACT_LETTERS), 24, colour="muted"),
            _text(PLOT_LEFT + 36, y + 52, _clip(value, FACT_LETTERS // 2), 48, bold=True),
        ]
    return parts


def _board(board: str) -> str:
    """The game's drawing, fitted into the right half."""
    head, rest = board.split(">", 1)
    bare = re.sub(r'\s(?:x|y|width|height)="[^"]*"', "", head)
    place = f'x="{BOARD_LEFT}" y="{BOARD_TOP}" width="{PLOT_RIGHT - BOARD_LEFT}" height="{BOARD_HEIGHT}"'
    return f"{bare} {place}>{rest}"


def _wrap(text: str, letters: int, lines: int) -> list[str]:
    """The text in lines; the last one ends in "…" where it does not fit."""
    return textwrap.wrap(text, letters, max_lines=lines, placeholder="…")


def _clip(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: max(1, letters - 1)].rstrip()}…"


def _text(
    x: float, y: float, text: str, size: float, *, colour: str = "ink", bold: bool = False, anchor: str = "start"
) -> str:
    weight = ' font-weight="700"' if bold else ""
    spacing = f' letter-spacing="{-0.02 * size:.1f}"' if bold else ""
    shown = escape("".join(letter for letter in text.replace(THIN, " ") if letter.isprintable()))
    look = f'font-size="{size}" fill="{PALETTE[colour]}" text-anchor="{anchor}"{weight}{spacing}'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{shown}</text>'
