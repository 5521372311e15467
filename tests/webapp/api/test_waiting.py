"""Long-polls through a real server: told at once, and nothing held meanwhile."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from tests.webapp.api.callers import Caller, first_action
from webapp.api import limits

pytestmark = pytest.mark.django_db(transaction=True)

WAITING = 40


def fetch(site: str, caller: Caller, path: str) -> tuple[float, dict[str, Any]]:
    """(seconds it took, answer)."""
    request = urllib.request.Request(f"{site}/api/v1{path}", headers={"Authorization": f"Bearer {caller.secret}"})
    began = time.monotonic()
    with urllib.request.urlopen(request, timeout=60) as answer:
        return time.monotonic() - began, json.load(answer)


def until(condition: Callable[[], bool], deadline_s: float = 20) -> bool:
    """Whether it came true in time."""
    ends_at = time.monotonic() + deadline_s
    while not condition():
        if time.monotonic() > ends_at:
            return False
        time.sleep(0.02)
    return True


def connections() -> int:
    """Connections to this database beside our own."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])


def test_whoever_waits_is_told_within_a_second(site: str, bot: Caller, rival: Caller) -> None:
    code = bot.open("me", "open")
    version = rival.tell(f"/matches/{code}/join") and rival.ask(f"/matches/{code}")["version"]
    with ThreadPoolExecutor() as pool:
        turn = pool.submit(fetch, site, rival, "/turns?wait=20")
        state = pool.submit(fetch, site, rival, f"/matches/{code}?version={version}&wait=20")
        assert until(lambda: limits._waiting[rival.token.pk] == 2)
        bot.tell(f"/matches/{code}/actions", first_action(bot.ask(f"/matches/{code}")))
        played_at = time.monotonic()
        assert turn.result()[1]["turns"][0]["ply"] == 1
        assert state.result()[1]["your_turn"]
        assert time.monotonic() - played_at < 1
    assert limits._waiting[rival.token.pk] == 0


def test_a_wait_ends_in_time_and_a_known_change_ends_it_at_once(site: str, bot: Caller) -> None:
    code = bot.open("me", "open")
    version = bot.ask(f"/matches/{code}")["version"]
    took, state = fetch(site, bot, f"/matches/{code}?version={version}&wait=1")
    assert state["version"] == version
    assert 1 <= took < 3
    assert fetch(site, bot, f"/matches/{code}?version={version - 1}&wait=20")[0] < 3
    assert fetch(site, bot, "/turns?wait=1")[0] >= 1
    bot.tell(f"/matches/{code}/wishes/cancel")
    assert fetch(site, bot, "/turns?wait=20")[0] < 3, "nothing to wait for"


def test_many_who_wait_hold_neither_connections_nor_threads(site: str, bot: Caller) -> None:
    code = bot.open("me", "open")
    version = bot.ask(f"/matches/{code}")["version"]
    fetch(site, bot, "/me")
    before, threads = connections(), threading.active_count()
    with ThreadPoolExecutor(WAITING) as pool:
        answers = [pool.submit(fetch, site, bot, f"/matches/{code}?version={version}&wait=20") for _ in range(WAITING)]
        assert until(lambda: limits._waiting[bot.token.pk] == WAITING)
        assert until(lambda: connections() <= before + 1), connections()
        assert until(lambda: threading.active_count() <= threads + WAITING + 3), threading.active_count()
        bot.tell(f"/matches/{code}/wishes/cancel")
        assert {answer.result()[1]["status"] for answer in answers} == {"cancelled"}


def test_waiting_costs_no_request_and_has_a_limit_of_its_own(
    site: str, bot: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TOKEN", limits.Limit("token", 2))
    monkeypatch.setattr("time.time", lambda: 1_000_000_000.0)
    code = bot.open("me", "open")
    for _ in range(5):
        fetch(site, bot, "/turns?wait=0.05")
    monkeypatch.setattr(limits, "MAX_WAITING", 0)
    response = bot.get(f"/matches/{code}?version=1&wait=5")
    assert response.status_code == 429
