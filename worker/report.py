"""Report of an experiment, from its match records: tables with intervals, JSON-ready."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import registry as game_registry
from games.protocol import NUM_TEAMS
from worker.analysis import holm
from worker.analysis.first_seat import first_seat
from worker.analysis.intervals import CONFIDENCE
from worker.analysis.methods import FIXED, AlwaysValid, Method
from worker.analysis.paired import PairedDifference, PairedMoments, paired_moments
from worker.analysis.summary import SeatColumns
from worker.analysis.tally import ArmTally
from worker.looks import Ruling
from worker.records import MatchRecord
from worker.responses import response
from worker.results import FailedMatch, Results, by_arm
from worker.spec import ExperimentSpec, seat_to_json, seatings, stop, sweep

MEASURES = ("win", "score", "margin")
"""What arms are compared by."""


def _is_won(rows: SeatColumns) -> NDArray[Any]:
    return np.asarray(rows.result == "win")


def _score(rows: SeatColumns) -> NDArray[Any]:
    return rows.score


def _margin(rows: SeatColumns) -> NDArray[Any]:
    return rows.margin


class ArmReport:
    """Adds up the matches of one arm of a spec."""

    def __init__(self, spec: ExperimentSpec, arm: int) -> None:
        self.arm = spec.arms[arm]
        self.has_teams = game_registry.get(spec.game).traits.has_teams
        self.num_parties = NUM_TEAMS if self.has_teams else spec.seats
        seatings = 1 if spec.has_agents else spec.num_seatings(arm)
        self.tally = ArmTally(spec.seats, seatings, spec.num_sides(arm), self.num_parties)
        self.matches = 0
        self.failures: Counter[str] = Counter()

    def add(self, results: Results) -> None:
        """Count matches, finished and failed."""
        self.matches += len(results)
        self.tally.add_columns(results.finished)
        self.failures.update(map(self._blame, results.failed))

    def _blame(self, match: FailedMatch) -> str:
        seat = match.failure.seat
        who = "the match" if seat is None else self.arm.seats[match.lineup[seat]].engine
        return f"{who}: {match.failure.kind}"

    def teams(self, method: Method) -> list[dict[str, Any]]:
        """A line per team, named by its engines: what its places have in common."""
        rows = []
        for team in range(NUM_TEAMS):
            places = range(team, len(self.arm.seats), NUM_TEAMS)
            result = dataclasses.asdict(self.tally.place(team, method))
            shared = {key: value for key, value in result.items() if key not in ("place", "seats")}
            rows.append(
                {"team": team, "places": list(places), "engines": [self.arm.seats[k].engine for k in places]} | shared
            )
        return rows

    def to_json(self, method: Method) -> dict[str, Any]:
        """The arm's table: in a game of teams first a line per team, then the places, where partners have the same.

        left_out: finished matches of deals of which another match failed; they count nowhere.
        deal_results of a place: how the matches of a deal came out for it (wins, draws, losses) and on how
        many deals they did, from which every interval of its rates can be computed again.
        """
        tally = self.tally
        rows = [
            seat_to_json(seat)
            | dataclasses.asdict(tally.place(k, method))
            | {"deal_results": [found._asdict() for found in tally.deal_results(k)]}
            for k, seat in enumerate(self.arm.seats)
        ]
        several = self.num_parties > 1
        first = first_seat(tally.won_by_first(), tally.leads(), self.num_parties, method) if several else None
        teams = {"teams": self.teams(method)} if self.has_teams else {}
        return {
            "name": self.arm.name,
            "matches": self.matches,
            "failed": sum(self.failures.values()),
            "failures": dict(sorted(self.failures.items())),
            "left_out": tally.left_out,
            **teams,
            "places": rows,
            "first_seat": first and dataclasses.asdict(first),
        }


class Report:
    """Adds up the matches of an experiment, in any order."""

    def __init__(self, spec: ExperimentSpec) -> None:
        self.spec = spec
        self.arms = [ArmReport(spec, arm) for arm in range(len(spec.arms))]
        self.ruling: Ruling | None = None

    def write(self, records: Iterable[MatchRecord]) -> None:
        """Count the records."""
        for results in by_arm(self.spec, records):
            self.add(results)

    def add(self, results: Results) -> None:
        """Count matches of an arm."""
        self.arms[results.arm].add(results)

    def end(self, ruling: Ruling) -> None:
        """Leave out the deals beyond the one at which a stop rule ended, or dropped an arm."""
        self.ruling = ruling
        for index, arm in enumerate(self.arms):
            arm.tally.limit = ruling.dropped.get(index, ruling.deals)

    @property
    def failed(self) -> int:
        """Matches without a result."""
        return sum(sum(arm.failures.values()) for arm in self.arms)

    @property
    def method(self) -> Method:
        """Intervals for one look, or, where a stop rule decided by what it saw, for every look."""
        is_decided = self.spec.stop.rule in (stop.SPRT, stop.BEST_OF)
        return AlwaysValid(self.spec.deals) if is_decided else FIXED

    def comparison(self, arm: int) -> dict[str, PairedDifference]:
        """The compared place of an arm against that of the baseline, paired over the deals they share."""
        ours, theirs = self.arms[arm].tally, self.arms[self.spec.baseline].tally
        place = seatings.focus([entry.seats for entry in self.spec.arms])

        def both(value: Callable[[SeatColumns], NDArray[Any]]) -> PairedMoments:
            return paired_moments(ours.by_deal(place, value), theirs.by_deal(place, value))

        won, scored, ahead = (
            both(_is_won),
            both(_score),
            both(_margin),
        )
        sizes = (float(ours.rows_a_deal), float(theirs.rows_a_deal))
        return {
            "win": self.method.paired_rates(won[:3], sizes, won.left_out, CONFIDENCE),
            "score": self.method.paired(scored[:3], scored.left_out, CONFIDENCE),
            "margin": self.method.paired(ahead[:3], ahead.left_out, CONFIDENCE),
        }

    def comparisons(self) -> list[dict[str, Any]]:
        """All other arms against the baseline; p_holm corrects for their number, wins, scores and margins apart.

        The intervals are at 95 % each.
        """
        base = self.spec.baseline
        others = [arm for arm in range(len(self.arms)) if arm != base]
        found = [self.comparison(arm) for arm in others]
        place = seatings.focus([entry.seats for entry in self.spec.arms])
        rows = [
            {
                "arm": self.spec.arms[arm].name,
                "baseline": self.spec.arms[base].name,
                "place": place,
                "sweep": self._swept(arm),
            }
            for arm in others
        ]
        for measure in MEASURES:
            corrected = holm.adjust([row[measure].p for row in found])
            for row, differences, p in zip(rows, found, corrected, strict=True):
                row[measure] = dataclasses.asdict(differences[measure]) | {"p_holm": p}
        return rows

    def responses(self) -> dict[str, Any]:
        """How wins and margins depend on what the sweep varies, over the deals that all its arms have whole."""
        place = seatings.focus([entry.seats for entry in self.spec.arms])
        tallies = [arm.tally for arm in self.arms[: self.spec.num_swept]]
        found = {}
        for measure, value in (("win", _is_won), ("margin", _margin)):
            rows = [tally.by_deal(place, value) for tally in tallies]
            shared = sorted(set(rows[0]).intersection(*rows[1:]))
            values = np.array([[row[deal].total / row[deal].n for row in rows] for deal in shared])
            sizes = [float(tally.rows_a_deal) for tally in tallies] if measure == "win" else None
            answer = response(self.spec.sweep, values, self.method, sizes)
            found[measure] = answer and answer.to_json()
        return found

    def _swept(self, arm: int) -> dict[str, Any]:
        """Path -> value of what the sweep varies; empty without a sweep."""
        return sweep.values_of(self.spec.sweep, arm)

    def to_json(self) -> dict[str, Any]:
        """The whole summary. Seats compare fairly only where `rotation` is "all"."""
        arms = [arm.to_json(self.method) for arm in self.arms]
        return {
            "game": self.spec.game,
            "options": dict(self.spec.options),
            "seed": self.spec.seed,
            "deals": self.spec.deals,
            "rotation": self.spec.rotation,
            "matches": sum(arm.matches for arm in self.arms),
            "failed": self.failed,
            "intervals": "for one look" if self.method is FIXED else "for every look",
            **({"stop": self.ruling.to_json()} if self.ruling else {}),
            "arms": [row | {"sweep": self._swept(index)} for index, row in enumerate(arms)],
            "comparisons": self.comparisons(),
            **({"responses": self.responses()} if self.spec.sweep else {}),
        }
