"""Means per kind of thing (cities, roads, …) for the sides of one arm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from webapp.common.formats import THIN, count, interval_text, number
from webapp.lab.results import counted, queries, units
from webapp.lab.results.cache import patient
from webapp.lab.results.charts.figure import Column
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
MOST_OF_ALL, LEAST = 50_000, 1_000
"""Matches of all arms together, as far as each keeps so many."""
NO_LIMIT = 2**31 - 1
Key = tuple[int, int]
"""Arm and first place of a side."""
Found = dict[Key, tuple[BlockMoments, ...]]
"""Side -> one set of sums per pair."""


def blocks(experiment: Experiment, sides: Sequence[Side], pairs: Pairs) -> Found:
    """Sums for sides of any arms. Numbers that partners share are of one of them: see `shared_sums`."""
    return _of_arms(experiment, [(side, side.places) for side in sides], pairs)


def shared_sums(experiment: Experiment, sides: Sequence[Side], pairs: Pairs) -> Found:
    """Sums for sides of any arms, of numbers that all partners of a side have in common."""
    return _of_arms(experiment, [(side, side.places[:1]) for side in sides], pairs)


def _of_arms(experiment: Experiment, sides: Sequence[tuple[Side, tuple[int, ...]]], pairs: Pairs) -> Found:
    found: Found = {}
    for arm in dict.fromkeys(side.arm for side, _ in sides) if pairs else ():
        own = [(side, places) for side, places in sides if side.arm == arm]
        sums = _blocks(experiment, arm, tuple(places for _, places in own), pairs)
        found |= {side.key: sums[side.place] for side, _ in own if side.place in sums}
    return found


@patient
def _blocks(
    experiment: Experiment, arm: int, groups: tuple[tuple[int, ...], ...], pairs: Pairs
) -> dict[int, tuple[BlockMoments, ...]]:
    return queries.metric_blocks(experiment, arm, groups, pairs, deals(experiment, arm))


def deals(experiment: Experiment, arm: int, most: int | None = None) -> int:
    """How many deals of an arm such sums are of: the first ones, so that a chart reads at most `most` matches (MOST).

    Of many arms each has its part of MOST_OF_ALL. Where agents play, every match has a deal of its own, and there
    are few.
    """
    if experiment.has_agents:
        return NO_LIMIT
    each = min(most or MOST, max(LEAST, MOST_OF_ALL // len(experiment.spec["arms"])))
    return max(1, each // counted.seating(experiment)[arm].matches)


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


def drawn_sides(experiment: Experiment, choice: int | None = None) -> tuple[Side, ...]:
    """What a chart draws: the side that stands for each arm, of one arm all its parties; choice: of this arm all."""
    names = lineups(experiment)
    if choice is not None or len(names.arms) == 1:
        return sides_of(experiment, choice or 0)
    return tuple(names.focal(arm) for arm in range(len(names.arms)))


def drawn_players(experiment: Experiment, choice: int | None = None) -> tuple[Side, ...]:
    """The same of what plays alike, for what each seat does by itself."""
    names = lineups(experiment)
    if choice is not None or len(names.arms) == 1:
        return players_of(experiment, choice or 0)
    rows = [next(side for side in row if names.focus in side.places) for row in names.players]
    return tuple(replace(side, name=names.arms[side.arm]) for side in rows)


def baseline_of(experiment: Experiment, sides: Sequence[Side]) -> int:
    """Which of some sides is the one that others are compared with: the baseline's, else the first."""
    base = lineups(experiment).baseline
    is_many = len({side.arm for side in sides}) > 1
    return next((i for i, side in enumerate(sides) if is_many and side.arm == base), 0)


def key_of(experiment: Experiment, side: Side) -> int:
    """The button of the key bar that a side belongs to: its arm, or of one arm the party."""
    names = lineups(experiment)
    if len(names.arms) > 1:
        return side.arm
    return next(i for i, party in enumerate(names.parties[0]) if side.place in party.places)


def num_matches(experiment: Experiment, arm: int) -> int:
    """Matches of an arm that count."""
    return results(experiment).sides[arm][0].result.matches


def matches_in_words(experiment: Experiment, sides: Sequence[Side], most: int | None = None) -> str:
    """How many matches sums are of, in words: an arm, where there are several."""
    arms = sorted({side.arm for side in sides})
    words = units.matches_in_words(experiment, [num_matches(experiment, arm) for arm in arms])
    words += " an arm" if len(arms) > 1 else ""
    first = min(deals(experiment, arm, most) for arm in arms)
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


TABLE_COLUMNS = (
    Column("Kind", is_number=False),
    Column("Side", is_number=False),
    Column("Mean"),
    Column(f"95{THIN}% interval"),
)


def cells(kind: str, side: Side, found: Estimate, digits: int = 2) -> list[str]:
    """One row of the table view."""
    return [kind, side.name, number(found.mean, digits), interval_text(found.interval, digits)]
