"""An engine's turn as it was claimed, for those who ask whether a match still waits for it."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.records.queue import Claim
from webapp.table.live.models import LiveMatch


@dataclass(frozen=True)
class TurnClaim(Claim):
    """A claimed turn of an engine in the match `row_id`; `deaths` counts attempts at this ply."""

    seat: int
    ply: int
    digest: int

    def is_held(self, match: LiveMatch) -> bool:
        """Whether the match stands where it did, and waits for this claim."""
        return match.claimed_at == self.token and self.is_due(match)

    def is_due(self, match: LiveMatch) -> bool:
        """Whether the match stands where it did."""
        if match.status != LiveMatch.Status.RUNNING or not match.is_engine_due:
            return False
        return (match.on_turn, match.ply, match.digest) == (self.seat, self.ply, self.digest)
