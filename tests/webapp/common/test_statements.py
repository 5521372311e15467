"""Statements put together once, beside what Django's ORM reads and writes."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.webapp.table.live import tables
from webapp.table.live import rows
from webapp.table.live.models import LiveMatch, LivePly, LiveSeat

pytestmark = pytest.mark.django_db


def _values(row: Any) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_rows_are_read_as_the_orm_reads_them(alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.engine()])
    match.spent_keys, match.renewal = ["a", "b"], {"ply": 3, "seed": 2**62, "share": 0.1}
    match.save()
    seats = rows.SEATS_BY_CODE.all(match.code)
    assert _values(seats[0].match) == _values(LiveMatch.objects.get(pk=match.pk))
    assert seats[1].match is seats[0].match
    known = list(match.seats.select_related("configuration", "agent").order_by("seat"))
    assert list(map(_values, seats)) == list(map(_values, known))
    assert [seat.configuration for seat in seats] == [None, known[1].configuration]
    assert _values(seats[1].configuration) == _values(known[1].configuration)
    assert list(map(_values, rows.SEATS.all(match.pk))) == list(map(_values, known))
    assert rows.SEATS_BY_CODE.all("' or true --") == []


def test_rows_are_written_as_the_orm_writes_them(alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.engine()])
    match.ending, match.spent_keys, match.ended_at = {"kind": "it's over"}, ["a'b"], timezone.now()
    rows.MATCH.update(match)
    assert _values(LiveMatch.objects.get(pk=match.pk)) == _values(match)
    seat = match.seats.get(seat=0)
    seat.used_s, seat.name = 1.5, "not written"
    rows.SEAT.update(seat, ("used_s",))
    assert LiveSeat.objects.filter(match=match, used_s=1.5).exclude(name="not written").count() == 1
    ply = LivePly(match=match, ply=0, seat=0, action=1, legal_count=2, scores=[3, 4], digest=-5, info={"a": [None]})
    ply.played_by, ply.played_at = "person", timezone.now()
    rows.PLY.insert(ply)
    assert _values(LivePly.objects.get(match=match)) == _values(ply)
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.PLY.insert(ply)
    match.pk += 1
    with pytest.raises(ObjectDoesNotExist):
        rows.MATCH.update(match)


def test_only_what_has_changed_is_written(alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.engine()])
    read = rows.MATCH_BY_ID.first(match.pk)
    assert read is not None
    LiveMatch.objects.update(queue="another", options={"not": "kept"}, version=9)
    read.options["inside"], read.ply = True, 7
    rows.MATCH.update(read)
    now = LiveMatch.objects.get(pk=match.pk)
    assert (now.queue, now.ply, now.version) == ("another", 7, 9)
    assert now.options == match.options | {"inside": True}
    read.ply = match.ply
    rows.MATCH.update(read)
    assert LiveMatch.objects.get(pk=match.pk).ply == match.ply
