"""Waiting for the next version of a match: one listener to the database for all who wait in a process.

Whoever changes a match says so within its transaction (`announce`), and Postgres tells all who listen as soon as
that is committed. While somebody waits, one thread listens; it also looks now and then for what it was not told,
because a notification may be lost with its connection. It ends when nobody waits; that of a web process a while
later, because between a move and its answer the one page that waits asks anew, and a connection costs more than both.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import psycopg
from django.db import Error as DatabaseError
from django.db import connection

from webapp.common import database_pool
from webapp.common.waiting_room import WaitingRoom
from webapp.table.live.models import LiveMatch, LiveSeat

logger = logging.getLogger(__name__)

CHANNEL = "live_match"
LISTEN_S = 0.25
"""Time after which the thread looks up from listening: whether anybody waits still, whether a look is due."""
LOOK_S = 2.0
"""Time between two looks: what no notification told is seen this late at most."""
YOUNG_S = 1.0
"""Time for which a new listener looks each time: who waits first may have read the match before it listened."""
RETRY_S = 0.2
"""Time until the next attempt where the database cannot be reached."""
SEATS_PERIOD_S = 3.0
"""Time between two looks for matches that agents have got: a match of its own that a waiting agent did not know."""
LINGER_S = 10.0
"""Time for which a web process goes on listening when nobody waits any more."""
REMEMBERED = 1024
"""Matches whose last announced version is remembered: one may move between a page's look at it and its wait."""


@dataclass(frozen=True)
class Wish:
    """News of matches. versions: match id -> version known; agent_id: an agent that knows all its matches."""

    versions: dict[int, int]
    agent_id: int | None = None

    def is_met_by(self, present: dict[int, int], of_agents: dict[int, set[int]]) -> bool:
        """Whether a match has another version in the database, or the agent another match."""
        is_still = all(present.get(match_id) == version for match_id, version in self.versions.items())
        return not (is_still and of_agents.get(self.agent_id or 0, set()) <= self.versions.keys())


_announced: OrderedDict[int, int] = OrderedDict()


def keep_listening() -> None:
    """Let this process go on listening for a while when nobody waits any more."""
    room.linger_s = LINGER_S


def announce(match: LiveMatch) -> None:
    """Tell all who wait for this match its version, once the present transaction is committed."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_notify(%s, %s)", (CHANNEL, f"{match.pk} {match.version}"))


async def wait_for_change(versions: dict[int, int], timeout_s: float, agent_id: int | None = None) -> bool:
    """Wait until one of the matches has another version than the one known; False when time ran out.

    versions: match id -> version that the caller has seen. A match that is gone counts as changed.
    agent_id: an agent whose unfinished matches these are; another one of them is a change, too.
    """
    if not versions:
        await asyncio.sleep(timeout_s)
        return False
    return await room.wait(
        Wish(dict(versions), agent_id),
        timeout_s,
        lambda: any(_announced.get(match_id, 0) > version for match_id, version in versions.items()),
    )


def _listen_while_waited_for() -> None:
    is_away = False
    while room.is_waited_in():
        try:
            with database_pool.own_connection(autocommit=True) as listener:
                listener.execute(f"listen {CHANNEL}")
                is_away = False
                _listen(listener)
        except (psycopg.Error, DatabaseError) as error:
            if not is_away:
                logger.warning("the database cannot be reached, so nobody sees matches move: %s", error)
            is_away = True
            time.sleep(RETRY_S)
        finally:
            connection.close()


room: WaitingRoom[Wish] = WaitingRoom("pulse", _listen_while_waited_for)


def _listen(listener: psycopg.Connection[Any]) -> None:
    """Wake those whose matches are announced, and look now and then, as long as anybody waits."""
    began_at, looked_at, seats_at = time.monotonic(), -LOOK_S, -SEATS_PERIOD_S
    while room.is_waited_in():
        now = time.monotonic()
        if now >= looked_at + LOOK_S or now < began_at + YOUNG_S:
            is_due = now >= seats_at + SEATS_PERIOD_S
            _look(with_agents=is_due)
            looked_at, seats_at = now, now if is_due else seats_at
        for notification in listener.notifies(timeout=LISTEN_S, stop_after=1):
            match_id, _, version = notification.payload.partition(" ")
            _wake_announced(int(match_id), int(version))


def _wake_announced(match_id: int, version: int) -> None:
    """Wake those who know less of a match than its version."""
    with room.lock:
        _announced[match_id] = max(version, _announced.pop(match_id, 0))
        while len(_announced) > REMEMBERED:
            _announced.popitem(last=False)
        waiters = room.waiters()
        room.wake(ticket for ticket, waiter in waiters.items() if waiter.wish.versions.get(match_id, version) < version)


def _look(*, with_agents: bool) -> None:
    """Wake those whose matches have other versions in the database. with_agents: or who has another match."""
    waiters = room.waiters()
    if not waiters:
        return
    wishes = [waiter.wish for waiter in waiters.values()]
    present = _versions(wishes)
    of_agents = _matches_of_agents(wishes) if with_agents else {}
    connection.close()
    room.wake(ticket for ticket, waiter in waiters.items() if waiter.wish.is_met_by(present, of_agents))


def _versions(wishes: Iterable[Wish]) -> dict[int, int]:
    """Versions in the database of the matches that they wait for."""
    wanted = {match_id for wish in wishes for match_id in wish.versions}
    return dict(LiveMatch.objects.filter(pk__in=wanted).values_list("pk", "version"))


def _matches_of_agents(wishes: Iterable[Wish]) -> dict[int, set[int]]:
    """The unfinished matches of the agents among them."""
    agents = {wish.agent_id for wish in wishes if wish.agent_id is not None}
    found: dict[int, set[int]] = defaultdict(set)
    if agents:
        rows = LiveSeat.objects.filter(
            agent__in=agents,
            kind=LiveSeat.Kind.AGENT,
            match__status__in=(LiveMatch.Status.OPEN, LiveMatch.Status.RUNNING),
        )
        for agent_id, match_id in rows.values_list("agent_id", "match_id"):
            found[agent_id].add(match_id)
    return found
