"""Coming back after an engine took the seat over, and who is told of it when."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.webapp.table.live import tables
from webapp.people.agents.models import Agent
from webapp.play import selectors
from webapp.table.live import departures, observations, player_requests, ply_writer, position_cache, seat_return
from webapp.table.live.errors import NotYourTurnError, OverError, RefusedError
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan, Terms

pytestmark = pytest.mark.django_db

DELAYED = Terms(ply_limit_s=60, clock_s=1000.0, visibility="public", spectator_delay=3)


@pytest.fixture
def match(alice: Any, bob: Any) -> LiveMatch:
    """Alice's turn at ply 4."""
    return tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)], DELAYED), 4)


@pytest.fixture
def without_alice(match: LiveMatch) -> LiveMatch:
    """The same, when an engine has taken over from her."""
    LiveMatch.objects.filter(pk=match.pk).update(turn_began_at=timezone.now() - timedelta(seconds=61))
    assert departures.enforce() == 1
    match.refresh_from_db()
    return match


def _legal(match: LiveMatch) -> int:
    position = position_cache.position_at(match)
    return int(position.game.legal_actions(position.state)[0])


def test_who_stayed_away_takes_the_seat_back_and_has_not_lost(without_alice: LiveMatch, alice: Any) -> None:
    match = player_requests.grant("take-seat", without_alice.pk, (0,))
    assert (match.on_turn, match.is_engine_due, match.attempts) == (0, False, 0)
    entry = match.seats.get(seat=0)
    assert (entry.kind, entry.person, entry.name, entry.level, entry.configuration) == (
        "person",
        alice,
        "alice",
        "",
        None,
    )
    assert 61 < entry.used_s < 90, "the time away is on her clock"
    assert [note["has_lost"] for note in entry.replaced] == [False, False]
    match = tables.play_on(match)
    assert match.status == "finished"
    (engine,) = [note["name"] for note in entry.replaced if "engine" in note]
    spec = match.match.experiment.spec["arms"][0]["seats"][0]
    assert spec["options"]["name"] == f"alice, then {engine}, then alice"


def test_a_seat_is_taken_back_on_the_turn_of_another(without_alice: LiveMatch) -> None:
    match = tables.play_on(without_alice, 1)
    match = player_requests.grant("take-seat", match.pk, (0,))
    assert (match.on_turn, match.is_engine_due) == (1, False)
    match = tables.play_on(match, 1)
    assert ply_writer.play(match.pk, 0, match.ply, _legal(match)).ply == 7


def test_the_engine_that_thinks_there_is_waited_for_no_more(without_alice: LiveMatch) -> None:
    LiveMatch.objects.filter(pk=without_alice.pk).update(worker="w", claimed_at=timezone.now())
    match = player_requests.grant("take-seat", without_alice.pk, (0,))
    assert (match.worker, match.claimed_at) == ("", None)
    with pytest.raises(NotYourTurnError):
        ply_writer.play(match.pk, 0, match.ply, _legal(match), thought={})


def test_an_agent_comes_back_too(alice: Any, bob: Any) -> None:
    agent = Agent.objects.create(owner=alice, name="bot")
    match = tables.open_match(alice, [SeatPlan(name="bot", agent=agent), tables.person(bob)], Terms(ply_limit_s=60))
    assert departures.enforce(timezone.now() + timedelta(seconds=61)) == 1
    match = player_requests.grant("take-seat", match.pk, (0,))
    entry = match.seats.get(seat=0)
    assert (entry.kind, entry.agent, entry.name) == ("agent", agent, "bot")


@pytest.mark.parametrize("how", ["resigned", "over_time"])
def test_who_gave_up_or_ran_out_of_clock_does_not_come_back(alice: Any, bob: Any, how: str) -> None:
    seats = [tables.person(alice), tables.person(bob), tables.engine()]
    match = tables.open_match(alice, seats, Terms(clock_s=60.0, ply_limit_s=3600))
    if how == "resigned":
        player_requests.grant("resign", match.pk, (0,))
    else:
        assert departures.enforce(timezone.now() + timedelta(seconds=61)) == 1
    assert match.seats.get(seat=0).replaced[0]["kind"] == how
    with pytest.raises(RefusedError, match="staying away"):
        player_requests.grant("take-seat", match.pk, (0,))
    with pytest.raises(RefusedError, match="have your seat"):
        player_requests.grant("take-seat", match.pk, (1,))
    with pytest.raises(RefusedError, match="Only those who play"):
        player_requests.grant("take-seat", match.pk, ())


def test_nobody_comes_back_to_a_match_that_is_over(without_alice: LiveMatch) -> None:
    player_requests.grant("resign", without_alice.pk, (1,))
    with pytest.raises(OverError, match="over"):
        player_requests.grant("take-seat", without_alice.pk, (0,))
    assert without_alice.seats.get(seat=0).kind == "engine"


def test_who_may_come_back_is_not_behind_and_plays_nothing_meanwhile(without_alice: LiveMatch) -> None:
    seen = observations.observe(without_alice, (0,))
    assert (seen.ply, seen.latest, seen.your_seats, seen.actions) == (4, 4, (), ())
    assert seen.seats[0].kind == "engine"
    assert seat_return.why_not(departures.table_seats.look_up(without_alice, (0,))) == ""


def test_spectators_are_told_who_sits_there_no_sooner_than_they_see_it(without_alice: LiveMatch) -> None:
    engine = without_alice.seats.get(seat=0).name
    match = without_alice
    while match.ply < 7:
        seen = observations.observe(match, ())
        assert (seen.ply, seen.seats[0].name, seen.seats[0].kind) == (match.ply - 3, "alice", "person")
        assert (seen.seats[0].level, seen.seats[0].replaced) == ("", None)
        assert "away" not in json.dumps(seen.to_json())
        match = tables.play_on(match, 1)
    assert observations.observe(match, ()).seats[0].name == engine


def test_lists_tell_spectators_no_more_than_the_board(without_alice: LiveMatch, alice: Any, bob: Any) -> None:
    (line,) = selectors.watchable_matches(None)
    assert (line.ply, line.seats[0].name, line.seats[0].kind, line.on_turn) == (1, "alice", "person", "")
    (hers,) = selectors.current_matches(alice)
    assert (hers.ply, hers.seats[0].kind) == (4, "engine")
    (his,) = selectors.current_matches(bob)
    assert (his.ply, his.seats[0].kind) == (4, "engine")
