"""What an experiment compares, as other experiments can be set beside it: one side less another, with its conditions.

The numbers are those of its page (`results.selectors`); here they get a name by which the same question is known again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from webapp.lab.results import versions
from webapp.lab.results.cache import per_version
from webapp.lab.results.comparisons import PLACE, Difference
from webapp.lab.results.queries import PairSums
from webapp.lab.results.selectors import Results, results
from webapp.records.models import Experiment
from worker.analysis.methods import Paired
from worker.analysis.moments import Moments
from worker.analysis.stop_rules.model import MARGIN, WIN_RATE
from worker.spec import seatings

Seat = Mapping[str, Any]
RULES = ("game", "options", "seats", "rotation")


@dataclass(frozen=True)
class Contrast:
    """One side less another in one experiment.

    numbers: as its page has them; sums, sizes: over the deals of both. side, other: the line-ups or configurations of
    both; apart: what else sits at the table. rules: of the game and the seating; played: the versions that the matches
    recorded. source: which deals; it and sums are None where agents play, each of whose matches has a deal of its own.
    parties: at a table; is_turned: whether the page shows the other side less this one.
    """

    experiment: Experiment
    names: tuple[str, str]
    numbers: Difference
    side: tuple[Seat, ...]
    other: tuple[Seat, ...]
    apart: tuple[Seat, ...]
    kind: str
    rules: str
    played: frozenset[tuple[str, str]]
    parties: int
    source: str | None
    sums: PairSums | None
    sizes: tuple[float, float]
    is_turned: bool = False

    @property
    def key(self) -> str:
        """The same for the same question: rules, line-ups and budgets, but not the luck, nor the versions."""
        return json.dumps([self.kind, self.rules, self.side, self.other, self.apart], sort_keys=True)

    @property
    def conditions(self) -> tuple[str, frozenset[tuple[str, str]]]:
        """What runs must share to be pooled without a choice."""
        return self.key, self.played

    @property
    def is_mixed(self) -> bool:
        """Whether something played in several versions."""
        return len({name for name, _ in self.played}) < len(self.played)

    def turned(self) -> Contrast:
        """The other side less this one."""
        return replace(
            self,
            names=self.names[::-1],
            side=self.other,
            other=self.side,
            sums=self.sums and turned(self.sums),
            sizes=self.sizes[::-1],
            is_turned=not self.is_turned,
        )


def turned(sums: PairSums) -> PairSums:
    """The sums of the second less the first."""
    return PairSums(_turned(sums.wins), _turned(sums.points), _turned(sums.places))


def _turned(of: Paired) -> Paired:
    difference, first, second = of
    return Moments(difference.n, -difference.total, difference.total_squares), second, first


@per_version
def contrasts(experiment: Experiment) -> tuple[Contrast, ...]:
    """What an experiment compares with its baseline; empty where an engine only meets itself, or plays alone."""
    found, spec = results(experiment), experiment.spec
    seats = [tuple(arm["seats"]) for arm in spec["arms"]]
    rules = json.dumps([spec.get(name) for name in RULES], sort_keys=True)
    source = None if experiment.has_agents else json.dumps([rules, spec["seed"]])
    by_arm: dict[int, set[tuple[str, str]]] = {}
    for known in versions.played(experiment):
        by_arm.setdefault(known.arm, set()).update(known.versions.items())

    def made(difference: Difference, lines: Sequence[tuple[Seat, ...]], kind: str) -> Contrast:
        arms = {difference.side.arm, difference.baseline.arm}
        return Contrast(
            experiment=experiment,
            names=(difference.side.name, difference.baseline.name),
            numbers=difference,
            side=lines[0],
            other=lines[1],
            apart=lines[2],
            kind=kind,
            rules=rules,
            played=frozenset().union(*(by_arm.get(arm, set()) for arm in arms)),
            parties=len(found.lineups.parties[0]),
            source=source,
            sums=difference.sums,
            sizes=difference.sizes,
        )

    if len(seats) > 1:
        return tuple(made(row, (seats[row.side.arm], seats[row.baseline.arm], ()), "arms") for row in found.differences)
    is_still = spec["rotation"] == seatings.NONE
    rows = []
    for row, is_flipped in _of_one_arm(found):
        lines = _lines(seats[0], row)
        kind = f"sides {row.side.place} {row.baseline.place}" if is_still else "sides"
        one = made(row, lines, kind)
        rows.append(one.turned() if is_flipped else one)
    return tuple(rows)


def _of_one_arm(found: Results) -> list[tuple[Difference, bool]]:
    """The differences that the page of one arm shows, and whether it shows them the other way round."""
    if found.versus:
        return [(found.versus, False)]
    rows, first = found.pooled or found.differences, found.sides[0][0].side.place
    return [(row, True) for row in rows if row.side.place == first]


def _lines(seats: Sequence[Seat], row: Difference) -> tuple[tuple[Seat, ...], ...]:
    """What plays on either side, and what else sits at the table, in an order of its own."""
    own, others = ([seats[place] for place in side.places] for side in (row.side, row.baseline))
    rest = list(seats)
    for seat in (*own, *others):
        if seat in rest:
            rest.remove(seat)
    rest.sort(key=lambda seat: json.dumps(seat, sort_keys=True))
    return tuple(own), tuple(others), tuple(rest)


def measures(found: Sequence[Contrast]) -> list[str]:
    """What all of some contrasts can be judged by."""
    if all(row.parties == 1 for row in found):
        return [MARGIN]
    places = [PLACE] if all(row.parties > 2 and row.sums is not None for row in found) else []
    return [WIN_RATE, MARGIN, *places]
