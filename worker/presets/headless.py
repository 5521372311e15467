"""Runs a preset on this machine without database: ``python -m worker preset ID --scale quick``."""

from __future__ import annotations

import resource
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

from worker import batch, estimate, machine
from worker import spec as specs
from worker.analysis.several import Deals
from worker.match_lines import line
from worker.presets import pooling, registry, stored_runs
from worker.presets.comparison import Stage, compare
from worker.presets.model import Preset, Scale
from worker.presets.numbers import Collector, Key, Numbers
from worker.presets.stored_runs import StoredRun
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


@dataclass(frozen=True)
class Ran:
    """A scale that was carried out, once for each seed. numbers: of each; units: matches or pieces that were done.

    seconds: on the clock; cpu_s: of all processes; sample: of the first seed, as `stored_runs.StoredRun` has it.
    """

    preset: Preset
    scale: str
    seeds: tuple[int, ...]
    numbers: tuple[Numbers, ...]
    units: int
    failed: int
    seconds: float
    cpu_s: float
    versions: Mapping[str, str]
    sample: tuple[str, ...]

    @property
    def chosen(self) -> Scale:
        """Scale that was carried out."""
        return self.preset.scales[self.scale]

    def to_json(self) -> dict[str, Any]:
        """What the command prints: how it was run, and every figure beside the published one."""
        stage = Stage(deals=self.chosen.deals, looks=len(self.numbers))
        return {
            "preset": self.preset.id,
            "title": self.preset.full_title,
            "scale": self.scale,
            "setup": self.chosen.words,
            "seeds": list(self.seeds),
            "failed": self.failed,
            "seconds": round(self.seconds, 1),
            "cpu_s": round(self.cpu_s, 1),
            "between_runs": [asdict(found) for found in pooling.between_runs(self.numbers)],
            **compare(self.preset, reduce(add, self.numbers), self.chosen, stage).to_json(),
        }


def alike(preset: Preset, scale: str) -> tuple[Preset, ...]:
    """A preset and all others that play the same at a scale, and differ in what they count."""
    spec = preset.scales[scale].spec
    others = (one for one in registry.presets().values() if one is not preset)
    return (preset, *(one for one in others if one.scales[scale].spec == spec))


def run(
    presets: Sequence[Preset], scale: str, processes: int, say: Callable[[str], None], seeds: Sequence[int] = ()
) -> tuple[Ran, ...]:
    """Carry out one scale, once for presets that are alike.

    seeds: one run with each, which are pooled; without any, one run with the preset's own.
    Raises SpecError, also for several seeds of a study, and BrokenProcessPool where a process dies.
    """
    chosen = presets[0].scales[scale]
    if chosen.is_study and len(set(seeds)) > 1:
        raise SpecError(("seed",), "of a study is one: results of studies are not pooled")
    each = tuple(dict.fromkeys(seeds or (own_seed(chosen),)))
    began, began_cpu = time.monotonic(), _cpu_s()
    carry_out = _study if chosen.is_study else _matches
    parts = [carry_out(presets, replace(chosen, spec={**chosen.spec, "seed": seed}), processes, say) for seed in each]
    return tuple(
        Ran(
            preset=preset,
            scale=scale,
            seeds=each,
            numbers=tuple(part.numbers[place] for part in parts),
            units=sum(part.units for part in parts),
            failed=sum(part.failed for part in parts),
            seconds=time.monotonic() - began,
            cpu_s=_cpu_s() - began_cpu,
            versions={name: version for part in parts for name, version in part.versions.items()},
            sample=tuple(parts[0].sample),
        )
        for place, preset in enumerate(presets)
    )


def store(ran: Ran) -> Path:
    """Keep a run as the one that ships with the project; return its file.

    Raises SpecError for one that failed in part. Its seed is the preset's own.
    """
    if ran.failed:
        raise SpecError((), f"{ran.failed} failed: only whole runs are stored")
    assert ran.seeds == (own_seed(ran.chosen),), ran.seeds
    return stored_runs.write(
        StoredRun(
            preset=ran.preset.id,
            scale=ran.scale,
            seed=ran.seeds[0],
            deals=ran.chosen.deals,
            units=ran.units,
            run_on=datetime.now(UTC).date(),
            cpu_s=round(ran.cpu_s, 1),
            machine=machine.processor(),
            versions=ran.versions,
            fit=stored_runs.fit(ran.preset, ran.chosen),
            sample=ran.sample,
            numbers=ran.numbers[0],
        )
    )


def own_seed(scale: Scale) -> int:
    """The seed of a preset's spec."""
    return int(scale.spec.get("seed", 0))


def _cpu_s() -> float:
    """CPU seconds of this process and of those of its own that have ended."""
    return sum(sum(resource.getrusage(whose)[:2]) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


@dataclass
class _Part:
    """What one seed gave. numbers: of each preset."""

    numbers: list[Numbers] = field(default_factory=list)
    units: int = 0
    failed: int = 0
    versions: dict[str, str] = field(default_factory=dict)
    sample: list[str] = field(default_factory=list)


def _matches(presets: Sequence[Preset], scale: Scale, processes: int, say: Callable[[str], None]) -> _Part:
    spec = specs.from_json(scale.spec)
    collectors, part = [Collector(preset.quantities, spec) for preset in presets], _Part(units=spec.num_matches)
    expected = estimate.estimate(spec, processes, estimate.FILE)
    say(estimate.words(expected.matches, "match", "matches", expected.seconds))
    progress, seen = _Progress(spec.num_matches, "matches", say), Counter[int]()
    for records in batch.play(spec, processes):
        for collector in collectors:
            collector.write(records)
        for record in records:
            if seen[record.arm] < stored_runs.MATCHES and record.failure is None:
                part.sample.append(stored_runs.match_words(record.arm, seen[record.arm], line(record)))
            seen[record.arm] += 1
            part.versions.update(record.versions)
        progress.add(len(records))
    part.failed = collectors[0].failed
    part.numbers = [_numbers(one, scale, collector) for one, collector in zip(presets, collectors, strict=True)]
    return part


def _numbers(preset: Preset, scale: Scale, collector: Collector) -> Numbers:
    """The numbers of a preset's matches, with the cells that are pooled."""
    places = preset.places(scale.spec) if "sweep" not in scale.spec else tuple(range(len(scale.arms)))

    def deals(key: Key) -> Deals:
        """Empty for an arm that this scale leaves out."""
        return collector.deals(key._replace(arm=places.index(key.arm))) if key.arm in places else {}

    made, as_run = (pooling.together(one, deals) for one in (preset, preset.of_program))
    return replace(collector.numbers().moved(places), together=made, as_run=as_run)


def _study(presets: Sequence[Preset], scale: Scale, processes: int, say: Callable[[str], None]) -> _Part:
    spec, part = study_specs.from_json(scale.spec), _Part()
    kind, sampled = study_registry.get(spec.study), stored_runs.sampled_pieces(scale.spec)
    part.units = kind.num_pieces(spec)
    say(estimate.words(part.units, "piece", "pieces", kind.seconds(spec) / processes))
    progress = _Progress(part.units, "pieces", say)
    rows = {}
    for outcome in studies.outcomes(spec, processes):
        progress.add(1)
        part.versions.update(outcome.versions)
        if outcome.row is None:
            part.failed += 1
            continue
        rows[outcome.index] = dict(outcome.row)
        if outcome.index in sampled:
            part.sample.append(stored_runs.row_words(outcome.index, outcome.row))
    part.numbers = [Numbers(study=kind.result(spec, rows))] * len(presets)
    return part


class _Progress:
    """Prints every few seconds how far the work is."""

    def __init__(self, total: int, unit: str, say: Callable[[str], None]) -> None:
        self._total, self._unit, self._say = total, unit, say
        self._done = 0
        self._said = time.monotonic()

    def add(self, count: int) -> None:
        """Count what was done."""
        self._done += count
        if time.monotonic() - self._said >= SAY_S:
            self._said = time.monotonic()
            self._say(f"{self._done} of {self._total} {self._unit}")
