"""What a chart hands to the page: a plain dict, and the parts charts make it from.

Colours are token names ("@seat-1", with an opacity "@seat-1/.16"), never hex: the page's
script resolves them for the theme in force. Layouts say only what is special.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import signed
from webapp.lab.results.sides import DASH_WORDS, DASHES, MAX_MARKS, Side, lineups
from webapp.records.models import Experiment

MAX_TICKS = 6
MAX_POINTS = 500
"""Points of one trace; longer series are thinned on the server."""

Trace = dict[str, Any]
Cell = str


@dataclass(frozen=True)
class Column:
    """A column of the table behind a chart."""

    label: str
    is_number: bool = True


@dataclass(frozen=True)
class Legend:
    """One entry: the mark (None = grey), the name, and how its line is drawn."""

    mark: int | None
    label: str


@dataclass(frozen=True)
class Figure:
    """One chart. `name` is read to those who do not see it: the finding, in a sentence.

    is_keyed: whether its colours are those of the page's key bar, so that it needs no legend beside that.
    """

    title: str
    subtitle: str
    name: str = ""
    note: str = ""
    data: Sequence[Trace] = ()
    layout: dict[str, Any] = field(default_factory=dict)
    legend: Sequence[Legend] = ()
    columns: Sequence[Column] = ()
    rows: Sequence[Sequence[Cell]] = ()
    empty: str = ""
    height_rem: float = 18
    is_keyed: bool = False

    def to_json(self) -> dict[str, Any]:
        """The JSON that pages draw."""
        return asdict(self)


class Group(Enum):
    """Groups of charts, in the order of pages, with their titles. A game has one of the four of its own things."""

    SCORES = "Scores"
    FEATURES = "Features"
    MEEPLES = "Meeples"
    TERRAINS = "Terrains"
    DECKS = "Decks"
    PASSES = "Passes"
    MARGINS = "Margins"
    TIME = "Time and strength"


WIN, SCORE, MARGIN, RANK = "win", "score", "margin", "rank"
"""Numbers of a seat that every game has; `Number.value` names these or one of the game's metrics."""


@dataclass(frozen=True)
class Number:
    """A number of a side that a chart shows. cases: the metric that counts what it is the mean of, None for matches."""

    label: str
    value: str
    cases: str | None = None
    is_share: bool = False


@dataclass(frozen=True)
class Chart:
    """A kind of chart.

    build: the figure, all arms side by side, or one of the reader's choices; choices: what the reader
    chooses from on the page, empty where there is nothing to choose; details: what the chart's own page
    offers besides, such as one arm with its opponents; fits: whether the experiment has what it shows;
    has_means: whether its table holds rates or means, each of which has an interval beside it.
    group: where it stands; numbers: what it shows of every side: by their differences charts are ordered,
    and where they are all the same the chart is left out; is_wide: whether it takes the whole width;
    needs_plies: whether there is nothing to see without recorded plies; repeats: the chart that says the same
    better, where that one fits; is_pinned: whether it stands first in its group, whatever it shows.
    """

    id: str
    title: str
    build: Callable[[Experiment, int | None], Figure]
    group: Group = Group.SCORES
    choices: Callable[[Experiment], Sequence[str]] = lambda experiment: ()
    details: Callable[[Experiment], Sequence[str]] = lambda experiment: ()
    fits: Callable[[Experiment], bool] = lambda experiment: True
    numbers: Callable[[Experiment], Sequence[Number]] = lambda experiment: ()
    has_means: bool = True
    is_wide: bool = False
    needs_plies: bool = False
    repeats: str = ""
    is_pinned: bool = False


FEW_PLIES = 12
"""Most values that each have a tick."""


def ply_axis(first: int, end: int) -> dict[str, Any]:
    """The axis of plies from one to another: ticks are whole."""
    ticks = {"dtick": 1} if end - first <= FEW_PLIES else {}
    return {"title": {"text": "Ply"}, "range": [first, end], **ticks}


def plain(text: str) -> str:
    """Somebody's words for Plotly, which reads markup and %{variables} in whatever it draws."""
    return escape(text, quote=False).replace("%{", "%&#123;")


def nothing_yet(title: str, subtitle: str, why: str = "No match of it has ended yet.") -> Figure:
    """The figure of an experiment that has not come so far."""
    return Figure(title, subtitle, empty=why)


def legend(sides: Sequence[Side], *, is_dashed: bool = False) -> list[Legend]:
    """Entries in the order of the sides; where there are more than marks, the grey ones as one."""
    grey = [side for side in sides if side.mark is None]
    if len(sides) > MAX_MARKS and len(grey) > 1:
        marked = [Legend(side.mark, side.name) for side in sides if side.mark is not None]
        return [*marked, Legend(None, f"the other {len(grey)} arms")]
    return [
        Legend(side.mark, f"{side.name} ({DASH_WORDS[DASHES[i % len(DASHES)]]})" if is_dashed else side.name)
        for i, side in enumerate(sides)
    ]


def keyed(trace: Trace, key: int) -> Trace:
    """The trace as that of a button of the page's key bar, which hides it, or gives it colour."""
    return trace | {"meta": {"key": key}}


def band(x: Sequence[float], low: Sequence[float], high: Sequence[float], colour: str) -> Trace:
    """A filled band around a line."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [*x, *reversed(x)],
        "y": [*high, *reversed(low)],
        "fill": "toself",
        "fillcolor": f"@{colour}/.15",
        "line": {"width": 0},
        "hoverinfo": "skip",
    }


def diagonal(low: float, high: float) -> Trace:
    """A dotted line through points whose two numbers are the same."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [low, high],
        "y": [low, high],
        "line": {"color": "@muted", "width": 1, "dash": "dot"},
        "hoverinfo": "skip",
    }


def line(x: Sequence[float], y: Sequence[float], colour: str, hover: str, dash: str = "solid") -> Trace:
    """A line 2.2 px wide."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": list(x),
        "y": list(y),
        "line": {"color": f"@{colour}", "width": 2.2, "dash": dash},
        "hovertemplate": hover,
    }


def line_with_marks(
    x: Sequence[float], y: Sequence[float], colour: str, hover: str, *, size: int, width: float = 2.2, **look: str
) -> Trace:
    """A line with a mark at each point. look: `symbol` of the marks and `dash` of the line, where they are special."""
    stroke, marks = ({key: look[key] for key in (name,) if key in look} for name in ("dash", "symbol"))
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": list(x),
        "y": list(y),
        "line": {"color": f"@{colour}", "width": width} | stroke,
        "marker": {"color": f"@{colour}", "size": size} | marks,
        "hovertemplate": hover,
    }


def thin_indices(size: int, first: int = 0) -> NDArray[np.int64]:
    """At most MAX_POINTS indices from `first` to the last, both among them, evenly spread."""
    if size <= first:
        return np.empty(0, dtype=np.int64)
    return np.unique(np.linspace(first, size - 1, min(MAX_POINTS, size - first)).round().astype(np.int64))


def signed_ticks(low: float, high: float) -> dict[str, Any]:
    """Axis ticks for differences: round numbers with their sign, zero with none."""
    rough = max((high - low) / MAX_TICKS, 1e-9)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    digits = max(0, -math.floor(math.log10(step)))
    values = [step * i for i in range(math.floor(low / step), math.ceil(high / step) + 1)]
    texts = [signed(value, digits) for value in values]
    return {
        "tickvals": values,
        "ticktext": ["0" if abs(v) < step / 2 else t for v, t in zip(values, texts, strict=True)],
    }


def by_arm(experiment: Experiment) -> Sequence[str]:
    """The choices of a chart that shows one arm at a time."""
    arms = lineups(experiment).arms
    return arms if len(arms) > 1 else ()


def counts(check: Callable[[Sequence[Metric]], bool]) -> Callable[[Experiment], bool]:
    """Fits where the metrics of the game pass a check."""
    return lambda experiment: check(game_registry.get(experiment.game).metric_table)


def of_group(metrics: Sequence[Metric], group: str) -> dict[str, Metric]:
    """The metrics of a group by kind, in the game's order."""
    return {metric.kind: metric for metric in metrics if metric.group == group}


def kind_label(kind: str) -> str:
    """What axes and tables write: a kind with a capital is a label, of others the plural."""
    if kind[:1].isupper():
        return kind
    plural = f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
    return plural[:1].upper() + plural[1:]
