"""What a lab answers, where it is more than numbers of a job: results, plans, shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """What a spec would take, before it is started. Estimates hold within a factor of three.

    units: matches, or pieces of a study, at most; seconds: with all workers of the lab to itself; refusal: the quota
    that refuses it, as a sentence; confirm: not empty where it is so large that a start has to repeat it.
    """

    spec: Json
    units: int
    cpu_s: float
    seconds: float
    may_end_early: bool
    refusal: str
    confirm: str

    @classmethod
    def of(cls, data: Json) -> Plan:
        """Read the answer of a dry run."""
        kept = ("spec", "units", "cpu_s", "seconds", "may_end_early", "confirm")
        return cls(refusal=data["over"], **{name: data[name] for name in kept})


@dataclass(frozen=True)
class Share:
    """Where anybody sees a job without an account. page: its address; result: all numbers as JSON."""

    slug: str
    page: str
    result: str


class Result(Mapping[str, Any]):
    """Every number of a page at one moment, as its result.json has them: a mapping, with what is asked most by name.

    Rates are from 0 to 1, intervals [low, high]; only `judged` is in percentage points.
    """

    def __init__(self, data: Json) -> None:
        self.data = data

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    @property
    def sentence(self) -> str:
        """The answer as the head of the page says it; empty where a kind of job has none."""
        return str((self.data.get("answer") or {}).get("sentence", ""))

    @property
    def status(self) -> str:
        """As that of the job: running, paused, stopped, finished."""
        return str(self.data["status"])

    @property
    def arms(self) -> list[Json]:
        """The arms with their rates and intervals; of an experiment."""
        found: list[Json] = self.data.get("arms") or []
        return found
