"""Matches of guests: kept when a guest gets an account, and guests who never come back are forgotten.

Signing up makes the guest's row the account, so that there is nothing to move but names.
Signing in to an account moves all that the guest of that browser has.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest

from webapp.people.accounts import guests
from webapp.people.accounts.models import User
from webapp.records import lineups
from webapp.records.models import Experiment, LineupEntry, Match, Seat, Study
from webapp.table.live import deal_sights, match_end
from webapp.table.live.models import LiveMatch, LiveSeat

KEPT_FOR = timedelta(days=30)
"""Time for which a guest's unfinished matches wait for another ply."""
BATCH = 200


def signed_in(sender: Any, request: HttpRequest | None, user: User, **_: Any) -> None:
    """Give an account what the guest of this browser has; receives `user_logged_in`."""
    guest_id = None if request is None else guests.forget(request)
    if guest_id is not None:
        adopt(guest_id, user)


def adopt(guest_id: int, account: User) -> None:
    """Make a guest's matches those of an account; the account may be the guest's own row."""
    while not _adopt(guest_id, account):
        pass  # the guest opened another match in between


@transaction.atomic
def _adopt(guest_id: int, account: User) -> bool:
    """The same, once; False, and nothing changed, where a match has come while the others were locked.

    Matches are locked first, then people, as when a rematch is opened.
    """
    held = Exists(LiveSeat.objects.filter(match=OuterRef("pk"), person=guest_id))
    theirs = LiveMatch.objects.filter(held | Q(creator=guest_id))
    matches = list(theirs.select_for_update(of=("self",)).order_by("pk"))
    people = User.objects.select_for_update(no_key=True).filter(pk__in=(guest_id, account.pk)).order_by("pk").in_bulk()
    guest = people.get(guest_id)
    if guest is None or (guest.pk != account.pk and not guest.is_guest):
        return True
    if theirs.exclude(pk__in=[match.pk for match in matches]).exists():
        return False
    for match in matches:
        _hand_over(match, guest, account)
    if guest.pk != account.pk:
        _hand_over_the_rest(guest, people[account.pk], account)
    return True


def _hand_over_the_rest(guest: User, row: User, account: User) -> None:
    """Records, analyses, sights of deals and preferences; the guest is gone then. row: the account in the database."""
    Experiment.objects.filter(owner=guest).update(owner=account)
    Study.objects.filter(owner=guest).update(owner=account)
    Study.objects.filter(asked_by=guest).update(asked_by=account)
    deal_sights.hand_over(guest, account)
    if guest.preferences and not row.preferences:
        User.objects.filter(pk=account.pk).update(preferences=guest.preferences)
        account.preferences = guest.preferences
    guest.delete()


def _hand_over(match: LiveMatch, guest: User, account: User) -> None:
    """A match with all that it says of the guest; it is locked."""
    entries = list(match.seats.select_related("configuration").order_by("seat"))
    for entry in entries:
        if entry.person_id == guest.pk:
            entry.person = account
            _rename(entry, account.username)
            entry.save(update_fields=["person", "name", "replaced"])
            if match.match is not None:
                _rename_in_record(match.match, entry)
    if match.creator_id == guest.pk:
        match.creator = account
    match.save(update_fields=["creator"])
    if match.match is not None and match.experiment_id is None:
        title = " : ".join(entry.name for entry in entries)[:200]
        Experiment.objects.filter(pk=match.match.experiment_id).update(title=title)


def _rename(entry: LiveSeat, name: str) -> None:
    """The name of the person at a seat, also before an engine took over."""
    if entry.kind == LiveSeat.Kind.PERSON:
        entry.name = name
    for note in entry.replaced or ():
        if "engine" not in note:
            note["name"] = name


def _rename_in_record(record: Match, entry: LiveSeat) -> None:
    """The record of a match of its own says the same as the seat."""
    spec = match_end.seat_spec(entry)
    configuration = lineups.configurations([spec])[lineups.configuration_key(spec)]
    Seat.objects.filter(match=record, seat=entry.seat).update(configuration=configuration)
    places = LineupEntry.objects.filter(arm__experiment=record.experiment, lineup_index=entry.lineup_index)
    places.update(configuration=configuration)
    experiment = record.experiment
    experiment.spec["arms"][record.arm_index]["seats"][entry.lineup_index]["options"] = dict(spec.options)
    experiment.save(update_fields=["spec"])


def forget_idle_guests(now: datetime) -> int:
    """Delete guests who have not played for `KEPT_FOR` and left no record, a batch; return how many.

    Safe beside another one: each takes the guests that the other has not.
    """
    since = now - KEPT_FOR
    own = LiveMatch.objects.filter(Q(creator=OuterRef("pk")) | Q(seats__person=OuterRef("pk")))
    is_alive = Q(created_at__gte=since) | Q(turn_began_at__gte=since) | Q(ended_at__gte=since) | Q(match__isnull=False)
    idle = (
        User.objects.filter(is_guest=True, date_joined__lt=since)
        .exclude(Exists(own.filter(is_alive)))
        .exclude(Exists(Experiment.objects.filter(owner=OuterRef("pk"))))
    )
    with transaction.atomic():
        found = list(idle.values_list("pk", flat=True)[:BATCH])
        theirs = LiveMatch.objects.filter(creator__in=found).order_by("pk")
        list(theirs.select_for_update(of=("self",)).values_list("pk", flat=True))  # before their people
        gone = list(idle.filter(pk__in=found).select_for_update(skip_locked=True).values_list("pk", flat=True))
        LiveMatch.objects.filter(creator__in=gone).delete()
        User.objects.filter(pk__in=gone).delete()
    return len(gone)
