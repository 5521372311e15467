"""Departures before the end: resigning, ending by agreement, running out of time, staying away.

With two sides the match ends; with more an engine takes the seat over, the others play on, and
the player who left has lost. Where nobody would be left to play on, the match ends.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import DatabaseError, transaction
from django.db.models import ExpressionWrapper, F, FloatField, Q, QuerySet
from django.db.models.functions import Extract
from django.utils import timezone

from webapp.common.formats import duration
from webapp.table.live import match_end, ply_writer, substitute_engines, table_seats, turn
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.plans import ANYBODY, INVITED
from webapp.table.live.table_seats import Table

logger = logging.getLogger(__name__)

BATCH = 100
"""Matches that one look of the sweeper deals with."""


# ---- what players wish; the match is locked, and the wish has been found possible


def why_not_resign(table: Table) -> str:
    """Say why the asker cannot resign; empty where they can. Before the start, resigning gives the seat back."""
    if table.match.status == LiveMatch.Status.OPEN and table.held:
        return "Cancel the match instead: you have set it up." if table.is_creator else ""
    return _why_not_leave(table)


def resign(table: Table) -> LiveMatch:
    """The asker gives up."""
    match = table.match
    if match.status == LiveMatch.Status.OPEN:
        for entry in table.held:
            _vacate(match, entry)
        turn.save_change(match)
        return match
    entry = table.acting
    _leave(match, entry, "resigned", f"{entry.name} resigned.")
    return match


def why_not_offer(table: Table) -> str:
    """Say why the asker cannot offer to end, or accept the offer; empty where they can."""
    if refusal := _why_not_leave(table):
        return refusal
    if not table.others:
        return "There is nobody to agree: you can resign."
    return "You have offered it already. The others have to agree." if _offers(table) else ""


def offer_end(table: Table) -> LiveMatch:
    """The asker offers to end the match; where all others have, it ends."""
    match, mine = table.match, {row.seat for row in table.held}
    match.seats.filter(seat__in=mine).update(offers_end=True)
    if all(row.offers_end for row in table.others):
        match_end.end(match, "agreed", None, "All who played agreed to end the match.")
    else:
        turn.save_change(match)
    return match


def why_not_withdraw(table: Table) -> str:
    """Say why the asker cannot withdraw an offer; empty where they can."""
    return table_seats.why_no_player(table) or ("" if _offers(table) else "You have not offered to end the match.")


def withdraw_offer(table: Table) -> LiveMatch:
    """The asker wants to play on after all."""
    table.match.seats.filter(seat__in=[row.seat for row in table.held]).update(offers_end=False)
    turn.save_change(table.match)
    return table.match


def _why_not_leave(table: Table) -> str:
    """Say why the asker cannot end the match early in any way; empty where they can."""
    if refusal := table_seats.why_no_player(table):
        return refusal
    return "Matches of an experiment are played to their end." if table.match.experiment_id is not None else ""


def _offers(table: Table) -> bool:
    return all(row.offers_end for row in table.held)


def _vacate(match: LiveMatch, entry: LiveSeat) -> None:
    """Empty a seat; the match has not begun."""
    entry.kind, entry.person, entry.agent = LiveSeat.Kind.OPEN, None, None
    entry.name = ANYBODY if match.visibility == LiveMatch.Visibility.PUBLIC else INVITED
    entry.save()


# ---- what becomes of a seat whose player is gone; the caller has locked the match


def take_over(match: LiveMatch, seat: int, kind: str, why: str) -> None:
    """Give a seat to the usual engine (`substitute_engines.default_substitute`). why: a sentence that all may read."""
    entry = match.seats.select_related("configuration").get(seat=seat)
    substitute_engines.sit_down(match, entry, substitute_engines.default_substitute(match.game), why, kind=kind)


def _leave(match: LiveMatch, entry: LiveSeat, kind: str, why: str, *, engine_comes: bool = False) -> None:
    """A player is gone. engine_comes: as `plays_on_without` says."""
    if plays_on_without(match, entry.seat, engine_comes=engine_comes):
        take_over(match, entry.seat, kind, why)
    else:
        match_end.end(match, kind, entry.seat, why)


def plays_on_without(match: LiveMatch, seat: int, *, engine_comes: bool = False) -> bool:
    """Whether an engine takes a seat over when its player is gone; else the match ends.

    engine_comes: it does among two sides, too.
    """
    if match.experiment_id is not None or not (engine_comes or table_seats.num_sides(match) > 2):
        return False
    return match.seats.filter(kind__in=table_seats.ACTORS).exclude(seat=seat).exists()


# ---- time


def overdue(now: datetime) -> list[LiveMatch]:
    """Running matches that wait for a seat whose time is up, or that nobody holds any more; a batch."""
    return list(_overdue(now).order_by("turn_began_at")[:BATCH])


def _overdue(now: datetime) -> QuerySet[LiveMatch]:
    waited = ExpressionWrapper(Extract(now - F("turn_began_at"), "epoch"), output_field=FloatField())
    is_gone = Q(seats__kind=LiveSeat.Kind.PERSON, seats__person=None) | Q(seats__kind=LiveSeat.Kind.AGENT) & (
        Q(seats__agent=None) | Q(seats__agent__retired_at__isnull=False) | Q(seats__agent__owner__is_active=False)
    )
    is_late = Q(waited_s__gt=F("clock_s") - F("seats__used_s")) | Q(waited_s__gt=F("ply_limit_s"))
    return LiveMatch.objects.annotate(waited_s=waited).filter(  # one filter: all of it is of the same seat
        is_gone | Q(seats__kind__in=table_seats.ACTORS) & is_late,
        status=LiveMatch.Status.RUNNING,
        seats__seat=F("on_turn"),
    )


def enforce(now: datetime | None = None) -> int:
    """End the waiting of all overdue matches, or of a batch of them; return how many.

    Idempotent, and safe beside another one: each match is looked at again once it is locked.
    One that cannot be dealt with is logged and does not keep the others waiting.
    """
    moment, done = now or timezone.now(), 0
    for match in overdue(moment):
        try:
            done += _enforce(match.pk, moment)
        except DatabaseError:
            raise
        except Exception:
            logger.exception("match in play %s: its time is up, and it cannot be ended", match.pk)
    return done


@transaction.atomic
def _enforce(match_id: int, now: datetime) -> bool:
    match = ply_writer.locked_if_free(match_id)
    if match is None or not _overdue(now).filter(pk=match_id).exists():
        return False  # somebody else is at it, or they have played in the meantime
    assert match.on_turn is not None
    assert match.turn_began_at is not None
    entry = match.seats.get(seat=match.on_turn)
    waited = now - match.turn_began_at
    if match.clock_s is not None and entry.used_s + waited.total_seconds() > match.clock_s:
        entry.used_s = match.clock_s
        entry.save(update_fields=["used_s"])
        _leave(match, entry, "over_time", f"{entry.name} ran out of time.")
    else:
        _leave(match, entry, "absent", _absence(match, entry, waited), engine_comes=match.replaces_absent)
    return True


def _absence(match: LiveMatch, entry: LiveSeat, waited: timedelta) -> str:
    if match.ply_limit_s is not None and waited.total_seconds() > match.ply_limit_s:
        return f"{entry.name} was away for more than {duration(match.ply_limit_s)}."
    return f"{entry.name} no longer plays here."
