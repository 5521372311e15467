"""The statements of a move and of a look: each is put together once (`webapp.common.statements`)."""

from __future__ import annotations

from django.db import connection

from webapp.common.statements import Reading, Writing
from webapp.table.live.models import LiveHint, LiveMatch, LivePly, LiveSeat

MATCH_BY_ID = Reading(LiveMatch, "t.id = %s")
LOCKED_MATCH = Reading(LiveMatch, "t.id = %s", further="FOR UPDATE OF t")
LOCKED_FREE_MATCH = Reading(LiveMatch, "t.id = %s AND t.experiment_id IS NULL", further="FOR UPDATE OF t")
SEATS = Reading(LiveSeat, "t.match_id = %s", ("configuration", "agent"), "ORDER BY t.seat")
SEATS_BY_CODE = Reading(LiveSeat, "match.code = %s", ("match", "configuration", "agent"), "ORDER BY t.seat")
PLY_WITH_KEY = Reading(LivePly, "t.match_id = %s AND t.key = %s")
HINT = Reading(LiveHint, "t.match_id = %s AND t.seat = %s")

MATCH = Writing(LiveMatch)
SEAT = Writing(LiveSeat, ("match_id", "seat"))
PLY = Writing(LivePly, ("match_id", "ply"))


def experiment_of(match_id: int) -> int | None:
    """Id of the experiment that a match belongs to; None where it is of none, or not there."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT experiment_id FROM live_livematch WHERE id = %s", (match_id,))
        found = cursor.fetchone()
    return found[0] if found else None
