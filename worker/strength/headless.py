"""Carries out a measurement on this machine, without a database."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from worker import batch, estimate, machine
from worker import spec as specs
from worker.looks import RecordLooks
from worker.records import MatchRecord
from worker.report import Report
from worker.spec import SpecError
from worker.strength import stored
from worker.strength.model import Measurement
from worker.strength.stored import Stored
from worker.studies import batch as studies
from worker.studies import registry as study_registry
from worker.studies import spec as study_specs

SAY_S = 5.0
Say = Callable[[str], None]


def carry_out(measurement: Measurement, processes: int, say: Say) -> Stored:
    """Do all of it, or as much as its stop rule asks for.

    Raises SpecError for a spec that is none, and where a part failed: what is not whole is not kept.
    """
    began = _cpu_s()
    part = _study(measurement, processes, say) if measurement.is_study else _matches(measurement, processes, say)
    return Stored(
        id=measurement.id,
        run_on=datetime.now(UTC).date(),
        cpu_s=round(_cpu_s() - began, 1),
        machine=machine.processor(),
        fit=stored.fit(measurement),
        **part,
    )


def _matches(measurement: Measurement, processes: int, say: Say) -> dict[str, Any]:
    spec = specs.from_json(measurement.spec)
    report, thinking = Report(spec), Thinking(len(spec.arms[0].seats))
    looks = None if spec.stop.is_fixed else RecordLooks(spec)
    expected = estimate.estimate(spec, processes, estimate.FILE)
    say("at most " + estimate.words(expected.matches, "match", "matches", expected.seconds))
    progress, versions, done = _Progress("matches", say), dict[str, str](), 0
    for records in batch.play(spec, processes, looks):
        report.write(records)
        thinking.add(records)
        for record in records:
            versions.update(record.versions)
        done += len(records)
        progress.at(done)
    if report.failed:
        raise SpecError((), f"{report.failed} of {done} matches failed: only whole measurements are kept")
    if looks is not None:
        report.end(looks.ruling)
    return {
        "units": done,
        "versions": dict(sorted(versions.items())),
        "thinking_ms": thinking.milliseconds(),
        "report": report.to_json(),
    }


def _study(measurement: Measurement, processes: int, say: Say) -> dict[str, Any]:
    spec = study_specs.from_json(measurement.spec)
    kind = study_registry.get(spec.study)
    say(estimate.words(kind.num_pieces(spec), "piece", "pieces", kind.seconds(spec) / processes))
    progress, versions, rows = _Progress("pieces", say), dict[str, str](), dict[int, dict[str, Any]]()
    for outcome in studies.outcomes(spec, processes):
        if outcome.row is None:
            raise SpecError((), f"piece {outcome.index} failed: {outcome.failure}")
        rows[outcome.index] = outcome.row
        versions.update(outcome.versions)
        progress.at(len(rows))
    report = kind.result(spec, rows)
    return {"units": len(rows), "versions": dict(sorted(versions.items())), "thinking_ms": [], "report": report}


class Thinking:
    """CPU time of decisions by place of a line-up, of those in which there was a choice."""

    def __init__(self, places: int) -> None:
        self._seconds, self._decisions = [0.0] * places, [0] * places

    def add(self, records: Iterable[MatchRecord]) -> None:
        """Count the plies of matches."""
        for record in records:
            for ply in record.plies:
                if ply.legal_count > 1:
                    place = record.lineup[ply.seat]
                    self._seconds[place] += ply.cpu_s
                    self._decisions[place] += 1

    def milliseconds(self) -> list[float]:
        """Mean of each place; 0 where it had no choice."""
        pairs = zip(self._seconds, self._decisions, strict=True)
        return [round(1000 * seconds / decisions, 3) if decisions else 0.0 for seconds, decisions in pairs]


class _Progress:
    """Prints every few seconds how far the work is."""

    def __init__(self, unit: str, say: Say) -> None:
        self._unit, self._say, self._said = unit, say, time.monotonic()

    def at(self, done: int) -> None:
        """So much has been done."""
        if time.monotonic() - self._said >= SAY_S:
            self._said = time.monotonic()
            self._say(f"{done} {self._unit}")


def _cpu_s() -> float:
    """CPU seconds of this process and of those of its own that have ended."""
    return sum(sum(resource.getrusage(whose)[:2]) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
