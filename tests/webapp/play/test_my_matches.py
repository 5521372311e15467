"""My matches: what runs, what waits, how it ended."""

from __future__ import annotations

import pytest

from tests.webapp.table.live import tables
from webapp.people.agents.models import Agent
from webapp.play.views import my_matches as mine_view
from webapp.table.live import match_end, player_requests, ply_writer
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import INVITED, SeatPlan

pytestmark = pytest.mark.django_db


def end(match: LiveMatch, kind: str, seat: int | None) -> None:
    """End it before its end."""
    from django.db import transaction

    with transaction.atomic():
        match_end.end(ply_writer.lock_match(match.pk), kind, seat, "")


def outcomes(client) -> list[tuple[str, str, bool]]:
    return [(line.outcome, line.note, line.is_won) for line in client.get("/play/mine/").context["over"]]


def test_running_waiting_and_over_stand_apart(client, alice, bob):
    running = tables.open_match(alice, [tables.person(alice), tables.person(bob)])
    waiting = tables.open_match(alice, [tables.person(alice), SeatPlan(name=INVITED)])
    over = tables.open_match(alice, [tables.person(alice), SeatPlan(name=INVITED)])
    player_requests.grant("cancel", over.pk, (), is_creator=True)
    client.force_login(alice)
    context = client.get("/play/mine/").context
    shown = {key: [line.match.code for line in context[key]] for key in ("running", "waiting", "over")}
    assert shown == {"running": [running.code], "waiting": [waiting.code], "over": [over.code]}


def test_who_resigned_from_a_match_that_goes_on_is_told_so(client, alice, bob, engines):
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob), tables.engine()])
    player_requests.grant("resign", match.pk, (0,))
    match.refresh_from_db()
    assert match.status == LiveMatch.Status.RUNNING
    client.force_login(alice)
    (line,) = client.get("/play/mine/").context["running"]
    assert line.has_left
    assert "You resigned at move 1 and have lost; " in client.get(f"/play/{match.code}/").content.decode()
    client.force_login(bob)
    (line,) = client.get("/play/mine/").context["running"]
    assert not line.has_left
    assert "You resigned" not in client.get(f"/play/{match.code}/").content.decode()


def test_a_finished_match_says_who_won_with_its_score(client, alice, bob):
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)]))
    results = {row.seat: row.result for row in match.match.seats.all()}
    client.force_login(alice)
    response = client.get("/play/mine/")
    line = response.context["over"][0]
    assert line.outcome == {"win": "Won", "draw": "Draw", "loss": "Lost"}[results[0]]
    assert [cell.score for cell in line.seats] == [row.score for row in match.match.seats.order_by("seat")]
    assert f'href="/play/{match.code}/replay/?ply=0"' in response.content.decode()


@pytest.mark.parametrize(
    ("kind", "seat", "said"),
    [
        ("resigned", 0, ("You resigned", "", False)),
        ("resigned", 1, ("Won", "bob resigned", True)),
        ("over_time", 1, ("Won", "bob ran out of time", True)),
        ("agreed", None, ("Ended by agreement", "", False)),
    ],
)
def test_an_early_end_is_said_in_words(client, alice, bob, kind, seat, said):
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)]), 2)
    end(match, kind, seat)
    client.force_login(alice)
    assert outcomes(client) == [said]


def test_a_match_without_a_ply_has_no_replay(client, alice, bob):
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)])
    end(match, "resigned", 0)
    client.force_login(alice)
    assert "/replay/" not in client.get("/play/mine/").content.decode()


def test_pages_and_the_filter_by_game(client, alice, monkeypatch):
    monkeypatch.setattr(mine_view, "PAGE", 2)
    for _ in range(3):
        player_requests.grant(
            "cancel", tables.open_match(alice, [tables.person(alice), SeatPlan()]).pk, (), is_creator=True
        )
    client.force_login(alice)
    assert len(client.get("/play/mine/").context["over"]) == 2
    assert len(client.get("/play/mine/?page=2&game=carcassonne").context["over"]) == 1
    assert len(client.get("/play/mine/?game=whist").context["over"]) == 2


def test_others_see_nothing_of_it(client, alice, bob):
    tables.open_match(alice, [tables.person(alice), tables.engine()])
    client.force_login(bob)
    context = client.get("/play/mine/").context
    assert (context["running"], context["waiting"], context["over"]) == ([], [], [])


def test_matches_of_ones_agents_are_ones_own(client, alice, bob):
    agent = Agent.objects.create(owner=bob, name="robo")
    match = tables.open_match(alice, [tables.person(alice), SeatPlan(name="robo", agent=agent)])
    client.force_login(bob)
    assert [line.match.code for line in client.get("/play/mine/").context["running"]] == [match.code]


def test_a_guest_has_a_list_too(client):
    data = {"game": "carcassonne", "level": "easy", "submission": "6f2b54c6-7b39-4c0b-9a3d-5b0c7c8a6a11"}
    client.post("/play/now/", data)
    response = client.get("/play/mine/")
    assert len(response.context["running"]) == 1
    assert "You play as a guest" in response.content.decode()
