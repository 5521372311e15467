"""Leaving a match in play, and what becomes of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engines import levels
from tests.records.experiments import make_experiment
from tests.webapp.table.live import tables
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.records import verification
from webapp.table.live import (
    departures,
    match_setup,
    observations,
    player_requests,
    ply_writer,
    position_cache,
    substitute_engines,
    table_seats,
)
from webapp.table.live.errors import NotYourTurnError, OverError, RefusedError
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan, Terms

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice: Any, bob: Any) -> LiveMatch:
    return tables.open_match(alice, [tables.person(alice), tables.person(bob)])


@pytest.fixture
def three(alice: Any, bob: Any) -> LiveMatch:
    return tables.open_match(alice, [tables.person(alice), tables.person(bob), tables.engine()])


def _later(seconds: float) -> Any:
    return timezone.now() + timedelta(seconds=seconds)


def test_who_resigns_ends_a_match_of_two(match: LiveMatch) -> None:
    match = tables.play_on(match, 4)
    match = player_requests.grant("resign", match.pk, (1,))
    assert match.status == "ended"
    assert match.ending == {"kind": "resigned", "seat": 1, "message": "bob resigned."}
    assert match.match.status == "failed"
    assert match.match.failure["kind"] == "resigned"
    assert match.match.plies.count() == 4
    report = verification.verify([match.match.pk])
    assert (report.matches, report.plies, report.mismatches) == (1, 4, [])


def test_nothing_happens_after_the_end(match: LiveMatch) -> None:
    player_requests.grant("resign", match.pk, (0,))
    for name in ("resign", "offer-end", "take-back", "withdraw-offer"):
        with pytest.raises(OverError, match="over"):
            player_requests.grant(name, match.pk, (1,))
    with pytest.raises(OverError):
        ply_writer.play(match.pk, 0, 0, 0)
    match.refresh_from_db()
    assert match.version == 3


def test_a_match_left_before_its_first_ply_leaves_no_record(match: LiveMatch) -> None:
    assert player_requests.grant("resign", match.pk, (0,)).match is None


def test_among_three_an_engine_takes_over_and_the_others_play_on(three: LiveMatch, alice: Any) -> None:
    three = player_requests.grant("resign", three.pk, (0,))
    assert (three.status, three.on_turn, three.is_engine_due) == ("running", 0, True)
    entry = three.seats.get(seat=0)
    assert (entry.kind, entry.person, entry.level) == (
        "engine",
        alice,
        substitute_engines.default_substitute("carcassonne").level,
    )
    (note,) = entry.replaced
    assert (note["name"], note["has_lost"], note["why"]) == ("alice", True, "alice resigned.")
    three = tables.play_on(three)
    assert three.status == "finished"
    spec = three.match.experiment.spec["arms"][0]["seats"]
    assert [seat["engine"] for seat in spec] == ["replaced", "person", "random"]
    assert spec[0]["options"]["name"] == f"alice, then {entry.name}"
    assert set(three.match.versions) == {"carcassonne", "random", "flat_mc"}
    assert verification.verify([three.match.pk]).mismatches == []


def test_who_has_left_can_neither_play_nor_wish_nor_see_more_than_others(three: LiveMatch) -> None:
    player_requests.grant("resign", three.pk, (0,))
    three.refresh_from_db()
    legal = position_cache.position_at(three).game.legal_actions(position_cache.position_at(three).state).tolist()
    with pytest.raises(NotYourTurnError, match="engine has taken"):
        ply_writer.play(three.pk, 0, 0, legal[0])
    with pytest.raises(RefusedError, match="engine has taken over"):
        player_requests.grant("resign", three.pk, (0,))
    seen = observations.observe(three, (0,))
    assert (seen.your_seats, seen.your_turn, seen.actions) == ((), False, ())


def test_the_last_player_who_leaves_ends_the_match(three: LiveMatch) -> None:
    player_requests.grant("resign", three.pk, (0,))
    assert player_requests.grant("resign", three.pk, (1,)).status == "ended"


def test_a_match_ends_when_all_who_play_agree(three: LiveMatch) -> None:
    three = tables.play_on(three, 3)
    assert player_requests.grant("offer-end", three.pk, (0,)).status == "running"
    assert player_requests.permissions(table_seats.look_up(three, (0,)))["offer-end"]["why"].startswith(
        "You have offered it already"
    )
    with pytest.raises(RefusedError):
        player_requests.grant("offer-end", three.pk, (0,))
    assert observations.observe(three, (1,)).offers == (0,)
    three = player_requests.grant("offer-end", three.pk, (1,))
    assert three.ending["kind"] == "agreed"
    assert three.match.failure["seat"] is None


def test_against_engines_alone_nobody_can_agree(alice: Any) -> None:
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.engine()]), 4)
    with pytest.raises(RefusedError, match="nobody to agree"):
        player_requests.grant("offer-end", match.pk, (0,))
    match.refresh_from_db()
    assert (match.status, match.seats.filter(offers_end=True).exists()) == ("running", False)


@pytest.mark.parametrize("name", ["resign", "offer-end"])
def test_matches_of_experiments_are_played_to_their_end(name: str, alice: Any, bob: Any) -> None:
    plans = [
        SeatPlan(name=owner.username, agent=Agent.objects.create(owner=owner, name=owner.username))
        for owner in (alice, bob)
    ]
    match = tables.open_match(alice, plans, experiment=make_experiment(alice))
    with pytest.raises(RefusedError, match="played to their end"):
        player_requests.grant(name, match.pk, (0,))
    match.refresh_from_db()
    assert (match.status, match.version) == ("running", 2)


def test_an_offer_can_be_withdrawn_and_lapses_with_the_next_ply(match: LiveMatch) -> None:
    assert player_requests.permissions(table_seats.look_up(match, (0,)))["withdraw-offer"]["why"]
    player_requests.grant("offer-end", match.pk, (0,))
    player_requests.grant("withdraw-offer", match.pk, (0,))
    assert player_requests.grant("offer-end", match.pk, (1,)).status == "running"
    match = tables.play_on(match, 1)
    assert observations.observe(match, (0,)).offers == ()


def test_spectators_wish_nothing(match: LiveMatch) -> None:
    for name, answer in player_requests.permissions(table_seats.look_up(match, ())).items():
        assert not answer["is"], name
        with pytest.raises(RefusedError):
            player_requests.grant(name, match.pk, ())
    with pytest.raises(KeyError):
        player_requests.grant("win", match.pk, (0,))


def test_who_joined_an_open_match_can_give_the_seat_back(alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), SeatPlan(), SeatPlan()])
    match_setup.join(match.pk, person=bob)
    match = player_requests.grant("resign", match.pk, (1,))
    assert (match.status, match.seats.get(seat=1).kind) == ("open", "open")
    with pytest.raises(RefusedError, match="Cancel"):
        player_requests.grant("resign", match.pk, (0,), is_creator=True)
    with pytest.raises(RefusedError, match="Only the player who set"):
        player_requests.grant("cancel", match.pk, (1,))
    assert player_requests.grant("cancel", match.pk, (0,), is_creator=True).status == "cancelled"


# ---- time


def test_who_runs_out_of_time_loses(alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], Terms(clock_s=60.0))
    assert departures.enforce(_later(59)) == 0
    assert departures.enforce(_later(61)) == 1
    assert departures.enforce(_later(61)) == 0
    match.refresh_from_db()
    assert (match.ending["kind"], match.ending["seat"]) == ("over_time", 0)
    assert observations.observe(match, ()).seats[0].left_s == 0.0


def test_a_clock_gains_with_each_ply_of_its_own(alice: Any, bob: Any) -> None:
    terms = Terms(clock_s=60.0, increment_s=30.0)
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], terms)
    LiveMatch.objects.filter(pk=match.pk).update(turn_began_at=_later(-10))
    match = tables.play_each(match, 2)
    first, second = (row.left_s for row in observations.observe(match, ()).seats)
    assert 75 < first <= 80
    assert 85 < second <= 90, "more than it began with"
    assert departures.enforce(_later(first - 5)) == 0
    assert departures.enforce(_later(first + 1)) == 1


def test_a_ply_after_the_clock_has_run_out_is_not_played(alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], Terms(clock_s=60.0))
    LiveMatch.objects.filter(pk=match.pk).update(turn_began_at=_later(-61))
    position = position_cache.position_at(match)
    with pytest.raises(OverError, match="clock"):
        ply_writer.play(match.pk, 0, 0, int(position.game.legal_actions(position.state)[0]))


def test_clocks_are_of_each_seat(alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], Terms(clock_s=60.0))
    LiveMatch.objects.filter(pk=match.pk).update(turn_began_at=_later(-40))
    match = tables.play_on(match, 2)
    assert [row.used_s > 39 for row in match.seats.order_by("seat")] == [True, False]
    assert departures.enforce(_later(19)) == 0
    assert departures.enforce(_later(21)) == 1


def test_an_engine_takes_over_from_who_stays_away(alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], Terms(ply_limit_s=120))
    assert [found.pk for found in departures.overdue(_later(121))] == [match.pk]
    assert departures.enforce(_later(121)) == 1
    match.refresh_from_db()
    assert (match.status, match.is_engine_due) == ("running", True)
    (note,) = match.seats.get(seat=0).replaced
    assert note["why"] == "alice was away for more than 2 min."
    assert departures.enforce(_later(10_000)) == 0  # an engine is waited for otherwise


def test_who_stays_away_forfeits_where_that_was_agreed(alice: Any, bob: Any) -> None:
    terms = Terms(ply_limit_s=120, replaces_absent=False)
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], terms)
    departures.enforce(_later(121))
    match.refresh_from_db()
    assert (match.status, match.ending["kind"], match.ending["seat"]) == ("ended", "absent", 0)


def test_no_engine_plays_on_against_engines_alone(alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.engine()], Terms(ply_limit_s=120))
    departures.enforce(_later(121))
    match.refresh_from_db()
    assert match.ending["kind"] == "absent"


@pytest.mark.long
def test_a_deleted_account_leaves_its_matches_to_the_others(three: LiveMatch, alice: Any) -> None:
    alice.delete()
    three.refresh_from_db()
    assert (three.creator, three.seats.count()) == (None, 3)
    assert departures.enforce(timezone.now()) == 1
    three.refresh_from_db()
    assert three.seats.get(seat=0).replaced[0]["why"] == "alice no longer plays here."
    assert tables.play_on(three).match.experiment.owner.username == "lab"


@pytest.mark.parametrize("what", ["retired", "its owner is kept out"])
def test_an_agent_that_cannot_come_back_is_waited_for_no_longer(alice: Any, bob: Any, what: str) -> None:
    agent = Agent.objects.create(owner=alice, name="bot")
    match = tables.open_match(alice, [SeatPlan(name="bot", agent=agent), tables.person(bob)])
    assert departures.overdue(_later(10_000)) == []
    if what == "retired":
        Agent.objects.filter(pk=agent.pk).update(retired_at=timezone.now())
    else:
        User.objects.filter(pk=alice.pk).update(is_active=False)
    assert departures.enforce(timezone.now()) == 1
    match.refresh_from_db()
    assert match.seats.get(seat=0).kind == "engine"


def test_one_match_that_cannot_be_ended_does_not_keep_the_others_waiting(
    match: LiveMatch, alice: Any, bob: Any, caplog: Any
) -> None:
    other = tables.open_match(alice, [tables.person(alice), tables.person(bob)])
    LiveMatch.objects.filter(pk__in=[match.pk, other.pk]).update(ply_limit_s=60)
    LiveMatch.objects.filter(pk=match.pk).update(game="chess")
    assert departures.enforce(_later(61)) == 1
    assert "cannot be ended" in caplog.text


def test_the_usual_substitute_is_the_level_that_stands_in() -> None:
    level = levels.stand_in("carcassonne")
    assert level is not None
    assert substitute_engines.default_substitute("carcassonne").level == level.id
