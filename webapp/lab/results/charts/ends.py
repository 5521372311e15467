"""How matches or rounds ended, and which piles were empty: shares with their intervals, most frequent first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, number
from webapp.lab.results.charts import kinds, panels
from webapp.lab.results.charts.figure import (
    Chart,
    Figure,
    Group,
    Number,
    by_arm,
    counts,
    legend,
    nothing_yet,
    of_group,
)
from webapp.lab.results.method import method
from webapp.lab.results.sides import Side, lineups
from webapp.records.models import Experiment

MATCHES = "matches"


@dataclass(frozen=True)
class Ends:
    """A group of metrics that are the same for every seat and count matches, or rounds of a match.

    title: with a place for what is counted.
    """

    id: str
    title: str
    metrics: str
    note: str
    group: Group


ENDED = Ends("how-it-ended", "How {} ended", "how it ended", "What never happened is left out.", Group.TIME)
EMPTY = Ends(
    "empty-piles",
    "Piles empty at the end",
    "empty piles",
    "Of the matches whose kingdom has the card. Piles that were never empty are left out.",
    Group.DECKS,
)


def _table(what: Ends, experiment: Experiment) -> dict[str, Metric]:
    return of_group(game_registry.get(experiment.game).metric_table, what.metrics)


def numbers(what: Ends, experiment: Experiment) -> list[Number]:
    """The share of each way."""
    table = _table(what, experiment)
    unit = next(iter(table.values())).unit
    return [Number(kind, row.id, None if unit == MATCHES else unit, is_share=True) for kind, row in table.items()]


def _drawn(experiment: Experiment, choice: int | None) -> tuple[Side, ...]:
    """An arm has it in common, whoever sits where: one seat speaks for all."""
    names = lineups(experiment)
    if choice is not None or len(names.arms) == 1:
        return names.sides[choice or 0][:1]
    return kinds.drawn_sides(experiment)


def build(what: Ends, experiment: Experiment, choice: int | None) -> Figure:
    """A panel for each way."""
    unit = next(iter(_table(what, experiment).values())).unit
    title, subtitle = what.title.format(unit), f"Share of {unit}, 95{THIN}% intervals."
    listed, sides = numbers(what, experiment), _drawn(experiment, choice)
    found = kinds.shared_sums(experiment, sides, tuple((row.value, row.cases) for row in listed))
    sides = tuple(side for side in sides if side.key in found)
    totals = {k: sum(row[k].total for row in found.values()) for k in range(len(listed))}
    kept = sorted((k for k, total in totals.items() if total), key=lambda k: -totals[k])
    if not kept:
        return nothing_yet(title, subtitle)
    arms = len(lineups(experiment).arms)
    name = {side.key: side.name if arms > 1 else "All matches" for side in sides}
    how = method(experiment)
    shown = [
        panels.Panel(
            listed[k].label,
            f"{unit[:1].upper()}{unit[1:]}, %",
            [kinds.estimate(how, found[side.key][k], is_share=True) for side in sides],
            (-4, 104),
        )
        for k in kept
    ]
    data, layout = panels.dots(experiment, [side.named(name[side.key]) for side in sides], shown)
    return Figure(
        title=title,
        subtitle=f"{subtitle} {kinds.matches_in_words(experiment, sides)}.",
        name="; ".join(f"{name[side.key]}: {_shares(shown, i)} of {unit}" for i, side in enumerate(sides)),
        note=f"{what.note} Intervals take the matches of a deal together."
        f" {panels.describe_line(experiment, sides)}".rstrip(),
        data=data,
        layout=layout,
        legend=legend(sides) if arms > 1 and choice is None else (),
        columns=kinds.TABLE_COLUMNS,
        rows=[
            [panel.title, name[side.key], *kinds.cells("", side, panel.estimates[i])[2:]]
            for panel in shown
            for i, side in enumerate(sides)
        ],
        height_rem=panels.rem(len(sides), len(shown)),
        is_keyed=arms > 1,
    )


def _shares(shown: Sequence[panels.Panel], row: int) -> str:
    return ", ".join(f"{panel.title} {number(panel.estimates[row].mean)} %" for panel in shown)


def _chart(what: Ends, title: str) -> Chart:
    def fits(metrics: Sequence[Metric]) -> bool:
        return bool(of_group(metrics, what.metrics))

    return Chart(
        what.id,
        title,
        partial(build, what),
        what.group,
        details=by_arm,
        fits=counts(fits),
        numbers=partial(numbers, what),
        is_wide=True,
    )


CHART_ENDED = _chart(ENDED, "How it ended")
CHART_EMPTY = _chart(EMPTY, EMPTY.title)
