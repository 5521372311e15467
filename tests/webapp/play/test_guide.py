"""The guided first match: begun from the lobby, taken up again, never shown again when done."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from games import registry
from webapp.table.live.models import LiveMatch

pytestmark = pytest.mark.django_db


def _begin(client: Client, game: str = "kingdomino") -> str:
    form = {"game": game, "level": "easy", "submission": str(uuid.uuid4()), "guided": "1"}
    answer = client.post("/play/now/", form)
    assert answer.status_code == 302
    return str(answer.url)


def _page(client: Client, url: str) -> str:
    return client.get(url).content.decode()


@pytest.mark.parametrize("game_id", registry.ids())
def test_every_game_has_a_guide(game_id: str) -> None:
    steps = registry.get(game_id).guide
    assert 5 <= len(steps) <= 8
    assert {step.until for step in steps} == {"next", "choose", "confirm"}
    assert {step.show for step in steps} <= {"turn", "board", "bar", "plates", "stock"}
    assert steps[-1].until == "next"


def test_a_guided_match_is_against_the_weakest_with_the_person_first(client: Client, engines: Any) -> None:
    url = _begin(client)
    match = LiveMatch.objects.get()
    assert [seat.level for seat in match.seats.order_by("seat")] == ["", "beginner"]
    assert 'data-step="0"' in _page(client, url)


@pytest.mark.long
def test_it_goes_on_where_it_was_and_is_gone_when_done(client: Client, engines: Any) -> None:
    url = _begin(client)
    assert client.post(f"{url}guide/", {"step": 3}, "application/json").status_code == 204
    assert 'data-step="3"' in _page(client, url)
    assert client.post(f"{url}guide/", {"done": True}, "application/json").status_code == 204
    assert "data-guide" not in _page(client, url)
    assert client.post(f"{url}guide/", {"step": 1}, "application/json").status_code == 204, "from a tab still open"
    assert "data-guide" not in _page(client, url), "closed stays closed"


@pytest.mark.parametrize("wrong", [{"step": 99}, {"step": -1}, {"step": True}, {"step": "1"}, {}])
def test_wrong_steps_change_nothing(client: Client, engines: Any, wrong: dict[str, Any]) -> None:
    url = _begin(client)
    assert client.post(f"{url}guide/", wrong, "application/json").status_code == 400
    assert 'data-step="0"' in _page(client, url)


def test_strangers_see_no_guide_and_move_none(client: Client, engines: Any) -> None:
    url = _begin(client)
    LiveMatch.objects.update(visibility=LiveMatch.Visibility.PUBLIC)
    stranger = Client()
    assert "data-guide" not in _page(stranger, url)
    assert stranger.post(f"{url}guide/", {"step": 1}, "application/json").status_code == 404


def test_the_lobby_offers_it_until_it_is_done(client: Client, alice: Any) -> None:
    client.force_login(alice)
    number = _page(client, "/play/").count('name="guided"')
    assert number == len(registry.ids())
    url = _begin(client, "dominoes")
    client.post(f"{url}guide/", {"done": True}, "application/json")
    assert _page(client, "/play/").count('name="guided"') == number - 1
