"""Taking a seat by invitation or in the lobby."""

from __future__ import annotations

import re

import pytest

from tests.webapp.pages import markup
from tests.webapp.table.live import tables
from webapp.people.accounts.models import User
from webapp.play import links
from webapp.table.live import match_setup, player_requests
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import ANYBODY, INVITED, SeatPlan, Terms

pytestmark = pytest.mark.django_db
INVITED, ANYBODY = SeatPlan(name=INVITED), SeatPlan(name=ANYBODY)
PUBLIC = Terms(visibility="public")


def match_of(alice: User, *seats: SeatPlan, terms: Terms | None = None) -> LiveMatch:
    return tables.open_match(alice, [tables.person(alice), *seats], terms)


def invitation(match: LiveMatch) -> str:
    return links.join_path(match, with_key=True)


def test_an_invitation_leads_to_a_seat(client, alice, bob):
    match = match_of(alice, INVITED)
    client.force_login(bob)
    text = markup(client.get(invitation(match)))
    assert "alice invites you" in text
    response = client.post(f"/play/{match.code}/join/", {"key": match.invite})
    assert response["Location"] == f"/play/{match.code}/"
    match.refresh_from_db()
    assert (match.status, match.seats.get(seat=1).person) == ("running", bob)


def test_the_room_says_for_whom_seats_are(client, alice, bob):
    kept, mixed = match_of(alice, INVITED, INVITED, terms=PUBLIC), match_of(alice, INVITED, ANYBODY, terms=PUBLIC)
    client.force_login(bob)
    text = markup(client.get(f"/play/{kept.code}/"))
    assert "Kept for an invitation" in text
    assert not re.search(r">\s*Join\s*<", text)
    text = markup(client.get(f"/play/{mixed.code}/"))
    assert all(words in text for words in ("Kept for an invitation", "Open to anybody", ">Join</a>"))


def test_looking_takes_no_seat(client, alice, bob):
    match = match_of(alice, INVITED)
    client.force_login(bob)
    client.get(invitation(match))
    assert match.seats.get(seat=1).person is None


def test_guests_are_asked_to_sign_in_and_come_back(client, alice):
    match = match_of(alice, INVITED)
    text = markup(client.get(invitation(match)))
    assert "Sign in to join" in text
    assert f"/accounts/new/?next=%2Fplay%2F{match.code}%2Fjoin%2F%3Fkey%3D{match.invite}" in text
    client.post(f"/play/{match.code}/join/", {"key": match.invite})
    assert match.seats.get(seat=1).kind == "open"


def test_a_guest_cannot_sit_with_people(client, alice):
    client.post("/play/preferences/", {"motion": "off", "confirm": "never", "language": "en"})
    assert User.objects.get(is_guest=True)
    match = match_of(alice, INVITED)
    client.post(f"/play/{match.code}/join/", {"key": match.invite})
    assert match.seats.get(seat=1).kind == "open"


@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
def test_a_wrong_key_says_so_and_tells_nothing(client, alice, bob, visibility):
    match = match_of(alice, ANYBODY, terms=Terms(visibility=visibility))
    client.force_login(bob)
    there, nowhere = client.get(f"/play/{match.code}/join/?key=x"), client.get("/play/nowherenow/join/?key=x")
    assert there.status_code == nowhere.status_code == 404
    assert "This invitation opens no match" in there.content.decode()
    assert "alice" not in there.content.decode()
    client.post(f"/play/{match.code}/join/", {"key": "x"})
    assert match.seats.get(seat=1).person is None


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_without_a_key_only_public_matches_are_found(client, alice, bob, visibility):
    match = match_of(alice, ANYBODY, terms=Terms(visibility=visibility))
    client.force_login(bob)
    assert client.get(f"/play/{match.code}/join/").status_code == 404
    assert client.post(f"/play/{match.code}/join/").status_code == 404


def test_a_seat_for_anybody_is_for_anybody(client, alice, bob):
    match = match_of(alice, INVITED, ANYBODY, terms=PUBLIC)
    client.force_login(bob)
    assert client.post(f"/play/{match.code}/join/").status_code == 302
    assert [row.person for row in match.seats.order_by("seat")] == [alice, None, bob]


def test_an_invited_person_takes_the_seat_kept_for_them(client, alice, bob):
    match = match_of(alice, ANYBODY, INVITED, terms=PUBLIC)
    client.force_login(bob)
    client.post(f"/play/{match.code}/join/", {"key": match.invite})
    assert [row.person for row in match.seats.order_by("seat")] == [alice, None, bob]


def test_a_kept_seat_is_not_for_those_without_invitation(client, alice, bob):
    match = match_of(alice, INVITED, terms=PUBLIC)
    client.force_login(bob)
    assert "kept for people with an invitation" in client.get(f"/play/{match.code}/join/").content.decode()
    client.post(f"/play/{match.code}/join/")
    assert match.seats.get(seat=1).person is None


def test_sitting_down_twice_is_one_seat(client, alice, bob):
    match = match_of(alice, INVITED, INVITED)
    client.force_login(bob)
    for _ in range(2):
        assert client.post(f"/play/{match.code}/join/", {"key": match.invite})["Location"] == f"/play/{match.code}/"
    assert match.seats.filter(person=bob).count() == 1
    assert client.get(invitation(match))["Location"] == f"/play/{match.code}/"


def test_a_used_invitation_says_that_all_seats_are_taken(client, alice, bob):
    match = match_of(alice, INVITED)
    match_setup.join(match.pk, person=bob)
    client.force_login(User.objects.create_user("carol"))
    text = markup(client.get(invitation(match)))
    assert "All seats are taken" in text
    assert "Watch it" not in text
    LiveMatch.objects.update(visibility="unlisted")
    assert "Watch it" in client.get(invitation(match)).content.decode()


def test_a_cancelled_match_says_so(client, alice, bob):
    match = match_of(alice, INVITED)
    player_requests.grant("cancel", match.pk, (), is_creator=True)
    client.force_login(bob)
    assert "This match was cancelled" in client.get(invitation(match)).content.decode()
    client.post(f"/play/{match.code}/join/", {"key": match.invite})
    assert match.seats.get(seat=1).person is None


def test_an_invitation_names_the_address_that_one_came_by(client, alice, settings, subtests):
    match = match_of(alice, INVITED)
    client.force_login(alice)
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "lab.example", "192.168.1.5"]
    for public, host, base, is_local in (
        ("http://127.0.0.1:8000", "192.168.1.5:8000", "http://192.168.1.5:8000", False),
        ("http://127.0.0.1:8000", "localhost:9000", "http://localhost:9000", True),
        ("https://lab.example", "lab.example", "https://lab.example", False),  # by a proxy that ends TLS
        ("https://lab.example", "127.0.0.1:8000", "https://lab.example", False),
    ):
        with subtests.test(public=public, host=host):
            settings.PUBLIC_URL = public
            text = markup(client.get(f"/play/{match.code}/", HTTP_HOST=host))
            assert f'tabindex="0">{base}{invitation(match)}</pre>' in text
            assert ("on this computer alone" in text) == is_local
    assert client.get(f"/play/{match.code}/", HTTP_HOST="evil.example").status_code == 400


def test_the_terms_are_told(client, alice, bob):
    terms = Terms(ply_limit_s=3600, clock_s=600.0, has_aids=False, replaces_absent=False)
    match = match_of(alice, INVITED, terms=terms)
    client.force_login(bob)
    text = markup(client.get(invitation(match)))
    assert "10 min for each seat" in text
    assert "60 min for one action, then the seat forfeits" in text
    assert "the bare board" in text
