"""What a job would take, before it is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

UNSURE = 3.0
"""Estimates hold within this factor."""


@dataclass(frozen=True)
class Plan:
    """What a spec would take by its estimate, checked as at a start.

    spec: as it would be kept, complete. units: matches or pieces, at most. cpu_s: of all of them; seconds: until they
    are done with the `workers` of the lab, all to itself. rows, bytes: what is kept; None where it is not estimated.
    may_end_early: a stop rule may end it before. over: a sentence where a quota refuses it, else empty. confirm: the
    name of this size where it is so large that it has to be confirmed, else empty.
    """

    spec: dict[str, Any]
    units: int
    cpu_s: float
    seconds: float
    workers: int
    rows: int | None = None
    bytes: int | None = None
    may_end_early: bool = False
    over: str = ""
    confirm: str = ""
