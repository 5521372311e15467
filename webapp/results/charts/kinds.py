"""Means per kind of thing (cities, roads, …) for the sides of one arm."""

from __future__ import annotations

from collections.abc import Sequence

from webapp.common.formats import THIN, number, span
from webapp.records.models import Experiment
from webapp.results import queries
from webapp.results.cache import per_version
from webapp.results.charts.figure import Column, Trace, plain
from webapp.results.sides import Side, lineups
from worker.analysis.moments import BlockMoments


@per_version
def blocks(
    experiment: Experiment, arm: int, pairs: tuple[tuple[str, str | None], ...]
) -> dict[int, tuple[BlockMoments, ...]]:
    """Per place of the arm's line-up: one set of sums per pair of metrics."""
    return queries.metric_blocks(experiment.pk, arm, pairs)


def sides_of(experiment: Experiment, arm: int) -> tuple[Side, ...]:
    """The sides that such a chart shows."""
    return lineups(experiment, chosen=arm).sides[arm]


def num_matches(found: dict[int, tuple[BlockMoments, ...]]) -> int:
    """Finished matches behind sums whose first pair counts matches."""
    return next(iter(found.values()))[0].n if found else 0


def bars(side: Side, positions: Sequence[float], sums: Sequence[BlockMoments], unit: str, width: float) -> Trace:
    """Upright bars from zero with whiskers."""
    colour = f"@{side.colour}"
    halves = [(interval.high - interval.low) / 2 if (interval := row.interval()) else None for row in sums]
    whiskers = [f" ± {number(half, 2)}" if half is not None else "" for half in halves]
    return {
        "type": "bar",
        "name": plain(side.name),
        "x": list(positions),
        "y": [row.mean for row in sums],
        "width": width,
        "marker": {"color": colour},
        "error_y": {"type": "data", "array": [half or 0 for half in halves], "color": "@ink"},
        "text": whiskers,
        "textposition": "none",
        "hovertemplate": f"%{{y:.2f}}%{{text}} {unit}<extra>{plain(side.name)}</extra>",
    }


TABLE_COLUMNS = (
    Column("Kind", is_number=False),
    Column("Side", is_number=False),
    Column("Mean"),
    Column(f"95{THIN}% interval"),
)


def cells(kind: str, side: Side, sums: BlockMoments) -> list[str]:
    """One row of the table view."""
    interval = sums.interval()
    return [kind, side.name, number(sums.mean, 2), span(*interval, digits=2) if interval else span(None, None)]
