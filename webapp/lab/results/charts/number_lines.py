"""Lines over a number of the game (round, turn, own tile): means with their intervals as bands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from webapp.common.formats import THIN, count, interval_text, number
from webapp.lab.results.charts import panels
from webapp.lab.results.charts.figure import Column, Figure, Trace, band, keyed, line, plain, signed_ticks
from webapp.lab.results.sides import DASHES, Side
from worker.analysis.intervals import Interval
from worker.analysis.methods import Method
from worker.analysis.moments import BlockMoments

LEAST_SHARE = 0.1
"""A number that fewer of the matches have come to is not drawn: its band would hide all others."""
FEW, FEW_ON_PHONES = 14, 9
"""Most numbers that each have a tick."""
MOST_BANDS = 2
SOME_BANDS = "Bands of the first and of the one that ends highest alone."
FEW_MARKS = 8
"""Marks on a line."""
PANEL_REM = 9.0
ENDED = "Numbers to which fewer than a tenth of the matches came are left out; later ones are of longer matches."


class Step(NamedTuple):
    """One number of one line."""

    number: int
    sums: BlockMoments
    interval: Interval | None

    @property
    def mean(self) -> float:
        """Over the matches that came so far."""
        assert self.sums.mean is not None
        return self.sums.mean

    @property
    def bounds(self) -> tuple[float, float]:
        """Of the interval; the mean twice where there is none."""
        return self.interval or (self.mean, self.mean)


@dataclass(frozen=True)
class Line:
    """What one line shows. seats: of how many seats each match has a value; key: as `figure.keyed`; kind: its panel."""

    name: str
    side: Side
    steps: tuple[Step, ...]
    key: int = 0
    seats: int = 1
    kind: str = ""

    @property
    def most(self) -> int:
        """Matches behind the number that most came to."""
        return max(step.sums.n for step in self.steps) // self.seats


def steps(how: Method, numbers: Sequence[int], sums: Sequence[BlockMoments]) -> tuple[Step, ...]:
    """Those that enough matches came to."""
    most = max((row.n for row in sums), default=0)
    pairs = zip(numbers, sums, strict=True)
    return tuple(Step(n, row, how.mean(row)) for n, row in pairs if row.n and row.n >= LEAST_SHARE * most)


def axis_word(group: str) -> str:
    """What a group "coins by turn" counts along its axis: "Turn"."""
    word = group.split(":")[0].rsplit(" by ", 1)[1]
    return word[:1].upper() + word[1:]


def group_title(group: str) -> str:
    """A group's name as a title."""
    return group[:1].upper() + group[1:]


def traces(lines: Sequence[Line], axis: str, panel: int = 0) -> list[Trace]:
    """Bands below, lines above."""
    banded = with_bands([drawn.steps[-1].mean for drawn in lines])
    bands, strokes = [], []
    for i, drawn in enumerate(lines):
        x = [step.number for step in drawn.steps]
        low, high = (list(column) for column in zip(*(step.bounds for step in drawn.steps), strict=True))
        hover = f"{axis.lower()} %{{x}}: %{{y:.2f}}<extra>{plain(drawn.name)}</extra>"
        where = {"xaxis": panels.axis("x", panel), "yaxis": panels.axis("y", panel)} if panel else {}
        if i in banded:
            bands.append(keyed(band(x, low, high, drawn.side.colour) | where, drawn.key))
        stroke = side_line(x, [step.mean for step in drawn.steps], drawn.side, hover, i)
        strokes.append(keyed(stroke | where, drawn.key))
    return [*bands, *strokes]


def layout(lines: Sequence[Line], axis: str, unit: str) -> dict[str, Any]:
    """Whole numbers along the axis, zero among the values."""
    last = max(step.number for drawn in lines for step in drawn.steps)
    return {
        "xaxis": {"title": {"text": axis}, **_along(last, FEW)},
        "yaxis": {"title": {"text": group_title(unit)}, **_upright(lines)},
        "meta": {"phone_xaxis": {"dtick": 1 if last <= FEW_ON_PHONES else 5}},
    }


def _along(last: int, few: int) -> dict[str, Any]:
    return {"range": [0.5, last + 0.5], "dtick": 1 if last <= few else 5 if last <= 6 * FEW else 20}


def _upright(lines: Sequence[Line]) -> dict[str, Any]:
    ends = [end for drawn in lines for step in drawn.steps for end in step.bounds]
    low, high = min(0.0, *ends), max(0.0, *ends)
    means = [step.mean for drawn in lines for step in drawn.steps]
    signs = signed_ticks(low, high) if min(means) < 0 < max(means) else {}
    return {"rangemode": "tozero", "zeroline": min(means) < 0} | signs


def columns(first: str, axis: str) -> tuple[Column, ...]:
    """Of the table behind: the lines are called `first`."""
    return (Column(first, False), *map(Column, (axis, "Matches", "Mean", f"95{THIN}% interval")))


def rows(lines: Sequence[Line]) -> list[list[str]]:
    """A row for each step of each line."""
    return [
        [
            drawn.name,
            str(step.number),
            count(step.sums.n // drawn.seats),
            number(step.mean, 2),
            interval_text(step.interval, 2),
        ]
        for drawn in lines
        for step in drawn.steps
    ]


def describe_line(drawn: Line, axis: str, unit: str) -> str:
    """A line in words."""
    first, last = drawn.steps[0], drawn.steps[-1]
    name = ", ".join(filter(None, (drawn.name, drawn.kind)))
    word = axis.lower()
    return f"{name}: {number(first.mean)} {unit} in {word} {first.number}, {number(last.mean)} in {last.number}"


@dataclass(frozen=True)
class Words:
    """What a figure says around its lines."""

    title: str
    subtitle: str
    note: str
    axis: str
    unit: str


def figure(words: Words, lines: Sequence[Line], more: Mapping[str, Any]) -> Figure:
    """The figure of some lines, at least one, in one frame. more: legend, and what else a figure has."""
    return Figure(
        title=words.title,
        subtitle=words.subtitle,
        name="; ".join(describe_line(drawn, words.axis, words.unit) for drawn in lines),
        note=_note(words, lines, len(lines)),
        data=traces(lines, words.axis),
        layout=layout(lines, words.axis, words.unit),
        columns=columns("Side", words.axis),
        rows=rows(lines),
        is_keyed=True,
        **more,
    )


def _note(words: Words, lines: Sequence[Line], beside: int) -> str:
    """What to know, in sentences. beside: most lines in one frame."""
    has_less = any(step.sums.n // drawn.seats < drawn.most for drawn in lines for step in drawn.steps)
    some = SOME_BANDS if beside > MOST_BANDS else ""
    return " ".join(filter(None, (words.note, some, ENDED if has_less else "")))


def figure_of_panels(words: Words, lines: Sequence[Line], more: Mapping[str, Any]) -> Figure:
    """The figure of some lines, at least one, with a panel for each of their kinds."""
    shown = list(dict.fromkeys(drawn.kind for drawn in lines))
    by_kind = [[drawn for drawn in lines if drawn.kind == kind] for kind in shown]
    last = max(step.number for drawn in lines for step in drawn.steps)
    across = [{"title": {"text": words.axis, "standoff": 4}, **_along(last, FEW_ON_PHONES)}] * len(shown)
    upright = [_upright(row) | {"nticks": 5} for row in by_kind]
    return Figure(
        title=words.title,
        subtitle=words.subtitle,
        name="; ".join(describe_line(drawn, words.axis, words.unit) for drawn in lines),
        note=" ".join(
            filter(
                None,
                (
                    _note(words, lines, max(map(len, by_kind))),
                    "Each panel has an axis of its own." if len(shown) > 1 else "",
                ),
            )
        ),
        data=[trace for i, row in enumerate(by_kind) for trace in traces(row, words.axis, i)],
        layout=panels.layout(shown, PANEL_REM, across, upright),
        columns=(Column("Kind", False), *columns("Side", words.axis)),
        rows=[[kind, *row] for kind, own in zip(shown, by_kind, strict=True) for row in rows(own)],
        height_rem=panels.grids(len(shown), PANEL_REM)[0].rem,
        is_keyed=True,
        **more,
    )


def with_bands(ends: Sequence[float]) -> set[int]:
    """Which of some lines have a band, by where they end: both of two, of more the first and the topmost."""
    if len(ends) <= MOST_BANDS:
        return set(range(len(ends)))
    return {0, max(range(len(ends)), key=lambda i: ends[i])}


def side_line(x: Sequence[float], y: Sequence[float], side: Side, hover: str, index: int) -> Trace:
    """The line of a side, with a few of its marks on it."""
    if side.mark is None:
        return line(x, y, f"{side.colour}/.5", hover)
    look = {"marker": {"color": f"@{side.colour}", "symbol": side.symbol, "size": 8, "maxdisplayed": FEW_MARKS}}
    return line(x, y, side.colour, hover, DASHES[index % len(DASHES)]) | {"mode": "lines+markers"} | look
