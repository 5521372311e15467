"""Engines at the table, answering in this process by the code that workers run."""

from __future__ import annotations

from typing import Any

from django.db import connection

from webapp.records import locks
from webapp.table.live import engine_claims, engine_turns, hint_claims
from webapp.table.live.engine_claims import TurnClaim
from webapp.table.live.hint_work import Hint
from webapp.table.live.models import LiveHint, LiveMatch
from worker.stopping import StopSwitch


def claim(match: LiveMatch) -> TurnClaim | None:
    """Claim the turn of the engine that is due, over Django's connection; None where none is."""
    return engine_claims.take(_raw(), "tests:0", match.pk)


def carry_out(claimed: TurnClaim) -> None:
    """Do what was claimed, and release it."""
    try:
        engine_turns.carry_out(claimed, StopSwitch(), lambda: True)
        engine_claims.give_back(_raw(), claimed)
    finally:
        locks.release(_raw(), locks.TURN, claimed.match_id)


def answer(match: LiveMatch, plies: int | None = None) -> LiveMatch:
    """Play the next `plies` that engines have to play, or all until somebody else is on turn."""
    while plies != 0 and (claimed := claim(match)) is not None:
        carry_out(claimed)
        plies = None if plies is None else plies - 1
    match.refresh_from_db()
    return match


def advise(hint: LiveHint) -> None:
    """Work a hint out and give it."""
    claimed = hint_claims.take(_raw(), "tests:0", hint.pk)
    if claimed is None:
        return
    try:
        Hint(_raw(), claimed).carry_out(StopSwitch())
        hint_claims.give_back(_raw(), claimed)
    finally:
        locks.release(_raw(), locks.HINT, hint.pk)


def _raw() -> Any:
    connection.ensure_connection()
    return connection.connection
