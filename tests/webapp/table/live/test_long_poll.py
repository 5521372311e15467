"""What follows a wait: a few at a time, the same thing made once, a place for each who waits."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from webapp.common import admission
from webapp.table.live import long_poll


class Crowd:
    """Counts who is inside at the same time."""

    def __init__(self) -> None:
        self.inside = self.most = self.calls = 0
        self.lock = threading.Lock()

    def enter(self) -> int:
        with self.lock:
            self.calls += 1
            self.inside += 1
            self.most = max(self.most, self.inside)
        time.sleep(0.005)
        with self.lock:
            self.inside -= 1
        return self.calls


@pytest.mark.django_db(transaction=True)
def test_a_few_look_at_a_time_in_whatever_loop() -> None:
    from asgiref.sync import ThreadSensitiveContext

    async def one(crowd: Crowd) -> None:
        async with ThreadSensitiveContext():  # as of a request
            await long_poll.look(crowd.enter)

    async def run(crowd: Crowd) -> None:
        await asyncio.gather(*(one(crowd) for _ in range(40)))

    for _ in range(2):  # each in a loop of its own
        crowd = Crowd()
        asyncio.run(run(crowd))
        assert crowd.calls == 40
        assert 1 < crowd.most <= admission.POLL.places


@pytest.mark.django_db
def test_one_alone_does_not_take_all_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_poll, "MAX_OF_ONE", 2)

    async def run() -> list[object]:
        waits = [long_poll.for_change(who, {}, 0.2) for who in ("a", "a", "a", "b")]
        return await asyncio.gather(*waits, return_exceptions=True)

    answers = asyncio.run(run())
    assert [isinstance(answer, long_poll.CrowdedError) for answer in answers] == [False, False, True, False]
    assert not long_poll._waiting
