"""Taking back one's last decision, with all that followed it, also what was drawn.

Only where every other seat is an engine, and the match is not rated: the match is then marked as practised
(`LiveMatch.is_taken_back`) and counts for no figure. Nothing is won by trying: the deal is fixed by its seed, so
the same is drawn again, whatever is chosen, as far as the game's rules leave it the same.
"""

from __future__ import annotations

from django.utils import timezone

from webapp.table.live import position_cache, table_seats, turn
from webapp.table.live.models import LiveMatch
from webapp.table.live.table_seats import Table

SAME_DEAL = "Others play the same deal, so nothing is taken back: results are set side by side."


def why_not(table: Table) -> str:
    """Say why the asker cannot take back a ply; empty where they can."""
    match = table.match
    if refusal := table_seats.why_no_player(table):
        return refusal
    if refusal := why_never(table):
        return refusal
    return "" if match.ply and _target(table) is not None else "You have not decided anything yet."


def why_never(table: Table) -> str:
    """Say why nothing is ever taken back at this table; empty where it may be."""
    match = table.match
    if match.experiment_id is not None:
        return "Nothing is taken back in the matches of an experiment."
    if match.is_rated:
        return "Nothing is taken back in a rated match."
    if table.others:
        return "Against people and agents nothing is taken back."
    return SAME_DEAL if match.challenge_id is not None else ""


def take_back(table: Table) -> LiveMatch:
    """Go back to before the asker's last decision. The match is locked, and the wish was found possible.

    An engine that thinks about its answer learns that nobody waits for it any more.
    """
    match, back_to = table.match, _target(table)
    assert back_to is not None
    position = position_cache.position_at(match, back_to)
    gone = match.plies.filter(ply__gte=back_to)
    match.spent_keys = [*match.spent_keys, *gone.exclude(key="").order_by("ply").values_list("key", flat=True)]
    gone.delete()
    match.ply, match.digest, match.is_taken_back = back_to, position.digest, True
    turn.offers_lapse(match)
    turn.put_on_turn(match, position.player, timezone.now())
    return match


def _target(table: Table) -> int | None:
    """The asker's last ply at which more than one action was legal: the position before it is the one to go back to."""
    match = table.match
    own = [row.seat for row in table.held]
    plies = match.plies.filter(seat__in=own, ply__gte=match.begun_at_ply, legal_count__gt=1)
    return plies.order_by("-ply").values_list("ply", flat=True).first()
