"""Means by turn, a panel for each kind of thing: what decks are made of, and what beliefs are worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN
from webapp.lab.results.charts import by_number, kinds, number_lines
from webapp.lab.results.charts.by_number import FEW_NUMBERS
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
from webapp.lab.results.charts.number_lines import Line
from webapp.lab.results.method import method
from webapp.lab.results.sides import Side, lineups
from webapp.records.models import Experiment

DECK, BELIEF = "deck by turn", "belief by own turn"
"""Groups of metrics "deck by turn: KIND"."""
DECK_TITLE, BELIEF_TITLE = "What decks are made of", "How likely beliefs make the true deal"
BAND = f"with its 95{THIN}% interval as a band"
DECK_NOTE = "All cards owned, wherever they lie, after each own turn. Intervals take the matches of a deal together."
BELIEF_NOTE = (
    "Natural logarithm of the probability that a seat on turn gives the hands as they were dealt, over the turns of"
    " all seats in the last round of a match; nearer to zero is better. The exact posterior makes all deals alike"
    " likely that agree with what the seat has seen; the paper's belief takes each tile by itself. Both are computed"
    " from what was played, whatever the engines believed."
)


def _groups(prefix: str, metrics: Sequence[Metric]) -> dict[str, str]:
    """Kind -> group of metrics."""
    found = dict.fromkeys(metric.group for metric in metrics if metric.group.startswith(f"{prefix}: "))
    return {group.removeprefix(f"{prefix}: "): group for group in found}


def _lines(prefix: str, experiment: Experiment, sides: Sequence[Side], choice: int | None) -> list[Line]:
    """A line for each kind that any of the matches has, of each side over all its seats."""
    lines: list[Line] = []
    for kind, group in _groups(prefix, game_registry.get(experiment.game).metric_table).items():
        found = by_number.known(group, experiment, choice)
        sums = kinds.blocks(experiment, sides, tuple((metric.id, None) for metric in found.values()))
        if not any(row.total for own in sums.values() for row in own):
            continue
        for side in sides:
            if any(row.n for row in sums.get(side.key, ())):
                steps = number_lines.steps(method(experiment), list(found), sums[side.key])
                seats = kinds.seats_a_match(experiment, side.arm, side.places)
                lines.append(Line(side.name, side, steps, kinds.key_of(experiment, side), seats, kind))
    return lines


def _numbers(prefix: str, experiment: Experiment) -> list[Number]:
    """Of each kind some of the turns, evenly spread."""
    table = game_registry.get(experiment.game).metric_table
    rows = [(kind, list(of_group(table, group).items())) for kind, group in _groups(prefix, table).items()]
    return [
        Number(f"{kind}, turn {turn}", metric.id)
        for kind, found in rows
        for turn, metric in found[:: -(-len(found) // FEW_NUMBERS)]
    ]


def build_deck(experiment: Experiment, choice: int | None) -> Figure:
    """A panel for each kind of card; choice: one player's deck."""
    subtitle = f"Cards owned by kind, mean {BAND}"
    sides, arm = kinds.drawn_players(experiment), None
    if choice is not None:
        players = kinds.every_player(experiment)
        sides = (players[min(choice, len(players) - 1)],)
        arm = sides[0].arm
    lines = _lines(DECK, experiment, sides, arm)
    if not lines:
        return nothing_yet(DECK_TITLE, f"{subtitle}.")
    played = kinds.matches_in_words(experiment, sides)
    whose = f"{sides[0].name}, {played}" if choice is not None else played
    words = number_lines.Words(DECK_TITLE, f"{subtitle}. {whose}.", DECK_NOTE, "Turn", "cards")
    return number_lines.figure_of_panels(words, lines, {"legend": legend(sides)})


def build_belief(experiment: Experiment, choice: int | None) -> Figure:
    """A panel for each belief, a line for all seats of an arm together."""
    subtitle = f"Log-probability of the true deal, mean {BAND}"
    names = lineups(experiment)
    arms = range(len(names.arms)) if choice is None else [choice]
    sides = [
        replace(
            row[0],
            name=names.arms[arm] if len(names.arms) > 1 else "All seats",
            mark=names.focal(arm).mark if len(names.arms) > 1 else None,
            places=tuple(place for side in row for place in side.places),
        )
        for arm in arms
        for row in [names.sides[arm]]
    ]
    lines = _lines(BELIEF, experiment, sides, choice)
    if not lines:
        return nothing_yet(BELIEF_TITLE, f"{subtitle}.")
    played = kinds.matches_in_words(experiment, sides)
    axis = number_lines.axis_word(BELIEF)
    words = number_lines.Words(BELIEF_TITLE, f"{subtitle}. {played}.", BELIEF_NOTE, axis, "nats")
    return number_lines.figure_of_panels(words, lines, {"legend": legend(sides) if len(sides) > 1 else ()})


def _has(prefix: str) -> Callable[[Experiment], bool]:
    return counts(lambda metrics: bool(_groups(prefix, metrics)))


CHART_DECK = Chart(
    "deck-by-turn",
    DECK_TITLE,
    build_deck,
    Group.DECKS,
    details=kinds.player_choices,
    fits=_has(DECK),
    numbers=partial(_numbers, DECK),
    is_wide=True,
)
CHART_BELIEF = Chart(
    "belief-by-turn",
    BELIEF_TITLE,
    build_belief,
    Group.PASSES,
    details=by_arm,
    fits=_has(BELIEF),
    numbers=partial(_numbers, BELIEF),
    is_wide=True,
)
