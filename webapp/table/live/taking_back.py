"""Taking back one's last ply, with the engines' answers to it.

Only where every other seat is an engine, and only back over plies after which neither chance
happened nor anything hidden was shown: what has been seen cannot be forgotten. In doubt it is
refused.
"""

from __future__ import annotations

import numpy as np
from django.utils import timezone

from games.protocol import Game
from webapp.table.live import position_cache, table_seats, turn
from webapp.table.live.models import LiveMatch
from webapp.table.live.position_cache import Position
from webapp.table.live.table_seats import Table

DRAWN = "Something was drawn after your last ply, so it cannot be taken back."
SHOWN = "Something hidden may have been shown since your last ply, so it cannot be taken back."


def why_not(table: Table) -> str:
    """Say why the asker cannot take back a ply; empty where they can."""
    match = table.match
    if refusal := table_seats.why_no_player(table):
        return refusal
    if match.experiment_id is not None:
        return "Nothing is taken back in the matches of an experiment."
    if match.is_rated:
        return "Nothing is taken back in a rated match."
    if table.others:
        return "Against people and agents nothing is taken back."
    if match.on_turn not in table.own:
        return "Wait for the engine: a ply is taken back when it is your turn again."
    if not match.ply or (back_to := _target(table)) is None:
        return "You have not played yet."
    return _why_not_back(table, back_to)


def take_back(table: Table) -> LiveMatch:
    """Go back to before the asker's last ply. The match is locked, and the wish was found possible."""
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
    """The asker's last ply: the position before it is the one to go back to."""
    plies = table.match.plies.filter(seat__in=[row.seat for row in table.held], ply__gte=table.match.begun_at_ply)
    return plies.order_by("-ply").values_list("ply", flat=True).first()


def _why_not_back(table: Table, back_to: int) -> str:
    match = table.match
    if position_cache.position_at(match).outcomes:  # the usual case, without walking
        return DRAWN
    after = [position_cache.position_at(match, ply) for ply in range(back_to, match.ply + 1)]
    if any(position.outcomes for position in after[1:]):
        return DRAWN
    if after[0].game.traits.has_hidden_information and not _is_nothing_shown(table, after):
        return SHOWN
    return ""


def _is_nothing_shown(table: Table, after: list[Position]) -> bool:
    """Whether one own ply was all, and what it led to could be foreseen from the seat that played it."""
    if len(after) != 2 or len(table.held) != 1:
        return False
    row = table.match.plies.get(ply=after[0].ply)
    before, seen = after[0], after[1]
    return _foreseen(before.game, before, row.seat, row.action, seen)


def _foreseen(game: Game, before: Position, seat: int, action: int, seen: Position) -> bool:
    try:
        expected = game.apply(game.view(before.state, seat), action)
    except ValueError:  # the rules need what the seat does not know
        return False
    return bool(np.array_equal(expected, game.view(seen.state, seat)))
