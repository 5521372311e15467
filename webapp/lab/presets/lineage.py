"""Runs of a preset that are replications of each other: which run is shown, and which are pooled with it."""

from __future__ import annotations

import json

from webapp.lab.presets import selectors, stored
from webapp.lab.presets.models import PresetRun
from webapp.lab.presets.selectors import Person
from webapp.lab.results.versions import mixed, versions
from webapp.records.models import Experiment

MOST = 12
"""Runs that are pooled at once, the latest ones."""
OF_A_RUN = ("seed", "deals", "priority")
"""Fields of a spec in which replications may differ."""


def shown(history: selectors.History, number: int | None = None) -> PresetRun | None:
    """The run that the page of a preset shows: the one with a number; else the last whole one, so that a verdict stays.

    Whole: at its planned end. Own runs go before those of others, even while the first of them plays.
    """
    if number is not None:
        return next((row.run for row in history.rows if row.run.pk == number), None)
    whole = (row.run for row in history.rows if row.is_own == history.has_own and selectors.stage(row.run).is_at_end)
    return next(whole, history.latest)


def is_outdone(run: PresetRun | None, history: selectors.History) -> bool:
    """Whether the run that ships with the project is shown in place of this one, or of none.

    One's own run never is; one that somebody shared is where the other is larger.
    """
    shipped = history.stored
    if history.has_own or shipped is None or not shipped.is_fitting:
        return False
    return run is None or stored.rank(shipped) > selectors.rank(run)


def poolable(run: PresetRun, person: Person) -> list[PresetRun]:
    """Other runs that a person may see and that can be pooled with this one, the earliest first.

    They are experiments of the same preset and scale that have reached their planned end, in the same
    conditions and versions. Runs with the same seed played the same matches: only one of them is taken.
    """
    job = run.job
    if not isinstance(job, Experiment) or not selectors.stage(run).is_at_end or mixed(job):
        return []
    wanted, seeds, found = _conditions(job), {job.spec["seed"]}, []
    others = selectors.visible_runs(person).filter(preset=run.preset, scale=run.scale).exclude(pk=run.pk)
    for other in others.order_by("pk"):
        theirs = other.job
        if not isinstance(theirs, Experiment) or theirs.spec["seed"] in seeds:
            continue
        if selectors.stage(other).is_at_end and _conditions(theirs) == wanted:
            seeds.add(theirs.spec["seed"])
            found.append(other)
    return found[-MOST + 1 :]


def _conditions(experiment: Experiment) -> tuple[str, str]:
    """What replications must share: the spec but for its luck, and the versions that played."""
    spec = {name: value for name, value in experiment.spec.items() if name not in OF_A_RUN}
    return json.dumps(spec, sort_keys=True), versions(experiment)
