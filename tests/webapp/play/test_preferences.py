"""How one likes to play, kept with the person."""

from __future__ import annotations

import pytest

from games import registry
from tests.webapp.table.live import tables
from webapp.people.accounts.models import User
from webapp.play import aids, guide, preferences, slips
from webapp.play.preferences import Preferences
from webapp.table.live import table_seats
from webapp.table.live.plans import Terms

pytestmark = pytest.mark.django_db
CHANGED = Preferences(
    confirm="never",
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
    sent = {"confirm": "never", "automatic": "on", "motion": "off", "shapes": "on", "language": "de"}
    client.post("/play/preferences/", sent)
    alice.refresh_from_db()
    assert preferences.load(alice) == CHANGED
    form = client.get("/play/preferences/").context["form"]
    assert (form["automatic"].value(), form["motion"].value(), form["confirm"].value()) == (True, "off", "never")


def test_a_guest_keeps_them_too(client):
    client.post("/play/preferences/", {"confirm": "always", "motion": "off", "language": "fr"})
    assert preferences.load(User.objects.get(is_guest=True)).motion == "off"
    assert client.get("/play/preferences/").context["form"]["motion"].value() == "off"


def test_nonsense_is_refused(client, alice):
    client.force_login(alice)
    response = client.post("/play/preferences/", {"motion": "wild", "confirm": "always", "language": "en"})
    assert list(response.context["form"].errors) == ["motion"]
    alice.refresh_from_db()
    assert alice.preferences == {}


def test_what_is_stored_and_no_longer_valid_is_the_default(alice):
    alice.preferences = {"motion": "wild", "confirm": False, "shapes": 3, "gone": 1}
    assert preferences.load(alice) == Preferences(confirm="never"), "as it was kept while it was on or off"


def test_confirming_is_for_what_cannot_be_undone(alice, bob):
    casual = [tables.person(alice), tables.engine()]
    of = {
        "casual": tables.open_match(alice, casual),
        "timed": tables.open_match(alice, casual, Terms(clock_s=600)),
        "people": tables.open_match(alice, [tables.person(alice), tables.person(bob)]),
    }
    found = {
        wanted: [name for name, match in of.items() if slips.needs_confirm(table_seats.look_up(match, (0,)), chosen)]
        for wanted in ("never", "rated", "always")
        for chosen in [Preferences(confirm=wanted)]
    }
    assert found == {"never": [], "rated": ["timed", "people"], "always": list(of)}
    held = [slips.slip_ms(table_seats.look_up(match, (0,)), Preferences()) for match in of.values()]
    assert held == [slips.SLIP_MS, 0, 0], "engines' answers, where a slip can be undone"
    assert slips.slip_ms(table_seats.look_up(of["casual"], ()), Preferences()) == 0, "who watches waits for nothing"


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
