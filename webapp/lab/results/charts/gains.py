"""Cards gained by turn: a table of shaded cells, a row for each card, a column for each span of turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, count, interval_text, number
from webapp.lab.results import metric_sums
from webapp.lab.results.charts import kinds
from webapp.lab.results.charts.figure import Chart, Column, Figure, Trace, counts, nothing_yet, of_group, plain
from webapp.lab.results.method import method
from webapp.lab.results.sides import Side
from webapp.records.models import Experiment
from worker.analysis.moments import BlockMoments

TITLE = "Cards gained by turn"
SUBTITLE = "Mean number of each card gained in a turn, by span of turns."
NOTE = (
    "However a card was gained, bought or not. Of the turns in a span that were played, in matches whose kingdom has"
    f" the card; the table has 95{THIN}% intervals, the matches of a deal together. Most gained first."
)
GAINED, TURNS = " gained by turns", "turns by turns"
"""Groups of metrics: "Village gained by turns", and the turns that a seat had in each span."""
COLUMNS = (
    Column("Card", False),
    Column("Turns", False),
    *map(Column, ("Turns played", "A turn", f"95{THIN}% interval")),
)
ROW_REM = 1.55
PALEST, DEEPEST = ".06", ".62"
"""Opacity of a cell of the smallest and of the greatest number: ink can be read on all."""


class Card(NamedTuple):
    """One row; cells: span -> sums of a turn, as far as such turns were played."""

    name: str
    cells: Mapping[str, BlockMoments]

    @property
    def total(self) -> float:
        """Cards gained in all."""
        return sum(sums.total for sums in self.cells.values())


def _groups(metrics: Sequence[Metric]) -> dict[str, dict[str, Metric]]:
    """Card -> span -> metric."""
    found = dict.fromkeys(metric.group for metric in metrics if metric.group.endswith(GAINED))
    return {group.removesuffix(GAINED): of_group(metrics, group) for group in found}


def cards_of(experiment: Experiment, side: Side) -> list[Card]:
    """The cards that a player gained, most gained first."""
    table = game_registry.get(experiment.game).metric_table
    turns, groups = of_group(table, TURNS), _groups(table)
    every = tuple(metric.id for row in groups.values() for metric in row.values())
    known = metric_sums.known_metrics(experiment, side.arm, every)
    asked = [(card, part, row[part].id) for card, row in groups.items() for part in turns if row[part].id in known]
    found = kinds.blocks(experiment, [side], tuple((metric, turns[part].id) for _, part, metric in asked))
    cells: dict[str, dict[str, BlockMoments]] = {}
    for (card, part, _), sums in zip(asked, found.get(side.place, ()), strict=False):
        if sums.n:
            cells.setdefault(card, {})[part] = sums
    rows = [Card(name, row) for name, row in cells.items()]
    return sorted((row for row in rows if row.total), key=lambda row: -row.total)


def build(experiment: Experiment, choice: int) -> Figure:
    """One player's cards."""
    players = kinds.every_player(experiment)
    side = players[min(choice, len(players) - 1)]
    cards = cards_of(experiment, side)
    if not cards:
        return nothing_yet(TITLE, SUBTITLE)
    order = of_group(game_registry.get(experiment.game).metric_table, TURNS)
    parts = [part for part in order if any(part in card.cells for card in cards)]
    played = kinds.matches_in_words(experiment, side.arm)
    most = max(cards, key=lambda card: card.total)
    return Figure(
        title=TITLE,
        subtitle=f"{SUBTITLE} {side.name}, {played}.",
        name=f"{side.name} gains {most.name} most; {_said(cards, parts)}",
        note=NOTE,
        data=[_cells(side, cards, parts)],
        layout=_layout(cards, parts),
        columns=COLUMNS,
        rows=[
            [card.name, part, count(sums.n), number(sums.mean, 2), interval_text(method(experiment).mean(sums), 2)]
            for card in cards
            for part, sums in card.cells.items()
        ],
        height_rem=6 + ROW_REM * len(cards),
    )


def _layout(cards: Sequence[Card], parts: Sequence[str]) -> dict[str, Any]:
    """A column for each part of the match, a row for each card."""
    xaxis = {"title": {"text": "Turns"}, "tickvals": [_short(part) for part in parts]}
    yaxis = {
        "autorange": "reversed",
        "tickvals": [plain(card.name) for card in cards],
        "tickfont": {"color": "@ink", "size": 12},
        "automargin": True,
    }
    both = {"ticks": "", "showgrid": False, "type": "category"}
    return {"xaxis": {**both, **xaxis}, "yaxis": {**both, **yaxis}, "meta": {"phone_xaxis": {"tickangle": -60}}}


def _said(cards: Sequence[Card], parts: Sequence[str]) -> str:
    """The card most gained in each span."""
    best = []
    for part in parts:
        card = max(cards, key=lambda row: (sums.mean or 0) if (sums := row.cells.get(part)) else 0)
        sums = card.cells.get(part)
        if sums and sums.total:
            best.append(f"turns {part} {card.name} {number(sums.mean, 2)}")
    return ", ".join(best)


def _cells(side: Side, cards: Sequence[Card], parts: Sequence[str]) -> Trace:
    means = [[sums.mean if (sums := card.cells.get(part)) else None for part in parts] for card in cards]
    return {
        "type": "heatmap",
        "x": [_short(part) for part in parts],
        "y": [plain(card.name) for card in cards],
        "z": means,
        "text": [[number(value, 2) if value and value >= 0.005 else "" for value in row] for row in means],
        "texttemplate": "%{text}",
        "textfont": {"color": "@ink", "size": 11},
        "zmin": 0,
        "zmax": max(value or 0 for row in means for value in row),
        "colorscale": [[0, f"@{side.colour}/{PALEST}"], [1, f"@{side.colour}/{DEEPEST}"]],
        "showscale": False,
        "hoverongaps": False,
        "xgap": 2,
        "ygap": 2,
        "hovertemplate": "%{y}, turns %{x}: %{z:.2f} a turn<extra></extra>",
    }


def _short(part: str) -> str:
    """ "1 to 2" as an axis has room for it."""
    return part.replace(" to ", "\N{EN DASH}") if " to " in part else f"{part.removeprefix('from ')}+"


CHART = Chart(
    "cards-gained", TITLE, build, choices=kinds.player_choices, fits=counts(lambda metrics: bool(_groups(metrics)))
)
