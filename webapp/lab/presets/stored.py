"""Runs of presets that ship with the project, as pages show them: dated, and never in place of a larger one of here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from webapp.common import formats
from webapp.lab.jobs.progress import Progress
from webapp.lab.presets.models import PresetRun
from worker.presets import registry, stored_runs
from worker.presets.comparison import Comparison
from worker.presets.model import SCALES, Preset
from worker.presets.stored_runs import StoredRun

ADDRESS = "stored"
"""Its value in the address of a preset's page, ``?run=stored``."""


@dataclass(frozen=True)
class StoredRow:
    """A run that ships, in words. scale: its name; size: of what was done; cost: "118 CPU seconds".

    versions: that played; outdated: those of now, where they are others, empty else;
    is_fitting: whether it is of what the preset plays now.
    """

    run: StoredRun
    scale: str
    size: str
    cost: str
    versions: str
    outdated: str
    is_fitting: bool

    @property
    def command(self) -> str:
        """What made it, and makes it anew."""
        return f"python -m worker preset {self.run.preset} --scale {self.run.scale} --store"

    @property
    def machine(self) -> str:
        """The processor and its cores, without what else it can do."""
        cores, found, _ = self.run.machine.partition(" cores")
        return cores + found

    @property
    def progress(self) -> Progress:
        """It is over."""
        return Progress(self.run.units, self.run.units, 0, "finished", 0)


@cache
def row(preset_id: str) -> StoredRow | None:
    """The run of a preset that ships; None where none does."""
    run = stored_runs.load(preset_id)
    if run is None or run.chosen is None:
        return None
    units = ("piece", "pieces") if run.chosen.is_study else ("match", "matches")
    return StoredRow(
        run=run,
        scale=registry.get(preset_id).scale_names[run.scale],
        size=formats.plural(run.units, *units),
        cost=_cost(run.cpu_s),
        versions=_versions(run.versions),
        outdated=_versions({name: now or "not there" for name, _, now in run.outdated}),
        is_fitting=run.is_fitting,
    )


def _cost(cpu_s: float) -> str:
    return f"{formats.number(cpu_s, 0 if cpu_s >= 10 else 1)} CPU seconds"


def _versions(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))


def fitting(preset: Preset) -> StoredRow | None:
    """The run of a preset that ships and whose numbers belong to the preset's figures of now."""
    found = row(preset.id)
    return found if found is not None and found.is_fitting else None


@cache
def comparison(preset_id: str) -> Comparison:
    """Its figures beside the published ones."""
    found = row(preset_id)
    assert found is not None
    return stored_runs.compared(found.run)


# ---- which of two tells more

Rank = tuple[bool, int, int]
"""At its planned end, its size among the runs of its preset, and of runs of this lab their number."""


def rank(found: StoredRow) -> Rank:
    """Rank of a run that ships: behind one of this lab that is as large."""
    return True, size(found.run.preset, found.run.scale, found.run.deals), 0


def rank_of(run: PresetRun, is_at_end: bool, deals: int) -> Rank:
    """Rank of a run of this lab."""
    return is_at_end, size(run.preset, run.scale, deals), run.pk


def size(preset_id: str, scale: str, deals: int) -> int:
    """Deals where all scales play alike, else the number of the scale: the largest has the paper's budgets."""
    order = list(SCALES)
    return deals if plays_alike(preset_id) else order.index(scale) if scale in order else -1


@cache
def plays_alike(preset_id: str) -> bool:
    """Whether the scales of a preset differ in their deals alone."""
    specs = [{**scale.spec, "deals": 0} for scale in registry.get(preset_id).scales.values()]
    return all(spec == specs[0] for spec in specs)
