"""Taking back one's last decision, with all that followed it, also what was drawn.

Not in rated matches, with agents or where friends play the same deal. Where every other seat is an engine it happens
at once; among people one asks, and all others have to agree, since what they showed meanwhile is known. The next ply
ends the asking; what was declined is not asked again before it. The match is then marked as practised
(`LiveMatch.is_taken_back`) and counts for no figure. Nothing is won by trying: the deal is fixed by its seed, so
the same is drawn again, whatever is chosen, as far as the game's rules leave it the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils import timezone

from webapp.table.live import plies, position_cache, table_seats, turn
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.table_seats import Table

SAME_DEAL = "Others play the same deal, so nothing is taken back: results are set side by side."


def why_not(table: Table) -> str:
    """Say why the asker cannot take back a decision, or ask the others to let them; empty where they can."""
    if refusal := table_seats.why_no_player(table) or why_never(table):
        return refusal
    if (other := asking(table.rows)) is not None:
        is_own = other.seat in table.seats
        return "You have asked. The others have to agree." if is_own else f"{other.name} asks to take back."
    if any(row.back for row in table.rows):
        return "That was declined. It can be asked again after the next move."
    has_decided = table.match.ply and _target(table) is not None
    return "" if has_decided else "You have not decided anything yet."


def why_never(table: Table) -> str:
    """Say why nothing is ever taken back at this table; empty where it may be."""
    match = table.match
    if match.experiment_id is not None:
        return "Nothing is taken back in the matches of an experiment."
    if match.is_rated:
        return "Nothing is taken back in a rated match."
    if table.others and any(row.kind == LiveSeat.Kind.AGENT for row in table.playing):
        return "Against programs that play over the network nothing is taken back."
    return SAME_DEAL if match.challenge_id is not None else ""


def take_back(table: Table) -> LiveMatch:
    """Go back to before the asker's last decision; among people ask the others first.

    The match is locked, and the wish was found possible. An engine that thinks about its answer learns that nobody
    waits for it any more.
    """
    if table.others:
        return _say(table, table.held[:1], LiveSeat.Back.ASKED)
    return _go_back(table.match, _target(table))


def _go_back(match: LiveMatch, back_to: int | None) -> LiveMatch:
    """Go back to the position before a ply."""
    assert back_to is not None
    position = position_cache.position_at(match, back_to)
    gone = match.plies.filter(ply__gte=back_to)
    match.spent_keys = [*match.spent_keys, *gone.exclude(key="").order_by("ply").values_list("key", flat=True)]
    gone.delete()
    plies.forget(match.pk)
    match.ply, match.digest, match.is_taken_back = back_to, position.digest, True
    turn.offers_lapse(match)
    turn.put_on_turn(match, position.player, timezone.now())
    return match


def _target(table: Table) -> int | None:
    """The asker's last ply at which more than one action was legal: the position before it is the one to go back to."""
    return _last_decision(table.match, [row.seat for row in table.held])


def _last_decision(match: LiveMatch, own: Sequence[int]) -> int | None:
    if match.is_taken_back:  # its plies are not remembered
        found = match.plies.filter(seat__in=own, ply__gte=match.begun_at_ply, legal_count__gt=1)
        return found.order_by("-ply").values_list("ply", flat=True).first()
    played = reversed(plies.first_plies(match, match.ply)[match.begun_at_ply :])
    return next((row.ply for row in played if row.seat in own and row.legal_count > 1), None)


# ---- among people


def asking(rows: Iterable[LiveSeat]) -> LiveSeat | None:
    """The seat whose person asks to take back and waits for an answer; None where nobody does."""
    seats = list(rows)
    is_declined = any(row.back == LiveSeat.Back.DECLINED for row in seats)
    return None if is_declined else next((row for row in seats if row.back == LiveSeat.Back.ASKED), None)


def undone(table: Table, entry: LiveSeat) -> int:
    """Number of plies that would be undone for the one who asks from a seat."""
    back_to = _last_decision(table.match, _seats_of(table, entry))
    return 0 if back_to is None else int(table.match.ply - back_to)


def why_not_stop(table: Table) -> str:
    """Say why the asker cannot stop asking; empty where they can."""
    other = asking(table.rows)
    is_own = other is not None and other.seat in table.seats
    return table_seats.why_no_player(table) or ("" if is_own else "You have not asked to take back.")


def stop(table: Table) -> LiveMatch:
    """The asker plays on after all."""
    table.match.seats.update(back="")
    turn.save_change(table.match)
    return table.match


def why_not_answer(table: Table) -> str:
    """Say why the asker cannot agree that another takes back, or decline it; empty where they can."""
    if refusal := table_seats.why_no_player(table):
        return refusal
    other = asking(table.rows)
    if other is None or other.seat in table.seats:
        return "Nobody else asks to take back."
    return "You have agreed. The others have to, too." if all(row.back for row in table.held) else ""


def agree(table: Table) -> LiveMatch:
    """The asker agrees that another takes back; where all others have, it happens."""
    other = asking(table.rows)
    assert other is not None
    agreed = {row.person_id for row in table.rows if row.back or row.seat in table.seats}
    if all(row.person_id is None or row.person_id in agreed for row in table.playing):
        return _go_back(table.match, _last_decision(table.match, _seats_of(table, other)))
    return _say(table, table.held, LiveSeat.Back.AGREED)


def decline(table: Table) -> LiveMatch:
    """The asker does not want that another takes back: nothing is undone."""
    return _say(table, table.held, LiveSeat.Back.DECLINED)


def _seats_of(table: Table, entry: LiveSeat) -> list[int]:
    """All seats of the person of a seat."""
    return [row.seat for row in table.playing if row.person_id == entry.person_id]


def _say(table: Table, seats: Sequence[LiveSeat], word: LiveSeat.Back) -> LiveMatch:
    table.match.seats.filter(seat__in=[row.seat for row in seats]).update(back=word)
    turn.save_change(table.match)
    return table.match
