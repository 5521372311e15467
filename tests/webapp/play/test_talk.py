"""Ready phrases at a table: who may say them, who sees them, and in which language."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.webapp.table.live import tables
from webapp.table.live import phrases
from webapp.table.live.models import LiveMatch, LivePhrase
from webapp.table.live.phrase_list import LANGUAGES, PHRASES
from webapp.table.live.plans import Terms

pytestmark = pytest.mark.django_db
PUBLIC = Terms(visibility="public")


def browser(person=None):
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


def say(client, match, phrase="thanks"):
    return client.post(f"/play/{match.code}/say/", json.dumps({"phrase": phrase}), "application/json")


def heard(client, match):
    talk = client.get(f"/play/{match.code}/state/?wait=0").json()["talk"]
    return None if talk is None else [(one["seat"], one["phrase"]) for one in talk["said"]]


def test_every_phrase_is_there_in_every_language_and_fits_its_column():
    size = LivePhrase._meta.get_field("phrase").max_length
    for name, words in PHRASES.items():
        assert words.keys() == LANGUAGES.keys()
        assert all(words.values())
        assert len(name) <= size
    for code in LANGUAGES:
        assert len({words[code] for words in PHRASES.values()}) == len(PHRASES), "no two are the same"


def test_what_one_says_comes_to_all_with_the_next_version(alice, bob):
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], PUBLIC)
    version = match.version
    assert say(browser(alice), match).status_code == 204
    match.refresh_from_db()
    assert match.version == version + 1
    assert match.ply == 0
    for reader in (alice, bob, None):
        assert heard(browser(reader), match) == [(0, "thanks")]
    LivePhrase.objects.update(said_at=timezone.now() - phrases.KEPT_FOR)
    assert heard(browser(bob), match) == []
    assert phrases.forget_old(timezone.now()) == 1


def test_spectators_of_a_delayed_match_hear_it_late(alice, bob):
    delayed = Terms(visibility="public", spectator_delay=1)
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)], delayed), 2)
    say(browser(alice), match)
    assert (heard(browser(bob), match), heard(browser(), match)) == ([(0, "thanks")], [])


def test_a_seat_says_a_few_a_minute_from_the_list_alone(alice, bob):
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], PUBLIC)
    mine = browser(alice)
    assert say(mine, match, "you fool").status_code == 400
    answers = [say(mine, match).status_code for _ in range(phrases.OF_A_SEAT.per_minute + 1)]
    assert answers == [204] * phrases.OF_A_SEAT.per_minute + [429]
    assert say(browser(bob), match).status_code == 204, "each seat by itself"


@pytest.mark.long
def test_who_may_say_something_and_when(alice, bob):
    alone = tables.open_match(alice, [tables.person(alice), tables.engine()], PUBLIC)
    assert heard(browser(alice), alone) is None
    assert say(browser(alice), alone).status_code == 409
    assert b"data-talk-button" not in browser(alice).get(f"/play/{alone.code}/").content
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], PUBLIC)
    assert say(browser(), match).status_code == 409, "who looks on says nothing"
    LiveMatch.objects.filter(pk=match.pk).update(status="ended", ended_at=timezone.now())
    assert say(browser(alice), match).status_code == 204, "good game"
    LiveMatch.objects.filter(pk=match.pk).update(ended_at=timezone.now() - phrases.AFTERWARDS - timedelta(seconds=1))
    assert say(browser(alice), match).status_code == 409
    team = [tables.person(alice), tables.engine(), tables.person(bob), tables.engine()]
    partners = tables.open_match(alice, team, PUBLIC, game="dominoes")
    assert say(browser(alice), partners).status_code == 204
    LiveMatch.objects.filter(pk=partners.pk).update(is_rated=True)
    refused = say(browser(alice), partners)
    assert (refused.status_code, refused.json()["error"]) == (409, phrases.SIGNS)


@pytest.mark.long
def test_everybody_reads_in_the_language_they_chose_and_may_hear_nothing(alice, bob):
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], PUBLIC)
    client, address = browser(bob), f"/play/{match.code}/"
    assert "Well played!" in client.get(address).content.decode()
    for wanted in ({"language": "es"}, {"phrases": False}):
        assert client.post(f"{address}hear/", json.dumps(wanted), "application/json").status_code == 204
    menu = client.get(address).context["talk"]
    assert (menu.language, menu.is_shown) == ("es", False)
    assert dict(menu.phrases)["played"] == "¡Bien jugado!"
    assert client.post(f"{address}hear/", json.dumps({"language": "xx"}), "application/json").status_code == 400
    assert browser(alice).get(address).context["talk"].language == "en"
