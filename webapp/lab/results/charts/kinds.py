"""Means per kind of thing (cities, roads, …) for the sides of one arm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from webapp.common.formats import THIN, count, interval_text, number
from webapp.lab.results import counted, queries, units
from webapp.lab.results.cache import patient
from webapp.lab.results.charts.figure import Column, Trace, plain
from webapp.lab.results.selectors import results
from webapp.lab.results.sides import Side, lineups
from webapp.records.models import Experiment
from worker.analysis.intervals import Interval
from worker.analysis.methods import Method
from worker.analysis.moments import BlockMoments

Pairs = tuple[tuple[str, str | None], ...]
"""(metric that is added up, metric that counts its cases, or None where each is one)."""
MOST = 10_000
"""Matches of an arm whose metrics are added up for a chart."""
NO_LIMIT = 2**31 - 1
Found = dict[int, tuple[BlockMoments, ...]]
"""First place of a side -> one set of sums per pair."""


def blocks(experiment: Experiment, sides: Sequence[Side], pairs: Pairs) -> Found:
    """Sums for sides of one arm. Numbers that partners share are of one of them: see `shared_sums`."""
    if not pairs or not sides:
        return {}
    return _blocks(experiment, sides[0].arm, tuple(side.places for side in sides), pairs)


def shared_sums(experiment: Experiment, sides: Sequence[Side], pairs: Pairs) -> Found:
    """Sums for sides of one arm, of numbers that all partners of a side have in common."""
    if not pairs or not sides:
        return {}
    return _blocks(experiment, sides[0].arm, tuple(side.places[:1] for side in sides), pairs)


@patient
def _blocks(experiment: Experiment, arm: int, groups: tuple[tuple[int, ...], ...], pairs: Pairs) -> Found:
    return queries.metric_blocks(experiment, arm, groups, pairs, deals(experiment, arm))


def deals(experiment: Experiment, arm: int) -> int:
    """How many deals of an arm such sums are of: the first ones, so that no chart reads more than MOST matches.

    Where agents play, every match has a deal of its own, and there are few.
    """
    if experiment.has_agents:
        return NO_LIMIT
    return max(1, MOST // counted.seating(experiment)[arm].matches)


def seats_a_match(experiment: Experiment, arm: int, places: Sequence[int]) -> int:
    """How many seats of a match add to sums of some places: all those of their sides."""
    seating = counted.seating(experiment)[arm]
    return seating.places_a_side * len({place % seating.sides for place in places})


def sides_of(experiment: Experiment, arm: int) -> tuple[Side, ...]:
    """The parties of an arm: what charts of results and points show."""
    return lineups(experiment, chosen=arm).parties[arm]


def players_of(experiment: Experiment, arm: int) -> tuple[Side, ...]:
    """What plays alike in an arm: what charts of each seat's own deeds show."""
    return lineups(experiment, chosen=arm).players[arm]


def every_player(experiment: Experiment) -> list[Side]:
    """The players of all arms, arm by arm, each with the colours that it has where its arm is chosen."""
    return [side for arm in range(len(experiment.spec["arms"])) for side in players_of(experiment, arm)]


def player_choices(experiment: Experiment) -> Sequence[str]:
    """The choices of a chart that shows one of `every_player` at a time."""
    arms = lineups(experiment).arms
    sides = every_player(experiment)
    if len(arms) == 1:
        return [side.name for side in sides]
    return [side.name if side.name == arms[side.arm] else f"{arms[side.arm]}: {side.name}" for side in sides]


def num_matches(experiment: Experiment, arm: int) -> int:
    """Matches of an arm that count."""
    return results(experiment).sides[arm][0].result.matches


def matches_in_words(experiment: Experiment, arm: int) -> str:
    """How many matches sums are of, in words."""
    words, first = units.matches_in_words(experiment, [num_matches(experiment, arm)]), deals(experiment, arm)
    if int(experiment.spec["deals"]) <= first:
        return words
    return f"{words} in all, here those of the first {count(first)} deals"


class Estimate(NamedTuple):
    """A mean, or a rate in per cent, and its interval; the unit is the deal."""

    mean: float | None
    interval: Interval | None

    @property
    def above(self) -> float:
        """Length of the whisker above; 0 where there is none."""
        return self.interval.high - self.mean if self.interval and self.mean is not None else 0.0

    @property
    def below(self) -> float:
        """Length of the whisker below."""
        return self.mean - self.interval.low if self.interval and self.mean is not None else 0.0


def estimate(method: Method, sums: BlockMoments, *, is_share: bool = False) -> Estimate:
    """Estimate a mean; is_share: the rate, in per cent, of what is counted by 0 and 1."""
    if not is_share:
        return Estimate(sums.mean, method.mean(sums))
    bounds, rate = method.rate(sums), sums.mean
    if rate is None or bounds is None:
        return Estimate(None, None)
    return Estimate(100 * rate, Interval(100 * bounds.low, 100 * bounds.high))


def whiskers(estimates: Sequence[Estimate]) -> dict[str, Any]:
    """The error bars of a trace."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [row.above for row in estimates],
        "arrayminus": [row.below for row in estimates],
    }


def bars(side: Side, positions: Sequence[float], estimates: Sequence[Estimate], unit: str, width: float) -> Trace:
    """Upright bars from zero with whiskers."""
    colour = f"@{side.colour}"
    spans = [f" ({interval_text(row.interval, 2)})" if row.interval and row.above else "" for row in estimates]
    return {
        "type": "bar",
        "name": plain(side.name),
        "x": list(positions),
        "y": [row.mean for row in estimates],
        "width": width,
        "marker": {"color": colour},
        "error_y": whiskers(estimates) | {"color": "@ink"},
        "text": spans,
        "textposition": "none",
        "hovertemplate": f"%{{y:.2f}} {unit}%{{text}}<extra>{plain(side.name)}</extra>",
    }


TABLE_COLUMNS = (
    Column("Kind", is_number=False),
    Column("Side", is_number=False),
    Column("Mean"),
    Column(f"95{THIN}% interval"),
)


def cells(kind: str, side: Side, found: Estimate, digits: int = 2) -> list[str]:
    """One row of the table view."""
    return [kind, side.name, number(found.mean, digits), interval_text(found.interval, digits)]
