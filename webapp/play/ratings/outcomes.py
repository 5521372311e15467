"""Outcome of a rated match: sides and their ranks, or why it does not count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webapp.play.ratings import anchors
from webapp.records.models import Seat
from webapp.table.live import rated_rules, table_seats
from webapp.table.live.models import LiveMatch, LiveSeat

LEFT = ("resigned", "over_time", "absent")
"""Endings that are somebody's doing: that side has lost."""
AGREED = "It was ended by agreement."
FAILED = "It ended without a result."
REPLACED = "A weaker engine had to play on for one that failed."
NO_ANCHOR = "One of its levels has no known rating."


@dataclass(frozen=True)
class Outcome:
    """sides: rows by side; ranks: of the sides, 1 is best; why_not: where it does not count, the rest empty then."""

    sides: tuple[tuple[LiveSeat, ...], ...] = ()
    ranks: tuple[int, ...] = ()
    why_not: str = ""

    def result(self, side: int) -> str:
        """Win (alone in front), draw (in front with others) or loss."""
        if self.ranks[side] > 1:
            return "loss"
        return "win" if self.ranks.count(1) == 1 else "draw"


def outcome_of(match: LiveMatch) -> Outcome:
    """The outcome of a match that is over and was begun.

    A player who left has lost, however the match went on without them: their side comes last. Where
    those who stayed agreed to end it, they are equal.
    """
    rows = list(match.seats.order_by("seat"))
    if refusal := _refusal(match, rows):
        return Outcome(why_not=refusal)
    number = table_seats.num_sides(match)
    sides = tuple(tuple(row for row in rows if row.seat % number == side) for side in range(number))
    left = {row.seat % number for row in rows if _has_left(row)}
    if match.status == LiveMatch.Status.ENDED:
        assert match.ending is not None  # else it was refused
        if match.ending["kind"] in LEFT:
            left.add(match.ending["seat"] % number)
        ranks = [1] * number
    else:
        ranks = _played(match, number)
    last = max(ranks) + 1
    return Outcome(sides, _dense([last if side in left else rank for side, rank in enumerate(ranks)]))


def _refusal(match: LiveMatch, rows: Sequence[LiveSeat]) -> str:
    """Say why the match cannot count; empty where it can."""
    if any(_is_failure(note) for row in rows for note in row.replaced or ()):
        return REPLACED
    if any(row.kind == LiveSeat.Kind.ENGINE and not row.replaced and _is_unknown(match, row) for row in rows):
        return NO_ANCHOR
    if match.status == LiveMatch.Status.FINISHED:
        return "" if match.match_id is not None else FAILED
    ending = match.ending or {}
    if ending.get("kind") == "agreed":
        return "" if any(_has_left(row) for row in rows) else AGREED
    if ending.get("kind") not in LEFT or ending.get("seat") is None:
        return FAILED
    return ""


def _is_unknown(match: LiveMatch, row: LiveSeat) -> bool:
    pool = rated_rules.pool_of(match.game, match.options) or rated_rules.PAPER
    return anchors.get(match.game, pool, row.level) is None


def _is_failure(note: dict[str, Any]) -> bool:
    """Whether an engine left the seat because it failed, not because its person came back."""
    return "engine" in note and note["kind"] != "returned"


def _has_left(row: LiveSeat) -> bool:
    return any(note["has_lost"] for note in row.replaced or ())


def _played(match: LiveMatch, number: int) -> list[int]:
    """Ranks of the sides as the rules gave them: partners have one rank."""
    ranks = dict(Seat.objects.filter(match=match.match_id).values_list("seat", "rank"))
    return [
        min(rank for seat, rank in ranks.items() if rank is not None and seat % number == side)
        for side in range(number)
    ]


def _dense(ranks: Sequence[int]) -> tuple[int, ...]:
    """The same order, without gaps, from 1 on."""
    places = sorted(set(ranks))
    return tuple(places.index(rank) + 1 for rank in ranks)
