"""Rounds among people: the next one begins when all are ready, or after a while."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.webapp.table.live import answering, tables
from webapp.records import verification
from webapp.table.live import between_rounds, observations, player_requests, ply_writer, position_cache
from webapp.table.live.errors import NotYourTurnError, RefusedError
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import Terms

pytestmark = pytest.mark.django_db
WOKEN: list[str] = []


@pytest.fixture(autouse=True)
def _wakes(monkeypatch: pytest.MonkeyPatch) -> None:
    WOKEN.clear()
    monkeypatch.setattr("worker.tasks.wake", lambda count=1, queue="batch": WOKEN.append(queue) or count)


LAST = 24
"""Number of the last move of the first round, as `_round_over` plays it."""


def _round_over(match: LiveMatch) -> LiveMatch:
    """The match right after the last move of its first round."""
    match = tables.play_on(match, LAST)
    position = position_cache.position_at(match)
    assert position.game.heading(position.state) == "Round 2"
    assert match.plies.get(ply=LAST - 1).chapter == "Round 1"
    return match


@pytest.fixture
def ended(alice: Any, bob: Any) -> LiveMatch:
    """Alice and Bob with two engines, timed, between two rounds; an engine opens the next one."""
    seats = [tables.person(alice), tables.engine(), tables.person(bob), tables.engine()]
    match = tables.open_match(alice, seats, Terms(clock_s=600.0), game="dominoes", deal_seed=5, seed=3)
    match = _round_over(match)
    assert match.on_turn in (1, 3)
    return match


def _seen(match: LiveMatch, seat: int) -> Any:
    return observations.observe(LiveMatch.objects.get(pk=match.pk), (seat,))


def test_nothing_is_played_before_all_are_ready(ended: LiveMatch) -> None:
    assert answering.claim(ended) is None
    assert (_seen(ended, 0).on_turn, _seen(ended, 0).your_turn) == (None, False)
    with pytest.raises(NotYourTurnError, match="all are ready"):
        ply_writer.play(ended.pk, ended.on_turn, ended.ply, 0, thought={})
    WOKEN.clear()
    match = player_requests.grant("ready", ended.pk, (0,))
    assert match.resumes_at is not None
    assert answering.claim(match) is None
    with pytest.raises(RefusedError, match="You are ready"):
        player_requests.grant("ready", ended.pk, (0,))
    match = player_requests.grant("ready", ended.pk, (2,))
    assert (match.resumes_at, match.is_engine_due, match.version) == (None, True, ended.version + 2)
    assert answering.claim(match) is not None
    with pytest.raises(RefusedError, match="No round"):
        player_requests.grant("ready", ended.pk, (2,))


def test_no_clock_runs_and_the_record_is_the_same(ended: LiveMatch) -> None:
    LiveMatch.objects.filter(pk=ended.pk).update(turn_began_at=timezone.now() + timedelta(seconds=9))
    used = list(ended.seats.order_by("seat").values_list("used_s", flat=True))
    assert _seen(ended, 0).waited_s == 0.0
    for seat in (2, 0):
        match = player_requests.grant("ready", ended.pk, (seat,))
    assert timezone.now() - match.turn_began_at < timedelta(seconds=5)
    assert list(match.seats.order_by("seat").values_list("used_s", flat=True)) == used
    match = tables.play_on(match)
    assert verification.verify([match.match.pk]).mismatches == []


def test_a_closed_tab_holds_up_nobody(ended: LiveMatch) -> None:
    player_requests.grant("ready", ended.pk, (0,))
    assert between_rounds.end_overdue() == 0
    late = timezone.now() + between_rounds.PAUSE + timedelta(seconds=1)
    assert between_rounds.end_overdue(late) == 1
    assert between_rounds.end_overdue(late) == 0
    ended.refresh_from_db()
    assert (ended.resumes_at, ended.is_engine_due) == (None, True)


def test_the_page_says_for_whom_one_waits(ended: LiveMatch, client: Client, alice: Any, bob: Any) -> None:
    def state(person: Any) -> dict[str, Any]:
        client.force_login(person)
        found: dict[str, Any] = client.get(f"/play/{ended.code}/state/").json()
        return found

    before = state(alice)
    assert before["words"]["why"] == "Waiting for you and bob."
    assert (before["pause"]["seats"], before["pause"]["is_ready"]) == ([0, 2], False)
    assert 15 < before["pause"]["left_s"] <= 20
    answer = client.post(f"/play/{ended.code}/wish/ready/", HTTP_ACCEPT="application/json").json()
    assert (answer["words"]["why"], answer["pause"]["is_ready"]) == ("Waiting for bob.", True)
    assert state(bob)["words"]["why"] == "The others wait for you."
    answer = client.post(f"/play/{ended.code}/wish/ready/", HTTP_ACCEPT="application/json").json()
    assert answer["pause"] is None


def test_one_person_and_engines_are_not_held(alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), *[tables.engine()] * 3], game="dominoes", deal_seed=5)
    assert _round_over(match).resumes_at is None
