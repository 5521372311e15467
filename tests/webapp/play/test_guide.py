"""The guided first match: begun from the lobby, told by what happens, never shown again when done."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from games import registry, rng
from games.guides import Happening
from tests.webapp.table.live import tables
from webapp.play import guide
from webapp.table.live import table_seats
from webapp.table.live.models import LiveMatch
from worker.course import Course

pytestmark = pytest.mark.django_db
SHOWN = {"turn", "board", "bar", "plates", "stock"}
RARE = {
    "carcassonne": {"none_left", "field"},
    "kingdomino": {"lost"},
    "dominion": {"cursed", "empty", "province", "late", "action"},
    "dominoes": {"must_pass", "blocked"},
}
"""Moments that need not come in a match of random play."""


def _begin(client: Client, game: str = "kingdomino") -> str:
    form = {"game": game, "level": "easy", "submission": str(uuid.uuid4()), "guided": "1"}
    answer = client.post("/play/now/", form)
    assert answer.status_code == 302
    return str(answer.url)


def _page(client: Client, url: str) -> str:
    return client.get(url).content.decode()


@pytest.mark.parametrize(
    "game_id",
    ["kingdomino", "dominoes", *(pytest.param(one, marks=pytest.mark.slow) for one in ("carcassonne", "dominion"))],
)
def test_through_whole_matches_every_moment_is_said_once_and_while_it_is_new(game_id: str) -> None:
    """A scripted player decides at random; what is new to them is what the walk of the plies says."""
    game = registry.get(game_id)
    steps = {step.moment: step for step in game.guide}
    assert len(steps) == len(game.guide) >= 7
    assert {step.show for step in game.guide} <= SHOWN
    assert max(len(step.text) for step in game.guide) <= 180
    seen: set[str] = set()
    for deal in range(2):
        seats = 4 if game.traits.has_teams else 2
        course, r = Course(game, {}, seats, deal), rng.new_stream(deal, rng.ANALYSIS)
        before, action, said = None, -1, list[str]()
        while True:
            after = course.state.copy()
            came = list(guide.moments(game, Happening(before, action, after, 0)))
            assert set(came) <= set(steps), "every moment has its step"
            said += [moment for moment in came if moment not in said]
            if game.is_terminal(after) or course.ply > 220:
                break
            legal = game.legal_actions(after)
            before, action = after, int(legal[rng.below(r, len(legal))])
            course.advance(action)
        assert said[0] == "begin"
        seen |= set(said)
    assert set(steps) - seen <= RARE[game_id] | ({"over", "near"} if game_id in ("dominion", "dominoes") else set())


def test_what_is_said_is_what_has_happened_since_ones_last_move(alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.engine()], game="kingdomino", deal_seed=5)
    guide.begin(alice, match)
    said: list[list[str]] = []
    while match.status == LiveMatch.Status.RUNNING:
        found = guide.find_guide(alice, table_seats.look_up(match, (0,)), match.ply)
        assert found is not None
        said.append([step.moment for step in found.steps])
        match = tables.play_on(match, 1)
    found = guide.find_guide(alice, table_seats.look_up(match, (0,)), match.ply)
    assert found is not None
    assert said[0] == ["begin"]
    assert [step.moment for step in found.steps][-1] == "over"
    own = {ply.ply for ply in match.plies.all() if ply.seat == 0}
    for moment in {moment for now in said for moment in now}:
        places = [number for number, now in enumerate(said) if moment in now]
        assert places == list(range(places[0], places[-1] + 1)), "said once, without a gap"
        runs = [number for number in places[1:] if number - 1 in own and number - 2 not in own and number - 1 > 0]
        assert len(runs) <= 1, "gone when one has acted again"
    assert guide.find_guide(alice, table_seats.look_up(match, ()), 0) is None, "spectators are told nothing"


def test_a_guided_match_is_against_the_weakest_with_the_person_first(client: Client, engines: Any) -> None:
    url = _begin(client)
    match = LiveMatch.objects.get()
    assert [seat.level for seat in match.seats.order_by("seat")] == ["", "beginner"]
    page = _page(client, url)
    assert 'data-panel="guide"' in page
    assert "Take a domino" in page or "The king" in page or "guide-quiet" in page


def test_it_is_gone_when_done(client: Client, engines: Any) -> None:
    url = _begin(client)
    assert client.post(f"{url}guide/", {"done": False}, "application/json").status_code == 400
    assert client.post(f"{url}guide/", {"step": 3}, "application/json").status_code == 400
    assert 'data-panel="guide"' in _page(client, url)
    assert client.post(f"{url}guide/", {"done": True}, "application/json").status_code == 204
    assert "data-guide" not in _page(client, url)


def test_strangers_see_no_guide_and_end_none(client: Client, engines: Any) -> None:
    url = _begin(client)
    LiveMatch.objects.update(visibility=LiveMatch.Visibility.PUBLIC)
    stranger = Client()
    assert "data-guide" not in _page(stranger, url)
    assert stranger.post(f"{url}guide/", {"done": True}, "application/json").status_code == 404


def test_the_lobby_offers_it_until_it_is_done(client: Client, alice: Any) -> None:
    client.force_login(alice)
    number = _page(client, "/play/").count('name="guided"')
    assert number == len(registry.ids())
    url = _begin(client, "dominoes")
    client.post(f"{url}guide/", {"done": True}, "application/json")
    assert _page(client, "/play/").count('name="guided"') == number - 1
