"""What a sweep shows, in words: whether its values matter, and which may be the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from webapp.common.formats import THIN, count, number, p_text, percent, plural, signed
from webapp.lab.results.method import is_at_planned_end
from webapp.lab.results.swept import Responses, responses
from webapp.lab.results.swept_names import engines, lower_first, short_names
from webapp.records.models import Experiment
from worker import responses as measures
from worker.analysis.intervals import Interval
from worker.analysis.trend import LOG
from worker.responses import AxisTrend, Response
from worker.spec import Axis, naming, sweep

NAMED = 8
"""Values that a list names at most."""


@dataclass(frozen=True)
class SweepCard:
    """The card: a sentence, and by measure a cell for each question. rows: (question, cells)."""

    title: str
    sentence: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    note: str


@dataclass(frozen=True)
class _Measure:
    """How an outcome is written. scale: of what pages write for 1."""

    head: str
    scale: float
    words: Callable[[float], str]


RATE = _Measure("Win rate", 100, percent)
MARGIN = _Measure("Margin", 1, signed)


class _Words:
    """Names of the axes and of the arms of a sweep."""

    def __init__(self, experiment: Experiment, axes: Sequence[Axis]) -> None:
        self.axes = axes
        self.arms, _ = short_names(experiment)
        self.labels = [lower_first(label) for label in naming.labels(axes, engines(experiment))]

    def step(self, row: AxisTrend) -> str:
        """What a slope is per."""
        label = self.labels[row.axis]
        return f"each doubling of {label}" if row.scale == LOG else f"each step of 1 in {label}"

    def listed(self, arms: Sequence[int]) -> str:
        """Names of arms, the first ones where there are many."""
        names = [self.arms[arm] for arm in arms]
        if len(self.axes) > 1:
            names = [f"({name})" for name in names]
        if len(names) > NAMED:
            names = [*names[:NAMED], f"{count(len(names) - NAMED)} more"]
        *first, last = names
        return f"{', '.join(first)} and {last}" if first else last


def sweep_card(experiment: Experiment) -> SweepCard | None:
    """The card as of now; None where there is no sweep, or no two of its deals are whole."""
    found = responses(experiment)
    if found is None or found.wins is None or found.margins is None:
        return None
    axes = sweep.stored_axes(experiment.spec)
    words, is_final = _Words(experiment, axes), is_at_planned_end(experiment)
    return SweepCard(
        title="What the sweep shows" if is_final else "What the sweep shows so far",
        sentence=_sentence(found.wins, words),
        heads=(RATE.head, MARGIN.head),
        rows=tuple(_rows(found, words)),
        note=_note(found.wins, words, is_final=is_final),
    )


def _sentence(found: Response, words: _Words) -> str:
    """Whether the win rate follows the values, and which of them may be the best."""
    parts = [_trend_sentence(row, words) for row in found.trends]
    many, kept = len(found.means), found.kept
    what = "combinations" if len(words.axes) > 1 else "values"
    if len(kept) == many:
        parts.append(f"Any of the {count(many)} {what} may be the best.")
    elif len(kept) == 1:
        parts.append(f"{words.listed(kept)} wins more often than every other of the {count(many)} {what}.")
    else:
        parts.append(f"{words.listed(kept)} cannot be told from the best; the other {what} win less often.")
    if len(words.axes) == 1 and words.axes[0].is_numeric:
        gaps = measures.skipped(found, [float(value) for value in words.axes[0].values])
        if gaps:
            between = ", ".join(map(naming.number_text, gaps))
            parts.append(f"{between} between them win less often, so the curve has more than one peak.")
    return " ".join(parts)


def _trend_sentence(row: AxisTrend, words: _Words) -> str:
    step = words.step(row)
    if row.is_constant and row.slope.mean:
        deals = count(row.slope.blocks)
        return f"{step[:1].upper()}{step[1:]} changes the win rate by {_slope(row, RATE)} points on all {deals} deals."
    if not row.is_shown:
        return f"No trend of the win rate is shown along {words.labels[row.axis]}."
    change = _slope(row, RATE)
    return f"{step[:1].upper()}{step[1:]} changes the win rate by {change} points on average."


def _slope(row: AxisTrend, measure: _Measure) -> str:
    mean, interval = row.slope.mean, row.slope.interval
    assert mean is not None
    digits = _digits(measure.scale * mean)
    found = signed(measure.scale * mean, digits)
    if interval is None:
        return found
    ends = Interval(measure.scale * interval.low, measure.scale * interval.high)
    return f"{found} ({signed(ends.low, digits)} to {signed(ends.high, digits)})"


def _digits(value: float) -> int:
    """Decimals that show two figures of a small slope."""
    return 1 if abs(value) >= 1 or value == 0 else 2 if abs(value) >= 0.1 else 4


def _rows(found: Responses, words: _Words) -> list[tuple[str, tuple[str, ...]]]:
    pairs = [(found.wins, RATE), (found.margins, MARGIN)]
    known = [(row, measure) for row, measure in pairs if row is not None]
    rows = []
    for index in range(len(known[0][0].trends)):
        cells = tuple(_trend_cell(row.trends[index], measure) for row, measure in known)
        rows.append((f"Trend, in points: {words.step(known[0][0].trends[index])}", cells))
    rows.append(
        (
            "Highest of those tried",
            tuple(f"{words.listed([row.best])}: {measure.words(row.means[row.best])}" for row, measure in known),
        )
    )
    rows.append(("Cannot be told from the best", tuple(_kept(row, words) for row, _ in known)))
    if known[0][0].span is not None:
        rows.append(("Best of all values, if the curve has one peak", tuple(_span(row) for row, _ in known)))
    return rows


def _trend_cell(row: AxisTrend, measure: _Measure) -> str:
    if row.is_constant:
        return f"{_slope(row, measure)}, on every deal"
    return f"{_slope(row, measure)}{f', p {p_text(row.p)}' if row.p is not None else ''}"


def _kept(row: Response, words: _Words) -> str:
    return f"all {count(len(row.means))}" if len(row.kept) == len(row.means) else words.listed(row.kept)


def _span(row: Response) -> str:
    assert row.span is not None
    return f"from {' to '.join(map(naming.number_text, row.span))}"


def _note(found: Response, words: _Words, *, is_final: bool) -> str:
    deals = plural(found.deals, "deal that all its arms have", "deals that all its arms have")
    parts = [f"From the {deals} played whole; the unit is the deal."]
    if found.trends:
        parts.append("A trend is the average slope over the values, one number a deal.")
        confidence = found.trends[0].confidence
        if len(found.trends) > 1:
            parts.append(
                f"Its intervals are at {number(100 * confidence, 2)}{THIN}%, so that those of all axes hold together."
            )
    parts.append(
        "The truly best of those tried is among those that cannot be told from it in 95 of 100 experiments,"
        " whatever the curve is like."
    )
    if not is_final:
        parts.append("All this holds at every look.")
    return " ".join(parts)
