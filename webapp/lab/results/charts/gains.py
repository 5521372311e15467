"""Cards gained by turn: for each side a table of shaded cells, a row a card, a column a span of turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, count, interval_text, number
from webapp.lab.results import metric_sums
from webapp.lab.results.charts import kinds, panels
from webapp.lab.results.charts.figure import (
    Chart,
    Column,
    Figure,
    Group,
    Number,
    Trace,
    counts,
    keyed,
    nothing_yet,
    of_group,
    plain,
)
from webapp.lab.results.method import method
from webapp.lab.results.sides import MAX_MARKS, Side
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
    Column("Side", False),
    Column("Turns", False),
    *map(Column, ("Turns played", "A turn", f"95{THIN}% interval")),
)
ROW_REM = 1.55
MOST_CARDS = 16
"""Rows where several sides stand beside each other; the table has all."""
MOST_WRITTEN = 2
"""Most sides whose cells have room for their numbers."""
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
    for (card, part, _), sums in zip(asked, found.get(side.key, ()), strict=False):
        if sums.n:
            cells.setdefault(card, {})[part] = sums
    rows = [Card(name, row) for name, row in cells.items()]
    return sorted((row for row in rows if row.total), key=lambda row: -row.total)


@dataclass(frozen=True)
class _Shown:
    """What is drawn: cards in the order of all sides together, spans of turns, and the cells of each side."""

    names: Sequence[str]
    parts: Sequence[str]
    sides: Sequence[Side]
    cards: Sequence[Mapping[str, Card]]

    def mean(self, side: int, name: str, part: str) -> float | None:
        """Gained in a turn."""
        card = self.cards[side].get(name)
        sums = card.cells.get(part) if card else None
        return sums.mean if sums else None


def _shown(experiment: Experiment, sides: Sequence[Side]) -> _Shown:
    found = [(side, {card.name: card for card in cards_of(experiment, side)}) for side in sides]
    found = [(side, cards) for side, cards in found if cards]
    totals: dict[str, float] = {}
    for _, cards in found:
        for name, card in cards.items():
            totals[name] = totals.get(name, 0.0) + card.total
    order = of_group(game_registry.get(experiment.game).metric_table, TURNS)
    parts = [part for part in order if any(part in card.cells for _, cards in found for card in cards.values())]
    names = sorted(totals, key=lambda name: -totals[name])
    return _Shown(names, parts, [side for side, _ in found], [cards for _, cards in found])


def build(experiment: Experiment, choice: int | None) -> Figure:
    """A panel for each side, at most as many as there are marks; choice: one player's cards alone."""
    sides = kinds.drawn_players(experiment)
    if choice is not None:
        players = kinds.every_player(experiment)
        sides = (players[min(choice, len(players) - 1)],)
    shown = _shown(experiment, sides[:MAX_MARKS])
    if not shown.sides:
        return nothing_yet(TITLE, SUBTITLE)
    is_many = len(shown.sides) > 1
    names = shown.names[:MOST_CARDS] if is_many else shown.names
    played = kinds.matches_in_words(experiment, shown.sides)
    whose = played if is_many else f"{shown.sides[0].name}, {played}"
    left_out = " Of the arms the first five are drawn." if len(sides) > MAX_MARKS else ""
    return Figure(
        title=TITLE,
        subtitle=f"{SUBTITLE} {whose}.",
        name="; ".join(_said(shown, i) for i in range(len(shown.sides))),
        note=NOTE + left_out,
        data=[keyed(_cells(shown, i, names), kinds.key_of(experiment, side)) for i, side in enumerate(shown.sides)],
        layout=_layout(shown, names),
        columns=COLUMNS,
        rows=[
            [card.name, side.name, part, count(sums.n), number(sums.mean, 2), interval_text(interval, 2)]
            for name in shown.names
            for side, cards in zip(shown.sides, shown.cards, strict=True)
            for card in [cards.get(name, Card(name, {}))]
            for part, sums in card.cells.items()
            for interval in [method(experiment).mean(sums)]
        ],
        height_rem=panels.grids(len(shown.sides), ROW_REM * len(names))[0].rem,
        is_keyed=is_many,
    )


def numbers(experiment: Experiment) -> list[Number]:
    """Of each card the first and the middle spans of turns."""
    table = game_registry.get(experiment.game).metric_table
    turns = of_group(table, TURNS)
    return [
        Number(f"{card}, turns {part}", row[part].id, turns[part].id)
        for card, row in _groups(table).items()
        for part in list(turns)[:6:3]
    ]


def _layout(shown: _Shown, names: Sequence[str]) -> dict[str, Any]:
    """In each panel a column for each part of the match, a row for each card."""
    both = {"ticks": "", "showgrid": False, "type": "category"}
    across = {**both, "title": {"text": "Turns", "standoff": 4}, "tickvals": [_short(part) for part in shown.parts]}
    upright = {
        **both,
        "autorange": "reversed",
        "tickvals": [plain(name) for name in names],
        "ticktext": [plain(name) for name in names],
        "tickfont": {"color": "@ink", "size": 12},
        "automargin": True,
    }
    titles = [side.name if len(shown.sides) > 1 else "" for side in shown.sides]
    count_ = len(shown.sides)
    found = panels.layout(titles, ROW_REM * len(names), [across] * count_, [upright] * count_)
    for key, own in found["meta"]["phone"].items():
        own |= {"tickangle": -60} if key.startswith("x") else {"showticklabels": True}
    return found


def _said(shown: _Shown, side: int) -> str:
    """The card most gained in all, and in each span."""
    cards = shown.cards[side]
    best = []
    for part in shown.parts:
        name = max(cards, key=lambda name: shown.mean(side, name, part) or 0)
        mean = shown.mean(side, name, part)
        if mean:
            best.append(f"turns {part} {name} {number(mean, 2)}")
    most = max(cards.values(), key=lambda card: card.total).name
    return f"{shown.sides[side].name} gains {most} most; {', '.join(best)}"


def _cells(shown: _Shown, i: int, names: Sequence[str]) -> Trace:
    side = shown.sides[i]
    means = [[shown.mean(i, name, part) for part in shown.parts] for name in names]
    written = {"texttemplate": "%{text}"} if len(shown.sides) <= MOST_WRITTEN else {}
    return {
        "type": "heatmap",
        "xaxis": panels.axis("x", i),
        "yaxis": panels.axis("y", i),
        "x": [_short(part) for part in shown.parts],
        "y": [plain(name) for name in names],
        "z": means,
        "text": [[number(value, 2) if value and value >= 0.005 else "" for value in row] for row in means],
        "textfont": {"color": "@ink", "size": 11},
        "zmin": 0,
        "zmax": max(
            shown.mean(k, name, part) or 0 for k in range(len(shown.sides)) for name in names for part in shown.parts
        ),
        "colorscale": [[0, f"@{side.colour}/{PALEST}"], [1, f"@{side.colour}/{DEEPEST}"]],
        "showscale": False,
        "hoverongaps": False,
        "xgap": 2,
        "ygap": 2,
        "hovertemplate": f"%{{y}}, turns %{{x}}: %{{z:.2f}} a turn<extra>{plain(side.name)}</extra>",
    } | written


def _short(part: str) -> str:
    """ "1 to 2" as an axis has room for it."""
    return part.replace(" to ", "\N{EN DASH}") if " to " in part else f"{part.removeprefix('from ')}+"


CHART = Chart(
    "cards-gained",
    TITLE,
    build,
    Group.DECKS,
    details=kinds.player_choices,
    fits=counts(lambda metrics: bool(_groups(metrics))),
    numbers=numbers,
    is_wide=True,
)
