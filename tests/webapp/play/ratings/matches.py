"""Rated matches for tests, over as soon as they have begun."""

from __future__ import annotations

from typing import Any

from engines import levels
from tests.webapp.table.live import tables
from webapp.play.level_cards import measured_seat
from webapp.table.live import player_requests
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan, Terms

RATED = Terms(ply_limit_s=3600, is_rated=True)


def level(level_id: str, game: str = "carcassonne") -> SeatPlan:
    """A level as it was measured."""
    return tables.engine(measured_seat(game, levels.get(game, level_id)), level_id.capitalize(), level_id)


def open_rated(creator: Any, *others: Any, game: str = "carcassonne", **further: Any) -> LiveMatch:
    """A rated match of `creator` in the first seat; others: people, or plans; further: as `tables.open_match`."""
    seats = [other if isinstance(other, SeatPlan) else tables.person(other) for other in others]
    return tables.open_match(creator, [tables.person(creator), *seats], RATED, game=game, **further)


def lose(match: LiveMatch, seat: int = 0) -> LiveMatch:
    """Let a seat's person resign."""
    return player_requests.grant("resign", match.pk, [seat])
