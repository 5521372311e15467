"""How one likes to play, kept with the person."""

from __future__ import annotations

import pytest

from games import registry
from webapp.people.accounts.models import User
from webapp.play import aids, guide, preferences
from webapp.play.preferences import Preferences

pytestmark = pytest.mark.django_db
CHANGED = Preferences(
    confirm=False,
    automatic=True,
    motion="off",
    letters=False,
    shapes=True,
    phrases=False,
    language="de",
    presence=False,
)


def test_nobody_known_has_the_defaults():
    assert preferences.load(None) == Preferences()


def test_what_is_chosen_is_kept(client, alice):
    client.force_login(alice)
    client.post("/play/preferences/", {"automatic": "on", "motion": "off", "shapes": "on", "language": "de"})
    alice.refresh_from_db()
    assert preferences.load(alice) == CHANGED
    form = client.get("/play/preferences/").context["form"]
    assert (form["automatic"].value(), form["motion"].value(), form["confirm"].value()) == (True, "off", False)


def test_a_guest_keeps_them_too(client):
    client.post("/play/preferences/", {"confirm": "on", "motion": "off", "language": "fr"})
    assert preferences.load(User.objects.get(is_guest=True)).motion == "off"
    assert client.get("/play/preferences/").context["form"]["motion"].value() == "off"


def test_nonsense_is_refused(client, alice):
    client.force_login(alice)
    response = client.post("/play/preferences/", {"motion": "wild", "language": "en"})
    assert list(response.context["form"].errors) == ["motion"]
    alice.refresh_from_db()
    assert alice.preferences == {}


def test_what_is_stored_and_no_longer_valid_is_the_default(alice):
    alice.preferences = {"motion": "wild", "confirm": False, "shapes": 3, "gone": 1}
    assert preferences.load(alice) == Preferences(confirm=False)


def test_other_things_kept_with_the_person_stay(alice):
    alice.preferences = {"other": 1}
    alice.save()
    preferences.save(alice, CHANGED)
    alice.refresh_from_db()
    assert alice.preferences == {"other": 1, **CHANGED.to_json()}


def test_of_changes_at_once_none_is_lost(alice) -> None:
    """Each request has read its person before the others wrote."""
    requests = [User.objects.get(pk=alice.pk) for _ in range(4)]
    game = registry.get("carcassonne")
    aids.switch_aids(requests[0], game, {"dead": True})
    aids.switch_aids(requests[1], game, {"legal": False})
    preferences.save_for_game(requests[2], guide.KEY, "carcassonne", {"match": "abc", "step": 2})
    preferences.save(requests[3], CHANGED)
    alice.refresh_from_db()
    assert preferences.load(alice) == CHANGED
    assert preferences.load_for_game(alice, aids.KEY, "carcassonne") == {"dead": True, "legal": False}
    assert preferences.load_for_game(alice, guide.KEY, "carcassonne") == {"match": "abc", "step": 2}
