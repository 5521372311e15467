"""A measurement of strength: an experiment with one line-up, or a study, and what was asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MATCHES, RESPONSE, INSIDER, REGRET = "matches", "response", "insider", "regret"
PARTS = (MATCHES, RESPONSE, INSIDER, REGRET)
"""Matches with a rival; an opponent tuned against a frozen engine (`tuning`); one that knows what its opponent plays
by; points given away a decision (`regret`)."""
WIN, MARGIN = "win", "margin"


@dataclass(frozen=True)
class Target:
    """What the first side shall reach at least: a share of matches won, or mean points ahead.

    about: the test (`line_ups.versus`) asks whether it is so much below, or so much above; 0: there is none, and as
    many deals as were fixed beforehand.
    """

    measure: str
    value: float
    about: float = 0.0


@dataclass(frozen=True)
class Measurement:
    """One measurement.

    title: who, and against whom; words: what is asked, in a sentence; part: of `PARTS`; spec: of an experiment, whose
    first place is measured, or of a study. Its seed is its own, so that everybody finds the same.
    """

    id: str
    game: str
    part: str
    title: str
    words: str
    spec: Mapping[str, Any]
    target: Target | None = None

    @property
    def is_study(self) -> bool:
        """Whether it is no experiment."""
        return "study" in self.spec

    @property
    def job(self) -> str:
        """The word of its kind of job (`Job.word`)."""
        return "study" if self.is_study else "experiment"

    @property
    def command(self) -> str:
        """What carries it out and stores it."""
        return f"python -m worker strength {self.id} --store"
