"""Pictures of a match between two plies, for a page that shows what happened one ply after another.

A frame is the board after a ply as its reader may see it; where a round ended with it, the table as it lay then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.utils.safestring import SafeString

from games.json_paths import PathError
from webapp.play import boards, endings
from webapp.table.live import access, observations, position_cache
from webapp.table.live.models import LiveMatch
from webapp.table.live.snapshot import Scored, as_json
from webapp.table.live.table_seats import Table

MOST = 8
"""Plies that are shown one after another; of more the page shows the last alone."""


@dataclass(frozen=True)
class Frame:
    """ply: plies played; seat: who played the last; ended: whether a round or the match ended with it."""

    ply: int
    seat: int
    ended: bool
    scored: tuple[Scored, ...]
    board: SafeString

    def to_json(self) -> dict[str, Any]:
        """Data for the script."""
        return {name: as_json(value) for name, value in vars(self).items()}


def frames(table: Table, after: int, until: int) -> list[Frame]:
    """The boards after plies `after` + 1 to `until`, as far as the reader may see them; the last ones where too many.

    Raises PathError for numbers that are no plies, MovedError where the match moved meanwhile.
    """
    if table.match.status == LiveMatch.Status.OPEN:
        return []
    if not 0 <= after <= until:
        raise PathError(("after",), f"must be between 0 and {until}, not {after}")
    last = min(until, access.last_ply(table))
    return [_frame(table, ply) for ply in range(max(after, last - MOST) + 1, last + 1)]


def _frame(table: Table, ply: int) -> Frame:
    position = position_cache.position_at(table.match, ply)
    game, found = position.game, endings.at(table.match, ply)
    row = table.match.plies.filter(ply=ply - 1).first()
    if row is None:
        raise position_cache.MovedError("the move was taken back meanwhile")
    shown = position
    if found is not None:  # the table as it lay, which is remembered apart from the new deal
        shown = replace(position, state=found.state, digest=~position.digest)
    board = boards.draw_board(table, shown, observations.viewer(position, table.seats), 1).html
    scored = tuple(observations.as_scored(event) for event in game.events(position.state))
    return Frame(ply, row.seat, found is not None, scored, board)
