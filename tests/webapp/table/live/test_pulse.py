"""Waiting for a match to move: many at once, in many loops, through an outage."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection

from tests.webapp.table.live import tables
from webapp.common.waiting_room import Waiter
from webapp.people.agents import services as agents
from webapp.table.live import player_requests, pulse
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan

pytestmark = pytest.mark.django_db(transaction=True)

DEADLINE_S = 20.0


@pytest.fixture
def match(alice: Any, bob: Any) -> LiveMatch:
    return tables.open_match(alice, [tables.person(alice), tables.person(bob)])


@pytest.fixture(autouse=True)
def _nobody_waits_afterwards() -> Any:
    yield
    _until(pulse.room.is_empty)


def _until(is_so: Callable[[], bool]) -> None:
    ends_at = time.monotonic() + DEADLINE_S
    while not is_so():
        assert time.monotonic() < ends_at, "waited in vain"
        time.sleep(0.01)


def _move(match: LiveMatch) -> None:
    player_requests.grant("offer-end", match.pk, (0,))


async def _aside(call: Callable[[], Any]) -> Any:
    """Call it in a thread that leaves no connection behind."""

    def closing() -> Any:
        try:
            return call()
        finally:
            connection.close()

    return await sync_to_async(closing)()


def test_fifty_who_wait_see_a_change_within_a_second(match: LiveMatch) -> None:
    async def waiter() -> tuple[bool, float]:
        is_changed = await pulse.wait_for_change({match.pk: match.version}, DEADLINE_S)
        return is_changed, time.monotonic()

    async def run() -> tuple[float, list[tuple[bool, float]]]:
        waiters = [asyncio.create_task(waiter()) for _ in range(50)]
        await asyncio.sleep(0)
        began_at = time.monotonic()
        await _aside(lambda: _move(match))
        return began_at, await asyncio.gather(*waiters)

    began_at, told = asyncio.run(run())
    assert all(is_changed for is_changed, _ in told)
    late_s = max(at for _, at in told) - began_at
    print(f"the last of 50 was told {1000 * late_s:.0f} ms after the wish was posted")
    assert late_s < 1.0


def test_a_change_of_another_process_is_seen_too(match: LiveMatch) -> None:
    async def run() -> bool:
        waiting = asyncio.create_task(pulse.wait_for_change({match.pk: match.version}, DEADLINE_S))
        await asyncio.sleep(0)
        await _aside(lambda: LiveMatch.objects.filter(pk=match.pk).update(version=match.version + 1))
        return await waiting

    assert asyncio.run(run())


def test_a_match_that_an_agent_did_not_know_is_told(alice: Any) -> None:
    agent = agents.create(alice, "bot", "")
    seats = [SeatPlan(name="bot", agent=agent), SeatPlan(name="By invitation")]
    known = tables.open_match(alice, seats)

    async def run() -> tuple[bool, bool]:
        versions = {known.pk: known.version}
        waits = [asyncio.create_task(pulse.wait_for_change(versions, time_s, agent.pk)) for time_s in (0.5, DEADLINE_S)]
        nothing = await waits[0]
        await _aside(lambda: tables.open_match(alice, seats))
        return nothing, await waits[1]

    assert asyncio.run(run()) == (False, True)


def test_loops_of_many_threads_wait_side_by_side(match: LiveMatch) -> None:
    told: list[bool] = []
    threads = [
        threading.Thread(
            target=lambda: told.append(asyncio.run(pulse.wait_for_change({match.pk: match.version}, DEADLINE_S)))
        )
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    _until(lambda: len(pulse.room.waiters()) == 8)
    looking = [thread for thread in threading.enumerate() if thread.name == "pulse"]
    _move(match)
    for thread in threads:
        thread.join(DEADLINE_S)
    assert told == [True] * 8
    assert len(looking) == 1


def test_who_waits_for_nothing_new_is_told_when_time_is_up(match: LiveMatch) -> None:
    assert not asyncio.run(pulse.wait_for_change({match.pk: match.version}, 0.3))
    assert not asyncio.run(pulse.wait_for_change({}, 0.01))


def test_what_has_changed_already_or_is_gone_is_told_at_once(match: LiveMatch) -> None:
    assert asyncio.run(pulse.wait_for_change({match.pk: match.version - 1}, DEADLINE_S))
    assert asyncio.run(pulse.wait_for_change({match.pk: match.version, 10**9: 1}, DEADLINE_S))


def test_a_loop_that_died_with_its_waiter_stops_nobody_else(match: LiveMatch) -> None:
    dead = asyncio.new_event_loop()
    dead.close()
    pulse.room.enter(object(), Waiter(pulse.Wish({match.pk: match.version - 1}), dead, asyncio.Event()))
    assert asyncio.run(pulse.wait_for_change({match.pk: match.version - 1}, DEADLINE_S))


def test_a_lost_listener_and_what_was_announced_meanwhile_are_outlived(match: LiveMatch, caplog: Any) -> None:
    """The version rises without an announcement once the loss has been noticed, as where it was lost with it."""
    cut = f"select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen {pulse.CHANNEL}'"

    def lose() -> int:
        with connection.cursor() as cursor:
            cursor.execute(cut)
            return len(cursor.fetchall())

    def rise() -> None:
        LiveMatch.objects.filter(pk=match.pk).update(version=match.version + 1)

    async def run() -> bool:
        waiting = asyncio.create_task(pulse.wait_for_change({match.pk: match.version}, DEADLINE_S))
        ends_at = time.monotonic() + DEADLINE_S
        while not await _aside(lose) and time.monotonic() < ends_at:
            await asyncio.sleep(0.01)
        while "cannot be reached" not in caplog.text and time.monotonic() < ends_at:
            await asyncio.sleep(0.01)
        await _aside(rise)
        return await waiting

    assert asyncio.run(run())
    assert caplog.text.count("cannot be reached") == 1


def test_a_change_is_announced_and_no_look_is_needed(match: LiveMatch, monkeypatch: Any) -> None:
    monkeypatch.setattr(pulse, "_look", lambda with_agents: None)

    async def run() -> tuple[bool, float, bool]:
        waiting = asyncio.create_task(pulse.wait_for_change({match.pk: match.version}, DEADLINE_S))
        ends_at = time.monotonic() + DEADLINE_S
        while not await _aside(_is_listened_to) and time.monotonic() < ends_at:
            await asyncio.sleep(0.01)
        await _aside(lambda: _move(match))
        began_at = time.monotonic()
        is_changed = await waiting
        took_s = time.monotonic() - began_at
        keeps_on = asyncio.create_task(pulse.wait_for_change({match.pk: match.version + 1}, 0.5))
        late = await pulse.wait_for_change({match.pk: match.version}, DEADLINE_S)  # it moved before this one waited
        await keeps_on
        return is_changed, took_s, late

    is_changed, took_s, late = asyncio.run(run())
    print(f"told {1000 * took_s:.1f} ms after the commit")
    assert is_changed
    assert late
    assert took_s < 0.2


def _is_listened_to() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"select count(*) from pg_stat_activity where query = 'listen {pulse.CHANNEL}'")
        return bool(cursor.fetchone()[0])
