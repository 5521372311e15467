"""Friendship is asked for by name, accepted or declined, ended, or made impossible by a block.

A stranger learns that a name exists, and nothing else: a request that was declined, or that meets a block,
looks to its asker like one that waits. Two requests that cross are a friendship.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from webapp.common.errors import RefusedError
from webapp.common.limits import Limit
from webapp.people.accounts.models import User
from webapp.people.friends import selectors
from webapp.people.friends.models import Block, Friendship

State = Friendship.State
MAX_FRIENDS, MAX_ASKED, MAX_BLOCKED = 200, 50, 500
ASKS = Limit("person", 10, "requests for friendship")
AGAIN_AFTER = timedelta(days=30)
"""Time after which who declined may be asked once more."""
NOBODY = "No account has this name. Check how it is written."
FULL = f"You have {MAX_FRIENDS} friends, as many as one may have. Remove one first."


def ask(person: User, name: str) -> str:
    """Ask somebody to be a friend; return what to tell the asker. Raises RefusedError, TooManyError."""
    if not name:
        raise RefusedError("Write the user name of whom you want to ask.")
    ASKS.count(str(person.pk))
    other = _account(name)
    if other == person:
        raise RefusedError("That is your own name.")
    with transaction.atomic():
        _lock(person, other)
        if person.blocks.filter(blocked=other).exists():
            raise RefusedError(f"You have blocked {other.username}. Unblock first.")
        row = selectors.between(person, other).first()
        if row is not None and row.state == State.ACCEPTED:
            raise RefusedError(f"{other.username} is your friend already.")
        _check_room(person)
        if row is not None and row.asker_id == other.pk and not row.is_withdrawn:
            _save(row, State.ACCEPTED)
            return f"You and {other.username} are friends now"
        _ask(person, other, row)
    return f"Asked: {other.username} stands among your friends once they accept"


def _ask(person: User, other: User, row: Friendship | None) -> None:
    """Make the request, or the withdrawn one anew; the two are locked."""
    now, may_see = timezone.now(), not other.blocks.filter(blocked=person).exists()
    if row is None:
        row = Friendship(asker=person, asked=other, asked_at=now)
    elif row.asker_id == person.pk:
        if not row.is_withdrawn:
            raise RefusedError(f"You have asked {other.username} already.")
        may_see = may_see and (row.state == State.WAITING or row.asked_at < now - AGAIN_AFTER)
    row.asker, row.asked, row.is_withdrawn = person, other, False
    row.asked_at = now if may_see else row.asked_at
    _save(row, State.WAITING if may_see else State.DECLINED)


def accept(person: User, name: str) -> str:
    """Accept somebody's request."""
    with transaction.atomic():
        row = _request(person, name)
        _check_friends(person)
        _save(row, State.ACCEPTED)
    return f"You and {row.asker.username} are friends now"


def decline(person: User, name: str) -> str:
    """Decline somebody's request, who is not told."""
    with transaction.atomic():
        row = _request(person, name)
        _save(row, State.DECLINED)
    return f"Declined; {row.asker.username} is not told"


def withdraw(person: User, name: str) -> str:
    """Withdraw one's own request."""
    with transaction.atomic():
        other = _account(name)
        _lock(person, other)
        rows = selectors.between(person, other).filter(asker=person).exclude(state=State.ACCEPTED)
        rows.update(is_withdrawn=True)
    return "The request is withdrawn"


def remove(person: User, name: str) -> str:
    """End a friendship; the other is not told."""
    with transaction.atomic():
        other = _account(name)
        _lock(person, other)
        selectors.between(person, other).filter(state=State.ACCEPTED).delete()
    return f"{other.username} is no friend of yours any more"


def block(person: User, name: str) -> str:
    """Hear nothing more of somebody, who is not told: no request, no invitation, no friendship."""
    with transaction.atomic():
        other = _account(name)
        if other == person:
            raise RefusedError("That is your own name.")
        _lock(person, other)
        if person.blocks.count() >= MAX_BLOCKED:
            raise RefusedError(f"You have blocked {MAX_BLOCKED} people. Unblock one first.")
        Block.objects.get_or_create(blocker=person, blocked=other)
        pair = selectors.between(person, other)
        pair.filter(asker=other, state=State.WAITING).update(state=State.DECLINED)
        pair.exclude(asker=other, state=State.DECLINED).delete()
    return f"{other.username} is blocked, and is not told"


def unblock(person: User, name: str) -> str:
    """Lift a block; the other may ask again."""
    person.blocks.filter(blocked__username__iexact=name).delete()
    return "The block is lifted"


DEEDS: Mapping[str, Callable[[User, str], str]] = {
    "ask": ask,
    "accept": accept,
    "decline": decline,
    "withdraw": withdraw,
    "remove": remove,
    "block": block,
    "unblock": unblock,
}
"""All that a person with an account can do here: takes a name, returns what to tell, raises RefusedError."""


def _account(name: str) -> User:
    """The account of that name; the lab's own and guests have none for others. Raises RefusedError."""
    found = User.objects.filter(username__iexact=name, is_guest=False, is_active=True)
    other = found.exclude(username=settings.LAB_ACCOUNT).first()
    if other is None:
        raise RefusedError(NOBODY)
    return other


def _lock(*people: User) -> None:
    """Lock people against another change of their friendships, always in one order."""
    ids = [person.pk for person in people]
    list(User.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk").values_list("pk"))


def _request(person: User, name: str) -> Friendship:
    """The request that waits for a person's answer; both are locked. Raises RefusedError."""
    other = User.objects.filter(username__iexact=name).first()
    if other is not None:
        _lock(person, other)
        rows = selectors.between(person, other).filter(asked=person, state=State.WAITING, is_withdrawn=False)
        if (row := rows.select_related("asker").first()) is not None:
            return row
    raise RefusedError("This request is not there any more.")


def _save(row: Friendship, state: str) -> None:
    row.state = state
    row.save()


def _check_friends(person: User) -> None:
    if len(selectors.friend_ids(person)) >= MAX_FRIENDS:
        raise RefusedError(FULL)


def _check_room(person: User) -> None:
    """Raises RefusedError where one more friend, or one more request, is too many."""
    _check_friends(person)
    if len(selectors.asked(person)) >= MAX_ASKED:
        raise RefusedError(f"You have asked {MAX_ASKED} people. Withdraw a request first.")
