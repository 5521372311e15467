"""Starts a match for a person or a guest: once for each form shown, and within their limits."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest

from webapp.common.errors import RefusedError
from webapp.common.limits import TooManyError
from webapp.people.accounts import guests
from webapp.people.accounts.models import User
from webapp.table.live import challenges, match_limits, match_setup
from webapp.table.live.models import LiveMatch, LivePly
from webapp.table.live.plans import SeatPlan, Terms

GUEST = "Guest"
"""Name at tables of somebody without an account."""
MAX_REPEATS = 1000

YOURS = SeatPlan(name=GUEST)
"""The seat of the person who opens the match; somebody new has no row yet when the form is read."""

_draw = random.SystemRandom()


class BusyError(RefusedError):
    """Nothing new before this match is over: `match` is the one to go on with, or None."""

    def __init__(self, words: str, match: LiveMatch | None = None) -> None:
        super().__init__(words)
        self.match = match


@dataclass(frozen=True)
class Setup:
    """A match as it shall be opened.

    further: other fields of LiveMatch; taken_over: plies of another match, played already.
    """

    game_id: str
    options: Mapping[str, Any]
    seats: tuple[SeatPlan, ...]
    terms: Terms
    shuffle: bool = False
    further: Mapping[str, Any] = field(default_factory=dict)
    taken_over: Sequence[LivePly] = ()


def shown_name(person: User | None) -> str:
    """Name of a person at tables; None is somebody new."""
    return GUEST if person is None or person.is_guest else person.username


def start(request: HttpRequest, setup: Setup, submission: uuid.UUID, content: Mapping[str, str]) -> LiveMatch:
    """Open the match for the visitor; somebody new becomes a guest.

    submission: number of the shown form; content: what was sent. The same form sent twice gives
    one match, as long as that is not over. Raises SpecError naming the place, BusyError.
    """
    key = uuid.uuid5(submission, json.dumps(dict(content), sort_keys=True))
    known = _sent_before(key)
    if isinstance(known, LiveMatch):
        return _seen(request, known)
    try:
        person = guests.person_or_new_guest(request)
    except TooManyError as error:
        raise BusyError(str(error)) from None
    try:
        return _open(person, setup, known)
    except RefusedError as error:
        raise BusyError(str(error), match_limits.live_matches(person).first() if person.is_guest else None) from None
    except IntegrityError:  # the same form at the same moment
        again = LiveMatch.objects.filter(submission=known).select_related("creator").first()
        if again is None:
            raise
        return _seen(request, again)


def _sent_before(key: uuid.UUID) -> LiveMatch | uuid.UUID:
    """The match that this form opened and that goes on, or the number that its next one carries."""
    for repeat in range(MAX_REPEATS):
        number = uuid.uuid5(key, str(repeat))
        match = LiveMatch.objects.filter(submission=number).select_related("creator").first()
        if match is None:
            return number
        if not match.is_over:
            return match
    raise BusyError("This form has opened a thousand matches. Load the page again.")


def _seen(request: HttpRequest, match: LiveMatch) -> LiveMatch:
    """A guest whose first click was lost on the way is known by the second: only that browser has the form."""
    creator = match.creator
    if creator is not None and creator.is_guest and not request.user.is_authenticated:
        request.session[guests.SESSION_KEY] = creator.pk
    return match


@transaction.atomic
def _open(person: User, setup: Setup, submission: uuid.UUID) -> LiveMatch:
    """Open the match, or return the one of a challenge that the person has already. Raises RefusedError."""
    of = setup.further.get("challenge")
    if of is not None and (own := challenges.lock_and_find_match(of, person)) is not None:
        return own
    if not person.is_guest:  # a guest has one match, which `match_setup` sees to
        User.objects.select_for_update().get(pk=person.pk)  # two forms at once are counted one after the other
        match_limits.check_limit(person)
    mine = SeatPlan(name=shown_name(person), person=person)
    plans = [mine if plan == YOURS else plan for plan in setup.seats]
    if setup.shuffle:
        _draw.shuffle(plans)
    return match_setup.open_match(
        person,
        setup.game_id,
        setup.options,
        plans,
        setup.terms,
        submission=submission,
        taken_over=setup.taken_over,
        **setup.further,
    )
