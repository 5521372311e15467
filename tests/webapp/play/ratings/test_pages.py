"""Boards, histories, and engines against people."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.webapp.pages import markup
from tests.webapp.play.ratings.matches import level, lose, open_rated
from tests.webapp.table.live import tables
from webapp.play.ratings import anchors, people, scale, selectors
from webapp.play.ratings.models import Rating
from webapp.table.live import player_requests
from worker.analysis.intervals import wilson
from worker.spec import seat_from_json

pytestmark = pytest.mark.django_db


def test_a_board_shows_players_between_the_levels(client: Client, alice: Any, bob: Any) -> None:
    lose(open_rated(alice, bob), 0)
    page = client.get("/ratings/carcassonne/").content.decode()
    assert page.index('href="/ratings/people/bob/"') < page.index('href="/ratings/people/alice/"')
    master = anchors.get("carcassonne", "paper", "master")
    assert f"± {1.96 * master.whole_error:.0f}" in page.partition("Master")[2]
    (first, second), errors = Rating.objects.order_by("-mean"), anchors.errors("carcassonne", "paper")
    # they met nobody else: what their start may be off by is in the points of both, and not between them
    assert selectors.lead(first, second, errors).half == pytest.approx(
        1.96 * math.hypot(first.deviation, second.deviation)
    )
    assert selectors.skill_of(first).half > 1.96 * scale.START_ERROR
    lead = re.search(r'Ahead of the next">\s*<span>\s*\+(\d+)\s*<span class="muted">± (\d+)<', page)
    assert lead
    assert int(lead[1]) == round(first.mean - second.mean)
    assert int(lead[2]) == round(selectors.lead(first, second, errors).half)
    assert page.count(">provisional<") == 2
    assert client.get("/ratings/").status_code == 302
    assert client.get("/ratings/chess/").status_code == 404


def test_a_history_shows_private_matches_without_who_and_where(client: Client, alice: Any, bob: Any) -> None:
    match = lose(open_rated(alice, bob), 0)
    lose(open_rated(bob, level("easy")))
    url = "/ratings/people/bob/"
    page = markup(client.get(url))
    assert re.findall(r"against </span>(.*?)</th>", page) == ["Easy", "a person"]
    assert match.code not in page
    assert "alice" not in page
    client.force_login(alice)
    page = markup(client.get(url))
    assert match.code in page
    assert re.findall(r"against </span>(.*?)</th>", page) == ["Easy", "alice"]
    assert "rating-figure-carcassonne" in page


def test_who_has_no_rating_is_found_by_nobody_else(client: Client, alice: Any, bob: Any) -> None:
    client.force_login(alice)
    assert client.get("/ratings/people/alice/").status_code == 200
    assert client.get("/ratings/people/bob/").status_code == 404


def test_the_page_of_a_rated_match_says_what_it_did(client: Client, alice: Any) -> None:
    match = lose(open_rated(alice, level("easy")))
    client.force_login(alice)
    page = client.get(f"/play/{match.code}/").content.decode()
    assert "1\u202f500" in page or "1500" in page
    assert "/ratings/carcassonne/" in page


def test_engines_against_people_counts_matches_without_help(client: Client, alice: Any, bob: Any) -> None:
    lose(tables.open_match(alice, [tables.person(alice), level("easy")]))
    lose(tables.open_match(alice, [level("easy"), tables.person(alice)]), 1)
    tables.open_match(alice, [tables.person(alice), level("easy")])  # still runs
    lose(tables.open_match(alice, [tables.person(alice), tables.person(bob), level("easy")]))  # two people
    helped = tables.play_on(tables.open_match(alice, [tables.person(alice), level("easy")]), 2)
    helped.is_taken_back = True
    helped.save()
    player_requests.grant("resign", helped.pk, [0])
    told = tables.open_match(alice, [tables.person(alice), level("easy")])
    told.seats.filter(seat=0).update(hints_used=1)
    lose(told)
    lose(tables.open_match(alice, [tables.person(alice), level("easy")], deal_is_known=True))
    cache.clear()
    (row,) = people.rows()
    assert (row.level, row.won, row.drawn, row.lost, row.left) == ("Easy", 2, 0, 0, 2)
    assert (row.people, row.independent) == (1, 1)
    page = markup(client.get("/engines/against-people/"))
    assert "Heyden 2009, section 6.5" in page
    assert "100.0" in page


def test_matches_of_one_person_are_no_independent_ones(alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MOST", 4)
    for person in (bob, alice, alice, alice, bob):
        lose(tables.open_match(person, [tables.person(person), level("easy")]))
    cache.clear()
    (row,) = people.rows()
    assert (row.matches, row.people, row.independent) == (4, 2, 16 / 10)
    assert row.interval == wilson(1.6, 1.6)


def test_settings_of_ones_own_are_one_row_an_engine(alice: Any) -> None:
    for budget in ({"playouts": 10}, {"playouts": 20}):
        spec = seat_from_json({"engine": "flat_mc", "budget": budget}, ("seat",), "carcassonne")
        lose(tables.open_match(alice, [tables.person(alice), tables.engine(spec)]))
    cache.clear()
    (row,) = people.rows()
    assert (row.level, row.matches, row.words) == ("", 2, people.OWN_SETTINGS)
