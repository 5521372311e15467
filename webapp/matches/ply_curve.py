"""A curve over the plies of a match, as the page of a match draws it: lines, bands, signs, and words for each ply."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from webapp.common.formats import number, signed

WIDTH, HEIGHT = 1000, 100
"""Units of the drawing, which is stretched to its box."""
_STEPS = (1, 2, 2.5, 5, 10)
_MOST_TICKS = 4
_ROOM = 0.06
"""Share of the height that is left free above and below."""


@dataclass(frozen=True)
class Line:
    """One line. mark: seat whose colour it has; points: (plies played, value); halves: of a band, or none."""

    mark: int
    name: str
    points: Sequence[tuple[int, float]]
    halves: Sequence[float] = ()

    @property
    def low(self) -> list[float]:
        """Lower edge of the band."""
        return [value - half for (_, value), half in zip(self.points, self._halves, strict=True)]

    @property
    def high(self) -> list[float]:
        """Upper edge of the band."""
        return [value + half for (_, value), half in zip(self.points, self._halves, strict=True)]

    @property
    def _halves(self) -> Sequence[float]:
        return self.halves or (0.0,) * len(self.points)


@dataclass(frozen=True)
class Sign:
    """A ply that is marked. value: height of its mark; words: why."""

    ply: int
    value: float
    words: str


@dataclass(frozen=True)
class Curve:
    """What is drawn over the plies `first` to `last`. name: what it says, read aloud; digits: of its values."""

    title: str
    subtitle: str
    name: str
    lines: Sequence[Line]
    first: int
    last: int
    signs: Sequence[Sign] = ()
    digits: int = 1

    @property
    def _range(self) -> tuple[float, float]:
        edges = [0.0, *(edge for line in self.lines for edge in (*line.low, *line.high))]
        low, high = (min(edges), max(edges)) if any(edges) else (-1.0, 1.0)
        room = _ROOM * (high - low)
        return low - room, high + room

    def x(self, ply: float) -> float:
        """Place of a ply, in units of the drawing."""
        return round(WIDTH * (ply - self.first) / max(1, self.last - self.first), 2)

    def y(self, value: float) -> float:
        """Place of a value, in units of the drawing, from above."""
        low, high = self._range
        return round(HEIGHT * (high - value) / (high - low), 2)

    @property
    def paths(self) -> list[tuple[Line, str, str]]:
        """Each line with its path and that of its band, empty where it has none."""
        return [(line, self._path(line), self._band(line)) for line in self.lines]

    def _path(self, line: Line) -> str:
        return "M" + "L".join(f"{self.x(ply)} {self.y(value)}" for ply, value in line.points)

    def _band(self, line: Line) -> str:
        if not any(line.halves):
            return ""
        plies = [ply for ply, _ in line.points]
        above = [f"{self.x(ply)} {self.y(edge)}" for ply, edge in zip(plies, line.high, strict=True)]
        below = [f"{self.x(ply)} {self.y(edge)}" for ply, edge in zip(plies, line.low, strict=True)]
        return f"M{'L'.join([*above, *below[::-1]])}Z"

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Round values with their heights, zero among them."""
        low, high = self._range
        step = _step((high - low) / _MOST_TICKS)
        digits = 0 if step >= 1 else 1 if step >= 0.1 else 2
        values = [step * k for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
        return [(self.y(value), signed(value, digits)) for value in values]

    @property
    def placed(self) -> list[tuple[Sign, float, float]]:
        """The signs with their places in per cent of the width and of the height."""
        return [(sign, self.x(sign.ply) * 100 / WIDTH, self.y(sign.value)) for sign in self.signs]

    @property
    def words(self) -> list[str]:
        """What the lines say at each ply from the first to the last, in their order; empty where they say nothing."""
        said: dict[int, list[str]] = {}
        for line in self.lines:
            for k, (ply, value) in enumerate(line.points):
                half = f" ±{number(line.halves[k], self.digits)}" if line.halves and line.halves[k] else ""
                said.setdefault(ply, []).append(f"{signed(value, self.digits)}{half}")
        return [" : ".join(said.get(ply, ())) for ply in range(self.first, self.last + 1)]


def _step(least: float) -> float:
    """The smallest round step that is not below this."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in _STEPS if step * power >= least * 0.999)
