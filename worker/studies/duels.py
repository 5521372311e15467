"""Matches as studies play them: those of an experiment with one arm, seats changing every match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.json_paths import Path
from worker import schedule
from worker import spec as specs
from worker.spec import MatchSpec, seatings
from worker.studies.protocol import StudySpec

SEATS = 2
"""Seats of a duel."""


def seat(data: Any, path: Path, game_id: str) -> dict[str, Any]:
    """A seat as experiments write it, checked and complete. Raises SpecError naming the place."""
    return specs.seat_to_json(specs.seat_from_json(data, path, game_id))


def match(study: StudySpec, line_up: Sequence[Mapping[str, Any]], number: int, **options: Any) -> MatchSpec:
    """One match; options: of the game. Matches of the same number have the same luck whatever the line-up.

    As many matches as there are seats, one after another, have the same deal, with every entry in every
    seat; where entries are equal, some of them are the same match.
    """
    seats = len(line_up)
    spec = specs.from_json(
        {
            "version": specs.VERSION,
            "game": study.game,
            "options": options,
            "seats": seats,
            "arms": [{"name": "both", "seats": list(line_up)}],
            "deals": number // seats + 1,
            "rotation": seatings.TURNS,
            "seed": study.seed,
        }
    )
    return schedule.match_spec(spec, 0, number)
