"""Report of a ladder as JSON: the same for the command line and for files of pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from worker.analysis.intervals import Interval
from worker.ladders.rounds import Round
from worker.ladders.standing import Standing
from worker.spec import ExperimentSpec, entry_to_json

Json = dict[str, Any]


class Cost(NamedTuple):
    """CPU seconds of an entry's decisions, over so many matches in which they were measured."""

    cpu_s: float = 0.0
    matches: int = 0

    @property
    def a_match(self) -> float | None:
        """CPU seconds of a match; None where none was measured."""
        return self.cpu_s / self.matches if self.matches else None

    def __add__(self, other: Cost) -> Cost:  # type: ignore[override]  # of a tuple it would join
        return Cost(self.cpu_s + other.cpu_s, self.matches + other.matches)


class Versions(NamedTuple):
    """Two versions of one configuration: the earlier and the later entry."""

    earlier: int
    later: int


def versions(spec: ExperimentSpec) -> tuple[Versions, ...]:
    """Entries that differ in their version alone, each with the next one."""
    assert spec.ladder is not None
    last: list[int] = []
    found = []
    for i, entry in enumerate(spec.ladder.entries):
        before = [j for j in last if spec.ladder.entries[j].seat == entry.seat]
        found += [Versions(j, i) for j in before]
        last = [j for j in last if j not in before] + [i]
    return tuple(found)


def to_json(spec: ExperimentSpec, standing: Standing, costs: Mapping[int, Cost], following: Round) -> Json:
    """All numbers of a ladder. costs: entry -> what its decisions cost; following: what would be played next."""
    assert spec.ladder is not None
    names = [entry.name for entry in spec.ladder.entries]
    fit = standing.fit
    return {
        "game": spec.game,
        "seats": spec.seats,
        "seed": spec.seed,
        "pairing": spec.ladder.pairing,
        "deals": len(standing.meetings),
        "matches": sum(len(m.ranks) for m in standing.meetings),
        "partial": standing.partial,
        "foreign": standing.foreign,
        "less": "the mean of all",
        "entries": _entries(spec, standing, costs),
        "covariance": _covariance(standing),
        "pairs": _pairs(standing, names),
        "fit": None
        if fit is None
        else {
            "p": fit.p,
            "freedom": fit.freedom,
            "circles": [
                {"entries": [names[standing.rated[i]] for i in circle.players], "probability": circle.probability}
                for circle in fit.circles
            ],
        },
        "versions": [
            {"earlier": names[earlier], "later": names[later], **_lead(standing, later, earlier)}
            for earlier, later in versions(spec)
        ],
        "next": {
            "end": following.end,
            "steps": [
                {
                    **asdict(step),
                    "table": spec.arms[step.arm].name,
                    "upper": None if step.upper is None else names[step.upper],
                    "lower": None if step.lower is None else names[step.lower],
                }
                for step in following.steps
            ],
        },
    }


def _entries(spec: ExperimentSpec, standing: Standing, costs: Mapping[int, Cost]) -> list[Json]:
    """The strongest first, then those without a rating."""
    assert spec.ladder is not None
    order = ordered(standing)
    rest = [i for i in range(len(spec.ladder.entries)) if i not in order]
    rows = []
    for i in order + rest:
        margin, margin_interval = standing.margin(i)
        rank, rank_interval = standing.mean_rank(i)
        rows.append(
            {
                **entry_to_json(spec.ladder.entries[i]),
                "is_present": spec.ladder.entries[i].is_present,
                **_rating(standing, i),
                "deals": standing.deals(i),
                "matches": standing.matches(i),
                "mean_margin": margin,
                "margin_interval": ends(margin_interval),
                "mean_rank": rank,
                "rank_interval": ends(rank_interval),
                "cpu_s_a_match": costs.get(i, Cost()).a_match,
            }
        )
    return rows


def ordered(standing: Standing) -> list[int]:
    """Rated entries, the strongest first."""
    return [] if standing.ratings is None else [standing.rated[i] for i in standing.ratings.order()]


def _rating(standing: Standing, entry: int) -> Json:
    order = ordered(standing)
    if standing.ratings is None or entry not in order:
        return {"elo": None, "interval": None, "ranks": None, "above_next": None}
    found, place = standing.ratings, standing.rated.index(entry)
    below = order[order.index(entry) + 1 :]
    return {
        "elo": float(found.elo[place]),
        "interval": ends(found.interval(place)),
        "ranks": list(found.ranks(place)),
        "above_next": found.probability_above(place, standing.rated.index(below[0])) if below else None,
    }


def _covariance(standing: Standing) -> list[list[float]] | None:
    """In the order of rated entries in `entries`."""
    if standing.ratings is None:
        return None
    order = standing.ratings.order()
    rows: list[list[float]] = standing.ratings.covariance[np.ix_(order, order)].tolist()
    return rows


def _pairs(standing: Standing, names: list[str]) -> list[Json]:
    found = []
    for pair in standing.pairs:
        first, second = standing.rated[pair.first], standing.rated[pair.second]
        found.append(
            {
                **asdict(pair),
                "first": names[first],
                "second": names[second],
                "interval": ends(pair.interval),
                "mean_margin": standing.pair_margin(first, second),
                "deal_results": [result._asdict() for result in standing.deal_results(first, second)],
            }
        )
    return found


def _lead(standing: Standing, first: int, second: int) -> Json:
    """How much stronger the first entry is."""
    if standing.ratings is None or first not in standing.rated or second not in standing.rated:
        return {"lead": None, "interval": None, "probability": None}
    one, two = standing.rated.index(first), standing.rated.index(second)
    return {
        "lead": standing.ratings.lead(one, two),
        "interval": ends(standing.ratings.lead_interval(one, two)),
        "probability": standing.ratings.probability_above(one, two),
    }


def ends(interval: Interval | None) -> list[float] | None:
    """An interval as JSON."""
    return None if interval is None else [interval.low, interval.high]
