"""Lines over a number of the game (round, turn, own tile): means with their intervals as bands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from webapp.common.formats import THIN, count, interval_text, number
from webapp.lab.results.charts.figure import Column, Figure, Trace, band, line, plain, signed_ticks
from worker.analysis.intervals import Interval
from worker.analysis.methods import Method
from worker.analysis.moments import BlockMoments

LEAST_SHARE = 0.1
"""A number that fewer of the matches have come to is not drawn: its band would hide all others."""
FEW, FEW_ON_PHONES = 14, 9
"""Most numbers that each have a tick."""
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
    """What one line shows. seats: of how many seats each match has a value."""

    name: str
    colour: str
    dash: str
    steps: tuple[Step, ...]
    seats: int = 1

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


def traces(lines: Sequence[Line], axis: str) -> list[Trace]:
    """Bands below, lines above."""
    bands, strokes = [], []
    for drawn in lines:
        x = [step.number for step in drawn.steps]
        low, high = (list(column) for column in zip(*(step.bounds for step in drawn.steps), strict=True))
        hover = f"{axis.lower()} %{{x}}: %{{y:.2f}}<extra>{plain(drawn.name)}</extra>"
        bands.append(band(x, low, high, drawn.colour))
        strokes.append(line(x, [step.mean for step in drawn.steps], drawn.colour, hover, drawn.dash))
    return [*bands, *strokes]


def layout(lines: Sequence[Line], axis: str, unit: str) -> dict[str, Any]:
    """Whole numbers along the axis, zero among the values."""
    last = max(step.number for drawn in lines for step in drawn.steps)
    ends = [end for drawn in lines for step in drawn.steps for end in step.bounds]
    low, high = min(0.0, *ends), max(0.0, *ends)
    means = [step.mean for drawn in lines for step in drawn.steps]
    signs = signed_ticks(low, high) if min(means) < 0 < max(means) else {}
    return {
        "xaxis": {"title": {"text": axis}, "range": [0.5, last + 0.5], "dtick": 1 if last <= FEW else 5},
        "yaxis": {"title": {"text": group_title(unit)}, "rangemode": "tozero", "zeroline": min(means) < 0} | signs,
        "meta": {"phone_xaxis": {"dtick": 1 if last <= FEW_ON_PHONES else 5}},
    }


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
    word = axis.lower()
    return f"{drawn.name}: {number(first.mean)} {unit} in {word} {first.number}, {number(last.mean)} in {last.number}"


@dataclass(frozen=True)
class Words:
    """What a figure says around its lines; first: what the table calls a line."""

    title: str
    subtitle: str
    note: str
    axis: str
    unit: str
    first: str = "Side"


def figure(words: Words, lines: Sequence[Line], more: Mapping[str, Any]) -> Figure:
    """The figure of some lines, at least one. more: legend, and what else a figure has."""
    axis, unit = words.axis, words.unit
    has_less = any(step.sums.n // drawn.seats < drawn.most for drawn in lines for step in drawn.steps)
    return Figure(
        title=words.title,
        subtitle=words.subtitle,
        name="; ".join(describe_line(drawn, axis, unit) for drawn in lines),
        note=f"{words.note} {ENDED}" if has_less else words.note,
        data=traces(lines, axis),
        layout=layout(lines, axis, unit),
        columns=columns(words.first, axis),
        rows=rows(lines),
        **more,
    )
