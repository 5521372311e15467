"""A comparison in the words and numbers of pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.protocol import BUDGET_LABELS
from webapp.common import formats
from webapp.common.formats import THIN
from worker.analysis import verdict
from worker.analysis.family import Family
from worker.analysis.several import Homogeneity
from worker.presets import pooling
from worker.presets.comparison import NO_NUMBER, NOT_JUDGED, NOT_YET, Comparison, Row, ShownFigure
from worker.presets.model import SCALES, Reason
from worker.presets.reach import Reach

VERDICTS = {
    verdict.EQUIVALENT: ("ok", "Equivalent"),
    verdict.COMPATIBLE: ("info", "Compatible"),
    verdict.DIFFERS: ("danger", "Differs"),
    verdict.CANNOT_TELL: ("unsure", "Cannot tell"),
    NOT_YET: ("", "Not judged yet"),
    NO_NUMBER: ("", "No number yet"),
    NOT_JUDGED: ("", "Not judged"),
}
"""Verdict -> (class of its chip, word). The sign before the word comes with the class."""
ALIKE = 0.05
"""Level of the tests of homogeneity."""
TIMES = ("s", "ms")
"""Units that stand behind every figure."""
MOST_DIGITS = 1e7
"""From here on numbers are written with a power of ten..."""
MOST_WHOLE_DIGITS = 1e11
"""... but for whole ones without a unit: those that are counted."""


@dataclass(frozen=True)
class Line:
    """One cell of a table, ready to be shown; empty texts where there is nothing to say.

    budget: of our engine for a ply; size: matches or positions behind our figure; note: what goes with the verdict;
    reason: number of a known reason, 0 without one; as_run: the same by the authors' program.
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
    note: str
    reason: int
    as_run: Line | None = None


@dataclass(frozen=True)
class Group:
    """Lines under one heading."""

    name: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class PooledLine:
    """The mean of the differences of several cells; alike: whether one difference is true of all of them."""

    name: str
    difference: str
    interval: str
    chip: str
    verdict: str
    note: str
    alike: str


@dataclass(frozen=True)
class SweepLine:
    """Whether the values of a sweep differ at all: in print, in ours, in ours as the authors' program ran."""

    group: str
    values: int
    printed: str
    ours: str
    as_run: str = ""


@dataclass(frozen=True)
class Table:
    """A whole comparison.

    counts: (number, chip, word) of each verdict; judged: how many have one or will have one; reasons: numbered from 1;
    pooled, sweeps: only at the planned end. is_partial: it has not come; margins: those of the judged figures, in
    words; repeats: judged figures that repeat a comparison; sure: of the intervals of differences, in per cent.
    pooled_as_run: pooled lines of those that are found by the authors' program, too.
    """

    groups: tuple[Group, ...]
    counts: tuple[tuple[int, str, str], ...]
    judged: int
    reasons: tuple[Reason, ...]
    family: str = ""
    pooled: tuple[PooledLine, ...] = ()
    sweeps: tuple[SweepLine, ...] = ()
    is_partial: bool = False
    margins: str = ""
    repeats: int = 0
    sure: str = "99"
    pooled_as_run: tuple[PooledLine, ...] = ()

    @property
    def has_sweeps_as_run(self) -> bool:
        """Whether any sweep is played by the authors' program, too."""
        return any(sweep.as_run for sweep in self.sweeps)

    @property
    def has_program(self) -> bool:
        """Whether any figure is found by the authors' program, too."""
        return any(line.as_run for group in self.groups for line in group.lines)


def table(comparison: Comparison, is_partial: bool, looks: int = 1) -> Table:
    """Words of a comparison; is_partial: before its planned end; looks: runs that are pooled."""
    names = list(dict.fromkeys(row.group for row in comparison.rows))
    differing = [row.reason for row in comparison.rows if row.reason and row.verdict == verdict.DIFFERS]
    reasons = tuple(dict.fromkeys(differing))
    groups = [Group(name, tuple(line(row, reasons) for row in comparison.rows if row.group == name)) for name in names]
    judged = [row for row in comparison.rows if row.verdict != NOT_JUDGED]
    return Table(
        groups=tuple(groups),
        counts=count_words(comparison.counts),
        judged=comparison.judged,
        reasons=reasons,
        family="" if is_partial else family(comparison.family),
        pooled=tuple(map(pooled_line, comparison.lines)),
        sweeps=sweep_lines(comparison),
        is_partial=is_partial,
        margins="; ".join(dict.fromkeys(row.margin_words for row in judged)),
        repeats=sum(not row.is_counted for row in judged),
        sure=sure_words(looks),
        pooled_as_run=tuple(map(pooled_line, comparison.lines_as_run)),
    )


def sure_words(looks: int) -> str:
    """Confidence of the interval that must leave out 0, in per cent."""
    return f"{100 * verdict.Levels.of_look(looks).sure:.10g}"


def count_words(counts: Mapping[str, int]) -> tuple[tuple[int, str, str], ...]:
    """Number, class and word of every verdict."""
    return tuple((number, *VERDICTS[word]) for word, number in counts.items())


def reach(found: Reach | None) -> str:
    """What a scale can tell: "Finds gaps of about 14 points in half of all runs; can show equivalence in ..."."""
    if found is None:
        return ""
    gap = f"Finds gaps of about {_amount(found.gap, 0 if found.gap >= 10 else 1, found.unit)} in half of all runs"
    if found.equivalent:
        where = "all figures" if found.equivalent == found.figures else f"{found.equivalent} of {found.figures} figures"
        return f"{gap}; can show equivalence in {where}."
    return f"{gap}; can end in compatible, not in equivalent." if found.compatible else f"{gap}; else it cannot tell."


def family(found: Family) -> str:
    """What chance alone would make of so many comparisons: sentences, empty without any."""
    if not found.by_chance:
        return ""
    many = formats.plural(found.by_chance, "comparison", "comparisons")
    expected = formats.number(found.expected, 1 if found.expected >= 0.095 else 2)
    text = f"If all were the same, {expected} of {many} would differ by luck alone, at most. "
    if not found.differ:
        return f"{text}None does."
    does = "1 does" if found.differ == 1 else f"{found.differ} do"
    left = "none is" if not found.after_holm else "1 is" if found.after_holm == 1 else f"{found.after_holm} are"
    exact = f", {found.exact} of them exactly" if found.exact else ""
    return f"{text}{does}{exact}; corrected for all of them together (Holm, 5{THIN}%), {left} left."


def pooled_line(one: pooling.Line) -> PooledLine:
    """The words of a mean of differences."""
    found, interval = one.judgement, one.mean.interval()
    chip, word = VERDICTS[found.verdict]
    ends = "" if interval is None else " to ".join(formats.signed(end * one.factor, one.digits) for end in interval)
    return PooledLine(
        name=f"{one.name}: mean of {one.cells} differences",
        difference=formats.signed(one.mean.value * one.factor, one.digits),
        interval=ends,
        chip=chip,
        verdict=word,
        note=_hidden(found.verdict, found.hidden, one.factor, one.digits, one.unit),
        alike=_alike(one.alike),
    )


def _alike(found: Homogeneity | None) -> str:
    if found is None:
        return ""
    words = "Not the same difference in all" if found.p < ALIKE else "One difference fits all"
    return f"{words}: {statistic('Q', found)}"


def statistic(name: str, found: Homogeneity) -> str:
    """A test of homogeneity: "Q 27.1 on 9 df, p 0.001"; "F(9, 441) 3.01, p 0.002" where it is compared with F."""
    if found.below is None:
        return f"{name} {formats.number(found.q, 1)} on {_degrees(found.freedom)} df, {p_words(found.p)}"
    ratio = formats.number(found.q / found.freedom, 2)
    return f"F({_degrees(found.freedom)}, {_degrees(found.below)}) {ratio}, {p_words(found.p)}"


def _degrees(freedom: float) -> str:
    """Degrees of freedom: "9", "8.4"."""
    return formats.number(freedom, 0 if abs(freedom - round(freedom)) < 0.05 else 1)


def p_words(p: float) -> str:
    """A p-value: "p 0.003", "p < 0.001"."""
    return "p < 0.001" if p < 0.001 else f"p {formats.number(p, 3 if p < 0.1 else 2)}"


def sweep_lines(comparison: Comparison) -> tuple[SweepLine, ...]:
    """The sweeps, each with the one of the same group that the authors' program played."""
    as_run = {sweep.group: sweep.ours for sweep in comparison.sweeps_as_run}
    return tuple(
        SweepLine(sweep.group, sweep.values, *map(_differ, (sweep.printed, sweep.ours, as_run.get(sweep.group))))
        for sweep in comparison.sweeps
    )


def _differ(test: Homogeneity | None) -> str:
    if test is None:
        return ""
    return f"{'they differ' if test.p < ALIKE else 'no difference shown'} ({statistic('χ²', test)})"


def line(row: Row, reasons: Sequence[Reason] = ()) -> Line:
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
        verdict=word,
        note=note(row),
        reason=reasons.index(row.reason) + 1 if row.reason and is_explained else 0,
        as_run=None if row.as_run is None else line(row.as_run),
    )


def note(row: Row) -> str:
    """What goes with a verdict: its margin, the gap that may hide, what is missing."""
    if row.verdict == NOT_YET:
        return f"{formats.count(row.ours.n or 0)} of {formats.count(row.planned)}" if row.planned else ""
    if row.verdict == verdict.EQUIVALENT and row.is_small_difference:
        return f"within {_margin(row)}, though not the same"
    if row.verdict == verdict.EQUIVALENT:
        return f"in {row.margin_words}" if row.margin is None else f"within {_margin(row)}"
    return _needed(row) or _hidden(row.verdict, row.hidden, 1.0, row.digits, row.unit)


def _margin(row: Row) -> str:
    """The margin in the unit of the cell."""
    return f"±{_amount(row.margin or 0.0, row.digits, row.unit)}"


def _hidden(word: str, gap: float | None, factor: float, digits: int, unit: str) -> str:
    if word != verdict.COMPATIBLE or gap is None:
        return ""
    return f"up to {_amount(gap * factor, digits, unit)} could hide"


def _amount(value: float, digits: int, unit: str) -> str:
    """A gap in a unit: of per cents these are points."""
    return f"{_number(value, digits)} {'points' if unit == '%' else unit}".rstrip()


def budget(limits: Mapping[str, Any]) -> str:
    """A budget in words: "705 playouts"."""
    return ", ".join(_limit(value, BUDGET_LABELS[key][1]) for key, value in limits.items())


def _limit(value: float | Mapping[str, Any], unit: str) -> str:
    by = f" by {value['by']}" if isinstance(value, Mapping) else ""
    return f"{amount(value)} {unit}{by}"


def amount(value: float | Mapping[str, Any]) -> str:
    """A number of playouts, or of seconds; of counts by round the first and the last one."""
    if isinstance(value, Mapping):
        first, last = (formats.count(value["counts"][place]) for place in (0, -1))
        return f"{first} to {last}"
    return formats.count(value) if isinstance(value, int) else formats.number(value, 2)


def _needed(row: Row) -> str:
    """The number that is needed for a verdict: "514 more deals; standard scale has them"."""
    if not row.needed:
        return ""
    more = f"{formats.count(row.needed)} more {row.needs if row.needed != 1 else row.needs.removesuffix('s')}"
    if row.needs == "positions" and not row.enough and row.most:
        return f"impossible with these {formats.count(row.most)} positions"
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
    """The interval of the difference that must leave out 0."""
    if row.low is None or row.high is None:
        return ""
    return f"{formats.signed(row.low, row.digits)} to {formats.signed(row.high, row.digits)}"


def _number(value: float, digits: int) -> str:
    """A number in words; one of many digits with a power of ten."""
    if abs(value) < MOST_DIGITS:
        return formats.number(value, 0 if value == int(value) and digits <= 1 and abs(value) >= 1000 else digits)
    return formats.with_power(value)
