"""Means by turn, a line for each kind of thing: what decks are made of, and what beliefs are worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games import registry as game_registry
from games.protocol import Metric
from webapp.common.formats import THIN
from webapp.lab.results.charts import by_number, kinds, number_lines
from webapp.lab.results.charts.figure import Chart, Figure, Legend, by_arm, counts, nothing_yet
from webapp.lab.results.charts.number_lines import Line
from webapp.lab.results.method import method
from webapp.lab.results.sides import DASH_WORDS, DASHES, Side, lineups
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


def _lines(prefix: str, experiment: Experiment, sides: Sequence[Side], colour: str) -> list[Line]:
    """A line for each kind that any of the matches has, over all seats of some sides of one arm."""
    lines: list[Line] = []
    pooled = Side(sides[0].arm, sides[0].place, "", "", None, tuple(place for side in sides for place in side.places))
    seats = kinds.seats_a_match(experiment, pooled.arm, pooled.places)
    for kind, group in _groups(prefix, game_registry.get(experiment.game).metric_table).items():
        found = by_number.known(group, experiment, pooled.arm)
        sums = kinds.blocks(experiment, [pooled], tuple((metric.id, None) for metric in found.values()))
        if sums and any(row.total for row in sums[pooled.place]):
            steps = number_lines.steps(method(experiment), list(found), sums[pooled.place])
            lines.append(Line(kind, colour, DASHES[len(lines) % len(DASHES)], steps, seats))
    return lines


def _legend(lines: Sequence[Line], mark: int | None) -> list[Legend]:
    return [Legend(mark, f"{drawn.name} ({DASH_WORDS[drawn.dash]})") for drawn in lines]


def build_deck(experiment: Experiment, choice: int) -> Figure:
    """One player's deck."""
    players = kinds.every_player(experiment)
    side = players[min(choice, len(players) - 1)]
    subtitle = f"Cards owned by kind, mean {BAND}"
    lines = _lines(DECK, experiment, [side], side.colour)
    if not lines:
        return nothing_yet(DECK_TITLE, f"{subtitle}.")
    played = kinds.matches_in_words(experiment, side.arm)
    words = number_lines.Words(DECK_TITLE, f"{subtitle}. {side.name}, {played}.", DECK_NOTE, "Turn", "cards", "Kind")
    return number_lines.figure(words, lines, {"legend": _legend(lines, side.mark)})


def build_belief(experiment: Experiment, arm: int) -> Figure:
    """All seats of an arm together."""
    subtitle = f"Log-probability of the true deal, mean {BAND}"
    lines = _lines(BELIEF, experiment, lineups(experiment).sides[arm], "ink")
    if not lines:
        return nothing_yet(BELIEF_TITLE, f"{subtitle}.")
    played = kinds.matches_in_words(experiment, arm)
    axis = number_lines.axis_word(BELIEF)
    words = number_lines.Words(BELIEF_TITLE, f"{subtitle}. {played}.", BELIEF_NOTE, axis, "nats", "Belief")
    return number_lines.figure(words, lines, {"legend": _legend(lines, None)})


def _has(prefix: str) -> Callable[[Experiment], bool]:
    return counts(lambda metrics: bool(_groups(prefix, metrics)))


CHART_DECK = Chart("deck-by-turn", DECK_TITLE, build_deck, choices=kinds.player_choices, fits=_has(DECK))
CHART_BELIEF = Chart("belief-by-turn", BELIEF_TITLE, build_belief, choices=by_arm, fits=_has(BELIEF))
