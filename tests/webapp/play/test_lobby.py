"""The lobby: play at once, go on, sit down, watch."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import registry as game_registry
from tests.webapp.pages import markup
from tests.webapp.table.live import tables
from webapp.play import selectors
from webapp.play.views import lobby
from webapp.table.live import match_setup
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.plans import ANYBODY, INVITED, SeatPlan, Terms

pytestmark = pytest.mark.django_db
PUBLIC = Terms(visibility="public")
OPEN = SeatPlan(name=ANYBODY)


def now(client, level="easy", submission=None, game="carcassonne", **more):
    data = {"game": game, "level": level, "submission": submission or str(uuid.uuid4()), **more}
    return client.post("/play/now/", data)


def codes(lines):
    return [line.match.code for line in lines]


@pytest.mark.parametrize("signed_in", [True, False])
def test_one_click_begins_a_match(client, alice, signed_in):
    if signed_in:
        client.force_login(alice)
    offer = client.get("/play/").context["offers"][0]
    response = now(client, offer.chosen, str(offer.submission))
    match = LiveMatch.objects.get()
    assert response["Location"] == f"/play/{match.code}/"
    assert match.status == "running"
    assert sorted(match.seats.values_list("kind", flat=True)) == ["engine", "person"]
    assert match.creator.is_guest is not signed_in


def test_readers_who_came_at_the_same_moment_share_a_page_but_not_its_forms(monkeypatch):
    pages = []
    monkeypatch.setattr(lobby.gate, "arrived", lambda request: 0.0)
    for _ in range(2):
        browser = Client(enforce_csrf_checks=True)
        text = browser.get("/play/").content.decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', text)[1]
        numbers = re.findall(r'name="submission" value="([^"]+)"', text)
        assert lobby.TOKEN not in text
        data = {"game": "carcassonne", "level": "easy", "submission": numbers[0], "csrfmiddlewaretoken": token}
        assert browser.post("/play/now/", data)["Location"] != "/play/"
        pages.append({token, *numbers})
    assert len(pages[0]) == 1 + len(list(game_registry.ids()))
    assert not pages[0] & pages[1]
    assert LiveMatch.objects.count() == 2


def test_of_the_listed_matches_the_own_are_left_out(alice, bob):
    own = tables.open_match(alice, [tables.person(alice), OPEN], PUBLIC)
    others = [tables.open_match(bob, [tables.person(bob), OPEN], PUBLIC) for _ in range(2)]
    assert codes(selectors.list_open_matches(alice)) == [match.code for match in reversed(others)]
    assert codes(selectors.list_open_matches(None)) == [match.code for match in (*reversed(others), own)]


def test_every_game_is_offered():
    offers = lobby.play_now(None)
    assert [offer.game.id for offer in offers] == list(game_registry.ids())
    assert {offer.chosen for offer in offers} == {"easy"}, "all begin alike"


def test_one_click_opens_a_table_to_a_friend_or_for_a_rating(client, alice):
    assert now(client, **{"with": "rated"})["Location"].startswith("/accounts/new/")
    client.force_login(alice)
    assert now(client, "", **{"with": "friends"})["Location"].startswith("/play/")
    match = LiveMatch.objects.get()
    assert (match.status, match.is_rated) == ("open", False)
    now(client, "medium", game="dominoes", **{"with": "friends"})
    team = LiveMatch.objects.get(game="dominoes").seats.order_by("seat")
    assert [row.kind for row in team] == ["person", "engine", "open", "engine"], "the friend is the partner"
    now(client, "beginner", game="kingdomino", **{"with": "rated"})
    assert LiveMatch.objects.get(game="kingdomino").is_rated


@pytest.mark.parametrize(("game", "num_others"), [("dominion", 1), ("dominoes", 3)])
def test_one_click_fills_the_table(client, game, num_others):
    assert now(client, game=game)["Location"] == f"/play/{LiveMatch.objects.get(game=game).code}/"
    kinds = LiveMatch.objects.get().seats.values_list("kind", flat=True)
    assert sorted(kinds) == [*["engine"] * num_others, "person"]


def test_a_second_click_finds_the_same_match(client, alice):
    client.force_login(alice)
    number = str(uuid.uuid4())
    assert now(client, submission=number)["Location"] == now(client, submission=number)["Location"]
    assert LiveMatch.objects.count() == 1


@pytest.mark.parametrize(("level", "number"), [("grandmaster", None), ("easy", "7")])
def test_a_broken_form_leads_back(client, alice, level, number):
    client.force_login(alice)
    assert now(client, level, number)["Location"] == "/play/"
    assert not LiveMatch.objects.exists()


def test_a_guest_with_a_match_is_led_to_it(client):
    first = now(client)["Location"]
    text = markup(client.get("/play/"))
    assert text.count(f'href="{first}"') == 1 + len(game_registry.ids())
    assert '<button class="btn primary big"' not in text
    assert now(client, "medium")["Location"] == first
    assert LiveMatch.objects.count() == 1


def test_the_level_played_last_is_offered_first(client, alice):
    client.force_login(alice)
    assert client.get("/play/").context["offers"][0].chosen == "easy"
    now(client, "medium")
    assert client.get("/play/").context["offers"][0].chosen == "medium"


def test_looking_makes_nobody_a_guest(client, django_user_model):
    client.get("/play/")
    client.get("/play/mine/")
    assert not django_user_model.objects.exists()


def test_public_matches_are_listed_where_they_belong(client, alice, bob):
    waiting = tables.open_match(alice, [tables.person(alice), OPEN], PUBLIC)
    running = tables.open_match(alice, [tables.person(alice), tables.engine()], PUBLIC)
    tables.open_match(alice, [tables.person(alice), OPEN], Terms(visibility="unlisted"))
    tables.open_match(alice, [tables.person(alice), tables.engine()], Terms(visibility="unlisted"))
    tables.open_match(alice, [tables.person(alice), SeatPlan(name=INVITED)], PUBLIC)
    client.force_login(bob)
    context = client.get("/play/").context
    assert codes(context["open_seats"]) == [waiting.code]
    assert codes(context["watchable"]) == [running.code]


def test_ones_own_matches_are_not_listed_as_those_of_others(client, alice):
    tables.open_match(alice, [tables.person(alice), OPEN], PUBLIC)
    tables.open_match(alice, [tables.person(alice), tables.engine()], PUBLIC)
    client.force_login(alice)
    context = client.get("/play/").context
    assert (context["open_seats"], context["watchable"], len(context["mine"])) == ([], [], 2)


def test_what_nobody_comes_for_leaves_the_lobby(alice):
    tables.open_match(alice, [tables.person(alice), OPEN], PUBLIC)
    assert len(selectors.list_open_matches(None)) == 1
    assert match_setup.call_off_old(timezone.now() + match_setup.OPEN_FOR - timedelta(hours=1)) == 0
    assert match_setup.call_off_old(timezone.now() + match_setup.OPEN_FOR) == 1
    assert selectors.list_open_matches(None) == []


@pytest.mark.long
def test_my_turn_comes_first_and_is_said_everywhere(client, alice, bob):
    theirs = tables.open_match(alice, [tables.person(bob), tables.person(alice)])
    mine = tables.open_match(alice, [tables.person(alice), tables.person(bob)])
    LiveMatch.objects.filter(pk=mine.pk).update(turn_began_at=timezone.now() - timedelta(days=1))
    client.force_login(alice)
    response = client.get("/play/")
    assert codes(response.context["mine"]) == [mine.code, theirs.code]
    text = response.content.decode()
    assert re.search(r"<title>\s*\(1\) Your turn ·\s+Play", text)
    assert "your turn" in re.search(r'<div class="resume" data-my-turn>.*?</strong>', text, re.S)[0]
    assert f'href="/play/{mine.code}/"' in text
    assert "your turn in 1 match" in markup(client.get("/games/"))
    assert "your turn in" not in client.get(f"/play/{mine.code}/").content.decode(), "this page says it by itself"
    assert "your turn in 1 match" in markup(client.get(f"/play/{theirs.code}/"))


def test_the_lists_are_asked_for_again_with_title_and_badge(client, alice, bob):
    match = tables.open_match(alice, [tables.person(bob), tables.person(alice)])
    client.force_login(alice)
    quiet = client.get("/play/", headers={"HX-Request": "true"}).content.decode()
    assert "(1)" not in quiet
    tables.play_on(match, 1)
    text = client.get("/play/", headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in text
    assert "(1) Your turn" in re.search(r"<title>.*?</title>", text, re.S)[0]
    assert 'id="resume" class="resume-place" hx-swap-oob="true"' in text
    assert re.search(r'id="turns"\s+hx-swap-oob="true"\s*>\s*<span class="badge"', text)
    assert 'name="level"' not in text, "a choice of level would be lost"


def test_a_list_costs_as_many_queries_for_many_matches(alice, bob, django_assert_max_num_queries):
    for _ in range(5):
        tables.open_match(alice, [tables.person(alice), OPEN], PUBLIC)
    with django_assert_max_num_queries(3):
        assert len(selectors.list_open_matches(bob)) == 5
    with django_assert_max_num_queries(1):
        assert selectors.num_turns(alice) == 0


def test_the_seats_shown_are_names_alone(client, alice):
    match = tables.open_match(alice, [tables.person(alice), OPEN], PUBLIC)
    text = client.get("/play/").content.decode()
    assert "alice" in text
    assert match.invite not in text
    assert LiveSeat.objects.filter(match=match).count() == 2
