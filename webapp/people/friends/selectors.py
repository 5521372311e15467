"""What somebody may know of their friends, requests and blocks."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from webapp.people.accounts.models import User
from webapp.people.friends import presence
from webapp.people.friends.models import Friendship

ACCEPTED, WAITING = Friendship.State.ACCEPTED, Friendship.State.WAITING


@dataclass(frozen=True)
class Friend:
    """A friend. place: "table", "here", or empty for somebody who is away."""

    pk: int
    name: str
    place: str = ""


def between(one: User, other: User) -> QuerySet[Friendship]:
    """The row of two people."""
    return Friendship.objects.filter(Q(asker=one, asked=other) | Q(asker=other, asked=one))


def friends(person: User) -> list[Friend]:
    """A person's friends: at a table first, then who is here, then by name."""
    rows = Friendship.objects.filter(Q(asker=person) | Q(asked=person), state=ACCEPTED)
    pairs = rows.values_list("asker_id", "asker__username", "asked_id", "asked__username")
    named = {row[2]: row[3] for row in pairs if row[0] == person.pk} | {
        row[0]: row[1] for row in pairs if row[2] == person.pk
    }
    places = presence.places(named) if named else {}
    found = [Friend(pk, name, places.get(pk, "")) for pk, name in named.items()]
    order = {presence.TABLE: 0, presence.HERE: 1}
    return sorted(found, key=lambda friend: (order.get(friend.place, 2), friend.name.lower()))


def friend_by_name(person: User, name: str) -> User | None:
    """The friend of that name."""
    other = User.objects.filter(username__iexact=name).first()
    return other if other is not None and between(person, other).filter(state=ACCEPTED).exists() else None


def friend_ids(person: User) -> QuerySet[Friendship, int]:
    """Ids of a person's friends, as a subquery."""
    asked = Friendship.objects.filter(asker=person, state=ACCEPTED).values_list("asked_id", flat=True)
    return asked.union(Friendship.objects.filter(asked=person, state=ACCEPTED).values_list("asker_id", flat=True))


def requests(person: User) -> list[str]:
    """Names of those who ask to be a person's friend, the first to ask first."""
    rows = Friendship.objects.filter(asked=person, state=WAITING, is_withdrawn=False)
    return list(rows.order_by("asked_at").values_list("asker__username", flat=True))


def asked(person: User) -> list[str]:
    """Names of those whom a person has asked, as far as that person may know."""
    rows = Friendship.objects.filter(asker=person, is_withdrawn=False).exclude(state=ACCEPTED)
    return list(rows.order_by("asked__username").values_list("asked__username", flat=True))


def blocked(person: User) -> list[str]:
    """Names of those whom a person has blocked."""
    return list(person.blocks.order_by("blocked__username").values_list("blocked__username", flat=True))
