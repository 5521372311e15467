"""Two engines of each game that are about as strong: with them a newcomer's first experiment begins.

Kept as data (`openings.json`) with what they were measured to do: results, and how far deals spread, from which plans
begin where nothing better is known. Measured again by ``python -m worker openings``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from games import registry as game_registry
from worker import batch
from worker import spec as specs
from worker.analysis.stop_rules.model import MARGIN, WIN_RATE
from worker.looks import Array
from worker.planning import design as designs
from worker.planning import trial
from worker.planning.design import STORED, Design, Spread
from worker.spec import ExperimentSpec, seat_to_json

FILE = Path(__file__).parent / "openings.json"
FORMAT = "openings-1"
DEALS, SEED = 200, 2026
COMMAND = "python -m worker openings"

Configuration = Mapping[str, Any]


@dataclass(frozen=True)
class Measured:
    """What was played: both seatings of some deals, of the first engine and of a third, each against the second.

    won, drawn: matches of the first engine; deviations: measure -> of an arm's mean on a deal, and of the difference
    of both arms on a deal.
    """

    date: str
    deals: int
    seats: int
    matches: int
    won: int
    drawn: int
    deviations: Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Opening:
    """Two engines of a game to begin with, a third one to compare the first with, and what was measured of them."""

    game: str
    first: Configuration
    second: Configuration
    third: Configuration
    measured: Measured


@cache
def openings() -> Mapping[str, Opening]:
    """Game -> its opening."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    assert data["format"] == FORMAT
    return {row["game"]: _opening(row) for row in data["openings"]}


def _opening(row: Mapping[str, Any]) -> Opening:
    deviations = {measure: (alone, apart) for measure, (alone, apart) in row["measured"]["deviations"].items()}
    measured = Measured(**(row["measured"] | {"deviations": deviations}))
    return Opening(**(dict(row) | {"measured": measured}))


def for_game(game_id: str) -> Opening | None:
    """The opening of a game; None where nobody has chosen one."""
    return openings().get(game_id)


def lineup(opening: Opening, first: Configuration, seats: int) -> list[Configuration]:
    """One engine against the second one: its partner is like it, and so are all opponents."""
    step = 2 if game_registry.get(opening.game).traits.has_teams else seats
    return [first if seat % step == 0 else opening.second for seat in range(seats)]


def stored_spread(spec: ExperimentSpec, measure: str) -> Spread | None:
    """How far deals spread by the table: of its game and number of seats; None where the table says nothing.

    Of another number of matches a deal it is taken that these have nothing in common.
    """
    opening = for_game(spec.game)
    if opening is None or opening.measured.seats != spec.seats or spec.has_agents:
        return None
    design, known = Design.of(spec), opening.measured.deviations[measure]
    seatings = opening.measured.matches / opening.measured.deals
    deviation = known[1 if design.arms > 1 else 0] * (seatings / design.seatings) ** 0.5
    return Spread(deviation, opening.measured.deals, STORED)


def known_spread(spec: ExperimentSpec, measure: str) -> Spread | None:
    """The spread where nothing of the spec's own has been played; None of margins that nobody has measured."""
    found = stored_spread(spec, measure)
    if found is None and measure == WIN_RATE:
        return designs.even_spread(Design.of(spec))
    return found


def measure(chosen: Sequence[str], deals: int, date: str, processes: int) -> Iterator[dict[str, Any]]:
    """Play the openings of some games, and yield their rows as the file has them."""
    for opening in (row for game, row in openings().items() if game in chosen):
        spec = measuring_spec(opening, deals)
        first, second = map(seat_to_json, spec.arms[0].seats[:2])
        records = [record for part in batch.play(spec, processes) for record in part]
        results = [record.results[record.lineup.index(0)] for record in records if record.arm == 0 and record.results]
        deviations = {name: _deviations(trial.values_of(spec, records, name)) for name in (WIN_RATE, MARGIN)}
        yield {
            "game": opening.game,
            "first": first,
            "second": second,
            "third": seat_to_json(spec.arms[1].seats[0]),
            "measured": {
                "date": date,
                "deals": deals,
                "seats": spec.seats,
                "matches": len(results),
                "won": results.count("win"),
                "drawn": results.count("draw"),
                "deviations": deviations,
            },
        }


def measuring_spec(opening: Opening, deals: int) -> ExperimentSpec:
    """The experiment that is played for the table."""
    seats = max(2, game_registry.get(opening.game).traits.min_seats)
    arms = [
        {"name": name, "seats": lineup(opening, one, seats)}
        for name, one in (("first", opening.first), ("third", opening.third))
    ]
    rest = {"deals": deals, "seed": SEED, "record": "matches"}
    return specs.from_json({"version": specs.VERSION, "game": opening.game, "seats": seats, "arms": arms, **rest})


def _deviations(values: Array) -> list[float]:
    """Of an arm (root of the mean square of both), and of their difference."""
    alone = float(np.sqrt(values.var(axis=1, ddof=1).mean()))
    return [round(alone, 4), round(float((values[0] - values[1]).std(ddof=1)), 4)]


def text(rows: Sequence[Mapping[str, Any]]) -> str:
    """The file that holds the rows."""
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    return f'{{"format": "{FORMAT}", "openings": [\n' + ",\n".join(lines) + "\n]}"
