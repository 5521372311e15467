"""Distributions of several sides, one above the other: a ridge each, all to one scale, a mark at the mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webapp.lab.results.charts import kinds
from webapp.lab.results.charts.figure import MAX_POINTS, Trace, keyed, plain
from webapp.lab.results.charts.win_rate import cut_label, wrap_label
from webapp.lab.results.sides import MAX_MARKS, Side
from webapp.records.models import Experiment

TAIL = 0.01
"""Part of the values at either end that is not drawn."""
HEIGHT = 0.86
"""Of the highest ridge, in rows."""
LETTERS = 34
ROW_REM, CLOSE_ROW_REM = 3.0, 1.5
REACH = 3.0
"""A value is spread so many bandwidths far."""


@dataclass(frozen=True)
class Spread:
    """Whole numbers and how often each was. values: int64[k], ascending; weights: float64[k]."""

    side: Side
    values: NDArray[np.int64]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, side: Side, counted: Sequence[tuple[int, float]]) -> Spread:
        """From pairs of a value and its number, ascending."""
        values, weights = zip(*counted, strict=True)
        return cls(side, np.array(values, dtype=np.int64), np.array(weights, dtype=np.float64))

    @property
    def mean(self) -> float:
        """Over all values."""
        return float(np.average(self.values, weights=self.weights))

    @property
    def deviation(self) -> float:
        """Sample standard deviation, as everywhere; 0 for a single value."""
        squares, freedom = self.weights @ (self.values - self.mean) ** 2, float(self.weights.sum()) - 1
        return float(np.sqrt(squares / freedom)) if freedom > 0 else 0.0

    def quantile(self, share: float) -> int:
        """The least value that at least this share of all does not exceed."""
        reached = np.cumsum(self.weights) / self.weights.sum()
        return int(self.values[min(int(np.searchsorted(reached, share - 1e-12)), len(self.values) - 1)])


def bandwidth(spreads: Sequence[Spread]) -> float:
    """Silverman's rule of thumb (1986, equation 3.31), the same for all sides, never under half a unit."""
    rules = []
    for row in spreads:
        middle = row.quantile(0.75) - row.quantile(0.25)
        scale = min(row.deviation, middle / 1.34) or row.deviation
        rules.append(0.9 * scale * float(row.weights.sum()) ** -0.2)
    return max(0.5, float(np.median(rules)))


def heights(row: Spread, grid: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """Density of the values at the points of a grid, by a normal kernel."""
    away = (grid[:, None] - row.values[None, :]) / width
    bells = np.where(np.abs(away) <= REACH, np.exp(-(away**2) / 2), 0.0) / (width * np.sqrt(2 * np.pi))
    density: NDArray[np.float64] = bells @ (row.weights / row.weights.sum())
    return density


def ends(spreads: Sequence[Spread], width: float) -> tuple[float, float]:
    """What is drawn: all sides but their tails."""
    low = min(row.quantile(TAIL) for row in spreads) - width
    return low, max(row.quantile(1 - TAIL) for row in spreads) + width


def traces(experiment: Experiment, spreads: Sequence[Spread], hover: str) -> list[Trace]:
    """A closed ridge for each side and the mark at its mean. hover: words with a place for the mean."""
    width = bandwidth(spreads)
    low, high = ends(spreads, width)
    grid = np.linspace(low, high, min(MAX_POINTS // 2, max(60, int(2 * (high - low)))))
    densities = [heights(row, grid, width) for row in spreads]
    scale = HEIGHT / max(float(row.max()) for row in densities)
    found: list[Trace] = []
    for i, (row, density) in enumerate(zip(spreads, densities, strict=True)):
        key, colour = kinds.key_of(experiment, row.side), row.side.colour
        found.append(keyed(_ridge(grid, i - scale * density, i, colour), key))
        found.append(keyed(_mark(row, i, hover), key))
    return found


def _ridge(grid: NDArray[np.float64], tops: NDArray[np.float64], row: int, colour: str) -> Trace:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [float(grid[0]), *np.round(grid, 3).tolist(), float(grid[-1]), float(grid[0])],
        "y": [row, *np.round(tops, 4).tolist(), row, row],
        "fill": "toself",
        "fillcolor": f"@{colour}/.22",
        "line": {"color": f"@{colour}", "width": 1.4, "simplify": False},
        "hoverinfo": "skip",
    }


def _mark(row: Spread, at: int, hover: str) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [row.mean],
        "y": [at],
        "marker": {
            "color": f"@{row.side.colour}",
            "size": row.side.size,
            "symbol": row.side.symbol,
            "line": {"color": "@surface", "width": 1.2},
        },
        "cliponaxis": False,
        "hovertemplate": f"{hover}<extra>{plain(row.side.name)}</extra>",
    }


def layout(spreads: Sequence[Spread], title: str) -> dict[str, Any]:
    """A row for each side."""
    names = [row.side.name for row in spreads]
    is_close = len(names) > MAX_MARKS
    low, high = ends(spreads, bandwidth(spreads))
    return {
        "xaxis": {"title": {"text": title}, "range": [low, high]},
        "yaxis": {
            "range": [len(names) - 0.6, -1.05],
            "showgrid": False,
            "tickvals": list(range(len(names))),
            "ticktext": [cut_label(name, LETTERS) if is_close else wrap_label(name) for name in names],
            "tickfont": {"color": "@ink", "size": 11 if is_close else 12},
            "automargin": True,
        },
    }


def rem(spreads: Sequence[Spread]) -> float:
    """Height of a figure of ridges."""
    return max(12.0, 5.5 + (CLOSE_ROW_REM if len(spreads) > MAX_MARKS else ROW_REM) * len(spreads))
