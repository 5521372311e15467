"""Duplicate matches: one deal from both sides by two people, kept secret, counted once, naming nobody."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from engines import levels
from engines import registry as engine_registry
from games import registry as game_registry
from tests.webapp.pages import markup
from tests.webapp.play.ratings.matches import lose
from tests.webapp.table.live import tables
from webapp.lab.jobs import share_links
from webapp.play.duplicates import rule, selectors
from webapp.play.duplicates.models import DuplicateDeal, DuplicateLeg
from webapp.play.ratings.models import RatedMatch, RatedSeat
from webapp.table.live import challenges
from webapp.table.live.models import DealSight, LiveMatch, LiveSeat

pytestmark = pytest.mark.django_db
GAME = "carcassonne"
FORM = {"game": GAME, "submission": "6ba7b810-9dad-11d1-80b4-00c04fd430c8"}
BEGIN, PAGE = "/play/duplicate/begin/", "/play/duplicate/"


@pytest.fixture
def carol(db):
    return get_user_model().objects.create_user("carol", password="password")


def begun(person, **form) -> LiveMatch:
    """The match that somebody gets for a click."""
    client = Client()
    client.force_login(person)
    response = client.post(BEGIN, {**FORM, **form})
    assert response.status_code == 302
    return LiveMatch.objects.get(code=response.url.strip("/").split("/")[-1])


def own_seat(match: LiveMatch) -> int:
    return match.seats.get(kind=LiveSeat.Kind.PERSON).seat


def end(match: LiveMatch, result: str = "loss") -> None:
    """The person leaves, which loses; another result is put in its place."""
    lose(match, own_seat(match))
    RatedSeat.objects.filter(match__live=match, seat=own_seat(match)).update(result=result)


def tally():
    return selectors.tally(GAME)


@pytest.mark.long
def test_two_people_get_one_deal_from_both_sides_against_the_strongest_level(alice, bob):
    first, second = begun(alice), begun(bob)
    assert first.deal_seed == second.deal_seed
    assert {own_seat(first), own_seat(second)} == {0, 1}
    assert first.seed != second.seed, "the engine's own luck is not part of the deal"
    for match in (first, second):
        assert match.is_rated
        rival = match.seats.get(kind=LiveSeat.Kind.ENGINE)
        assert rival.level == levels.for_game(GAME)[-1].id
    assert DuplicateDeal.objects.count() == 1


@pytest.mark.long
def test_nobody_gets_a_deal_that_they_have_met(alice, bob, carol):
    first = begun(alice)
    end(first)
    again = begun(alice)
    assert again.deal_seed != first.deal_seed, "not the other side of one's own"
    end(again)
    of = challenges.create_challenge(first, own_seat(first))
    LiveMatch.objects.filter(pk=begun(bob, game="dominion").pk).update(deal_seed=of.origin.deal_seed, challenge=of)
    assert begun(bob).deal_seed == again.deal_seed, "the first one was met as a friend's"
    assert begun(carol).deal_seed == first.deal_seed


def test_a_click_goes_on_with_what_goes_on(alice):
    match = begun(alice)
    assert begun(alice) == match
    assert begun(alice, submission="6ba7b811-9dad-11d1-80b4-00c04fd430c8") == match
    assert DuplicateLeg.objects.count() == 1
    client = Client()
    client.force_login(alice)
    text = markup(client.get(PAGE))
    assert text.count("Go on with your duplicate of") == text.count("Go on with your duplicate of Carcassonne") == 1


@pytest.mark.long
def test_dominoes_have_the_level_as_partner_and_as_rivals(alice, bob):
    first, second = begun(alice, game="dominoes"), begun(bob, game="dominoes")
    assert {own_seat(first), own_seat(second)} == {0, 1}, "one in each team"
    assert first.seats.filter(kind=LiveSeat.Kind.ENGINE).count() == 3


@pytest.mark.long
def test_while_one_plays_no_other_match_of_the_deal_is_shown(alice, bob, client):
    first = begun(alice)
    LiveMatch.objects.filter(pk=first.pk).update(visibility=LiveMatch.Visibility.PUBLIC)
    second = begun(bob)
    client.force_login(bob)
    assert client.get(f"/play/{first.code}/").status_code == 404
    assert not DealSight.objects.exists()
    end(second)
    assert client.get(f"/play/{first.code}/").status_code == 200


@pytest.mark.long
def test_nobody_gets_a_deal_of_which_they_have_seen_a_match(alice, bob, carol, client):
    first = tables.play_on(begun(alice), 1)
    end(first)
    LiveMatch.objects.filter(pk=first.pk).update(visibility=LiveMatch.Visibility.PUBLIC)
    client.force_login(bob)
    for _ in range(2):
        assert client.get(f"/play/{first.code}/").status_code == 200
    first.refresh_from_db()
    link = share_links.share(first.match.experiment, first.match)
    client.force_login(carol)
    assert client.get(f"/r/{link.slug}/").status_code == 200
    assert {sight.person.username for sight in DealSight.objects.all()} == {"bob", "carol"}
    dave = get_user_model().objects.create_user("dave", password="password")
    seeds = {person: begun(person).deal_seed for person in (bob, carol, dave)}
    assert seeds[bob] == seeds[carol] != first.deal_seed, "a new one, of which the other has the other side"
    assert seeds[dave] == first.deal_seed


@pytest.mark.long
def test_no_page_tells_the_deal(alice, bob, client):
    first = begun(alice)
    end(first)
    second = begun(bob)
    client.force_login(bob)
    for path in (PAGE, f"/play/{second.code}/", f"/play/{second.code}/state/", "/play/", "/play/mine/"):
        text = client.get(path).content.decode()
        assert str(second.deal_seed) not in text, path
        assert first.code not in text, path
        assert "alice" not in text, path


@pytest.mark.long
def test_whole_deals_count_in_the_order_in_which_they_became_whole(alice, bob, carol):
    end(begun(alice), "win")
    assert (tally().standing.deals, tally().waiting, tally().people) == (0, 1, 0)
    end(begun(bob), "draw")
    found = tally()
    assert (found.standing.deals, found.waiting, found.people) == (1, 0, 2)
    assert found.standing.share == pytest.approx(1 - (1 + 0.5) / 2)
    end(begun(carol))
    end(begun(alice))
    assert tally().standing.share == pytest.approx((0.25 + 1.0) / 2)
    assert tally().people == 3
    text = markup(Client().get(PAGE))
    assert "62&#8239;%" in text
    assert "alice" not in text


@pytest.mark.long
def test_a_match_without_a_result_frees_its_side(alice, bob, carol):
    first = begun(alice)
    second = begun(bob)
    end(second)
    RatedMatch.objects.filter(live=second).update(why_not="It was ended by agreement.")
    third = begun(carol)
    assert third.deal_seed == first.deal_seed
    assert own_seat(third) == own_seat(second)
    end(first)
    end(third)
    assert (tally().standing.deals, tally().standing.share) == (1, 1.0)


@pytest.mark.long
def test_a_new_version_of_the_engine_goes_on_with_the_count_and_is_named(alice, bob, monkeypatch):
    first = tables.play_on(begun(alice), 1)
    end(first)
    engine = engine_registry.get(levels.for_game(GAME)[-1].engine)
    before = engine.version
    monkeypatch.setattr(engine, "version", "99")
    second = tables.play_on(begun(bob), 1)
    assert second.deal_seed == first.deal_seed
    end(second)
    found = tally()
    assert (found.standing.deals, found.waiting) == (1, 0)
    assert found.changed == (f"{engine.label} {before}, 99",)
    assert f"in several versions: {engine.label} {before}, 99" in markup(Client().get(PAGE))


@pytest.mark.long
def test_a_new_version_of_the_game_deals_anew_and_leaves_half_played_deals(alice, bob, carol, monkeypatch):
    first = begun(alice)
    end(first)
    assert tally().waiting == 1
    monkeypatch.setattr(game_registry.get(GAME), "version", "99")
    assert tally().waiting == 0, "nobody is given its other side"
    second, third = begun(bob), begun(carol)
    assert first.deal_seed != second.deal_seed == third.deal_seed
    end(second)
    end(third)
    assert (tally().standing.deals, tally().changed) == (1, ()), "one version is not worth a word"


@pytest.mark.long
def test_its_person_alone_reads_that_a_match_was_a_duplicate(alice, bob, client):
    match = tables.play_on(begun(alice), 1)
    end(match)
    LiveMatch.objects.filter(pk=match.pk).update(visibility=LiveMatch.Visibility.PUBLIC)
    for person, is_told in ((alice, True), (bob, False)):
        client.force_login(person)
        page = markup(client.get(f"/play/{match.code}/"))
        for words in ("A duplicate: its deal counts", "A rematch is no duplicate"):
            assert page.count(words) == (2 if is_told else 0), "as the match ends, and beside it"


@pytest.mark.long
def test_a_count_that_has_ended_takes_nobody_in(alice, bob, monkeypatch, client):
    end(begun(alice))
    end(begun(bob))
    monkeypatch.setattr(rule, "MOST", 1)
    assert tally().standing.ended
    client.force_login(alice)
    response = client.post(BEGIN, FORM, follow=True)
    assert "The count of this game has ended" in markup(response)
    assert LiveMatch.objects.count() == 2
    assert f'value="{GAME}"' not in markup(client.get(PAGE))


def test_it_needs_an_account_and_a_whole_form(client, alice):
    assert client.post(BEGIN, FORM).url.startswith("/accounts/new/")
    assert "It needs an account" in markup(client.get(PAGE))
    client.force_login(alice)
    for form in ({}, {**FORM, "game": "chess"}, {**FORM, "submission": "x"}):
        assert client.post(BEGIN, form).url == PAGE
    assert client.get(BEGIN).status_code == 405
    assert not LiveMatch.objects.exists()


def test_the_rule_stands_on_the_page_before_anybody_played_and_others_lead_there(client):
    text = markup(client.get(PAGE))
    assert "Nobody yet" in text
    assert f"undecided after {rule.MOST} deals" in text
    assert "began with 1" in text
    assert PAGE in markup(client.get("/play/?with=rated"))
    assert PAGE in markup(client.get("/strength/"))
