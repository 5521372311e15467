"""Report of an experiment, from its match records: tables with intervals, JSON-ready."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from games import registry as game_registry
from worker.analysis import holm
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.paired import PairedDifference, paired_difference
from worker.analysis.seats import first_seat, lead
from worker.analysis.summary import PlaceTally, SeatRow, Tally
from worker.records import MatchRecord
from worker.spec import ArmSpec, ExperimentSpec, seat_to_json, sweep

NUM_TEAMS = 2


def seat_rows(record: MatchRecord) -> Iterator[SeatRow]:
    """The rows that statistics count; none for a failed match."""
    for seat, result in enumerate(record.results):
        score, ahead = record.scores[seat], record.margin(seat)
        yield SeatRow(record.deal, seat, record.lineup[seat], score, ahead, result)


class ArmReport:
    """Adds up the matches of one arm. has_teams: seats, and places, of like parity play together."""

    def __init__(self, arm: ArmSpec, has_teams: bool = False) -> None:
        self.arm = arm
        self.has_teams = has_teams
        self.places = [PlaceTally() for _ in arm.seats]
        self.leads: dict[int, Moments] = {}
        self.matches = 0
        self.failures: Counter[str] = Counter()

    def add(self, record: MatchRecord) -> None:
        """Count one match, finished or failed."""
        self.matches += 1
        if record.failure is not None:
            self.failures[self._blame(record)] += 1
            return
        for row in seat_rows(record):
            self.places[row.place].add(row)
        if len(record.scores) > 1:
            scores = record.scores[: self.num_parties]
            self.leads[record.deal] = self.leads.get(record.deal, Moments()) + Moments.of([lead(scores)])

    @property
    def num_parties(self) -> int:
        """Number of parties that win or lose by themselves: seats, or teams."""
        return NUM_TEAMS if self.has_teams else len(self.arm.seats)

    def _blame(self, record: MatchRecord) -> str:
        assert record.failure is not None
        seat = record.failure.seat
        who = "the match" if seat is None else self.arm.seats[record.lineup[seat]].engine
        return f"{who}: {record.failure.kind}"

    def by_seat(self) -> dict[int, Tally]:
        """Tallies of the seats, over all engines; of partners the first one speaks for both."""
        total: dict[int, Tally] = {}
        for place in self.places:
            for seat, tally in place.by_seat.items():
                if seat < self.num_parties:
                    total[seat] = total.get(seat, Tally()) + tally
        return total

    def teams(self) -> list[dict[str, Any]]:
        """A line per team, named by its engines: what its places have in common."""
        rows = []
        for team in range(NUM_TEAMS):
            places = range(team, len(self.arm.seats), NUM_TEAMS)
            result = dataclasses.asdict(self.places[team].result(team))
            shared = {key: value for key, value in result.items() if key not in ("place", "seats")}
            rows.append(
                {"team": team, "places": list(places), "engines": [self.arm.seats[k].engine for k in places]} | shared
            )
        return rows

    def to_json(self) -> dict[str, Any]:
        """The arm's table.

        In a game of teams first a line per team, then the places: partners have the same numbers.
        """
        num_parties = self.num_parties
        rows = [
            seat_to_json(entry) | dataclasses.asdict(place.result(index))
            for index, (entry, place) in enumerate(zip(self.arm.seats, self.places, strict=True))
        ]
        first = first_seat(self.by_seat(), BlockMoments.of(self.leads), num_parties) if num_parties > 1 else None
        teams = {"teams": self.teams()} if self.has_teams else {}
        return {
            "name": self.arm.name,
            "matches": self.matches,
            "failed": sum(self.failures.values()),
            "failures": dict(sorted(self.failures.items())),
            **teams,
            "places": rows,
            "first_seat": first and dataclasses.asdict(first),
        }


class Report:
    """Adds up the matches of an experiment, in any order."""

    def __init__(self, spec: ExperimentSpec) -> None:
        self.spec = spec
        has_teams = game_registry.get(spec.game).traits.has_teams
        self.arms = [ArmReport(arm, has_teams) for arm in spec.arms]

    def write(self, records: Iterable[MatchRecord]) -> None:
        """Count the records."""
        for record in records:
            self.arms[record.arm].add(record)

    @property
    def failed(self) -> int:
        """Matches without a result."""
        return sum(sum(arm.failures.values()) for arm in self.arms)

    def comparison(self, arm: int) -> dict[str, PairedDifference]:
        """First place of an arm against that of arm 0, paired over the deals they share."""
        ours, theirs = self.arms[arm].places[0], self.arms[0].places[0]
        size = self.spec.num_rotations
        return {
            "score": paired_difference(ours.scores, theirs.scores, size),
            "margin": paired_difference(ours.margins, theirs.margins, size),
        }

    def comparisons(self) -> list[dict[str, Any]]:
        """All arms against arm 0; p_holm corrects for their number, scores and margins apart.

        The intervals are at 95 % each.
        """
        found = [self.comparison(arm) for arm in range(1, len(self.arms))]
        rows = [
            {"arm": arm.name, "baseline": self.spec.arms[0].name, "place": 0, "sweep": self._swept(index)}
            for index, arm in enumerate(self.spec.arms[1:], start=1)
        ]
        for measure in ("score", "margin"):
            corrected = holm.adjust([row[measure].p for row in found])
            for row, differences, p in zip(rows, found, corrected, strict=True):
                row[measure] = dataclasses.asdict(differences[measure]) | {"p_holm": p}
        return rows

    def _swept(self, arm: int) -> dict[str, Any]:
        """Path -> value of what the sweep varies; empty without a sweep."""
        return sweep.values_of(self.spec.sweep, arm)

    def to_json(self) -> dict[str, Any]:
        """The whole summary. Seats compare fairly only where `rotation` is "all"."""
        return {
            "game": self.spec.game,
            "seed": self.spec.seed,
            "deals": self.spec.deals,
            "rotation": self.spec.rotation,
            "matches": sum(arm.matches for arm in self.arms),
            "failed": self.failed,
            "arms": [arm.to_json() | {"sweep": self._swept(index)} for index, arm in enumerate(self.arms)],
            "comparisons": self.comparisons(),
        }
