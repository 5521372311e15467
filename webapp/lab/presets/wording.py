"""A comparison in the words and numbers of pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engines.protocol import BUDGET_LABELS
from webapp.common import formats
from webapp.common.formats import THIN
from worker.analysis import verdict
from worker.presets.comparison import NO_NUMBER, NOT_JUDGED, Comparison, Row, ShownFigure
from worker.presets.model import SCALES

VERDICTS = {
    verdict.AGREES: ("ok", "Agrees"),
    verdict.DIFFERS: ("danger", "Differs"),
    verdict.CANNOT_TELL: ("unsure", "Cannot tell"),
    NO_NUMBER: ("", "No number yet"),
    NOT_JUDGED: ("", "Not judged"),
}
"""Verdict -> (class of its chip, word). The sign before the word comes with the class."""
TIMES = ("s", "ms")
"""Units that stand behind every figure."""
MOST_DIGITS = 1e7
"""From here on numbers are written with a power of ten..."""
MOST_WHOLE_DIGITS = 1e11
"""... but for whole ones without a unit: those that are counted."""


@dataclass(frozen=True)
class Line:
    """One cell of a table, ready to be shown; empty texts where there is nothing to say.

    budget: of our engine for a ply; size: matches or positions behind our figure; reason: number of a known
    reason, 0 without one.
    """

    label: str
    budget: str
    published: str
    published_interval: str
    ours: str
    interval: str
    size: str
    difference: str
    difference_interval: str
    chip: str
    verdict: str
    needed: str
    reason: int


@dataclass(frozen=True)
class Group:
    """Lines under one heading."""

    name: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Table:
    """A whole comparison. counts: (number, chip, word) of each verdict; reasons: numbered from 1."""

    groups: tuple[Group, ...]
    counts: tuple[tuple[int, str, str], ...]
    judged: int
    reasons: tuple[str, ...]


def table(comparison: Comparison, is_partial: bool) -> Table:
    """Words of a comparison; is_partial: the run goes on, and verdicts may change."""
    names = list(dict.fromkeys(row.group for row in comparison.rows))
    differing = [row.reason for row in comparison.rows if row.reason and row.verdict == verdict.DIFFERS]
    reasons = tuple(dict.fromkeys(differing))
    groups = [
        Group(name, tuple(line(row, is_partial, reasons) for row in comparison.rows if row.group == name))
        for name in names
    ]
    counts = [(count, *VERDICTS[word]) for word, count in comparison.counts.items()]
    return Table(tuple(groups), tuple(counts), comparison.judged, reasons)


def line(row: Row, is_partial: bool, reasons: Sequence[str] = ()) -> Line:
    """The words of one cell; reasons: those that are listed with the table."""
    chip, word = VERDICTS[row.verdict]
    is_explained = row.verdict == verdict.DIFFERS and row.reason in reasons
    return Line(
        label=row.label,
        budget=budget(row.budget),
        published=figure(row.published, row),
        published_interval=_span(row.published, row),
        ours=figure(row.ours, row),
        interval=_span(row.ours, row),
        size=formats.count(row.ours.n) if row.ours.n else "",
        difference="" if row.difference is None or row.low is None else formats.signed(row.difference, row.digits),
        difference_interval=_difference_span(row),
        chip=chip,
        verdict=f"{word} so far" if is_partial and chip else word,
        needed=_needed(row, is_partial),
        reason=reasons.index(row.reason) + 1 if is_explained else 0,
    )


def budget(amounts: Mapping[str, int | float]) -> str:
    """A budget in words: "705 playouts"."""
    return ", ".join(f"{amount(value)} {BUDGET_LABELS[key][1]}" for key, value in amounts.items())


def amount(value: int | float) -> str:
    """A number of playouts, or of seconds."""
    return formats.count(value) if isinstance(value, int) else formats.number(value, 2)


def _needed(row: Row, is_partial: bool) -> str:
    """The number that is needed for a verdict: "514 more matches; standard scale has them"."""
    if not row.needed:
        return ""
    more = f"{formats.count(row.needed)} more {row.needs}"
    if row.needs == "positions" and not row.enough and row.most:
        return f"impossible with these {formats.count(row.most)} positions"
    if is_partial:
        return more
    return f"{more}; {f'{SCALES[row.enough].lower()} scale has them' if row.enough else 'no scale has as many'}"


def figure(shown: ShownFigure, row: Row) -> str:
    """A figure with its unit; words as they stand."""
    if shown.words or shown.value is None:
        return shown.words
    is_counted = row.digits == 0 and not row.unit and abs(shown.value) < MOST_WHOLE_DIGITS
    number = formats.number(shown.value, 0) if is_counted else _number(shown.value, row.digits)
    return f"{number}{THIN}%" if row.unit == "%" else f"{number} {row.unit}" if row.unit in TIMES else number


def _span(shown: ShownFigure, row: Row) -> str:
    if shown.low is None or shown.high is None:
        return ""
    return f"{_number(shown.low, row.digits)} to {_number(shown.high, row.digits)}"


def _difference_span(row: Row) -> str:
    """The 99 % interval of the difference."""
    if row.low is None or row.high is None:
        return ""
    return f"{formats.signed(row.low, row.digits)} to {formats.signed(row.high, row.digits)}"


def _number(value: float, digits: int) -> str:
    """A number in words; one of many digits with a power of ten."""
    if abs(value) < MOST_DIGITS:
        return formats.number(value, 0 if value == int(value) and digits <= 1 and abs(value) >= 1000 else digits)
    return formats.with_power(value)
