"""Ladders with made-up matches: for tests of what is played and what it says."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from worker import schedule
from worker import spec as specs
from worker.ladders import rounds
from worker.ladders.batch import Rows
from worker.records import MatchRecord
from worker.runner import results
from worker.spec import ExperimentSpec, MatchSpec

UCT = [{"engine": "uct", "budget": {"simulations": 10 * (i + 1)}} for i in range(8)]
LUCK = 300
"""Points of one unit of strength: scores have Gumbel's luck, so that Plackett and Luce's model holds."""


def spec_of(entries: int | Sequence[Mapping[str, Any]] = 4, **changes: Any) -> ExperimentSpec:
    """A ladder of so many engines, or of these."""
    given = UCT[:entries] if isinstance(entries, int) else entries
    ladder = {
        "pairing": changes.pop("pairing", "uncertainty"),
        "entries": [{"name": f"Engine {i}", **row} for i, row in enumerate(given)],
    }
    whole = {"version": 1, "game": "carcassonne", "seats": 2, "deals": 30, "seed": 5, "ladder": ladder}
    return specs.from_json(whole | changes)


Play = Callable[[MatchSpec], MatchRecord]


def player(
    spec: ExperimentSpec, levels: Sequence[float] = (), versions: Mapping[str, str] | None = None, luck: int = 0
) -> Play:
    """A function that plays a match, always the same; levels: points of each entry, 100 more of each by default."""
    assert spec.ladder is not None
    ladder = spec.ladder

    def play(match: MatchSpec) -> MatchRecord:
        dice = random.Random(f"{luck} {match.arm} {match.deal} {match.rotation}")
        table = ladder.tables[match.arm]
        own = [(levels[i] if levels else 100.0 * i) - LUCK * math.log(dice.expovariate(1)) for i in table]
        scores = tuple(round(own[place % ladder.sides]) for place in match.lineup)
        ranks = tuple(1 + sum(other > own for other in scores) for own in scores)
        return MatchRecord(
            arm=match.arm,
            deal=match.deal,
            rotation=match.rotation,
            seed=match.seed,
            deal_seed=match.deal_seed,
            lineup=match.lineup,
            status="finished",
            scores=scores,
            ranks=ranks,
            results=results(ranks, False),
            metrics=tuple({} for _ in scores),
            num_plies=2,
            digest=dice.getrandbits(62),
            versions=versions or {spec.game: "1", **{e.seat.engine: e.version for e in ladder.entries}},
        )

    return play


def finish(rows: Rows, play: Play) -> list[rounds.Round]:
    """Play all rounds that are left, and return them."""
    found = []
    while (following := rows.next_round()).steps:
        found.append(following)
        for chunk in rounds.chunks(rows.spec, following.steps):
            rows.write([play(match) for match in schedule.match_specs(rows.spec, *chunk)])
    return [*found, following]
