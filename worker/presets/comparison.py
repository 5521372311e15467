"""Every cell of a preset beside our own number, and the whole table, JSON-ready."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from worker.analysis import always_valid, verdict
from worker.analysis.family import Family
from worker.analysis.intervals import Interval
from worker.analysis.rates import Share
from worker.analysis.verdict import Judgement, Levels, Sample
from worker.presets import pooling
from worker.presets.model import Cell, Claim, Figure, Preset, Reason, Scale
from worker.presets.numbers import Numbers

NOT_JUDGED = "not judged"
NOT_YET = "not judged yet"
NO_NUMBER = "no number yet"
NOT_PLAYED = "not at this scale"
VERDICTS = (verdict.EQUIVALENT, verdict.COMPATIBLE, verdict.DIFFERS, verdict.CANNOT_TELL)
WAITING = (NOT_YET, NO_NUMBER)


@dataclass(frozen=True)
class Stage:
    """How far a run is. is_at_end: all that was planned is done; deals: planned, 0 of a study.

    looks: runs that are pooled, each of which somebody may have started for what he saw in those before.
    """

    is_at_end: bool = True
    deals: int = 0
    looks: int = 1


AT_END = Stage()


@dataclass(frozen=True)
class ShownFigure:
    """A figure as it is shown. low, high: its 95 % interval; n: matches or positions; words: where it is no number."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    words: str = ""


@dataclass(frozen=True)
class Row:
    """One cell, compared. verdict: one of VERDICTS, NOT_JUDGED, NOT_YET or NO_NUMBER.

    difference, low and high (the interval that must leave out 0), hidden (the largest gap that is not ruled out),
    half_width and margin are in the cell's unit; margin_words: the margin in words. needed: further units (`needs`)
    of ours; enough: the first scale that has as many, empty where none has; most: units of the largest scale.
    planned: units that ours will have at the end, while they are being played. p: of the test that there is no
    difference; level: at which it is called one. x: place on the preset's curve; budget: what ours may spend on a ply.
    as_run: the same cell by the authors' program, where that differs from the method as described.
    """

    group: str
    label: str
    unit: str
    digits: int
    published: ShownFigure
    ours: ShownFigure
    verdict: str
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    hidden: float | None = None
    half_width: float | None = None
    margin: float | None = None
    margin_words: str = ""
    needed: int | None = None
    needs: str = ""
    enough: str = ""
    most: int | None = None
    planned: int | None = None
    p: float | None = None
    level: float = 0.0
    is_counted: bool = True
    reason: Reason | None = None
    x: float | None = None
    budget: Mapping[str, int | float] = field(default_factory=dict)
    as_run: Row | None = None

    @property
    def is_small_difference(self) -> bool:
        """Whether a difference is shown that is too small to matter."""
        return self.verdict == verdict.EQUIVALENT and self.p is not None and self.p < self.level


@dataclass(frozen=True)
class Comparison:
    """All cells of a preset. lines: pooled; sweeps: tests along an axis; both only at the planned end.

    lines_as_run, sweeps_as_run: those of the cells that are found by the authors' program too, by that.
    """

    rows: tuple[Row, ...]
    lines: tuple[pooling.Line, ...] = ()
    sweeps: tuple[pooling.Sweep, ...] = ()
    lines_as_run: tuple[pooling.Line, ...] = ()
    sweeps_as_run: tuple[pooling.Sweep, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of cells by verdict, each comparison once."""
        return counts(self.rows)

    @property
    def judged(self) -> int:
        """Cells that have a verdict or will have one, each comparison once."""
        return sum(row.verdict != NOT_JUDGED and row.is_counted for row in self.rows)

    @property
    def of_program(self) -> tuple[Row, ...]:
        """The cells that are found by the authors' program, too."""
        return tuple(row.as_run for row in self.rows if row.as_run is not None)

    @property
    def family(self) -> Family:
        """The verdicts together."""
        return family(self.rows)

    def to_json(self) -> dict[str, Any]:
        """Counts, family, pooled lines and rows."""
        return {
            "counts": self.counts,
            "family": dataclasses.asdict(self.family),
            "pooled": [_line_json(line) for line in self.lines],
            "sweeps": [dataclasses.asdict(sweep) for sweep in self.sweeps],
            "pooled_as_run": [_line_json(line) for line in self.lines_as_run],
            "sweeps_as_run": [dataclasses.asdict(sweep) for sweep in self.sweeps_as_run],
            "cells": [dataclasses.asdict(row) for row in self.rows],
        }


def counts(rows: Iterable[Row]) -> dict[str, int]:
    """Numbers of counted rows by verdict."""
    found = Counter(row.verdict for row in rows if row.is_counted)
    return {word: found[word] for word in VERDICTS}


def family(rows: Iterable[Row]) -> Family:
    """The counted verdicts of some rows together."""
    judged = [row for row in rows if row.is_counted and row.verdict in VERDICTS]
    return Family.of((row.p, row.level, row.verdict == verdict.DIFFERS) for row in judged)


def _line_json(line: pooling.Line) -> dict[str, Any]:
    interval = line.mean.interval()
    return {
        "name": line.name,
        "unit": line.unit,
        "cells": line.cells,
        "difference": line.mean.value * line.factor,
        "interval": interval and [end * line.factor for end in interval],
        "verdict": line.judgement.verdict,
        "margin": (line.judgement.margin or 0.0) * line.factor,
        "heterogeneity": None if line.alike is None else dataclasses.asdict(line.alike),
    }


def compare(preset: Preset, numbers: Numbers, scale: Scale | None = None, stage: Stage = AT_END) -> Comparison:
    """Judge every cell; scale: of the run, which says what budgets ours had.

    Before the planned end nothing is judged, and our intervals are those that hold at every look.
    """
    rows = tuple(_both(preset, cell, numbers, scale, stage) for cell in preset.cells)
    if not stage.is_at_end or not numbers.together:
        return Comparison(rows)
    lines, sweeps = pooling.lines(preset, numbers, stage.looks), pooling.sweeps(preset, numbers)
    if not numbers.as_run:
        return Comparison(rows, lines, sweeps)
    program, ran = preset.of_program, numbers.of_program
    return Comparison(rows, lines, sweeps, pooling.lines(program, ran, stage.looks), pooling.sweeps(program, ran))


def _both(preset: Preset, cell: Cell, numbers: Numbers, scale: Scale | None, stage: Stage) -> Row:
    """A cell by the method as described, and with it that by the authors' program."""
    row = _row(preset, cell, cell.ours(numbers), scale, stage)
    program = cell.of_program
    return row if program is None else replace(row, as_run=_both(preset, program, numbers, scale, stage))


def _row(preset: Preset, cell: Cell, ours: Share | Sample | float | None, scale: Scale | None, stage: Stage) -> Row:
    measure = cell.measure
    is_played = scale is None or cell.arm is None or scale.plays(cell.arm)
    values: Mapping[str, Any] = {
        "group": cell.group,
        "label": cell.label,
        "unit": measure.unit,
        "digits": measure.digits,
        "published": format_figure(cell.published, measure.factor),
        "ours": format_figure(ours, measure.factor, stage) if is_played else ShownFigure(words=NOT_PLAYED),
        "margin_words": measure.margin,
        "reason": cell.reason,
        "x": cell.x,
        "is_counted": cell.is_counted,
        "budget": {} if scale is None or cell.arm is None or not is_played else scale.budget(cell.arm),
    }
    if not is_played or measure.judge is None or cell.published is None or isinstance(cell.published, str):
        return Row(**values, verdict=NOT_JUDGED)
    if not stage.is_at_end and ours is not None:
        return Row(**values, verdict=NOT_YET, planned=_planned(preset, cell, stage) or None)
    found = None if ours is None else measure.judge(ours, cell.published, Levels.of_look(stage.looks))
    if found is None:
        return Row(**values, verdict=NO_NUMBER)
    return Row(**values, **_judged(found, measure.factor), **_needed(preset, cell, ours, found.needed))


def _judged(found: Judgement, factor: float) -> Mapping[str, Any]:
    """A judgement in the unit of its cell."""
    return {
        "verdict": found.verdict,
        "difference": found.difference * factor,
        "low": _times(found.interval and found.interval.low, factor),
        "high": _times(found.interval and found.interval.high, factor),
        "hidden": _times(found.hidden, factor),
        "half_width": _times(found.half_width, factor),
        "margin": _times(found.margin, factor),
        "p": found.p,
        "level": found.level,
    }


def _a_deal(preset: Preset, cell: Cell) -> int:
    """Matches of a deal that a cell counts."""
    scale = next(iter(preset.scales.values()), None)
    return 1 if scale is None or cell.seatings > 1 else scale.seatings


def _planned(preset: Preset, cell: Cell, stage: Stage) -> int:
    return stage.deals * _a_deal(preset, cell)


def _needed(preset: Preset, cell: Cell, ours: Any, needed: int | None) -> Mapping[str, Any]:
    """Number of further units that are needed, deals where ours are matches, and the scale that has them."""
    if not needed or not isinstance(ours, Share | Sample):
        return {}
    playing = {name: scale for name, scale in preset.scales.items() if cell.arm is None or scale.plays(cell.arm)}
    is_study = any(scale.is_study for scale in playing.values())
    sizes = {name: scale.units if is_study else scale.deals for name, scale in playing.items()}
    per = _a_deal(preset, cell)
    have = math.ceil((ours.trials if isinstance(ours, Share) else ours.n) / per)
    more = math.ceil(needed / per)
    return {
        "needed": more,
        "needs": cell.measure.needs if is_study else "deals",
        "enough": next((name for name, size in sizes.items() if size >= have + more), ""),
        "most": max(sizes.values(), default=None),
    }


def format_figure(figure: Figure | None, factor: float, stage: Stage = AT_END) -> ShownFigure:
    """A figure in the unit of its cell; before the planned end with an interval that holds at every look."""
    if figure is None:
        return ShownFigure()
    if isinstance(figure, str):
        return ShownFigure(words=figure)
    if isinstance(figure, Claim):
        return ShownFigure(words=figure.words)
    if isinstance(figure, int | float):
        return ShownFigure(value=figure * factor)
    n = figure.trials if isinstance(figure, Share) else figure.n
    interval = figure.interval() if stage.is_at_end else _at_every_look(figure, stage)
    low, high = interval if interval else (None, None)
    return ShownFigure(_times(figure.value, factor), _times(low, factor), _times(high, factor), n)


def _at_every_look(figure: Share | Sample, stage: Stage) -> Interval | None:
    if isinstance(figure, Share):
        return always_valid.of_share(figure)
    if not figure.error:
        return None
    blocks = figure.degrees + 1
    return always_valid.mean_interval(figure.value, figure.error, blocks, stage.deals or blocks)


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor
