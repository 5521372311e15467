"""The same deal for a friend: a match of one's own, with the same luck, seat and engines; compared when both are over.

The friend's browser learns nothing of the deal before: neither the seed nor the challenger's match.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.db.models import Q, QuerySet

from engines.protocol import Budget
from webapp.people.accounts.models import User
from webapp.table.live.models import Challenge, LiveMatch, LiveSeat
from webapp.table.live.plans import SeatPlan
from worker.spec import SeatSpec

LIVE = (LiveMatch.Status.OPEN, LiveMatch.Status.RUNNING)


def why_not(match: LiveMatch, seats: tuple[int, ...]) -> str:
    """Say why the player of these seats cannot challenge somebody with the match's deal; empty where they can."""
    if match.status != LiveMatch.Status.FINISHED:
        return "A deal can be given to a friend once the match has been played to its end."
    if match.experiment_id is not None or match.origin_id is not None or match.begun_at_ply or match.renewal:
        return "Only a match that was played from its start can be given to a friend."
    if match.challenge_id is not None:
        return "This deal came from a friend: only they can give it to others."
    rows = list(match.seats.order_by("seat"))
    others = [row for row in rows if row.seat not in seats]
    if len(seats) != 1 or any(row.replaced for row in rows):
        return "Only a player who played one seat to the end can give its deal to a friend."
    if any(row.kind != LiveSeat.Kind.ENGINE for row in others):
        return "Only a match against engines can be given to a friend: people do not play the same twice."
    return ""


def create_challenge(match: LiveMatch, seat: int) -> Challenge:
    """The challenge of a match, made where there is none; the caller has found it possible."""
    found, _ = Challenge.objects.get_or_create(
        origin=match, defaults={"code": secrets.token_urlsafe(12).replace("_", "-"), "seat": seat}
    )
    return found


def plans(of: Challenge, own: SeatPlan) -> list[SeatPlan]:
    """Plans of the seats: `own` in the challenger's seat, the same engines in the others."""
    return [
        own if row.seat == of.seat else _engine(row)
        for row in of.origin.seats.select_related("configuration").order_by("seat")
    ]


def _engine(row: LiveSeat) -> SeatPlan:
    kept = row.configuration
    assert kept is not None
    spec = SeatSpec(kept.engine, kept.options, Budget.from_json(kept.budget))
    return SeatPlan(name=row.name, engine=spec, level=row.level)


def fields(of: Challenge) -> dict[str, Any]:
    """Fields of a friend's match: the luck of the challenger's."""
    return {"deal_seed": of.origin.deal_seed, "challenge": of, "deal_is_known": True}


def match_of(of: Challenge, person: User | None) -> LiveMatch | None:
    """The match that somebody plays, or has played, of a challenge."""
    if person is None:
        return None
    return of.matches.filter(seats__person=person).order_by("pk").first()


def lock_and_find_match(of: Challenge, person: User) -> LiveMatch | None:
    """The match that somebody has of a challenge; until the transaction ends nobody else begins one of it."""
    Challenge.objects.select_for_update(no_key=True).get(pk=of.pk)
    return match_of(of, person)


def is_challenger(of: Challenge, person: User | None) -> bool:
    """Whether the challenge is this person's."""
    return person is not None and of.origin.seats.filter(seat=of.seat, person=person).exists()


def finished_matches(of: Challenge) -> QuerySet[LiveMatch]:
    """Friends' matches that were played to their end."""
    return of.matches.filter(status=LiveMatch.Status.FINISHED).order_by("ended_at", "pk")


def hides(deal_seed: int, person: User | None, *, but: LiveMatch | None = None) -> bool:
    """Whether this person plays a deal of a friend's, so that any other match of it would tell what is to come.

    All that shows a match to somebody who does not sit at it asks this, however the match came to
    have the deal. but: the match itself, where it is in play.
    """
    if person is None:
        return False
    is_shared = Q(challenge__isnull=False) | Q(deal_is_known=True, is_rated=True)  # rated: others meet its deal, too
    theirs = LiveMatch.objects.filter(is_shared, seats__person=person, status__in=LIVE)
    if but is not None:
        theirs = theirs.exclude(pk=but.pk)
    return theirs.filter(deal_seed=deal_seed).exists()
