"""What a scale can tell beforehand: how large a gap it shows, and whether it can show equivalence."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from worker.analysis.intervals import CONFIDENCE
from worker.analysis.lazy_scipy import special
from worker.analysis.rates import Share
from worker.analysis.verdict import ONE_LOOK, Sample
from worker.presets.model import LEAST_POINTS, PART, RATE_MARGIN, Cell, Preset, Scale, mean_margin
from worker.presets.numbers import MARGIN, SCORE, asked


@dataclass(frozen=True)
class Reach:
    """What a scale tells of the figures whose spread is known beforehand.

    figures: how many these are; gap: the true difference that the median one shows in half of all runs, in `unit`;
    equivalent, compatible: in how many these words can be expected at all where ours is the printed value.
    """

    figures: int
    gap: float
    unit: str
    equivalent: int
    compatible: int


def reach(preset: Preset, scale: Scale) -> Reach | None:
    """Reach of a scale that is matches; None where no figure's spread is known beforehand.

    Matches of a deal are taken as independent, and ours to vary as the printed figure does.
    """
    found = [] if scale.is_study else list(_errors(preset, scale))
    if not found:
        return None
    sure, narrow, own = (
        float(special.ndtri((1 + level) / 2)) for level in (ONE_LOOK.sure, ONE_LOOK.within, CONFIDENCE)
    )
    unit, factor = found[0][0].measure.unit, found[0][0].measure.factor
    alike = [row for row in found if row[0].measure.unit == unit]
    return Reach(
        figures=len(alike),
        gap=factor * sure * median(math.hypot(ours, theirs) for _, ours, theirs, _ in alike),
        unit=unit,
        equivalent=sum(narrow * math.hypot(ours, theirs) <= margin for _, ours, theirs, margin in alike),
        compatible=sum(own * ours <= margin for _, ours, _, margin in alike),
    )


def _errors(preset: Preset, scale: Scale) -> Iterator[tuple[Cell, float, float, float]]:
    """Standard errors of ours and of the printed figure, and the margin, of each counted cell with a known spread."""
    for cell in preset.cells:
        figure, key = cell.published, asked(cell.ours)
        if cell.measure.judge is None or not cell.is_counted or key is None or not scale.plays(key.arm):
            continue
        n = scale.deals * (1 if key.seat is not None else scale.seatings)
        if isinstance(figure, Share):
            rate = (figure.successes + 2) / (figure.trials + 4)
            deviation = math.sqrt(rate * (1 - rate))
            yield cell, deviation / math.sqrt(n), deviation / math.sqrt(figure.trials), RATE_MARGIN
        elif isinstance(figure, Sample) and figure.deviation and key.quantity in (SCORE, MARGIN):
            margin = mean_margin(figure.value, LEAST_POINTS, PART)
            yield cell, figure.deviation / math.sqrt(n), figure.deviation / math.sqrt(figure.n), margin
