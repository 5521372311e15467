"""Runs a preset on this machine without database: ``python -m worker preset ID --scale quick``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from worker import batch, estimate
from worker import spec as specs
from worker.presets import pooling
from worker.presets.comparison import compare
from worker.presets.model import Preset
from worker.presets.numbers import Collector, Numbers
from worker.studies import batch as studies
from worker.studies import registry as study_registry
from worker.studies import spec as study_specs

SAY_S = 2.0


def catalogue(presets: Iterable[Preset]) -> list[dict[str, Any]]:
    """Catalogue that the command without an id prints."""
    return [
        {
            "id": preset.id,
            "title": preset.full_title,
            "game": preset.game,
            "scales": {name: scale.words for name, scale in preset.scales.items()},
        }
        for preset in presets
    ]


def run(preset: Preset, scale: str, processes: int, say: Callable[[str], None]) -> tuple[dict[str, Any], int]:
    """Carry out one scale; return what to print and how many matches or pieces failed.

    Raises SpecError, and BrokenProcessPool where a process dies.
    """
    chosen = preset.scales[scale]
    numbers, failed, seconds = (_study if chosen.is_study else _matches)(preset, scale, processes, say)
    answer = {"preset": preset.id, "title": preset.full_title, "scale": scale, "setup": chosen.words}
    return {
        **answer,
        "failed": failed,
        "seconds": round(seconds, 1),
        **compare(preset, numbers, chosen).to_json(),
    }, failed


def _matches(preset: Preset, scale: str, processes: int, say: Callable[[str], None]) -> tuple[Numbers, int, float]:
    spec = specs.from_json(preset.scales[scale].spec)
    collector = Collector(preset.quantities, spec)
    expected = estimate.estimate(spec, processes)
    say(estimate.words(expected.matches, "match", "matches", expected.seconds))
    progress = _Progress(spec.num_matches, "matches", say)
    for records in batch.play(spec, processes):
        collector.write(records)
        progress.add(len(records))
    made = pooling.together(preset, collector.deals, collector.side)
    return replace(collector.numbers(), together=made), collector.failed, progress.seconds


def _study(preset: Preset, scale: str, processes: int, say: Callable[[str], None]) -> tuple[Numbers, int, float]:
    spec = study_specs.from_json(preset.scales[scale].spec)
    kind = study_registry.get(spec.study)
    say(estimate.words(kind.num_pieces(spec), "piece", "pieces", kind.seconds(spec) / processes))
    progress = _Progress(kind.num_pieces(spec), "pieces", say)
    rows, failed = {}, 0
    for outcome in studies.outcomes(spec, processes):
        progress.add(1)
        if outcome.row is None:
            failed += 1
        else:
            rows[outcome.index] = dict(outcome.row)
    return Numbers(study=kind.result(spec, rows)), failed, progress.seconds


class _Progress:
    """Prints every few seconds how far the work is."""

    def __init__(self, total: int, unit: str, say: Callable[[str], None]) -> None:
        self._total, self._unit, self._say = total, unit, say
        self._done = 0
        self._began = self._said = time.monotonic()

    @property
    def seconds(self) -> float:
        """Wall time so far."""
        return time.monotonic() - self._began

    def add(self, count: int) -> None:
        """Count what was done."""
        self._done += count
        if time.monotonic() - self._said >= SAY_S:
            self._said = time.monotonic()
            self._say(f"{self._done} of {self._total} {self._unit}")
