"""Our figures as stacked bars: where a published figure is a distribution over kinds."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence

from webapp.common.formats import number
from webapp.lab.presets.charts import Chart, Entry
from webapp.lab.results.charts.figure import Trace
from worker.presets.comparison import Comparison, Row
from worker.presets.model import Curve

HEIGHT = 24.0
PALEST = 0.3
"""Strength of the colour of a family's lowest layer; that of its highest is 1."""


def stacks(curve: Curve, comparison: Comparison) -> list[Chart]:
    """One chart: a bar for each place, a layer for each group; nothing before the first number of ours."""
    rows = [row for row in comparison.rows if row.x is not None and row.ours.value is not None]
    if not rows:
        return []
    names = list(dict.fromkeys(row.group for row in comparison.rows if row.x is not None))
    xs = sorted({row.x for row in rows if row.x is not None})
    shades = _shades(curve.families)
    layers = {name: {row.x: row for row in rows if row.group == name} for name in names}
    return [
        Chart(
            id="preset-stack",
            title="Ours",
            name="; ".join(_said(x, layers) for x in xs),
            height_rem=HEIGHT,
            figure={
                "data": [_layer(name, layers[name], xs, shade) for name, shade in zip(names, shades, strict=True)],
                "layout": {
                    "barmode": "stack",
                    "showlegend": False,
                    "xaxis": {"type": "category", "title": {"text": curve.x}},
                    "yaxis": {"title": {"text": curve.y}, "rangemode": "tozero"},
                    "margin": {"l": 56, "r": 12, "t": 8, "b": 46},
                },
            },
            subtitle="Means over matches, first layer lowest; the table below has every number.",
            legend=tuple(
                Entry(name, "shade", _css(family, strength))
                for name, (family, strength) in reversed(list(zip(names, shades, strict=True)))
            ),
            is_wide=True,
        )
    ]


def _shades(families: Sequence[int]) -> list[tuple[int, float]]:
    """Family and strength of each layer: stronger from below upwards within a family."""
    sizes, seen = Counter(families), Counter[int]()
    found = []
    for family in families:
        steps = sizes[family] - 1
        found.append((family, 1.0 if not steps else PALEST + (1 - PALEST) * seen[family] / steps))
        seen[family] += 1
    return found


def _layer(name: str, rows: dict[float | None, Row], xs: Sequence[float], shade: tuple[int, float]) -> Trace:
    family, strength = shade
    return {
        "type": "bar",
        "name": html.escape(name),
        "x": [f"{x:g}" for x in xs],
        "y": [rows[x].ours.value if x in rows else None for x in xs],
        "marker": {"color": f"@seat-{family}/{strength:.2f}", "line": {"color": "@surface", "width": 1}},
        "hovertemplate": f"%{{x}}: %{{y:.2f}}<extra>{html.escape(name)}</extra>",
    }


def _css(family: int, strength: float) -> str:
    return f"color-mix(in srgb, var(--seat-{family}) {100 * strength:.0f}%, transparent)"


def _said(x: float, layers: dict[str, dict[float | None, Row]]) -> str:
    parts = [
        f"{name} {number(rows[x].ours.value, 1)}" for name, rows in layers.items() if x in rows and rows[x].ours.value
    ]
    return f"{x:g}: {', '.join(parts)}"
