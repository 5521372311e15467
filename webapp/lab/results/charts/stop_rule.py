"""What the stop rule has seen: the likelihood ratio between its bounds, or widths down to the one that is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import count, number, plural
from webapp.lab.results.charts.figure import Chart, Column, Figure, Group, Legend, Trace, band, line, nothing_yet, plain
from webapp.lab.results.sides import DASHES, MAX_MARKS, lineups
from webapp.lab.results.stop_state import (
    StopState,
    amount,
    dropped_words,
    ended_words,
    error_words,
    has_rule,
    stop_state,
)
from webapp.records.models import Experiment
from worker.analysis.stop_rules.model import (
    BEYOND,
    BEYOND_LOWER,
    BEYOND_UPPER,
    HALF_WIDTH,
    HIGH,
    LOW,
    LOWER,
    RATIO,
    UPPER,
    Curve,
)
from worker.spec import stop

TITLE = "Stop rule"
AXES = {RATIO: "Logarithm of the evidence", HALF_WIDTH: "Half of the interval", LOW: "Difference to the baseline"}
ROWS = 12
"""Looks that the table behind has at most."""
SETTLED_DEALS = 30
"""From here on the picture holds all curves; before they may leave it."""


def build(experiment: Experiment, choice: int | None) -> Figure:
    """A line for each curve of the rule's course, over the deals looked at."""
    state = stop_state(experiment)
    at_most = f"at most {count(state.spec.deals)}"
    if not state.course.deals:
        return nothing_yet(TITLE, f"Deal by deal, {at_most}.", "No deal is complete yet.")
    drawn = [curve for curve in state.course.curves if any(value is not None for value in curve.values)]
    names = {curve: _name(curve, experiment) for curve in drawn}
    rule = state.spec.stop.rule
    return Figure(
        title=TITLE,
        subtitle=f"{_rule_words(state)} {plural(state.deals, 'deal', 'deals')} looked at, {at_most}.",
        name="; ".join(f"{names[curve]} {_last(curve, state)}" for curve in drawn),
        note=" ".join(filter(None, (ended_words(experiment), dropped_words(experiment), error_words(experiment))))
        + " Looked at in the order of deals, however they arrived.",
        data=[*_bands(drawn, state), *(_trace(curve, k, state, names[curve]) for k, curve in enumerate(drawn))],
        layout={
            "xaxis": {"title": {"text": "Deals, in their order"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": AXES[drawn[0].name]}, "zeroline": True, "range": _range(drawn, state)},
            "shapes": _wanted(state) if rule == stop.PRECISION else [],
        },
        legend=_legend(drawn, names) if len(drawn) > 1 else (),
        columns=[Column("Deals"), *(Column(names[curve]) for curve in drawn)],
        rows=[
            [count(state.course.deals[i]), *(_value(curve.values[i], curve, state) for curve in drawn)]
            for i in _shown(len(state.course.deals))
        ],
        height_rem=20,
    )


def _rule_words(state: StopState) -> str:
    rule = state.spec.stop
    words = {
        stop.SPRT: f"Test of {amount(rule.h0)} against {amount(rule.h1)}.",
        stop.PRECISION: f"Until the interval is within ±{amount(state.half_width)}.",
        stop.BEST_OF: "Until one arm is left.",
    }
    return words[rule.rule]


def _name(curve: Curve, experiment: Experiment) -> str:
    names = {
        RATIO: "ratio",
        LOWER: "lower bound",
        UPPER: "upper bound",
        BEYOND: "against one claim",
        BEYOND_LOWER: "its lower bound",
        BEYOND_UPPER: "its upper bound",
        HALF_WIDTH: "half-width",
        LOW: "from",
        HIGH: "to",
    }
    arms = lineups(experiment).arms
    return names[curve.name] if curve.arm is None or len(arms) == 1 else f"{arms[curve.arm]}, {names[curve.name]}"


BOUNDS = {LOWER: "dot", UPPER: "dot", BEYOND_LOWER: "dash", BEYOND_UPPER: "dash"}
"""Curve -> how a bound is drawn."""


def _is_bound(curve: Curve) -> bool:
    return curve.name in BOUNDS and curve.arm is None


def _mark(curve: Curve, k: int) -> int | None:
    return None if _is_bound(curve) else (k if curve.arm is None else curve.arm) % MAX_MARKS


def _legend(drawn: Sequence[Curve], names: Mapping[Curve, str]) -> list[Legend]:
    """An entry a line; the bounds are one."""
    lines = [(k, curve) for k, curve in enumerate(drawn) if not _is_bound(curve) and curve.name != HIGH]
    entries = [Legend(_mark(curve, k), names[curve].removesuffix(", from")) for k, curve in lines]
    dashes = {BOUNDS[curve.name] for curve in drawn if _is_bound(curve)}
    if dashes == {"dot"}:
        return [*entries, Legend(None, "bounds (dotted)")]
    return [*entries, Legend(None, "bounds of the ratio (dotted), of the other (dashed)")] if dashes else entries


def _scale(curve: Curve, state: StopState) -> float:
    """Ratios have no unit."""
    return 1.0 if curve.name in (RATIO, BEYOND) or _is_bound(curve) else state.unit


def _trace(curve: Curve, k: int, state: StopState, name: str) -> Trace:
    mark = _mark(curve, k)
    x, y = _points(curve, state)
    colour = "muted" if mark is None else f"seat-{mark}"
    dash = BOUNDS[curve.name] if mark is None else DASHES[k // MAX_MARKS % len(DASHES)]
    return line(x, y, colour, f"%{{x}} deals: %{{y:.2f}}<extra>{plain(name)}</extra>", dash)


def _points(curve: Curve, state: StopState) -> tuple[list[float], list[float]]:
    """Deals and values, where there are any."""
    scale = _scale(curve, state)
    points = [(deal, scale * v) for deal, v in zip(state.course.deals, curve.values, strict=True) if v is not None]
    return [float(deal) for deal, _ in points], [value for _, value in points]


def _bands(drawn: Sequence[Curve], state: StopState) -> list[Trace]:
    """Between the two ends of each arm's interval."""
    ends = {(curve.name, curve.arm): _points(curve, state) for curve in drawn}
    arms = [curve.arm for curve in drawn if curve.name == LOW and curve.arm is not None]
    return [band(*ends[LOW, arm], ends[HIGH, arm][1], f"seat-{arm % MAX_MARKS}") for arm in arms]


def _range(drawn: Sequence[Curve], state: StopState) -> list[float]:
    """What the curves cover once they are no longer wild, zero included."""
    settled = min(SETTLED_DEALS, state.course.deals[-1])
    points = [_points(curve, state) for curve in drawn]
    values = [0.0, *(y for x, row in points for deal, y in zip(x, row, strict=True) if deal >= settled)]
    pad = 0.08 * (max(values) - min(values)) or 1.0
    return [min(values) - pad, max(values) + pad]


def _wanted(state: StopState) -> list[dict[str, Any]]:
    """A line at the width that is wanted."""
    wanted = state.half_width
    return [{"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": wanted, "y1": wanted}]


def _value(value: float | None, curve: Curve, state: StopState) -> str:
    return "" if value is None else number(_scale(curve, state) * value, 2)


def _last(curve: Curve, state: StopState) -> str:
    return _value(next((value for value in reversed(curve.values) if value is not None), None), curve, state) or "?"


def _shown(looks: int) -> list[int]:
    """Indices of the looks in the table: evenly spread, the last one among them."""
    step = max(1, -(-looks // ROWS))
    return sorted({*range(step - 1, looks, step), looks - 1})


CHART = Chart("stop-rule", TITLE, build, Group.MARGINS, fits=has_rule, has_means=False, is_pinned=True)
