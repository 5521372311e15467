"""Who has looked at a match of a deal that others may be given, too: they are not given it (`play.duplicates`)."""

from __future__ import annotations

from django.db.models import QuerySet

from webapp.people.accounts.models import User
from webapp.records.models import Match
from webapp.table.live.models import DealSight, LiveMatch


def note(match: LiveMatch, person: User | None) -> None:
    """Remember that a person who does not sit there looks at a match, where its deal may be known."""
    if person is not None and match.deal_is_known:
        DealSight.objects.get_or_create(deal_seed=match.deal_seed, person=person)


def note_record(record: Match | None, person: User | None) -> None:
    """The same of what a match in play has become."""
    played = LiveMatch.objects.filter(match=record).first() if record is not None and person is not None else None
    if played is not None:
        note(played, person)


def seeds_seen(person: User) -> QuerySet[DealSight, int]:
    """Seeds of the deals that a person has looked at."""
    return DealSight.objects.filter(person=person).values_list("deal_seed", flat=True)


def hand_over(guest: User, account: User) -> None:
    """Let an account know what its guest has seen."""
    DealSight.objects.filter(person=guest).exclude(deal_seed__in=seeds_seen(account)).update(person=account)
