"""Ratings on an axis: a row for each engine, best first, with its interval and its place. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from webapp.common.formats import count, interval_text, number, plural, signed
from webapp.common.formats import seconds as seconds_text
from webapp.lab.ladders.selectors import MEAN, State
from webapp.lab.ladders.words import probability_above, sure_words
from worker.analysis.intervals import Interval
from worker.ladders.report import Cost

STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000)


@dataclass(frozen=True)
class Tick:
    """A mark of the axis. at: its place in per cent."""

    at: str
    text: str


@dataclass(frozen=True)
class RatingRow:
    """One engine. low, middle, high: places on the axis in per cent, empty without an interval.

    cut: at which edges the interval goes on, "low", "high" or both.
    """

    rank: int
    name: str
    description: str
    note: str
    rating: str
    ends: str
    order: str
    low: str
    middle: str
    high: str
    cut: str
    is_present: bool


@dataclass(frozen=True)
class Forest:
    """Ratings drawn in a table. zero: place of the mean on the axis."""

    rows: Sequence[RatingRow]
    ticks: Sequence[Tick]
    zero: str

    @property
    def is_cut(self) -> bool:
        """Whether some interval goes on beyond the axis."""
        return any(row.cut for row in self.rows)


def forest(now: State, order: Sequence[int]) -> Forest:
    """The rated engines, best first; nothing while none is rated. order: their numbers."""
    found = now.standing.ratings
    if found is None:
        return Forest((), (), "50")
    places = [now.standing.rated.index(i) for i in order]
    intervals = [found.interval(place) for place in places]
    low, high, ticks = _axis([float(found.elo[p]) for p in places], intervals)

    def at(value: float) -> str:
        return f"{max(0.0, min(100.0, 100 * (value - low) / (high - low))):.2f}"

    rows = []
    for rank, (entry, place, interval) in enumerate(zip(order, places, intervals, strict=True), start=1):
        elo = float(found.elo[place])
        known = now.ladder.entries[entry]
        rows.append(
            RatingRow(
                rank,
                known.name,
                f"{known.seat.engine}, version {known.version}",
                _note(now, entry),
                count(round(MEAN + elo)),
                "" if interval is None else _ends(elo, interval),
                order_words(now, order, rank - 1),
                "" if interval is None else at(interval.low),
                at(elo),
                "" if interval is None else at(interval.high),
                "" if interval is None else _cut(interval, low, high),
                known.is_present,
            )
        )
    return Forest(rows, [Tick(at(value), count(MEAN + value)) for value in ticks], at(0.0))


def _cut(interval: Interval, low: float, high: float) -> str:
    beyond = {"low": interval.low < low, "high": interval.high > high}
    return " ".join(edge for edge, is_beyond in beyond.items() if is_beyond)


def _ends(elo: float, interval: Interval) -> str:
    low, high = round(elo - interval.low), round(interval.high - elo)
    if abs(low - high) <= max(2, 0.1 * max(low, high)):
        return f"±{count(round((low + high) / 2))}"
    return f"({interval_text((MEAN + interval.low, MEAN + interval.high), 0)})"


def _axis(values: Sequence[float], intervals: Sequence[Interval | None]) -> tuple[float, float, list[int]]:
    """Ends and ticks that hold all ratings; intervals may leave it by a half of their spread."""
    spread = max(values) - min(values) or 100.0
    ends = [end for interval in intervals if interval for end in interval]
    low = max(min([*values, *ends]), min(values) - spread / 2)
    high = min(max([*values, *ends]), max(values) + spread / 2)
    pad = 0.04 * (high - low) or 1.0
    low, high = low - pad, high + pad
    step = next((step for step in STEPS if (high - low) / step <= 6), STEPS[-1])
    return low, high, [step * i for i in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def _note(now: State, entry: int) -> str:
    parts = []
    cost = now.costs.get(entry, Cost()).a_match
    if cost is not None:
        parts.append(f"{seconds_text(cost)} CPU a match")
    parts.append(plural(now.standing.matches(entry), "match", "matches"))
    margin, interval = now.standing.margin(entry)
    if margin is not None:
        around = f" ({interval_text(interval)})" if interval and now.ladder.sides == 2 else ""
        parts.append(f"margin {signed(margin)}{around}")
    if now.ladder.sides > 2:
        rank, rank_interval = now.standing.mean_rank(entry)
        if rank is not None:
            around = f" ({interval_text(rank_interval, 2)})" if rank_interval else ""
            parts.append(f"mean place {number(rank, 2)}{around}")
    if not now.ladder.entries[entry].is_present:
        parts.append("plays no more: its engine has a newer version")
    return ", ".join(parts)


def order_words(now: State, order: Sequence[int], index: int) -> str:
    """The rank of one of the engines, and how sure it is that it stands above the next."""
    found = now.standing.ratings
    assert found is not None
    place = now.standing.rated.index(order[index])
    first, last = found.ranks(place)
    ranks = f"rank {first}" if first == last else f"rank {first} to {last}"
    if index + 1 == len(order):
        return ranks
    probability = probability_above(found, place, now.standing.rated.index(order[index + 1]))
    if probability is None:
        return f"{ranks}, few deals"
    sure = sure_words(probability, is_apart=last == index + 1).replace("more than", ">")
    return f"{ranks}, above the next {sure}"
