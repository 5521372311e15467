"""Who looks at a match in play, and what they may do there."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest

from webapp.people.accounts import guests
from webapp.people.accounts.models import User
from webapp.records.models import Match
from webapp.table.live import challenges
from webapp.table.live.models import LiveMatch, LiveSeat


@dataclass(frozen=True)
class Visitor:
    """A person (None: nobody known) at a match.

    seats: those the person plays, in order; own: also those where an engine has taken over since
    (its person may still look, as a spectator).
    """

    match: LiveMatch
    person: User | None
    seats: tuple[int, ...]
    own: tuple[int, ...] = ()

    @property
    def is_creator(self) -> bool:
        """Whether this person set the match up."""
        return self.person is not None and self.match.creator_id == self.person.pk


def visitor(request: HttpRequest, code: str) -> Visitor:
    """The match with this code for whoever asks.

    Raises Http404 where there is none, or it is private and not theirs (both look the same). A
    match of an experiment shows in its lists only, not here, to others than its agents' owners; one
    with a deal that whoever asks plays themselves shows nothing before they are done.
    """
    match = LiveMatch.objects.select_related("experiment", "creator").filter(code=code).first()
    if match is None:
        raise Http404("no such match")
    person = guests.person(request)
    rows = [] if person is None else list(match.seats.filter(person=person).order_by("seat"))
    seats = tuple(row.seat for row in rows if row.kind == LiveSeat.Kind.PERSON)
    found = Visitor(match, person, seats, tuple(row.seat for row in rows))
    is_theirs = bool(rows) or found.is_creator or _sends_agent(match, person)
    if match.visibility == LiveMatch.Visibility.PRIVATE and not is_theirs:
        raise Http404("no such match")
    if not rows and challenges.hides(match.deal_seed, person, but=match):
        raise Http404("you play this deal yourself")
    return found


def _sends_agent(match: LiveMatch, person: User | None) -> bool:
    """Whether an agent of the person's plays in it."""
    return person is not None and match.seats.filter(agent__owner=person).exists()


def record_of(found: Visitor) -> Match | None:
    """What a match left, once nothing of it is a secret any more; None before, or where it left nothing."""
    live = found.match
    is_secret = live.experiment is not None and live.experiment.is_secret
    if not live.is_over or is_secret or live.match_id is None:
        return None
    return Match.objects.select_related("experiment").get(pk=live.match_id)


def may_analyse(request: HttpRequest, found: Visitor) -> bool:
    """Whether whoever asks has engines think about positions: who played it, or set it up, with an account."""
    return request.user.is_authenticated and bool(found.own or found.is_creator)
