"""The same thing for many: made once, as fresh as each may ask."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from webapp.common import made_once
from webapp.common.made_once import once, seconds_ago


class Maker:
    """Counts how often it makes."""

    def __init__(self) -> None:
        self.calls = 0
        self.lock = threading.Lock()

    def __call__(self) -> int:
        with self.lock:
            self.calls += 1
        time.sleep(0.005)
        return self.calls


def test_a_crowd_that_came_before_it_was_begun_has_it_made_once() -> None:
    make, arrived = Maker(), time.perf_counter()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: once(("crowd", 1), make, arrived), range(30)))
    assert (set(answers), make.calls) == ({1}, 1)
    assert once(("crowd", 2), make, arrived) == 2, "another version is another thing"


def test_who_comes_later_is_given_nothing_older() -> None:
    make = Maker()
    assert [once("late", make, time.perf_counter()) for _ in range(3)] == [1, 2, 3]
    assert once("late", make, seconds_ago(60)) == 3


def test_what_fails_fails_for_all_who_wait_and_is_tried_again_for_the_next() -> None:
    make, arrived = Maker(), time.perf_counter()

    def fail() -> int:
        make()
        raise LookupError

    def ask(_: int) -> bool:
        with pytest.raises(LookupError):
            once("fails", fail, arrived)
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(4)))
    assert make.calls < 4
    assert once("fails", lambda: 7, arrived) == 7


def test_only_so_many_things_are_remembered() -> None:
    for number in range(2 * made_once.KEPT):
        once(("many", number), lambda: 0, seconds_ago(60))
    assert len(made_once._made) == made_once.KEPT
