"""Rules for people without an account: engines only, one match at a time, a second a ply."""

from __future__ import annotations

from collections.abc import Iterable

from engines import levels
from webapp.people.accounts.models import User
from webapp.table.live.models import LiveMatch
from worker.spec import SeatSpec

MAX_SECONDS_PER_PLY = 1.0
NO_PEOPLE = "Guests play against engines. To play with others, sign up: it takes a name and a password."
ONE_MATCH = "Guests play one match at a time. Finish yours or resign first, or sign up."
TOO_SLOW = f"Guests' engines think {MAX_SECONDS_PER_PLY:g} s a move at most. Sign up to give them more."


def refusal(guest: User, game_id: str, others: Iterable[tuple[SeatSpec | None, str]]) -> str:
    """Say in a sentence why a guest may not open such a match; empty where they may.

    others: of every seat but the guest's own its engine (None: it is for somebody else) and the
    id of its level, empty where it is none.
    """
    for engine, level_id in others:
        if engine is None:
            return NO_PEOPLE
        if not is_quick(game_id, engine, level_id):
            return TOO_SLOW
    live = (LiveMatch.Status.OPEN, LiveMatch.Status.RUNNING)
    return ONE_MATCH if LiveMatch.objects.filter(creator=guest, status__in=live).exists() else ""


def is_quick(game_id: str, engine: SeatSpec, level_id: str = "") -> bool:
    """Whether an engine is quick enough for guests: it counts seconds, takes no budget, or is a level.

    What takes no budget does not think, or is bounded whatever its options are (`engines.hands`).
    """
    seconds = engine.budget.seconds_per_ply
    if seconds is not None:
        return seconds <= MAX_SECONDS_PER_PLY
    budget = engine.budget.to_json()
    return not budget or any(level.id == level_id and level.budget == budget for level in levels.for_game(game_id))
