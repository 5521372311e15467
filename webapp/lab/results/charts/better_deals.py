"""Is an arm better than the baseline on the same deal: on how many deals, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from webapp.common.formats import THIN, count, number, percent, signed, span
from webapp.lab.results import by_deal
from webapp.lab.results.by_deal import Pairs
from webapp.lab.results.charts.difference import is_paired
from webapp.lab.results.charts.figure import (
    Chart,
    Column,
    Figure,
    Group,
    Trace,
    keyed,
    legend,
    nothing_yet,
    plain,
    signed_ticks,
    thin_indices,
)
from webapp.lab.results.charts.margin_distribution import margin_numbers
from webapp.lab.results.charts.ridges import TAIL
from webapp.lab.results.charts.win_rate import cut_label, wrap_label
from webapp.lab.results.method import method
from webapp.lab.results.sides import DASHES, MAX_MARKS, Side, lineups
from webapp.records.models import Experiment
from worker.analysis.intervals import Interval
from worker.analysis.moments import BlockMoments

TITLE, CUMULATIVE = "Better on how many deals", "Differences deal by deal"
ROW_REM, CLOSE_REM = 2.9, 1.5
LETTERS = 34
PALE = "/.35"
COLUMNS = (
    Column("Arm", False),
    *map(Column, ("Deals", "Better", f"95{THIN}% interval", "Even", "Worse", f"95{THIN}% interval ")),
)
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True)
class _Row:
    """One arm against the baseline. better, worse: deals with a greater and with a smaller mean margin."""

    side: Side
    deals: int
    better: int
    worse: int

    @property
    def even(self) -> int:
        """Deals with the same mean margin."""
        return self.deals - self.better - self.worse

    def share(self, deals: int) -> float:
        """In per cent of all deals."""
        return 100 * deals / self.deals


def _rows(experiment: Experiment) -> list[_Row]:
    names = lineups(experiment)
    return [
        _Row(
            names.focal(row.arm),
            len(row.numbers),
            int((row.differences > 0).sum()),
            int((row.differences < 0).sum()),
        )
        for row in by_deal.pairs(experiment, is_rate=False)
    ]


def _baseline(experiment: Experiment) -> str:
    names = lineups(experiment)
    return names.focal(names.baseline).name


def build(experiment: Experiment, choice: int | None) -> Figure:
    """A bar for each arm but the baseline: worse to the left, better to the right."""
    first = _baseline(experiment)
    subtitle = f"Mean margin of a deal against that of {first}: worse to the left, better to the right."
    rows = _rows(experiment)
    if not rows:
        return nothing_yet(TITLE, subtitle, "No deal has been played by two arms yet.")
    most = max(row.share(max(row.better, row.worse)) for row in rows)
    names = [row.side.name for row in rows]
    is_close = len(rows) > MAX_MARKS
    reach = 1.08 * most
    deals = sorted({row.deals for row in rows})
    sizes = count(deals[0]) if len(deals) == 1 else f"{count(deals[0])} to {count(deals[-1])}"
    return Figure(
        title=TITLE,
        subtitle=f"{subtitle} {sizes} deals.",
        name="; ".join(
            f"{row.side.name} better on {percent(row.better / row.deals)} of deals, worse on"
            f" {percent(row.worse / row.deals)}"
            for row in rows
        ),
        note="The rest is even. The unit is the deal.",
        data=[trace for i, row in enumerate(rows) for trace in _bars(i, row)],
        layout={
            "barmode": "relative",
            "barcornerradius": 0,
            "xaxis": {"title": {"text": "Deals, %"}, "range": [-reach, reach], "zeroline": True} | _ticks(reach),
            "yaxis": {
                "range": [len(rows) - 0.4, -0.6],
                "showgrid": False,
                "tickvals": list(range(len(rows))),
                "ticktext": [cut_label(name, LETTERS) if is_close else wrap_label(name) for name in names],
                "tickfont": {"color": "@ink", "size": 11 if is_close else 12},
                "automargin": True,
            },
        },
        legend=legend([row.side for row in rows]),
        columns=COLUMNS,
        rows=[_cells(experiment, row) for row in rows],
        height_rem=max(10, 5 + (CLOSE_REM if is_close else ROW_REM) * len(rows)),
        is_keyed=True,
    )


def _ticks(reach: float) -> dict[str, Any]:
    """Both sides count upwards."""
    found = signed_ticks(-reach, reach)
    return {
        "tickvals": found["tickvals"],
        "ticktext": [
            number(abs(value), 0) + (" worse" if value < 0 else " better" if value > 0 else "")
            if k in (1, len(found["tickvals"]) - 2)
            else number(abs(value), 0)
            for k, value in enumerate(found["tickvals"])
        ],
    }


def _bars(at: int, row: _Row) -> list[Trace]:
    name = plain(row.side.name)
    edge = {"color": f"@{row.side.colour}", "width": 1.2}
    fates = (
        (-row.share(row.worse), f"@{row.side.colour}{PALE}", "@ink", "worse"),
        (row.share(row.better), f"@{row.side.colour}", "@surface", "better"),
    )
    return [
        keyed(
            {
                "type": "bar",
                "orientation": "h",
                "x": [value],
                "y": [at],
                "width": 0.66,
                "marker": {"color": fill, "line": edge},
                "text": [f"{abs(value):.0f} %"],
                "textposition": "inside",
                "insidetextanchor": "end",
                "textfont": {"color": ink, "size": 12},
                "customdata": [abs(value)],
                "hovertemplate": f"{word} on %{{customdata:.1f}} % of deals<extra>{name}</extra>",
            },
            row.side.arm,
        )
        for value, fill, ink, word in fates
    ]


def _interval(experiment: Experiment, deals: int, of: int) -> Interval | None:
    """Of the share of deals, each of which is one trial."""
    return method(experiment).rate(BlockMoments(of, of, deals, deals, deals, of))


def _cells(experiment: Experiment, row: _Row) -> list[str]:
    better, worse = (_interval(experiment, n, row.deals) for n in (row.better, row.worse))
    return [
        row.side.name,
        count(row.deals),
        percent(row.better / row.deals),
        _percents(better),
        percent(row.even / row.deals),
        percent(row.worse / row.deals),
        _percents(worse),
    ]


def _percents(interval: Interval | None) -> str:
    return span(100 * interval.low, 100 * interval.high) if interval else span(None, None)


def build_cumulative(experiment: Experiment, choice: int | None) -> Figure:
    """A rising curve for each arm but the baseline: the share of deals with at most that difference."""
    names = lineups(experiment)
    subtitle = (
        f"Mean margin of a deal less that of {_baseline(experiment)}: share of deals with at most that difference."
    )
    rows = by_deal.pairs(experiment, is_rate=False)
    if not rows:
        return nothing_yet(CUMULATIVE, subtitle, "No deal has been played by two arms yet.")
    ordered = [(names.focal(row.arm), np.sort(row.differences)) for row in rows]
    low = min(float(np.quantile(values, TAIL)) for _, values in ordered)
    high = max(float(np.quantile(values, 1 - TAIL)) for _, values in ordered)
    pad = 0.03 * (high - low) or 1.0
    half = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 50, "y1": 50}
    return Figure(
        title=CUMULATIVE,
        subtitle=f"{subtitle} {_sizes(rows)} deals.",
        name="; ".join(f"{side.name}: half of the deals up to {signed(_at(values, 0.5))}" for side, values in ordered),
        note="A curve to the right of zero at 50 % is better on most deals; long tails say that a few deals make the"
        f" mean. The outer {number(100 * TAIL, 0)}{THIN}% at either end are not drawn.",
        data=[keyed(_curve(i, side, values), side.arm) for i, (side, values) in enumerate(ordered)],
        layout={
            "xaxis": {
                "title": {"text": "Difference of a deal, points"},
                "zeroline": True,
                "range": [low - pad, high + pad],
            }
            | signed_ticks(low, high),
            "yaxis": {"title": {"text": "Deals, %"}, "range": [0, 101]},
            "shapes": [half],
        },
        legend=legend([side for side, _ in ordered]),
        columns=[Column("Arm", False), Column("Deals"), *(Column(f"{100 * q:g}{THIN}%") for q in QUANTILES)],
        rows=[
            [side.name, count(len(values)), *(signed(_at(values, q)) for q in QUANTILES)] for side, values in ordered
        ],
        is_keyed=True,
    )


def _sizes(rows: Sequence[Pairs]) -> str:
    deals = sorted({len(row.numbers) for row in rows})
    return count(deals[0]) if len(deals) == 1 else f"{count(deals[0])} to {count(deals[-1])}"


def _at(values: NDArray[np.float64], share: float) -> float:
    return float(np.quantile(values, share))


def _curve(index: int, side: Side, values: NDArray[np.float64]) -> Trace:
    at = thin_indices(len(values))
    faded = "/.5" if side.mark is None else ""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": values[at].tolist(),
        "y": (100 * (at + 1) / len(values)).tolist(),
        "line": {"color": f"@{side.colour}{faded}", "width": 2, "shape": "hv", "dash": DASHES[index % len(DASHES)]},
        "hovertemplate": f"at most %{{x:+.1f}} on %{{y:.0f}} % of deals<extra>{plain(side.name)}</extra>",
    }


CHART = Chart("better-deals", TITLE, build, Group.MARGINS, fits=is_paired, numbers=margin_numbers)
CHART_CUMULATIVE = Chart(
    "paired-differences",
    CUMULATIVE,
    build_cumulative,
    Group.MARGINS,
    fits=is_paired,
    numbers=margin_numbers,
    has_means=False,
)
