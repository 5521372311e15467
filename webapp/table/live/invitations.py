"""Invitations by name: friends are asked to the open seats of a match, and accept by sitting down.

One ends by itself: after two days, with the last open seat, with the match, or with the friendship. Who
declines is not told of.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from webapp.common.errors import RefusedError
from webapp.common.limits import Limit
from webapp.people.accounts.models import User
from webapp.people.friends import selectors as friends
from webapp.table.live import ply_writer
from webapp.table.live.models import LiveInvitation, LiveMatch, LiveSeat

KEPT_FOR = timedelta(days=2)
MOST_OF_A_MATCH = 20
MOST_OF_A_PERSON = 40
SENT = Limit("person", 20, "invitations")


@transaction.atomic
def invite(match_id: int, inviter: User, name: str) -> User:
    """Invite a friend of that name to a match; return the friend. The same again changes nothing.

    Raises RefusedError with a sentence, TooManyError, LiveMatch.DoesNotExist.
    """
    match = ply_writer.lock_match(match_id)
    friend = friends.friend_by_name(inviter, name)
    if friend is None:
        raise RefusedError("You can invite your friends by name. Ask this person to be your friend first.")
    if match.creator_id != inviter.pk or match.experiment_id is not None:
        raise RefusedError("Only the player who set the match up can invite to it.")
    if match.status != LiveMatch.Status.OPEN:
        raise RefusedError("No seat is free any more.")
    if match.seats.filter(person=friend).exists():
        raise RefusedError(f"{friend.username} sits at this table already.")
    if not match.invitations.filter(person=friend).exists():
        _check_room(match, inviter)
        LiveInvitation.objects.create(match=match, inviter=inviter, person=friend)
    return friend


def _check_room(match: LiveMatch, inviter: User) -> None:
    """Raises RefusedError where one more is too many."""
    SENT.count(str(inviter.pk))
    if match.invitations.count() >= MOST_OF_A_MATCH:
        raise RefusedError(f"{MOST_OF_A_MATCH} people are invited to this match already.")
    open_ones = Q(match__status=LiveMatch.Status.OPEN, made_at__gt=timezone.now() - KEPT_FOR)
    if LiveInvitation.objects.filter(open_ones, inviter=inviter).count() >= MOST_OF_A_PERSON:
        raise RefusedError(f"{MOST_OF_A_PERSON} of your invitations wait for an answer. Wait, or send the link.")


def waiting_for(person: User) -> QuerySet[LiveInvitation]:
    """Invitations that wait for a person's answer, the newest first."""
    free = LiveSeat.objects.filter(match=OuterRef("match_id"), kind=LiveSeat.Kind.OPEN)
    return LiveInvitation.objects.filter(
        Exists(free),
        person=person,
        declined_at=None,
        made_at__gt=timezone.now() - KEPT_FOR,
        match__status=LiveMatch.Status.OPEN,
        inviter__in=friends.friend_ids(person),
    ).order_by("-made_at")


def is_invited(match: LiveMatch, person: User | None) -> bool:
    """Whether an invitation of this person to this match still holds."""
    return person is not None and not person.is_guest and waiting_for(person).filter(match=match).exists()


def invited_to(match: LiveMatch) -> set[int]:
    """Ids of the people who were invited by name; nobody learns here who declined."""
    return set(match.invitations.values_list("person_id", flat=True))


def decline(invitation: LiveInvitation) -> None:
    """Decline an invitation; who invited is not told."""
    LiveInvitation.objects.filter(pk=invitation.pk).update(declined_at=timezone.now())


def forget_old(now: datetime) -> int:
    """Delete invitations that have ended by their age; return how many rows went."""
    return LiveInvitation.objects.filter(made_at__lt=now - KEPT_FOR).delete()[0]
