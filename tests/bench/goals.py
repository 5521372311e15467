"""What figures were and are to be: `goals.json` by key, and the table that sets measurements beside them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

Figures = Iterator[tuple[str, float]]
"""Keys of `goals.json`, and what was measured now."""
HEAD = f"{'':46}{'before':>12}{'goal':>12}{'now':>12}{'ratio':>8}  met"


@dataclass(frozen=True)
class Row:
    """A line of the table: a figure now, beside what it was, and what it is to be."""

    what: str
    unit: str
    before: float | None
    goal: float | None
    now: float
    is_less_better: bool = False

    @property
    def ratio(self) -> float | None:
        """How many times as good as before."""
        if not self.before or not self.now:
            return None
        return self.before / self.now if self.is_less_better else self.now / self.before

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is reached; None where there is none."""
        if self.goal is None:
            return None
        return self.now <= self.goal if self.is_less_better else self.now >= self.goal

    def __str__(self) -> str:
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        met = {None: "", True: "yes", False: "no"}[self.is_met]
        numbers = "".join(f"{_text(number):>12}" for number in (self.before, self.goal, self.now))
        return f"{self.what:46}{numbers}{ratio:>8}  {met:5}{self.unit}"


def _text(number: float | None) -> str:
    if number is None:
        return ""
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.2f}"


@cache
def stored() -> dict[str, Any]:
    """The file: `source` says where figures of before are from, `rows` has them by key."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / "goals.json").read_text(encoding="utf-8"))
    return found


def row(key: str, now: float) -> Row:
    """The line of a measurement. Raises KeyError for a key that the file does not have."""
    given = stored()["rows"][key]
    return Row(given["what"], given["unit"], given["before"], given["goal"], now, given.get("less", False))


def print_rows(topic: str, figures: Callable[[float], Figures], seconds: float) -> int:
    """Measure a topic, and print its rows as they come; returns how many goals are not met."""
    print(topic, flush=True)
    missed = 0
    for key, now in figures(seconds):
        line = row(key, now)
        missed += line.is_met is False
        print(f"  {line}", flush=True)
    return missed
