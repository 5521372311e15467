"""Matches that were opened with another version of their game."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.webapp.table.live import answering, tables
from webapp.table.live import match_setup, observations, player_requests, ply_writer, position_cache
from webapp.table.live.errors import OUTDATED, OverError
from webapp.table.live.memory import Memory
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position_cache, "_courses", Memory(1))
    monkeypatch.setattr(position_cache, "_positions", Memory(1))


def of_another_version(match: LiveMatch) -> LiveMatch:
    """The match as if it had been opened with an option that the game has no more."""
    options = {**match.options, "volcanoes": True}
    LiveMatch.objects.filter(pk=match.pk).update(options=options, game_version="0")
    for memory in (position_cache._courses, position_cache._positions):
        memory._rows.clear()
    match.refresh_from_db()
    return match


@pytest.mark.long
def test_it_is_seen_and_can_be_left_and_not_played_on(alice: Any, bob: Any, client: Client) -> None:
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)]), 4)
    before = observations.observe(match, (0,))
    match = of_another_version(match)
    assert observations.observe(match, (0,)).observation == before.observation
    assert observations.observe(match, (0,), 2).ply == 2
    client.force_login(alice)
    assert client.get(f"/play/{match.code}/").status_code == 200
    with pytest.raises(OverError, match=OUTDATED):
        ply_writer.play(match.pk, 0, 4, before.actions[0].id)
    match = player_requests.grant("resign", match.pk, (0,))
    assert (match.status, match.match.plies.count()) == ("ended", 4)
    assert client.get(f"/play/{match.code}/").status_code == 200


def test_it_ends_where_an_engine_is_on_turn(alice: Any) -> None:
    match = of_another_version(tables.open_match(alice, [tables.engine(), tables.person(alice)]))
    assert answering.answer(match).ending["message"] == OUTDATED


def test_it_does_not_begin_any_more(alice: Any, bob: Any) -> None:
    match = of_another_version(tables.open_match(alice, [tables.person(alice), SeatPlan()]))
    with pytest.raises(OverError, match=OUTDATED):
        match_setup.join(match.pk, person=bob)
    match.refresh_from_db()
    assert (match.status, match.seats.get(seat=1).kind) == ("open", "open")


def test_the_record_names_the_version_that_the_match_began_with(alice: Any, bob: Any) -> None:
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)]), 2)
    match = player_requests.grant("resign", of_another_version(match).pk, (0,))
    assert match.match.versions == {"carcassonne": "0"}
