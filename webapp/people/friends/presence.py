"""Presence: whether somebody is here now, and at a table; noted a few times a minute, shown to friends alone."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from webapp.people.accounts.models import User
from webapp.people.friends.models import Presence

EVERY_S = 20.0
"""Least time between two notes of one person by one process."""
HERE_FOR = timedelta(seconds=75)
"""Time after a note for which somebody counts as here; a page in the background asks more seldom."""
MOST_REMEMBERED = 10_000
TABLE, HERE = "table", "here"

_noted: dict[tuple[int, bool], float] = {}


def is_due(person: User | None, *, at_table: bool = False) -> bool:
    """Whether this person, who is no guest, has not been noted for a while."""
    if person is None or person.is_guest:
        return False
    return _noted.get((person.pk, at_table), -EVERY_S) <= time.monotonic() - EVERY_S


def note(person: User, *, at_table: bool = False) -> None:
    """Note that a person is here. Nothing where the account was deleted at this moment."""
    if len(_noted) >= MOST_REMEMBERED:
        _noted.clear()
    _noted[person.pk, at_table] = time.monotonic()
    now = timezone.now()
    row = Presence(person=person, seen_at=now, table_at=now if at_table else None)
    fields = ["seen_at", "table_at"] if at_table else ["seen_at"]
    with suppress(IntegrityError), transaction.atomic():
        Presence.objects.bulk_create([row], update_conflicts=True, unique_fields=["person"], update_fields=fields)


def places(people: Iterable[int]) -> dict[int, str]:
    """Place of each of these people who is here: TABLE or HERE."""
    since = timezone.now() - HERE_FOR
    rows = Presence.objects.filter(person__in=list(people), seen_at__gt=since)
    return {row.pk: TABLE if row.table_at is not None and row.table_at > since else HERE for row in rows}
