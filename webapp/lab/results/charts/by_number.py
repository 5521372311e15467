"""Means by round, turn or tile: one chart for each group of metrics "... by round", a line for each side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN, power
from webapp.lab.results import metric_sums, units
from webapp.lab.results.charts import kinds, number_lines
from webapp.lab.results.charts.figure import Chart, Figure, Group, Number, by_arm, legend, nothing_yet, of_group
from webapp.lab.results.charts.number_lines import Line
from webapp.lab.results.method import method
from webapp.lab.results.sides import lineups
from webapp.records.models import Experiment

GROUPS = {
    "score-by-round": "score by round",
    "legal-by-round": "legal actions by round",
    "turned-by-round": "legal actions with turned doubles by round",
    "points-by-turn": "points by turn",
    "lead-by-turn": "lead by turn",
    "coins-by-turn": "coins by turn",
    "actions-by-turn": "actions by turn",
    "pips-by-tile": "pips by own tile",
}
"""Chart -> group of metrics; a metric's kind is the number of its round, turn or tile."""
OWN = ("pips-by-tile",)
"""Charts of what each seat does by itself; of other numbers partners have one in common."""
NOTES = {
    "points-by-turn": "What all cards owned are worth after each own turn.",
    "lead-by-turn": "Points after each own turn less those of the best other seat after its turn of the same number.",
    "coins-by-turn": "Coins to spend in each own turn, spent or not.",
    "actions-by-turn": "Action cards played in each own turn, those that other cards play included.",
    "pips-by-tile": "Pips on the tile that a seat laid first, second, … in a round; 0 where it laid none.",
}
SUBTITLE = f"Mean by side, with its 95{THIN}% interval as a band."
ACTIONS, BY_ROUND = "actions", " by round"
FEW_NUMBERS = 8
NOTE = "Intervals take the matches of a deal together."


def build(chart_id: str, experiment: Experiment, choice: int | None) -> Figure:
    """One line per side."""
    group, is_own = GROUPS[chart_id], chart_id in OWN
    steps = known(group, experiment, choice)
    pairs = tuple((metric.id, None) for metric in steps.values())
    sides = (kinds.drawn_players if is_own else kinds.drawn_sides)(experiment, choice)
    found = (kinds.blocks if is_own else kinds.shared_sums)(experiment, sides, pairs)
    sides = tuple(side for side in sides if any(row.n for row in found.get(side.key, ())))
    title, axis = number_lines.group_title(group), number_lines.axis_word(group)
    if not sides:
        return nothing_yet(title, SUBTITLE)
    unit = next(iter(steps.values())).unit
    lines = [
        Line(
            side.name,
            side,
            number_lines.steps(method(experiment), list(steps), found[side.key]),
            kinds.key_of(experiment, side),
            kinds.seats_a_match(experiment, side.arm, side.places if is_own else side.places[:1]),
        )
        for side in sides
    ]
    note = f"{NOTES.get(chart_id, '')} {NOTE}".strip()
    is_one_arm = choice is not None or len(lineups(experiment).arms) == 1
    words = number_lines.Words(
        title=title,
        subtitle=f"{SUBTITLE} {kinds.matches_in_words(experiment, sides)}.",
        note=note + (_product(experiment, choice or 0, lines) if unit == ACTIONS and is_one_arm else ""),
        axis=axis,
        unit=unit,
    )
    return number_lines.figure(words, lines, {"legend": legend(sides, is_dashed=True)})


def numbers(chart_id: str, experiment: Experiment) -> list[Number]:
    """Some of the numbers along the axis, evenly spread: neighbours are much alike."""
    found = list(of_group(game_registry.get(experiment.game).metric_table, GROUPS[chart_id]).items())
    step = -(-len(found) // FEW_NUMBERS)
    return [Number(f"{number_lines.axis_word(GROUPS[chart_id])} {kind}", metric.id) for kind, metric in found[::step]]


def _product(experiment: Experiment, arm: int, lines: Sequence[Line]) -> str:
    """How many ways to play there are for one order of what is drawn (Gedda, Lagerkvist, Butler 2018, section II-B)."""
    plies = metric_sums.of_matches(experiment, "num_plies", arm).moments.mean
    steps = [step for drawn in lines for step in drawn.steps]
    if plies is None or min(step.mean for step in steps) <= 0:
        return ""
    a_round = plies / len(steps)
    value = a_round * sum(math.log10(step.mean) for step in steps)
    halves = [(step.bounds[1] - step.bounds[0]) / 2 / step.mean for step in steps]
    half = a_round * math.hypot(*halves) / math.log(10)
    around = f" (95{THIN}% {power(value - half)} to {power(value + half)})" if half else ""
    return (
        f" Multiplied over all rounds and sides: {power(value)}{around} ways to play for one order of what is drawn,"
        " as if rounds did not depend on each other."
    )


def known(group: str, experiment: Experiment, choice: int | None) -> dict[int, Metric]:
    """The numbers that matches of an arm came to, or of any where none is chosen, with their metrics."""
    found = {
        int(kind): metric for kind, metric in of_group(game_registry.get(experiment.game).metric_table, group).items()
    }
    ids = tuple(metric.id for metric in found.values())
    arms = range(len(experiment.spec["arms"])) if choice is None else [choice]
    there = frozenset[str]().union(*(metric_sums.known_metrics(experiment, arm, ids) for arm in arms))
    return {number: found[number] for number in sorted(found) if found[number].id in there}


def _fits(group: str, experiment: Experiment) -> bool:
    """Whether the game counts it; of a single round nothing is told round by round."""
    if not of_group(game_registry.get(experiment.game).metric_table, group):
        return False
    return not (group.endswith(BY_ROUND) and units.is_one_round(experiment))


def _chart(chart_id: str, group: Group) -> Chart:
    metrics = GROUPS[chart_id]
    return Chart(
        chart_id,
        number_lines.group_title(metrics),
        partial(build, chart_id),
        group,
        details=by_arm,
        fits=partial(_fits, metrics),
        numbers=partial(numbers, chart_id),
    )


CHART_SCORE = _chart("score-by-round", Group.SCORES)
CHART_LEGAL = _chart("legal-by-round", Group.TIME)
CHART_TURNED = _chart("turned-by-round", Group.TIME)
CHART_POINTS = _chart("points-by-turn", Group.SCORES)
CHART_LEAD = _chart("lead-by-turn", Group.SCORES)
CHART_COINS = _chart("coins-by-turn", Group.DECKS)
CHART_ACTIONS = _chart("actions-by-turn", Group.DECKS)
CHART_PIPS = _chart("pips-by-tile", Group.PASSES)
