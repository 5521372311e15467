"""How many matches, and how many guests, there may be at once."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from tests.webapp.table.live import tables
from webapp.common.limits import Limit
from webapp.people.accounts import guests
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.table.live import match_limits
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import ANYBODY, SeatPlan, Terms

pytestmark = pytest.mark.django_db
OPEN = SeatPlan(name=ANYBODY)


def begin(client: Client, address: str = "192.0.2.1") -> str:
    data = {"game": "carcassonne", "level": "easy", "submission": str(uuid.uuid4())}
    return client.post("/play/now/", data, follow=True, REMOTE_ADDR=address).content.decode()


@pytest.mark.long
def test_an_address_brings_so_many_guests_a_minute(monkeypatch):
    monkeypatch.setattr(guests, "NEW", Limit("address", 2, "new guests"))
    for _ in range(4):
        last = begin(Client())
    assert guests.CROWDED in last
    assert User.objects.filter(is_guest=True).count() == LiveMatch.objects.count() == 2
    chosen = {"motion": "off", "confirm": "never", "language": "en"}
    kept = Client().post("/play/preferences/", chosen, follow=True, REMOTE_ADDR="192.0.2.1")
    assert guests.CROWDED in kept.content.decode()
    assert guests.CROWDED not in begin(Client(), "192.0.2.2"), "another address"
    assert User.objects.count() == 3


def test_accounts_are_not_counted_as_guests(monkeypatch, client, alice):
    monkeypatch.setattr(guests, "NEW", Limit("address", 0, "new guests"))
    client.force_login(alice)
    assert guests.CROWDED not in begin(client)
    assert LiveMatch.objects.count() == 1


@pytest.mark.long
def test_matches_of_agents_and_experiments_take_no_place(monkeypatch, alice, bob, played):
    agent = Agent.objects.create(owner=alice, name="mine")
    by_agent = SeatPlan(name="mine", agent=agent)
    tables.open_match(alice, [by_agent, OPEN], Terms("public"))
    tables.open_match(alice, [by_agent, tables.engine()])
    tables.open_match(alice, [by_agent, tables.engine()], experiment=played(alice), deal=0)
    tables.play_on(tables.open_match(alice, [tables.person(alice), tables.engine()]))
    assert not match_limits.live_matches(alice).exists()
    mine = [
        tables.open_match(alice, [tables.person(alice), by_agent]),
        tables.open_match(alice, [OPEN, OPEN], Terms("public")),
        tables.open_match(bob, [tables.person(bob), tables.person(alice)]),
    ]
    assert set(match_limits.live_matches(alice)) == set(mine)


def test_taking_a_seat_needs_a_place_too(monkeypatch, client, alice, bob):
    monkeypatch.setattr(match_limits, "MAX_LIVE", 1)
    tables.open_match(alice, [tables.person(alice), tables.engine()])
    match = tables.open_match(bob, [tables.person(bob), OPEN], Terms("public"))
    client.force_login(alice)
    text = client.post(f"/play/{match.code}/join/", follow=True).content.decode()
    assert "You have 1 matches open or running" in text
    assert match.seats.get(seat=1).person is None


def test_pages_before_the_session_know_nobody(client):
    assert guests.person(RequestFactory().get("/")) is None
    client.raise_request_exception = False
    answer = client.get(reverse("play:lobby"), headers={"host": "not a host"})
    assert answer.status_code == 400
    assert b"Meeple Lab" in answer.content
