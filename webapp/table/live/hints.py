"""Hints: who may have one, asking for one, and what it says. Only the player of the seat sees it.

A hint is computed by a worker (`hint_queue`) from the seat's view alone. It counts as used when
it is given, not when it is asked for.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from webapp.common.errors import RefusedError
from webapp.records import work_source
from webapp.table.live import action_words, ply_writer, position_cache, rows, table_seats, turn
from webapp.table.live.models import LiveHint, LiveMatch, LiveSeat
from webapp.table.live.table_seats import Table
from worker.recorder import INTERACTIVE

OPEN = (LiveHint.Status.WAITING, LiveHint.Status.CLAIMED)


def why_none(match: LiveMatch) -> str:
    """Say why a match can have no hints even if all players agree; empty if it can."""
    if match.experiment_id is not None:
        return "There are no hints in the matches of an experiment."
    if match.is_rated:
        return "There are no hints in a rated match."
    return "" if match.has_aids else "This match is played on the bare board, without hints."


def why_not(table: Table) -> str:
    """Say why the asker may have no hints at this table; empty where they may."""
    if refusal := table_seats.why_no_player(table) or why_none(table.match):
        return refusal
    if any(row.kind == LiveSeat.Kind.AGENT for row in table.playing):
        return "There are no hints at a table with programs that play over the network."
    people = [row for row in table.rows if row.kind == LiveSeat.Kind.PERSON]
    if table.others and not all(row.allows_hints for row in people):
        agreed = [row.name for row in people if row.allows_hints and row.seat not in table.seats]
        said = f"{' and '.join(agreed)} agreed to hints. " if agreed else ""
        return f"{said}Between people there are hints once all who play have agreed to them."
    return ""


def why_not_now(table: Table) -> str:
    """Say why the asker cannot have a hint in this position; empty where they can."""
    if refusal := why_not(table):
        return refusal
    on_turn = table.match.on_turn in [row.seat for row in table.held]
    return "" if on_turn and table.match.resumes_at is None else "A hint is for your own turn."


# ---- agreeing, between people


def why_not_allow(table: Table) -> str:
    """Say why the asker cannot agree to hints; empty where they can."""
    if refusal := table_seats.why_no_player(table) or why_none(table.match):
        return refusal
    if any(row.kind != LiveSeat.Kind.PERSON for row in table.playing):
        return "There are no hints at a table with programs that play over the network."
    if not table.others:
        return "Nobody else plays here: nobody has to agree."
    return "You have agreed to hints." if all(row.allows_hints for row in table.held) else ""


def allow(table: Table) -> LiveMatch:
    """The asker agrees to hints for all. The match is locked, and the wish was found possible."""
    return _set_allowed(table, is_allowed=True)


def why_not_disallow(table: Table) -> str:
    """Say why the asker cannot take back that they agreed; empty where they can."""
    if refusal := table_seats.why_no_player(table):
        return refusal
    has_agreed = bool(table.others) and any(row.allows_hints for row in table.held)
    return "" if has_agreed else "You have not agreed to hints."


def disallow(table: Table) -> LiveMatch:
    """Stop hints for everybody from now on."""
    return _set_allowed(table, is_allowed=False)


def _set_allowed(table: Table, *, is_allowed: bool) -> LiveMatch:
    table.match.seats.filter(seat__in=[row.seat for row in table.held]).update(allows_hints=is_allowed)
    turn.save_change(table.match)
    return table.match


# ---- one hint


@transaction.atomic
def ask(match_id: int, seats: tuple[int, ...]) -> LiveHint:
    """Ask for a hint for the one of `seats` that is on turn; a position that has its hint gets no second one.

    Raises RefusedError with a sentence.
    """
    match = ply_writer.lock_match(match_id)
    if refusal := why_not_now(table_seats.look_up(match, seats)):
        raise RefusedError(refusal)
    seat = match.on_turn
    assert seat is not None  # else a reason was given
    known = match.hints.filter(seat=seat).first()
    if known is not None and is_current(known, match) and known.status != LiveHint.Status.FAILED:
        return known
    match.hints.filter(seat=seat).delete()
    made: LiveHint = match.hints.create(seat=seat, ply=match.ply, digest=match.digest)
    work_source.wake(INTERACTIVE)
    return made


def cancel(match: LiveMatch, seats: tuple[int, ...]) -> None:
    """Delete hints that are not given yet; a worker that computes one finds out."""
    match.hints.filter(seat__in=seats, status__in=OPEN).delete()


def is_current(hint: LiveHint, match: LiveMatch) -> bool:
    """Whether a hint is for the position in which the match stands."""
    return (hint.ply, hint.digest) == (match.ply, match.digest)


def hint_for(match: LiveMatch, seats: tuple[int, ...]) -> dict[str, Any] | None:
    """The hint for the position, as the page of the seat on turn shows it; None where none was asked for.

    Keys: status, progress (0 to 1), ply, result (see `worker.action_values.advice`; its rows have `words`,
    too; None before it is there).
    """
    if match.on_turn is None or match.on_turn not in seats:
        return None
    hint = rows.HINT.first(match.pk, match.on_turn)
    if hint is None or not is_current(hint, match):
        return None
    result = hint.result if hint.status == LiveHint.Status.DONE else None
    return {"status": hint.status, "progress": round(hint.progress, 2), "ply": hint.ply, "result": result}


@transaction.atomic
def store_result(hint_id: int, claimed_at: Any, result: dict[str, Any]) -> bool:
    """Keep what was found, and count it, where the match still waits for it; say whether it does."""
    match_id = LiveHint.objects.filter(pk=hint_id).values_list("match_id", flat=True).first()
    if match_id is None:
        return False
    match = ply_writer.lock_match(match_id)
    hint = match.hints.select_for_update().filter(pk=hint_id, claimed_at=claimed_at).first()
    if hint is None:
        return False
    entry = match.seats.get(seat=hint.seat)
    if not is_current(hint, match) or match.on_turn != hint.seat or entry.kind != LiveSeat.Kind.PERSON:
        hint.delete()
        return False
    position = position_cache.position_at(match)
    for row in result["rows"]:
        row["words"] = action_words.suggest_action(position.game, position.state, row["action"])
    hint.status, hint.progress, hint.result, hint.worker = LiveHint.Status.DONE, 1.0, result, ""
    hint.save()
    entry.hints_used += 1
    entry.save(update_fields=["hints_used"])
    return True
