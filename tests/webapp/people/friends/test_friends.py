"""Friends by name: asked, accepted, declined, blocked, and what the other side learns of it: nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from tests.webapp.pages import markup
from webapp.common.errors import RefusedError
from webapp.common.limits import Limit
from webapp.people.accounts.models import User
from webapp.people.friends import presence, selectors, services
from webapp.people.friends.models import Block, Friendship, Presence

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _afresh(monkeypatch):
    cache.clear()
    monkeypatch.setattr(presence, "_noted", {})


def names(person):
    return [friend.name for friend in selectors.friends(person)]


def as_seen(person):
    """All that somebody's own page shows of others."""
    return names(person), selectors.requests(person), selectors.asked(person)


def test_a_request_is_accepted_and_a_friendship_ended(alice, bob):
    services.ask(alice, "BOB")
    assert (as_seen(alice), as_seen(bob)) == (([], [], ["bob"]), ([], ["alice"], []))
    services.accept(bob, "alice")
    assert (names(alice), names(bob)) == (["bob"], ["alice"])
    services.remove(alice, "bob")
    assert (as_seen(alice), as_seen(bob)) == (([], [], []), ([], [], []))


def test_requests_that_cross_are_a_friendship(alice, bob):
    services.ask(alice, "bob")
    assert services.ask(bob, "alice") == "You and alice are friends now"
    assert Friendship.objects.count() == 1


@pytest.mark.parametrize("answer", ["decline", "block", "block first", "none"])
def test_who_asked_cannot_tell_how_it_was_answered(alice, bob, answer):
    if answer == "block first":
        services.block(bob, "alice")
    said = services.ask(alice, "bob")
    if answer in ("decline", "block"):
        services.DEEDS[answer](bob, "alice")
    assert said == "Asked: bob stands among your friends once they accept"
    assert as_seen(alice) == ([], [], ["bob"])
    with pytest.raises(RefusedError, match="have asked bob already"):
        services.ask(alice, "bob")
    services.withdraw(alice, "bob")
    assert services.ask(alice, "bob") == said, "the same words as for a first request"
    assert as_seen(alice) == ([], [], ["bob"])
    assert selectors.requests(bob) == (["alice"] if answer == "none" else []), "who declined is left in peace"


def test_who_declined_may_be_asked_again_later_and_who_blocked_not(alice, bob):
    services.ask(alice, "bob")
    services.decline(bob, "alice")
    services.withdraw(alice, "bob")
    Friendship.objects.update(asked_at=timezone.now() - services.AGAIN_AFTER - timedelta(days=1))
    services.ask(alice, "bob")
    assert selectors.requests(bob) == ["alice"]
    services.block(bob, "alice")
    Friendship.objects.update(asked_at=timezone.now() - timedelta(days=99), is_withdrawn=True)
    services.ask(alice, "bob")
    assert (selectors.requests(bob), selectors.asked(alice)) == ([], ["bob"])


def test_a_block_ends_a_friendship_and_looks_like_any_other_end(alice, bob):
    services.ask(alice, "bob")
    services.accept(bob, "alice")
    services.block(alice, "bob")
    assert as_seen(bob) == ([], [], [])
    services.ask(bob, "alice")
    assert as_seen(bob) == ([], [], ["alice"])
    assert selectors.requests(alice) == []
    services.unblock(alice, "bob")
    assert services.ask(alice, "bob") == "You and bob are friends now", "bob has asked, as bob's own page says"


def test_who_can_be_asked_and_how_often(alice, settings, monkeypatch):
    User.objects.create(username="guest-1", is_guest=True)
    for nobody in ("guest-1", settings.LAB_ACCOUNT, "carol"):
        with pytest.raises(RefusedError, match="No account has this name"):
            services.ask(alice, nobody)
    with pytest.raises(RefusedError, match="your own"):
        services.ask(alice, "alice")
    User.objects.bulk_create(User(username=f"other{n}") for n in range(3))
    monkeypatch.setattr(services, "MAX_ASKED", 2)
    services.ask(alice, "other0")
    services.ask(alice, "other1")
    with pytest.raises(RefusedError, match="Withdraw a request"):
        services.ask(alice, "other2")
    monkeypatch.setattr(services, "ASKS", Limit("person", 1, "requests for friendship"))
    cache.clear()
    services.withdraw(alice, "other1")
    services.ask(alice, "other1")
    with pytest.raises(RefusedError, match="1 requests for friendship a minute"):
        services.ask(alice, "other2")


def test_friends_alone_see_who_is_here(client, alice, bob):
    services.ask(alice, "bob")
    services.accept(bob, "alice")
    client.force_login(bob)
    client.get("/play/")
    assert selectors.friends(alice)[0].place == "here"
    mine = Client()
    mine.force_login(alice)
    assert ">Here<" in markup(mine.get("/play/?with=friends"))
    Presence.objects.update(seen_at=timezone.now() - presence.HERE_FOR)
    assert selectors.friends(alice)[0].place == ""
    presence._noted.clear()
    bob.preferences = {"presence": False}
    bob.save()
    client.get("/play/")
    assert selectors.friends(alice)[0].place == "", "bob does not want to be seen"


def test_pages_do_what_services_do_and_a_deleted_account_leaves_nothing(client, alice, bob):
    client.force_login(alice)
    back = client.post("/accounts/friends/ask/", {"name": "bob", "next": "/play/?with=friends"})
    assert back["Location"] == "/play/?with=friends"
    assert client.post("/accounts/friends/block/", {"name": "bob", "next": "//evil.example"})["Location"] == (
        "/accounts/friends/"
    )
    for deed in services.DEEDS:
        odd = client.post(f"/accounts/friends/{deed}/", {"name": "\0bo\0", "next": "-1"})
        assert odd["Location"] == "/accounts/friends/", "neither a name nor an address"
    assert "Unblock" in markup(client.get("/accounts/friends/"))
    assert client.post("/accounts/friends/wave/", {"name": "bob"}).status_code == 404
    services.unblock(alice, "bob")
    services.ask(alice, "bob")
    services.block(bob, "alice")
    presence.note(bob)
    bob.delete()
    assert not any(model.objects.exists() for model in (Friendship, Block, Presence))
