"""Points, curves and polygons of the drawing: plain plane geometry, nothing of the game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from games.svg import number

Point = tuple[float, float]
Curve = tuple[Point, ...]
"""A chain of cubic Bezier curves: p0 c c p1 c c p2 ..."""
Polygon = list[Point]
Points = NDArray[np.float64]
"""Many points at once, float64[n, 2]."""


def shift(point: Point, direction: Point, length: float) -> Point:
    """`point` moved by `length` times `direction`."""
    return point[0] + direction[0] * length, point[1] + direction[1] * length


def turn(point: Point, quarter_turns: int) -> Point:
    """`point` of a 100 unit square turned clockwise about its centre."""
    x, y = point
    for _ in range(quarter_turns % 4):
        x, y = 100 - y, x
    return x, y


def sample(curve: Curve, steps: int = 8) -> Polygon:
    """Points along a curve, ends included."""
    points = [curve[0]]
    for i in range(0, len(curve) - 3, 3):
        piece = curve[i : i + 4]
        for k in range(1, steps + 1):
            t = k / steps
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            points.append(
                (
                    sum(w * p[0] for w, p in zip(weights, piece, strict=True)),
                    sum(w * p[1] for w, p in zip(weights, piece, strict=True)),
                )
            )
    return points


def dense(points: Sequence[Point], gap: float = 6) -> Polygon:
    """A closed outline with vertices about `gap` apart, so that `distance` may look at vertices only."""
    out: Polygon = []
    for (ax, ay), (bx, by) in pairwise([*points, points[0]]):
        n = max(1, round(math.hypot(bx - ax, by - ay) / gap))
        out += [(ax + (bx - ax) * k / n, ay + (by - ay) * k / n) for k in range(n)]
    return out


def points_array(points: Sequence[Point]) -> Points:
    """`points` as float64[n, 2]."""
    return np.array(points, dtype=np.float64).reshape(-1, 2)


def inside(points: Points, polygon: Sequence[Point]) -> NDArray[np.bool_]:
    """Mark the `points` that lie in `polygon` (even-odd)."""
    x, y = points[:, :1], points[:, 1:]
    bx, by = points_array(polygon).T
    ax, ay = np.roll(bx, 1), np.roll(by, 1)
    rise = np.where(ay == by, 1.0, by - ay)
    crossed = ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / rise + ax)
    return np.asarray(crossed.sum(axis=1) % 2 == 1)


def distance(points: Points, vertices: Sequence[Point]) -> NDArray[np.float64]:
    """Distance of each of `points` to the nearest of `vertices`."""
    gaps = points[:, None, :] - points_array(vertices)[None, :, :]
    return np.asarray(np.hypot(gaps[:, :, 0], gaps[:, :, 1]).min(axis=1))


def middle(polygon: Sequence[Point]) -> Point:
    """Centroid of the area of a polygon."""
    (ax, ay), (bx, by) = points_array(polygon).T, np.roll(points_array(polygon), -1, axis=0).T
    cross = ax * by - bx * ay
    x, y = (float(((a + b) * cross).sum() / (3 * cross.sum())) for a, b in ((ax, bx), (ay, by)))
    return x, y


def spread(points: Sequence[Point], gap: float, low: float, high: float) -> Polygon:
    """`points` pushed apart inside a square until any two are `gap` apart, as far as there is room."""
    out = points_array(points)
    for _ in range(200):
        away = out[:, None, :] - out[None, :, :]
        lengths = np.hypot(away[:, :, 0], away[:, :, 1])
        np.fill_diagonal(lengths, gap)
        short = np.maximum(gap - lengths, 0)[:, :, None]
        out = np.clip(out + (away / lengths[:, :, None] * short / 2).sum(axis=1), low, high)
    return [(float(x), float(y)) for x, y in out]


def point_text(point: Point) -> str:
    """A point in SVG path data."""
    return f"{number(point[0])} {number(point[1])}"


def curve_path(curve: Curve, start: str = "M") -> str:
    """SVG path data of a curve; `start` is M (move) or L (line) to its first point."""
    return f"{start}{point_text(curve[0])}C" + " ".join(point_text(point) for point in curve[1:])


def polygon_path(points: Sequence[Point]) -> str:
    """SVG path data of a closed polygon, in whole units."""
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points) + "Z"
