"""Runs a preset on this machine without database: ``python -m worker preset ID --scale quick``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from functools import reduce
from operator import add
from typing import Any

from worker import batch, estimate
from worker import spec as specs
from worker.analysis.several import Deals
from worker.presets import pooling
from worker.presets.comparison import Stage, compare
from worker.presets.model import Preset, Scale
from worker.presets.numbers import Collector, Key, Numbers
from worker.spec import SpecError
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


def run(
    preset: Preset, scale: str, processes: int, say: Callable[[str], None], seeds: Sequence[int] = ()
) -> tuple[dict[str, Any], int]:
    """Carry out one scale; return what to print and how many matches or pieces failed.

    seeds: one run with each, which are pooled; without any, one run with the preset's own.
    Raises SpecError, also for several seeds of a study, and BrokenProcessPool where a process dies.
    """
    chosen = preset.scales[scale]
    if chosen.is_study and len(set(seeds)) > 1:
        raise SpecError(("seed",), "of a study is one: results of studies are not pooled")
    own = int(chosen.spec.get("seed", 0))
    runs, failures, seconds = [], 0, 0.0
    for seed in dict.fromkeys(seeds or (own,)):
        numbers, failed, took = (_study if chosen.is_study else _matches)(
            preset, replace(chosen, spec={**chosen.spec, "seed": seed}), processes, say
        )
        runs.append(numbers)
        failures, seconds = failures + failed, seconds + took
    stage = Stage(deals=chosen.deals, looks=len(runs))
    return {
        "preset": preset.id,
        "title": preset.full_title,
        "scale": scale,
        "setup": chosen.words,
        "seeds": list(dict.fromkeys(seeds or (own,))),
        "failed": failures,
        "seconds": round(seconds, 1),
        "between_runs": [asdict(found) for found in pooling.between_runs(runs)],
        **compare(preset, reduce(add, runs), chosen, stage).to_json(),
    }, failures


def _matches(preset: Preset, scale: Scale, processes: int, say: Callable[[str], None]) -> tuple[Numbers, int, float]:
    spec = specs.from_json(scale.spec)
    collector = Collector(preset.quantities, spec)
    expected = estimate.estimate(spec, processes)
    say(estimate.words(expected.matches, "match", "matches", expected.seconds))
    progress = _Progress(spec.num_matches, "matches", say)
    for records in batch.play(spec, processes):
        collector.write(records)
        progress.add(len(records))
    places = preset.places(scale.spec) if "sweep" not in scale.spec else tuple(range(len(spec.arms)))

    def deals(key: Key) -> Deals:
        """Empty for an arm that this scale leaves out."""
        return collector.deals(key._replace(arm=places.index(key.arm))) if key.arm in places else {}

    made, as_run = (pooling.together(one, deals) for one in (preset, preset.of_program))
    found = replace(collector.numbers().moved(places), together=made, as_run=as_run)
    return found, collector.failed, progress.seconds


def _study(preset: Preset, scale: Scale, processes: int, say: Callable[[str], None]) -> tuple[Numbers, int, float]:
    spec = study_specs.from_json(scale.spec)
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
