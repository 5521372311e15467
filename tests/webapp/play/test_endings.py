"""The end of a round beside its board: what it counts, for whom, and the table as it lay."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games import registry
from tests.webapp.table.live import tables
from webapp.table.live import player_requests
from webapp.table.live.models import LiveMatch

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is woken: nothing here waits for an engine."""
    monkeypatch.setattr("worker.tasks.wake", lambda count=1, queue="batch": count)


def _state(client: Client, match: LiveMatch, person: Any) -> dict[str, Any]:
    client.force_login(person)
    found: dict[str, Any] = client.get(f"/play/{match.code}/state/").json()
    return found


def _first_end(match: LiveMatch) -> int:
    """Play to the first move of round 2; returns the number of the move that ended round 1."""
    tables.play_on(match, 12)  # no round is over yet
    for ply in range(13, 60):
        match = tables.play_on(match, 1)
        if match.plies.order_by("-ply").values_list("chapter", flat=True)[0] == "Round 2":
            return ply - 1
    raise AssertionError("no round ends")


def test_a_round_of_dominoes_is_counted_beside_the_board(client: Client, alice: Any, bob: Any) -> None:
    seats = [tables.person(alice), tables.person(bob), tables.person(alice), tables.person(bob)]
    match = tables.open_match(alice, seats, game="dominoes", deal_seed=5)
    ended = _first_end(match)
    mover = match.plies.order_by("-ply").values_list("seat", flat=True)[0]
    seen = _state(client, match, (bob, alice)[mover % 2])  # who has not moved since
    assert seen["ending"] == {"ply": ended, "is_over": False, "is_fresh": True, "has_people": True}
    sheet = seen["panel"]["ending"]
    assert all(words in sheet for words in ("Round 1", "round 2", "First to"))
    given = sum(int(part.split('"')[0]) for part in sheet.split('data-count="')[1:])
    scores = {one["score"] for one in seen["seats"]}
    assert given == sum(scores) != 0
    frames = client.get(f"/play/{match.code}/frames/", {"after": ended - 2, "until": ended}).json()["frames"]
    assert [(frame["ply"], frame["ended"]) for frame in frames] == [(ended - 1, False), (ended, True)]
    assert ["pips left" in frame["board"] for frame in frames] == [False, True]
    assert client.get(f"/play/{match.code}/frames/", {"after": 3, "until": 1}).status_code == 400


def test_a_frame_shows_no_hand_that_was_hidden(client: Client, alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)] * 2, game="dominoes", deal_seed=5)
    tables.play_on(match, 6)
    client.force_login(bob)
    for frame in client.get(f"/play/{match.code}/frames/", {"after": 0, "until": 6}).json()["frames"]:
        assert 'id="board-tile-0-' not in frame["board"]
    assert registry.get("dominoes").counts_rounds


def test_a_match_that_was_broken_off_has_a_sheet_and_the_picture_of_who_has_won(
    client: Client, alice: Any, bob: Any
) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], game="kingdomino", deal_seed=5)
    tables.play_on(match, 9)
    player_requests.grant("resign", match.pk, (1,))
    seen = {person: _state(client, match, person) for person in (alice, bob)}
    assert {state["ending"]["is_over"] for state in seen.values()} == {True}
    won, lost = (seen[person]["panel"]["ending"] for person in (alice, bob))
    for sheet in (won, lost):
        assert all(words in sheet for words in ("Over before its end", "9 moves played", "victory-king0", "Rematch"))
        assert "victory-king1" not in sheet
        assert "Nothing is left to count" not in sheet
    assert ("bob resigned: you win" in won, "data-quiet" in won) == (True, False)
    assert ("You resigned" in lost, "data-quiet" in lost) == (True, True)
    assert "data-ending-open" in client.get(f"/play/{match.code}/").content.decode(), "it opens before any script"


def test_nobody_has_won_a_match_that_ended_by_agreement(client: Client, alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], game="kingdomino", deal_seed=5)
    tables.play_on(match, 9)
    for seat in (0, 1):
        player_requests.grant("offer-end", match.pk, (seat,))
    sheet = _state(client, match, alice)["panel"]["ending"]
    assert "Ended by agreement" in sheet
    assert "data-victory" not in sheet


def test_what_decides_between_equal_points_is_said(client: Client, alice: Any, bob: Any) -> None:
    seats = [tables.person(alice), tables.person(bob)]
    match = tables.open_match(alice, seats, game="kingdomino", options={"ties": "official"}, deal_seed=34)
    match = tables.play_on(match)
    assert match.plies.order_by("-ply").values_list("scores", flat=True)[0] == [24, 24]
    sheet = _state(client, match, alice)["panel"]["ending"]
    assert "the largest area decides" in sheet
    assert "Largest difference" not in sheet
