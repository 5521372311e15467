"""A result that ships with the lab: a real experiment's spec and what each of its matches ended with.

`stored/playouts.json` keeps the day, the spec with its seed, and a line a match. Statistics are computed from
these lines as those of any experiment. A test plays matches again; `manage.py store_result` plays all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from games import registry as game_registry
from worker import schedule
from worker import spec as specs
from worker.analysis.methods import FIXED
from worker.records import MatchRecord
from worker.report import ArmReport
from worker.results import Results
from worker.runner import results
from worker.spec import ExperimentSpec, MatchSpec

FILE = Path(__file__).with_name("stored") / "playouts.json"
FORMAT = "stored-result-1"
BUDGET = "playouts_per_action"
POLICIES = {"gprd": "Greedy playouts", "random": "Random playouts"}


@dataclass(frozen=True)
class Point:
    """One arm on a curve: budget, mean margin in points with its 95 % interval."""

    budget: int
    margin: float
    low: float
    high: float


@dataclass(frozen=True)
class Curve:
    """The arms of one kind of playout, the smallest budget first."""

    label: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class StoredResult:
    """The result as a page shows it. spec_text: JSON that the form of a new experiment takes."""

    played_on: date
    game: str
    curves: tuple[Curve, ...]
    num_matches: int
    matches_each: int
    spec_text: str

    @property
    def table(self) -> list[tuple[int, list[Point]]]:
        """The points of all curves by budget."""
        columns = [curve.points for curve in self.curves]
        return [(row[0].budget, list(row)) for row in zip(*columns, strict=True)]


@cache
def load() -> StoredResult:
    """The stored result, its statistics computed once a process."""
    data = _read()
    spec = specs.from_json(data["spec"])
    curves: dict[str, list[Point]] = {label: [] for label in POLICIES.values()}
    for arm, lines in enumerate(data["matches"]):
        seat = spec.arms[arm].seats[0]
        label, budget = POLICIES[seat.options["policy"]], getattr(seat.budget, BUDGET)
        curves[label].append(_point(spec, arm, budget, lines))
    return StoredResult(
        played_on=date.fromisoformat(data["played_on"]),
        game=spec.game,
        curves=tuple(Curve(label, tuple(points)) for label, points in curves.items()),
        num_matches=sum(map(len, data["matches"])),
        matches_each=len(data["matches"][0]),
        spec_text=json.dumps(data["spec"]),
    )


def stored_matches(arms: Iterable[int], first: int, count: int) -> Iterator[tuple[MatchSpec, str]]:
    """Matches of some arms as they would be played now, with the line that is stored of each."""
    data = _read()
    spec = specs.from_json(data["spec"])
    for arm in arms:
        lines = data["matches"][arm][first : first + count]
        yield from zip(schedule.match_specs(spec, arm, first, count), lines, strict=True)


def write(played_on: date, spec: dict[str, Any], matches: list[list[str]]) -> None:
    """Store a result anew, a line an arm."""
    arms = ",\n".join(f"    {json.dumps(lines)}" for lines in matches)
    head = json.dumps({"format": FORMAT, "played_on": played_on.isoformat(), "spec": spec}, indent=2)
    FILE.write_text(f'{head[:-2]},\n  "matches": [\n{arms}\n  ]\n}}\n', encoding="utf-8")


def spec_json() -> dict[str, Any]:
    """The spec of the stored result."""
    stored: dict[str, Any] = _read()["spec"]
    return stored


def _read() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    assert data["format"] == FORMAT, f"a stored result of format {data['format']!r}"
    return data


def _point(spec: ExperimentSpec, arm: int, budget: int, lines: list[str]) -> Point:
    report = ArmReport(spec, arm)
    matches = zip(schedule.match_specs(spec, arm, 0, len(lines)), lines, strict=True)
    report.add(Results.of(spec, arm, [_record(match, text) for match, text in matches]))
    place = report.to_json(FIXED)["places"][0]
    low, high = place["margin_interval"]
    return Point(budget, place["mean_margin"], low, high)


def _record(match: MatchSpec, text: str) -> MatchRecord:
    scores, ranks = (tuple(int(value) for value in part.split(",")) for part in text.split()[:2])
    return MatchRecord(
        arm=match.arm,
        deal=match.deal,
        rotation=match.rotation,
        seed=match.seed,
        deal_seed=match.deal_seed,
        lineup=match.lineup,
        status="finished",
        scores=scores,
        ranks=ranks,
        results=results(ranks, game_registry.get(match.game).traits.has_teams),
        versions={match.game: ""},
    )
