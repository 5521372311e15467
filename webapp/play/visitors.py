"""Who looks at a match in play, and what they may do there."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest

from webapp.accounts import guests
from webapp.accounts.models import User
from webapp.live.models import LiveMatch


@dataclass(frozen=True)
class Visitor:
    """A person (None: nobody known) at a match; seats: those the person holds, in order."""

    match: LiveMatch
    person: User | None
    seats: tuple[int, ...]

    @property
    def is_creator(self) -> bool:
        """Whether this person set the match up."""
        return self.person is not None and self.match.creator_id == self.person.pk


def visitor(request: HttpRequest, code: str) -> Visitor:
    """The match with this code for whoever asks.

    Raises Http404 where there is none, or it is private and not theirs (both look the same). A
    match of an experiment shows in its lists only, not here, to others than its agents' owners.
    """
    match = LiveMatch.objects.select_related("experiment", "creator").filter(code=code).first()
    if match is None:
        raise Http404("no such match")
    person = guests.person(request)
    seats: tuple[int, ...] = ()
    if person is not None:
        seats = tuple(match.seats.filter(person=person).order_by("seat").values_list("seat", flat=True))
    found = Visitor(match, person, seats)
    if match.visibility == LiveMatch.Visibility.PRIVATE and not seats and not found.is_creator:
        raise Http404("no such match")
    return found
