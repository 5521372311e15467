"""Every cell of a preset beside our own number, JSON-ready."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from worker.analysis import verdict
from worker.analysis.rates import Share
from worker.analysis.verdict import Sample
from worker.presets.model import Cell, Claim, Figure, Preset, Scale
from worker.presets.numbers import Numbers

NOT_JUDGED = "not judged"
NO_NUMBER = "no number yet"
NOT_PLAYED = "not at this scale"
VERDICTS = (verdict.AGREES, verdict.DIFFERS, verdict.CANNOT_TELL)


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
    """One cell, compared. verdict: one of VERDICTS, NOT_JUDGED or NO_NUMBER.

    difference, low and high (its 99 % interval), half_width and margin are in the cell's unit. needed: further
    units (`needs`) of ours, of all seatings; enough: the first scale that has as many in all, empty where none
    has; most: units of the largest scale. x: place on the preset's curve; budget: what ours may spend on a ply.
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
    half_width: float | None = None
    margin: float | None = None
    needed: int | None = None
    needs: str = ""
    enough: str = ""
    most: int | None = None
    reason: str = ""
    x: float | None = None
    budget: Mapping[str, int | float] = field(default_factory=dict)


@dataclass(frozen=True)
class Comparison:
    """All cells of a preset."""

    rows: tuple[Row, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of cells by verdict."""
        found = Counter(row.verdict for row in self.rows)
        return {word: found[word] for word in VERDICTS}

    @property
    def judged(self) -> int:
        """Cells that have a verdict or will have one."""
        return sum(row.verdict != NOT_JUDGED for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        """Counts and rows."""
        return {"counts": self.counts, "cells": [dataclasses.asdict(row) for row in self.rows]}


def compare(preset: Preset, numbers: Numbers, scale: Scale | None = None) -> Comparison:
    """Judge every cell by what is known so far; scale: of the run, which says what budgets ours had."""
    return Comparison(tuple(_row(preset, cell, cell.ours(numbers), scale) for cell in preset.cells))


def _row(preset: Preset, cell: Cell, ours: Share | Sample | float | None, scale: Scale | None) -> Row:
    measure = cell.measure
    is_played = scale is None or cell.arm is None or scale.plays(cell.arm)
    values: Mapping[str, Any] = {
        "group": cell.group,
        "label": cell.label,
        "unit": measure.unit,
        "digits": measure.digits,
        "published": format_figure(cell.published, measure.factor),
        "ours": format_figure(ours, measure.factor) if is_played else ShownFigure(words=NOT_PLAYED),
        "reason": cell.reason,
        "x": cell.x,
        "budget": {} if scale is None or cell.arm is None or not is_played else scale.budget(cell.arm),
    }
    if not is_played or measure.judge is None or cell.published is None or isinstance(cell.published, str):
        return Row(**values, verdict=NOT_JUDGED)
    found = None if ours is None else measure.judge(ours, cell.published)
    if found is None:
        return Row(**values, verdict=NO_NUMBER)
    return Row(
        **values,
        verdict=found.verdict,
        difference=found.difference * measure.factor,
        low=_times(found.interval and found.interval.low, measure.factor),
        high=_times(found.interval and found.interval.high, measure.factor),
        half_width=_times(found.half_width, measure.factor),
        margin=_times(found.margin, measure.factor),
        **_needed(preset, cell, ours, found.needed),
    )


def _needed(preset: Preset, cell: Cell, ours: Any, needed: int | None) -> Mapping[str, Any]:
    """Number of further units that are needed, and the scale that has them."""
    if not needed or not isinstance(ours, Share | Sample):
        return {}
    trials = ours.trials if isinstance(ours, Share) else ours.n
    playing = {name: scale for name, scale in preset.scales.items() if cell.arm is None or scale.plays(cell.arm)}
    sizes = {name: scale.units for name, scale in playing.items()}
    return {
        "needed": needed * cell.seatings,
        "needs": cell.measure.needs + (" in all seatings" if cell.seatings > 1 else ""),
        "enough": next((name for name, size in sizes.items() if size >= (trials + needed) * cell.seatings), ""),
        "most": max(sizes.values(), default=None),
    }


def format_figure(figure: Figure | None, factor: float) -> ShownFigure:
    """A figure in the unit of its cell."""
    if figure is None:
        return ShownFigure()
    if isinstance(figure, str):
        return ShownFigure(words=figure)
    if isinstance(figure, Claim):
        return ShownFigure(words=figure.words)
    if isinstance(figure, int | float):
        return ShownFigure(value=figure * factor)
    n = figure.trials if isinstance(figure, Share) else figure.n
    interval = figure.interval()
    low, high = interval if interval else (None, None)
    return ShownFigure(_times(figure.value, factor), _times(low, factor), _times(high, factor), n)


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor
