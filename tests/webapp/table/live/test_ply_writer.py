"""Playing on a match in play, to its record."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import F

from tests.webapp.table.live import tables
from webapp.records import verification
from webapp.table.live import observations, player_requests, ply_writer, position_cache
from webapp.table.live.errors import IllegalError, NotYourTurnError, OverError, RepeatError, StaleError
from webapp.table.live.models import LiveMatch

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice: Any, bob: Any) -> LiveMatch:
    return tables.open_match(alice, [tables.person(alice), tables.person(bob)])


def test_a_match_played_to_its_end_is_a_record_that_replays(match: LiveMatch) -> None:
    match = tables.play_on(match)
    assert match.status == "finished"
    assert match.match.status == "finished"
    assert match.match.plies.count() == 71
    report = verification.verify([match.match.pk])
    assert (report.matches, report.mismatches) == (1, [])


@pytest.mark.long
@pytest.mark.parametrize("plies", [9, None])
def test_plies_that_tests_write_at_once_are_those_played_one_by_one(alice: Any, plies: int | None) -> None:
    written = []
    for play in (tables.play_on, tables.play_each):
        seats = [tables.person(alice), tables.engine()]
        match = play(tables.open_match(alice, seats, game="kingdomino", deal_seed=3, salt="salt"), plies)
        timeless = {"id", "match_id", "code", "invite", "seed", "salt", "commitment", "seen_at", "used_s", "elapsed_s"}
        timeless |= {"created_at", "started_at", "turn_began_at", "ended_at", "played_at"}
        rows = [LiveMatch.objects.filter(pk=match.pk), match.seats.order_by("seat"), match.plies.order_by("ply")]
        values = [[{k: v for k, v in row.items() if k not in timeless} for row in one.values()] for one in rows]
        written.append(values)
        used_s = [row.elapsed_s for row in match.plies.filter(seat=0)]
        assert match.seats.get(seat=0).used_s == pytest.approx(sum(used_s))
        assert min(used_s) > 0
    assert written[0] == written[1]


def test_what_is_played_is_checked(match: LiveMatch) -> None:
    position = position_cache.position_at(match)
    legal = position.game.legal_actions(position.state).tolist()
    with pytest.raises(IllegalError):
        ply_writer.play(match.pk, 0, 0, max(legal) + 1)
    with pytest.raises(NotYourTurnError):
        ply_writer.play(match.pk, 1, 0, legal[0])
    with pytest.raises(StaleError):
        ply_writer.play(match.pk, 0, 1, legal[0])
    ply_writer.play(match.pk, 0, 0, legal[0], key="a")
    assert ply_writer.play(match.pk, 0, 0, legal[0], key="a").ply == 1
    with pytest.raises(RepeatError):
        ply_writer.play(match.pk, 0, 0, legal[1], key="a")
    match.refresh_from_db()
    assert (match.ply, match.plies.count()) == (1, 1)


def test_what_a_seat_sees(match: LiveMatch) -> None:
    match = tables.play_on(match, 5)
    own, other = observations.observe(match, (1,)), observations.observe(match, ())
    assert own.your_turn
    assert own.actions
    assert not other.actions
    assert str(match.deal_seed) not in str(own)


def test_what_other_rules_allowed_is_still_seen_and_left_but_not_played_on(match: LiveMatch) -> None:
    match = tables.play_on(match, 6)
    match.plies.filter(ply__gte=3).update(digest=F("digest") + 1)  # as if positions had other keys now
    LiveMatch.objects.filter(pk=match.pk).update(digest=match.digest + 1)
    match.refresh_from_db()
    position_cache._courses.take(match.pk)
    assert observations.observe(match, (0,)).ply == 6
    legal = position_cache.position_at(match).game.legal_actions(position_cache.position_at(match).state)
    with pytest.raises(OverError, match="rules have changed"):
        ply_writer.play(match.pk, 0, 6, int(legal[0]))
    match.plies.filter(ply=4).update(action=2**30)  # as if it was not legal any more
    match.plies.filter(ply=5).update(digest=F("digest") + 1)
    LiveMatch.objects.filter(pk=match.pk).update(digest=F("digest") + 1)
    match.refresh_from_db()
    seen = observations.observe(match, (0,))
    assert (seen.ply, seen.your_turn, seen.actions) == (4, False, ())
    assert player_requests.grant("resign", match.pk, (0,)).match.failure["kind"] == "resigned"


def test_a_refused_action_costs_no_memory_of_the_course(match: LiveMatch) -> None:
    match = tables.play_on(match, 3)
    position_cache.keep_course(match.pk, course := position_cache.take_course(match))
    with pytest.raises(IllegalError, match="not among"):
        ply_writer.play(match.pk, 1, 3, 2**30)
    assert position_cache.take_course(match) is course


def test_what_an_engine_thought_stands_in_the_record(alice: Any) -> None:
    match = tables.open_match(alice, [tables.engine(), tables.person(alice)])
    legal = position_cache.position_at(match).game.legal_actions(position_cache.position_at(match).state)
    thought = {"value": 0.5, "playouts": 12, "cpu_s": 0.25, "info": {"best": []}}
    match = ply_writer.play(match.pk, 0, 0, int(legal[0]), thought=thought)
    with pytest.raises(NotYourTurnError, match="No engine"):
        ply_writer.play(match.pk, 1, 1, 0, thought={})
    record = player_requests.grant("resign", match.pk, (1,)).match
    ply = record.plies.get(ply=0)
    assert (ply.value, ply.playouts, ply.cpu_s, record.cpu_s) == (0.5, 12, 0.25, 0.25)
