"""Long-polls through a real server: told at once, and nothing held meanwhile."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests.webapp.api.callers import Caller, Researcher, first_action
from tests.webapp.specs import make
from webapp.api import limits
from webapp.common import handler
from webapp.lab.jobs import services
from webapp.table.live import long_poll

pytestmark = pytest.mark.django_db(transaction=True)

WAITING, FEW = 24, 4


def fetch(site: str, caller: Caller | Researcher, path: str) -> tuple[float, dict[str, Any]]:
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


def waits_of(caller: Caller | Researcher) -> int:
    """How many requests of its token wait."""
    return long_poll._waiting[caller.token.who]


def test_a_waiting_agent_is_told_within_a_second(site: str, bot: Caller, rival: Caller) -> None:
    code = bot.open("me", "open")
    version = rival.tell(f"/matches/{code}/join") and rival.ask(f"/matches/{code}")["version"]
    with ThreadPoolExecutor() as pool:
        turn = pool.submit(fetch, site, rival, "/turns?wait=20")
        state = pool.submit(fetch, site, rival, f"/matches/{code}?version={version}&wait=20")
        assert until(lambda: waits_of(rival) == 2)
        bot.tell(f"/matches/{code}/actions", first_action(bot.ask(f"/matches/{code}")))
        assert turn.result()[1]["turns"][0]["ply"] == 1
        assert state.result()[1]["your_turn"]
    assert waits_of(rival) == 0


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


def test_who_follows_an_experiment_is_told_and_holds_nothing(site: str, alice: Any, valkey_service: str) -> None:
    researcher, made = Researcher(alice), make(alice)
    one = f"/experiments/{made.pk}"
    seen = fetch(site, researcher, one)[1]
    before = connections()
    with ThreadPoolExecutor() as pool:
        over = [pool.submit(fetch, site, researcher, f"{one}?wait=20") for _ in range(FEW)]
        news = pool.submit(fetch, site, researcher, f"{one}?wait=20&version={seen['version']}")
        assert until(lambda: waits_of(researcher) == FEW + 1)
        assert until(lambda: connections() <= before + 1), "one looks for all"
        made.chunks.update(written=1)
        assert news.result()[1]["ended"] == 1
        assert not any(answer.done() for answer in over)
        services.stop(made)
        assert {answer.result()[1]["status"] for answer in over} == {"stopped"}
    assert fetch(site, researcher, f"{one}?wait=20")[0] < 15, "it is over"
    took, same = fetch(site, researcher, f"{one}?wait=1&version=stopped-1")
    assert (took >= 1, same["version"]) == (True, "stopped-1")


@pytest.mark.long
def test_many_who_wait_hold_nothing_and_do_not_all_look_at_once(site: str, bot: Caller, rival: Caller) -> None:
    code = bot.open("me", "open", visibility="public")
    version = bot.ask(f"/matches/{code}")["version"]
    fetch(site, bot, "/me")
    before, threads = connections(), threading.active_count()
    addresses = [f"{site}/play/{code}/state/?version={version}"] * WAITING
    with ThreadPoolExecutor(3 * WAITING) as pool:
        answers = [
            pool.submit(fetch, site, caller, f"/matches/{code}?version={version}&wait=20")
            for caller in [bot, rival] * (WAITING // 2)
        ]
        pages = [pool.submit(watch, address) for address in addresses]
        assert until(lambda: waits_of(bot) + waits_of(rival) == WAITING)
        assert until(lambda: long_poll._waiting["address 127.0.0.1"] == WAITING)
        assert until(lambda: connections() <= before + 1), connections()
        most_threads = threads + 2 * WAITING + handler.THREADS + 3  # those of the pages are as many as ever
        assert until(lambda: threading.active_count() <= most_threads), threading.active_count()
        bot.tell(f"/matches/{code}/wishes/cancel")
        most = before
        while not all(answer.done() for answer in [*answers, *pages]):
            most = max(most, connections())
        assert most < before + WAITING, "of twice as many; ended ones are seen for a moment, so the bound is a wide one"
        assert {answer.result()[1]["status"] for answer in answers} == {"cancelled"}
        assert {page.result()["status"] for page in pages} == {"cancelled"}


def watch(address: str) -> dict[str, Any]:
    """What the page of a spectator is told."""
    with urllib.request.urlopen(address, timeout=60) as answer:
        return dict(json.load(answer))


def test_only_a_real_wait_costs_no_request(site: str, bot: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOKEN", limits.Limit("token", 2))
    monkeypatch.setattr("time.time", lambda: 1_000_000_000.0)
    bot.open("me", "open")
    monkeypatch.setattr(limits, "LEAST_WAIT_S", 0.2)
    for _ in range(3):
        fetch(site, bot, "/turns?wait=0.3")
    monkeypatch.setattr(limits, "LEAST_WAIT_S", 60.0)  # so that a slow machine makes no long wait of a short one
    fetch(site, bot, "/turns?wait=0.01")
    with pytest.raises(urllib.error.HTTPError) as refused:
        fetch(site, bot, "/turns?wait=0.01")
    assert refused.value.code == 429


def test_waits_have_a_limit_of_their_own(bot: Caller, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    code = bot.open("me", "open", visibility="public")
    monkeypatch.setattr(long_poll, "MAX_OF_ONE", 0)
    refused = bot.get(f"/matches/{code}?version=1&wait=5")
    assert (refused.status_code, refused.json()["retry_after_s"]) == (429, long_poll.RETRY_S)
    page = client.get(f"/play/{code}/state/?version=1")
    assert (page.status_code, page.headers["Retry-After"]) == (429, str(long_poll.RETRY_S))
    assert bot.get(f"/matches/{code}?version=1").status_code == 200
