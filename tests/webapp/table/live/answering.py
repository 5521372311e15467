"""Engines at the table, answering in this process by the code that workers run."""

from __future__ import annotations

from typing import Any

from django.db import connection

from tests.webapp.table.live.tables import courses_kept
from webapp.records.claimed_task import Worker
from webapp.table.live import engine_queue, engine_turns, hint_queue
from webapp.table.live.engine_claims import TurnClaim
from webapp.table.live.engine_queue import TURNS
from webapp.table.live.hint_queue import HINTS
from webapp.table.live.models import LiveHint, LiveMatch
from worker.stop_switch import StopSwitch


def claim(match: LiveMatch) -> TurnClaim | None:
    """Claim the turn of the engine that is due, over Django's connection; None where none is."""
    found = engine_queue.take(worker(), match.pk)
    return None if found is None else found.claim


def carry_out(claimed: TurnClaim) -> None:
    """Do what was claimed, and release it."""
    try:
        with courses_kept():
            engine_turns.carry_out(claimed, StopSwitch(), lambda: True)
        TURNS.give_back(worker().connection, claimed)
    finally:
        TURNS.release(worker().connection, claimed)


def answer(match: LiveMatch, plies: int | None = None) -> LiveMatch:
    """Play the next `plies` that engines have to play, or all until somebody else is on turn."""
    while plies != 0 and (claimed := claim(match)) is not None:
        carry_out(claimed)
        plies = None if plies is None else plies - 1
    match.refresh_from_db()
    return match


def advise(hint: LiveHint) -> None:
    """Work a hint out and give it."""
    found = hint_queue.take(worker(), hint.pk)
    if found is None:
        return
    try:
        found.carry_out(StopSwitch())
        found.give_back(found.connection)
    finally:
        HINTS.release(found.connection, found.claim)


def worker() -> Worker:
    """This process, with Django's connection."""
    connection.ensure_connection()
    raw: Any = connection.connection
    return Worker("tests:0", raw, lambda: raw)
