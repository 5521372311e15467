"""Cells of a table taken together: the mean of their differences, and whether values along a sweep differ at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from worker.analysis.rates import Share
from worker.analysis.several import Deals, Estimates, Homogeneity, Mean, homogeneity
from worker.analysis.verdict import Judgement, Sample, judge_difference
from worker.presets.model import LEAST_POINTS, PART, RATE_MARGIN, Cell, Preset, mean_margin
from worker.presets.numbers import MARGIN, SCORE, WINS, Key, Numbers, Together, asked

NAMES: Mapping[str, str] = {WINS: "Wins", SCORE: "Mean scores", MARGIN: "Mean leads"}
"""Quantity whose cells are pooled -> their name."""
_BETWEEN = (WINS, MARGIN)
"""Quantities of which what one player gains the others lose: of an arm one place tells all."""
LEAST_SWEEP = 3
"""Values of a sweep."""
_UNSEEN = 2
"""Successes and failures added to a printed rate, so that 50 of 50 have a variance (Agresti and Coull 1998)."""


@dataclass(frozen=True)
class Pool:
    """Cells of one quantity that are pooled: where each stands among the preset's cells, and the mean it is."""

    quantity: str
    cells: tuple[int, ...]
    keys: tuple[Key, ...]


@dataclass(frozen=True)
class Line:
    """A pooled line. mean: of its cells' differences, each counting alike; alike: whether one is true of all.

    factor: figures are shown times this.
    """

    name: str
    unit: str
    digits: int
    factor: float
    cells: int
    mean: Mean
    judgement: Judgement
    alike: Homogeneity | None


@dataclass(frozen=True)
class Sweep:
    """Cells of one group along an axis: whether they differ at all, in print and in ours; None: not known."""

    group: str
    values: int
    printed: Homogeneity | None
    ours: Homogeneity | None


def pools_of(preset: Preset) -> tuple[Pool, ...]:
    """Pools of a preset: judged figures of matches with a printed number, of which no two tell the same.

    A figure over all seats is left out where those of the single seats are there; of what one player
    gains and the other loses only the first place of an arm is in.
    """
    found: dict[str, dict[Key, int]] = {}
    for index, cell in enumerate(preset.cells):
        key = asked(cell.ours) if _is_judged(cell) else None
        if key is not None and key.quantity in NAMES:
            found.setdefault(key.quantity, {}).setdefault(key, index)
    made = []
    for quantity, cells in found.items():
        kept = {key: index for key, index in cells.items() if _is_kept(key, cells)}
        made.append(Pool(quantity, tuple(kept.values()), tuple(kept)))
    return tuple(made)


def _is_judged(cell: Cell) -> bool:
    is_number = isinstance(cell.published, Share | Sample)
    return is_number and cell.is_counted and cell.measure.judge is not None


def _is_kept(key: Key, others: Mapping[Key, int]) -> bool:
    mine = [other for other in others if other.arm == key.arm]
    if key.seat is None and any(other.place == key.place and other.seat is not None for other in mine):
        return False
    return key.quantity not in _BETWEEN or key.place == min(other.place for other in mine)


def together(preset: Preset, deals: Callable[[Key], Deals]) -> dict[str, Together]:
    """Means of the cells of every pool that have any, with their covariance. deals: empty for an arm not played."""
    found = {}
    for pool in pools_of(preset):
        kinds = [deals(key) for key in pool.keys]
        played = [place for place, kind in enumerate(kinds) if kind]
        made = Estimates.of_deals([kinds[place] for place in played])
        if made is not None:
            found[pool.quantity] = Together(tuple(pool.cells[place] for place in played), made)
    return found


def lines(preset: Preset, numbers: Numbers, looks: int = 1) -> tuple[Line, ...]:
    """The pooled lines of a run, or of so many runs that are pooled."""
    found = []
    for quantity, ours in numbers.together.items():
        cells = [preset.cells[index] for index in ours.cells]
        less = ours.means.less(_printed(cells, ours.means))
        mean, measure = less.mean(), cells[0].measure
        if len(cells) > 1 and mean.error > 0:
            judgement = judge_difference(mean.value, mean.error, mean.freedom, _margin(quantity, cells), looks)
            name, factor = NAMES[quantity], measure.factor
            line = Line(name, measure.unit, measure.digits, factor, len(cells), mean, judgement, homogeneity(less))
            found.append(line)
    return tuple(found)


def sweeps(preset: Preset, numbers: Numbers) -> tuple[Sweep, ...]:
    """Groups of cells along an axis, each of another arm: is there any difference between its values?"""
    found = []
    for pool in pools_of(preset):
        groups: dict[str, list[int]] = {}
        for place, index in enumerate(pool.cells):
            if preset.cells[index].x is not None:
                groups.setdefault(preset.cells[index].group, []).append(place)
        for group, places in groups.items():
            if len({pool.keys[place].arm for place in places}) >= LEAST_SWEEP:
                cells = [pool.cells[place] for place in places]
                printed = _alike_in_print([preset.cells[index] for index in cells])
                found.append(Sweep(group, len(places), printed, _alike(cells, numbers.together.get(pool.quantity))))
    return tuple(found)


def between_runs(runs: Sequence[Numbers]) -> tuple[Homogeneity, ...]:
    """Test for every quantity that runs with deals of their own have one and the same mean over its cells."""
    found = []
    for quantity in {name: None for run in runs for name in run.together}:
        together = [run.together[quantity] for run in runs if quantity in run.together]
        if len({one.cells for one in together}) == 1:
            means = [one.means.mean() for one in together]
            alike = homogeneity(Estimates.independent([m.value for m in means], [m.error**2 for m in means]))
            if alike is not None:
                found.append(alike)
    return tuple(found)


def _alike(cells: list[int], ours: Together | None) -> Homogeneity | None:
    """Test of those cells of ours that have been played."""
    places = [ours.cells.index(index) for index in cells if index in ours.cells] if ours else []
    return homogeneity(ours.means.some(places)) if ours and len(places) > 1 else None


def _alike_in_print(cells: list[Cell]) -> Homogeneity | None:
    """Test of the printed figures; None where one has no printed error."""
    values, variances = zip(*(_value_and_variance(cell) for cell in cells), strict=True)
    if None in variances:
        return None
    return homogeneity(Estimates.independent(values, [variance or 0.0 for variance in variances]))


def _printed(cells: list[Cell], ours: Estimates) -> Estimates:
    """The printed figures; where a spread was not printed it is ours. The same figure in two cells has one error."""
    variances, values = [], []
    for place, cell in enumerate(cells):
        value, variance = _value_and_variance(cell)
        if variance is None:
            assert isinstance(cell.published, Sample)
            variance = float(ours.covariance[place, place] * ours.sizes[place]) / cell.published.n
        values.append(value)
        variances.append(variance)
    found = Estimates.independent(values, variances)
    same = np.array([[one.published is other.published for other in cells] for one in cells])
    return Estimates(found.values, np.where(same, np.array(variances), 0.0), None, found.sizes)


def _value_and_variance(cell: Cell) -> tuple[float, float | None]:
    """A printed figure and its squared error; None where that was not printed."""
    figure = cell.published
    if isinstance(figure, Share):
        trials = figure.trials + 2 * _UNSEEN
        rate = (figure.successes + _UNSEEN) / trials
        return figure.successes / figure.trials, rate * (1 - rate) / trials
    assert isinstance(figure, Sample)
    return figure.value, None if figure.error is None else figure.error**2


def _margin(quantity: str, cells: list[Cell]) -> float:
    """Margin of the mean: that of a rate, or the mean of the margins of its cells."""
    if quantity == WINS:
        return RATE_MARGIN
    values = [cell.published.value for cell in cells if isinstance(cell.published, Sample)]
    return sum(mean_margin(value, LEAST_POINTS, PART) for value in values) / len(values)
