"""A kernel against its translation: that both do the same, and how fast."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from tests.bench.twins.cases import Case
from tests.bench.twins.program import Program

FLAGS = {"plain": ["-O3"], "native": ["-O3", "-march=native"]}
"""How g++ compiles; numba compiles for the processor at hand, too."""
ROUNDS = 15
CHECKED = 60
"""Matches or positions that have to come out alike."""

Call = Callable[..., Any]


class DifferenceError(AssertionError):
    """A translation that does something else than its kernel."""


@dataclass(frozen=True)
class Comparison:
    """Rates a CPU second of a kernel and of its translation, and how many times as fast that is in a round's median."""

    what: str
    ours: float
    rates: dict[str, float]
    ratios: dict[str, float]

    @property
    def ratio(self) -> float:
        """Against the faster program."""
        return max(self.ratios.values())


def compare(case: Case, target: Path, seconds: float) -> Comparison:
    """Translate, check and measure. target: of the programs, without the ending; seconds: for each of them.

    Raises NoCompilerError, DifferenceError, UntranslatableError.
    """
    program = Program(case.kernel, case.arguments(1))
    target.parent.mkdir(parents=True, exist_ok=True)
    twins = {
        name: program.compile(target.with_name(f"{target.name}-{name}.so"), flags) for name, flags in FLAGS.items()
    }
    for twin in twins.values():
        check(case, twin)
    count = _fill(case, seconds / ROUNDS)
    calls = {"ours": case.kernel, **twins}
    spent: dict[str, list[float]] = {name: [] for name in calls}
    given = {name: case.arguments(count) for name in calls}
    with _on_one_core():
        for number in range(ROUNDS):
            for name in list(calls) if number % 2 else reversed(calls):
                spent[name].append(_cpu_s(calls[name], given[name]))
    rates = {name: count / median(times) for name, times in spent.items()}
    ratios = {name: median(ours / its for ours, its in zip(spent["ours"], spent[name], strict=True)) for name in twins}
    return Comparison(f"{case.what}, {case.unit}", rates.pop("ours"), rates, ratios)


def check(case: Case, twin: Call) -> None:
    """Raise DifferenceError unless both return the same and leave the same in every array."""
    ours, its = case.arguments(CHECKED), case.arguments(CHECKED)
    returned = case.kernel(*ours), twin(*its)
    if returned[0] != returned[1]:
        raise DifferenceError(f"{case.what}: the kernel counts {returned[0]}, its translation {returned[1]}")
    for place, (mine, other) in enumerate(zip(ours, its, strict=True)):
        if not np.array_equal(mine, other):
            raise DifferenceError(f"{case.what}: argument {place} differs after {CHECKED} {case.unit}")


def _fill(case: Case, seconds: float) -> int:
    """How many take so long."""
    count = 1
    while (spent := _cpu_s(case.kernel, case.arguments(count))) < seconds / 2:
        count *= 2
    return max(1, int(count * seconds / spent))


def _cpu_s(call: Call, given: tuple[Any, ...]) -> float:
    before = time.thread_time()
    call(*given)
    return time.thread_time() - before


@contextmanager
def _on_one_core() -> Iterator[None]:
    """Stay on one core: caches and clocks of others are not ours."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
