"""The seats of a match in play, from the view of one person or agent who asks."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from games import registry as game_registry
from webapp.people.accounts.models import User
from webapp.table.live import rows
from webapp.table.live.models import LiveMatch, LiveSeat

ACTORS = (LiveSeat.Kind.PERSON, LiveSeat.Kind.AGENT)
"""Kinds of seats that somebody from outside plays."""


@dataclass(frozen=True)
class Table:
    """A match and all its seats, as an asker comes to it: a person, an agent, or nobody known.

    own: seats that the asker plays, and those where an engine has taken over since (they may still
    look, as a spectator); is_creator: whether the match is theirs to call off; person: the asker,
    where it is one.
    """

    match: LiveMatch
    rows: tuple[LiveSeat, ...]
    own: tuple[int, ...]
    is_creator: bool = False
    person: User | None = None

    @cached_property
    def held(self) -> list[LiveSeat]:
        """Seats that the asker still plays."""
        return [row for row in self.rows if row.seat in self.own and row.kind in ACTORS]

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """Numbers of the seats that the asker still plays."""
        return tuple(row.seat for row in self.held)

    @cached_property
    def playing(self) -> list[LiveSeat]:
        """Seats that people and agents play."""
        return [row for row in self.rows if row.kind in ACTORS]

    @cached_property
    def others(self) -> list[LiveSeat]:
        """Seats of other people and agents."""
        return [row for row in self.playing if row.seat not in self.seats]

    @property
    def acting(self) -> LiveSeat:
        """The asker's seat that acts: the one on turn where it is theirs. The asker holds one."""
        return next((row for row in self.held if row.seat == self.match.on_turn), self.held[0])


def seats_of(match: LiveMatch) -> tuple[LiveSeat, ...]:
    """All seats, with the engines and agents that sit there."""
    seats = rows.SEATS.all(match.pk)
    for seat in seats:
        seat.match = match
    return tuple(seats)


def look_up(match: LiveMatch, own: Sequence[int], is_creator: bool = False) -> Table:
    """The table as it is now, for the asker who has or had these seats."""
    return Table(match, seats_of(match), tuple(own), is_creator)


def as_of(rows: Iterable[LiveSeat], ply: int) -> list[LiveSeat]:
    """Copies of the seats as they were when `ply` plies had been played: players who came later are left out."""
    return [_as_of(row, ply) for row in rows]


def _as_of(row: LiveSeat, ply: int) -> LiveSeat:
    notes = row.replaced or []
    past = [note for note in notes if note["ply"] <= ply]
    if len(past) == len(notes):
        return row
    then, seat = notes[len(past)], copy.copy(row)
    seat.name, seat.level, seat.configuration = then["name"], then.get("level", ""), None
    seat.replaced = past or None
    if "engine" in then:
        seat.kind = LiveSeat.Kind.ENGINE
    else:
        seat.kind = LiveSeat.Kind.PERSON if row.agent_id is None else LiveSeat.Kind.AGENT
    return seat


def num_sides(match: LiveMatch) -> int:
    """Parties that play against each other: seats, or teams."""
    has_teams = game_registry.get(match.game).traits.has_teams
    return 2 if has_teams and match.num_seats % 2 == 0 else match.num_seats


def why_no_player(table: Table) -> str:
    """Say why the asker cannot do what players of a running match do; empty where they can."""
    if table.match.status == LiveMatch.Status.OPEN:
        return "The match has not begun."
    if table.match.is_over:
        return "The match is over."
    if table.own and not table.held:
        return "An engine has taken over your seat."
    if not table.held:
        return "Only those who play can do that."
    return ""
