"""Invitations of friends by name, from the lobby to the table."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from django.utils import timezone

from tests.webapp.pages import markup
from tests.webapp.table.live import tables
from webapp.people.friends import services as friends
from webapp.table.live import invitations
from webapp.table.live.models import LiveInvitation, LiveMatch
from webapp.table.live.plans import INVITED, SeatPlan

pytestmark = pytest.mark.django_db
FREE = SeatPlan(name=INVITED)


@pytest.fixture
def both(alice, bob):
    """Clients of alice and bob, who are friends."""
    friends.ask(alice, "bob")
    friends.accept(bob, "alice")
    clients = Client(), Client()
    for client, person in zip(clients, (alice, bob), strict=True):
        client.force_login(person)
    return clients


def num_invited(client):
    return len(client.get("/play/").context["invited"])


@pytest.mark.long
def test_a_friend_is_invited_from_the_lobby_and_sits_down(both):
    mine, theirs = both
    page = markup(mine.get("/play/?with=friends&friend=bob"))
    assert 'name="friend" value="bob"' in page
    form = {"game": "kingdomino", "level": "", "with": "friends", "friend": "bob", "submission": str(uuid.uuid4())}
    room = mine.post("/play/now/", form)["Location"]
    assert ">Invited<" in markup(mine.get(room))
    lobby = theirs.get("/play/")
    assert "alice invites you to Kingdomino" in markup(lobby)
    assert ", 1 invitation" in markup(theirs.get("/games/")), "the badge of every page says it"
    assert re.search(
        r'id="invited"[^>]*hx-swap-oob', theirs.get("/play/", headers={"HX-Request": "true"}).content.decode()
    )
    assert theirs.get(f"{room}join/").status_code == 200, "the terms can be read first"
    assert theirs.post(f"{room}join/")["Location"] == room
    assert LiveMatch.objects.get().status == "running"
    assert num_invited(theirs) == 0


def test_an_invitation_ends_by_itself_or_is_declined_in_silence(both, alice, bob):
    mine, theirs = both
    match = tables.open_match(alice, [tables.person(alice), FREE])
    address = f"/play/{match.code}/"
    assert mine.post(f"{address}invite/", {"name": "Bob"})["Location"] == address
    assert num_invited(theirs) == 1
    LiveInvitation.objects.update(made_at=timezone.now() - invitations.KEPT_FOR)
    assert num_invited(theirs) == 0
    assert theirs.get(f"{address}join/").status_code == 404
    LiveInvitation.objects.update(made_at=timezone.now())
    LiveMatch.objects.filter(pk=match.pk).update(status="cancelled")
    assert num_invited(theirs) == 0
    LiveMatch.objects.filter(pk=match.pk).update(status="open")
    before = markup(mine.get(address))
    assert theirs.post(f"{address}decline/").status_code == 302
    assert num_invited(theirs) == 0
    assert markup(mine.get(address)).count("Invited") == before.count("Invited"), "alice is not told"
    LiveInvitation.objects.update(declined_at=None)
    friends.block(bob, "alice")
    assert num_invited(theirs) == 0
    bob.delete()
    assert not LiveInvitation.objects.exists()


def test_who_may_invite_whom(both, alice, bob, django_user_model):
    mine, theirs = both
    match = tables.open_match(alice, [tables.person(alice), FREE, FREE])
    django_user_model.objects.create_user("carol")
    for name in ("carol", "nobody", "alice"):
        mine.post(f"/play/{match.code}/invite/", {"name": name})
    assert not LiveInvitation.objects.exists(), "friends alone"
    for _ in range(2):
        mine.post(f"/play/{match.code}/invite/", {"name": "bob"})
    assert LiveInvitation.objects.count() == 1
    theirs.post(f"/play/{match.code}/join/")
    assert theirs.post(f"/play/{match.code}/invite/", {"name": "alice"}).status_code == 404, "it is alice's match"
    assert Client().post(f"/play/{match.code}/invite/", {"name": "bob"}).status_code == 404
