"""The driver: numbered units are done once each, in order, until a limit is met."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import pytest

from engines import driver
from engines.driver import UNLIMITED, Clock, NodeAllowance, seconds_for_ply, spend
from engines.protocol import Budget
from tests.games import walks
from tests.looping import looped

UNIT_S = 0.0005


class Work:
    """Notes what it is asked to do; a unit takes some CPU time, or some time asleep."""

    def __init__(self, cpu_s: float = 0.0, asleep_s: float = 0.0) -> None:
        self.calls: list[tuple[int, int]] = []
        self._cpu_s, self._asleep_s = cpu_s, asleep_s

    def __call__(self, first: int, count: int) -> None:
        self.calls.append((first, count))
        time.sleep(self._asleep_s * count)
        end = time.thread_time() + self._cpu_s * count
        while time.thread_time() < end:
            pass

    @property
    def done(self) -> int:
        """Units done; asserts that none was left out or done twice."""
        assert self.calls[0][0] == 0
        assert all(first + count == after for (first, count), (after, _) in pairwise(self.calls))
        return self.calls[-1][0] + self.calls[-1][1]


@looped("units", [1, 2, 99, 100_000])
@looped("least", [1, 10])
def test_counts_are_kept_exactly(units: int, least: int) -> None:
    work = Work()
    assert spend(work, units, None, True, least=min(least, units)).units == work.done == units


def test_a_slice_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "MAX_SLICE", 7)
    work = Work()
    assert spend(work, 100, None, True, least=20).units == work.done == 100
    assert max(count for _, count in work.calls) == 7


@pytest.mark.long
def test_slices_aim_at_their_length() -> None:
    work = Work(cpu_s=UNIT_S)
    spend(work, 400, None, True, least=4)
    # rates are measured on the wall clock, so a busy machine makes slices shorter, never longer
    assert max(count for _, count in work.calls) <= 1.1 * driver.SLICE_S / UNIT_S
    assert len(work.calls) >= 400 * UNIT_S / driver.SLICE_S


def test_cpu_seconds_end_the_work() -> None:
    work = Work(cpu_s=UNIT_S)
    spent = spend(work, None, 0.1, True, least=4)
    assert spent.units == work.done
    assert 0.1 <= spent.cpu_s < 0.1 + 2 * driver.SLICE_S
    assert spent.units <= spent.cpu_s / UNIT_S + 1


def test_cpu_seconds_do_not_run_while_asleep() -> None:
    work = Work(cpu_s=UNIT_S, asleep_s=2 * UNIT_S)
    spent = spend(work, None, 0.03, True, least=1)
    assert spent.elapsed_s > 2 * spent.cpu_s
    assert spent.cpu_s >= 0.03


def test_wall_seconds_run_while_asleep() -> None:
    work = Work(asleep_s=0.005)
    spent = spend(work, None, 0.1, False, least=1)
    assert spent.elapsed_s >= 0.1
    assert spent.cpu_s < 0.1
    assert spent.units <= 0.1 / 0.005 + 2


def test_the_least_is_done_even_when_the_time_is_up() -> None:
    work = Work(cpu_s=UNIT_S)
    assert spend(work, None, 1e-6, True, least=30).units == work.done == 30
    assert spend(Work(), 5, 1e-9, True, least=5).units == 5


def test_whichever_limit_is_met_first_ends_the_work() -> None:
    assert spend(Work(), 50, 100.0, True, least=1).units == 50
    few = spend(Work(cpu_s=UNIT_S), 10_000_000, 0.05, True, least=1)
    assert few.units < 1000


def test_a_clock_runs() -> None:
    clock = Clock()
    Work(cpu_s=0.01, asleep_s=0.02)(0, 1)
    assert 0.01 <= clock.cpu_s < clock.elapsed_s
    assert clock.elapsed_s >= 0.03


def seconds(budget: Budget, state: Any, seat: int) -> float | None:
    return seconds_for_ply(budget, walks.game_of("toy"), state, seat)


def test_a_match_clock_is_shared_over_the_plies_left() -> None:
    first, *_, last = walks.turns("toy")  # six cards, two seats: three plies each
    assert seconds(Budget(seconds_per_match=6.0), first, 0) == 2.0
    assert seconds(Budget(seconds_per_match=0.5), last, 1) == 0.5
    assert seconds(Budget(seconds_per_match=6.0, seconds_per_ply=1.5), first, 0) == 1.5
    assert seconds(Budget(seconds_per_match=6.0, seconds_per_ply=9.0), first, 0) == 2.0
    assert seconds(Budget(seconds_per_ply=9.0), first, 0) == 9.0
    assert seconds(Budget(playouts=5), first, 0) is None


def test_a_count_of_nodes_is_shared_out_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "MAX_SLICE", 300)
    allowance = NodeAllowance(1000, None, True)
    assert allowance.share(0) == (300, 1000)
    assert allowance.share(900) == (1000, 1000)
    assert [allowance.is_over(done) for done in (0, 999, 1000)] == [False, False, True]
    assert NodeAllowance(None, None, True).share(5) == (305, UNLIMITED)


@pytest.mark.long
def test_seconds_limit_nodes_by_the_rate_seen() -> None:
    allowance = NodeAllowance(None, 0.2, True)
    Work(cpu_s=0.1)(0, 1)
    pause, limit = allowance.share(10_000)  # 0.1 s for 10,000 nodes, and as much again is left
    assert 18_000 <= limit <= 20_000
    assert pause - 10_000 <= 100_000 * driver.SLICE_S
    assert not allowance.is_over(10_000)
    Work(cpu_s=0.1)(0, 1)
    assert allowance.is_over(20_000)
    assert allowance.share(20_000) == (20_001, 20_001)


def test_wall_seconds_end_an_allowance_too() -> None:
    allowance = NodeAllowance(None, 0.02, False)
    assert not allowance.is_over(1)
    time.sleep(0.02)
    assert allowance.is_over(1)
