"""Agents at a table are told through their webhooks what happens there."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction

from tests.webapp.table.live import tables
from webapp.people.agents.models import Agent
from webapp.table.hooks import services
from webapp.table.hooks.models import Delivery, Hook
from webapp.table.live import departures, match_end, ply_writer
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice: Any) -> LiveMatch:
    """The agent begins against a person."""
    rook = Agent.objects.create(owner=alice, name="rook")
    services.set_up(rook, "https://rook.example.org/", Hook.Event.values)
    return tables.open_match(alice, [SeatPlan(name="rook", agent=rook), tables.person(alice)])


def told() -> list[tuple[str, str]]:
    return list(Delivery.objects.order_by("created_at").values_list("event", "status"))


def test_start_turns_and_end_are_told(match: LiveMatch) -> None:
    assert told() == [("match_started", "waiting"), ("turn", "waiting")]
    tables.play_on(match, 1)
    assert told()[1:] == [("turn", "outdated")], "it is the person's turn now"
    match = tables.play_on(match, 1)
    assert told()[2:] == [("turn", "waiting")]
    turn = Delivery.objects.get(event="turn", status="waiting")
    assert '"ply":2' in turn.body
    assert f'"version":{match.version}' in turn.body
    match_end.end(ply_writer.lock_match(match.pk), "agreed", None, "Enough.")
    assert told()[2:] == [("turn", "outdated"), ("match_over", "waiting")]


def test_what_never_came_to_pass_is_not_told(match: LiveMatch) -> None:
    before = told()
    with transaction.atomic():
        tables.play_each(match, 2)
        transaction.set_rollback(True)
    assert told() == before


def test_an_agent_that_was_replaced_is_told_of_no_turn(match: LiveMatch) -> None:
    departures.take_over(ply_writer.lock_match(match.pk), 0, "absent", "It was away.")
    assert told() == [("match_started", "waiting"), ("turn", "outdated")]
