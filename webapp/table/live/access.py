"""Access to a match in play, and to what it leaves: one rule for pages and the API.

What is private, what has a deal that its asker is playing and what is not there look the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from secrets import compare_digest

from django.http import Http404

from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.records.models import Match
from webapp.table.live import challenges, deal_sights, rows, seat_return, table_seats
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.table_seats import Table

CODE = re.compile(r"[a-z0-9]{1,16}")
HIDDEN = "no such match"


@dataclass(frozen=True)
class Asker:
    """A person (None: nobody known), or an agent that asks for itself; then `person` is its owner."""

    person: User | None
    agent: Agent | None = None

    def sits(self, row: LiveSeat) -> bool:
        """Whether this seat is the asker's, or was until an engine took over."""
        if self.agent is not None:
            return row.agent_id == self.agent.pk
        return self.person is not None and row.person_id == self.person.pk

    def sends(self, row: LiveSeat) -> bool:
        """Whether an agent of this person sits there: people may look on where their agents play, agents may not."""
        if self.person is None or self.agent is not None:
            return False
        return row.agent is not None and row.agent.owner_id == self.person.pk

    def has_set_up(self, match: LiveMatch, own: Collection[int]) -> bool:
        """Whether the match is the asker's to call off. own: their seats.

        An agent has a part in its owner's only where it sits itself, and one of an experiment is the owner's alone.
        """
        is_theirs = self.person is not None and match.creator_id == self.person.pk
        return is_theirs and (self.agent is None or (bool(own) and match.experiment_id is None))


def find(code: str, asker: Asker, *, key: str = "") -> Table:
    """The match with this code as its asker comes to it. Raises Http404 where they may not look at it.

    A match that is not private is everybody's to look at, others are for those who sit or sat
    there, who set it up, or whose agents play in it, and for those who have the key of its invitation.
    A match of an experiment is always private. One with a deal that the asker is playing
    themselves shows nothing before they are done; that they have looked at another is noted (`deal_sights`).
    """
    seats = rows.SEATS_BY_CODE.all(code) if CODE.fullmatch(code) else []
    if not seats:
        raise Http404(HIDDEN)
    match: LiveMatch = seats[0].match
    table = _table(match, seats, asker)
    is_public = match.visibility != LiveMatch.Visibility.PRIVATE and match.experiment_id is None
    is_theirs = bool(table.own) or table.is_creator or any(asker.sends(row) for row in table.rows)
    if not (is_public or is_theirs or is_key(match, key)):
        raise Http404(HIDDEN)
    if not table.own:
        if challenges.hides(match.deal_seed, asker.person, but=match):
            raise Http404(HIDDEN)
        deal_sights.note(match, asker.person)
    return table


def table_of(match: LiveMatch, asker: Asker) -> Table:
    """The table as an asker comes to it who may look at it."""
    return _table(match, table_seats.seats_of(match), asker)


def _table(match: LiveMatch, seats: Sequence[LiveSeat], asker: Asker) -> Table:
    own = tuple(row.seat for row in seats if asker.sits(row))
    return Table(match, tuple(seats), own, asker.has_set_up(match, own), None if asker.agent else asker.person)


def is_key(match: LiveMatch, key: str) -> bool:
    """Whether the key is that of the match's invitation."""
    return bool(key) and compare_digest(match.invite.encode(), key.encode("utf-8", "replace"))


# ---- how far


def last_ply(table: Table) -> int:
    """The last ply that the asker may see: spectators may have to wait for it, those with a seat to go back to not."""
    match = table.match
    if table.seats or match.is_over or seat_return.vacant_seats(match, table.rows, table.own):
        return match.ply
    return max(0, match.ply - match.spectator_delay)


def is_disclosed(match: LiveMatch) -> bool:
    """Whether nothing of the match is a secret any more: it is over, and all others of its experiment are."""
    return match.is_over and not (match.experiment is not None and match.experiment.is_secret)


def record_of(match: LiveMatch) -> Match | None:
    """The record of a match; None before it may be known, or where there is none."""
    if not is_disclosed(match) or match.match_id is None:
        return None
    return Match.objects.select_related("experiment").get(pk=match.match_id)


def may_analyse(table: Table) -> bool:
    """Whether the asker has engines think about positions: who played it, or set it up, with an account."""
    has_account = table.person is not None and not table.person.is_guest
    return has_account and bool(table.own or table.is_creator)
