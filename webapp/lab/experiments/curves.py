"""Small figures of the plan as SVG: places of lines and marks in a box of fixed size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from webapp.common.fields import format_spaced

WIDTH, HEIGHT = 360.0, 210.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 10.0, 10.0, 40.0
"""Space round the plot, for the numbers of its axes."""
TICKS = 4


@dataclass(frozen=True)
class Curve:
    """A line. mark: which of the series it is; points: (x, y), ascending in x."""

    label: str
    mark: int
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Tick:
    """A number at an axis, and where."""

    at: str
    text: str


@dataclass(frozen=True)
class Figure:
    """What the template draws. lines: (series, points as SVG has them); cross: level and difference that are marked."""

    title: str
    note: str
    axis: str
    lines: tuple[tuple[Curve, str], ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    cross: tuple[str, str] | None
    left: float = LEFT
    right: float = WIDTH - RIGHT
    top: float = TOP
    bottom: float = HEIGHT - BOTTOM
    width: float = WIDTH
    height: float = HEIGHT


def figure(
    title: str, note: str, axis: str, lines: Sequence[Curve], top: float, cross: tuple[float, float] | None
) -> Figure:
    """A figure from 0 to `top`. cross: a level and a difference to mark."""
    far = max((x for line in lines for x, _ in line.points), default=1.0) or 1.0
    high = top or 1.0
    plot_width, plot_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x_of(value: float) -> str:
        return f"{LEFT + plot_width * value / far:.1f}"

    def y_of(value: float) -> str:
        return f"{TOP + plot_height * (1 - value / high):.1f}"

    return Figure(
        title=title,
        note=note,
        axis=axis,
        lines=tuple((line, " ".join(f"{x_of(x)},{y_of(y)}" for x, y in line.points)) for line in lines),
        x_ticks=tuple(Tick(x_of(value), format_spaced(value)) for value in ticks(far)),
        y_ticks=tuple(Tick(y_of(value), format_spaced(value)) for value in ticks(high)),
        cross=(y_of(cross[0]), x_of(cross[1])) if cross else None,
    )


def ticks(top: float) -> list[float]:
    """A few round numbers from 0 up to `top`: steps of 1, 2 or 5 times a power of ten."""
    raw = top / TICKS
    size = 10.0 ** math.floor(math.log10(raw))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= raw * (1 - 1e-9))
    return [round(i * step, 10) for i in range(int(top / step + 1e-9) + 1)]
