"""Reading: presets with their costs, runs of them, and comparisons of runs with published figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, reduce
from itertools import groupby
from operator import add
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.urls import reverse

from webapp.common import formats
from webapp.lab.jobs import power
from webapp.lab.jobs import registry as jobs
from webapp.lab.jobs.power import Power
from webapp.lab.jobs.progress import Progress
from webapp.lab.jobs.selectors import url
from webapp.lab.presets import grids, numbers, stored, wording
from webapp.lab.presets.charts import Chart, charts
from webapp.lab.presets.curves import curves, own_curves
from webapp.lab.presets.explanation import Finding, explanation
from webapp.lab.presets.models import PresetRun
from webapp.lab.presets.stacks import stacks
from webapp.lab.presets.stored import Rank, StoredRow
from webapp.lab.results.method import is_at_planned_end
from webapp.records.job import Job, JobQuerySet
from webapp.records.models import Experiment, ShareLink
from worker.presets import pooling, registry
from worker.presets.comparison import Comparison, Stage, compare
from worker.presets.model import SCALES, Preset, Scale
from worker.presets.numbers import Numbers
from worker.presets.reach import reach

MAX_RUNS = 20
Person = AbstractBaseUser | AnonymousUser


# ---- presets


@dataclass(frozen=True)
class ScaleRow:
    """A scale on offer; scales with the same spec share a row. id: of the first of them; tells: what it can tell."""

    id: str
    name: str
    words: str
    seconds: float
    tells: str


def scale_rows(preset: Preset, workers: Power) -> list[ScaleRow]:
    """The scales that can be started, smallest first, with the time that these workers take."""
    rows: dict[int, list[str]] = {}
    for scale in preset.scales:
        same = next((key for key, ids in rows.items() if preset.scales[ids[0]] == preset.scales[scale]), len(rows))
        rows.setdefault(same, []).append(scale)
    scale_list = []
    for ids in rows.values():
        called = [preset.scale_names[scale] for scale in ids]
        names = [name if i == 0 else name.lower() for i, name in enumerate(called)]
        name = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        words = preset.scales[ids[0]].words
        scale_list.append(ScaleRow(ids[0], name, words, seconds(preset.id, ids[0], workers), tells(preset.id, ids[0])))
    return scale_list


@cache
def tells(preset_id: str, scale: str) -> str:
    """What a scale can tell; empty where that is not known beforehand."""
    preset = registry.get(preset_id)
    return wording.reach(reach(preset, preset.scales[scale]))


@cache
def seconds(preset_id: str, scale: str, workers: Power) -> float:
    """Estimated wall time of a scale with these workers."""
    chosen = registry.get(preset_id).scales[scale]
    return jobs.get(chosen.job).seconds(chosen.spec, workers)


@dataclass(frozen=True)
class ListRow:
    """One preset on the list; last: the latest run of the visitor; stored: the run that ships with the project."""

    preset: Preset
    scales: list[ScaleRow]
    last: RunRow | None
    stored: StoredRow | None


@dataclass(frozen=True)
class Paper:
    """The presets of one paper and game."""

    paper: object
    game: str
    rows: list[ListRow]

    @property
    def num_run(self) -> int:
        """Number of its presets that the visitor has run."""
        return sum(row.last is not None for row in self.rows)


def papers(person: Person) -> list[Paper]:
    """All presets, paper by paper, each with the latest run of a person."""
    last: dict[str, PresetRun] = {}
    for run in own_runs(person).order_by("pk"):
        last[run.preset] = run
    found, workers = [], power.now()
    for (paper, game), presets in groupby(registry.presets().values(), key=lambda preset: (preset.paper, preset.game)):
        rows = []
        for preset in presets:
            latest = last.get(preset.id)
            last_row = None if latest is None else run_row(latest)
            rows.append(ListRow(preset, scale_rows(preset, workers), last_row, stored.fitting(preset)))
        found.append(Paper(paper, game, rows))
    return found


# ---- runs


@dataclass(frozen=True)
class RunRow:
    """A run as lists show it. url: the owner's page; shared_url: the public one, where there is one.

    is_own: whether it is a run of the visitor; repeats: whether an earlier one in the list has played the same matches.
    """

    run: PresetRun
    scale: str
    state: str
    created_at: datetime
    url: str
    shared_url: str
    is_own: bool
    seed: int = 0
    repeats: bool = False


def run_row(run: PresetRun, links: Mapping[tuple[str, int], ShareLink] | None = None, *, is_own: bool = True) -> RunRow:
    """A run in words; links: live links of runs by their keys."""
    job, preset = run.job, registry.presets().get(run.preset)
    link = (links or {}).get(run.job_key)
    return RunRow(
        run=run,
        scale=(preset.scale_names if preset else SCALES).get(run.scale, run.scale),
        state=str(job.status),
        created_at=job.created_at,
        url=url(job),
        shared_url=reverse("sharing:show", args=[link.slug]) if link else "",
        is_own=is_own,
        seed=int(job.spec.get("seed", 0)),
    )


def runs() -> JobQuerySet[PresetRun]:
    """All runs, with their jobs."""
    return PresetRun.objects.with_jobs()


def own_runs(person: Person) -> JobQuerySet[PresetRun]:
    """Runs of a person; none of a guest."""
    if not person.is_authenticated:
        return runs().none()
    return runs().where_job(owner=person.pk)


def shared_runs() -> JobQuerySet[PresetRun]:
    """Runs with a live link that shows all of them."""
    return runs().of_those_in(_live_links())


def is_visible(run: PresetRun, person: Person) -> bool:
    """Whether a person may see this run: one of their own, or a shared one."""
    return own_runs(person).filter(pk=run.pk).exists() or shared_runs().filter(pk=run.pk).exists()


@dataclass(frozen=True)
class History:
    """Runs of a preset: those of the visitor, latest first, then shared ones of others, latest first.

    stored: the one that ships with the project.
    """

    rows: list[RunRow]
    stored: StoredRow | None = None

    @property
    def has_own(self) -> bool:
        """Whether the visitor has run the preset."""
        return any(row.is_own for row in self.rows)

    @property
    def latest(self) -> PresetRun | None:
        """The latest own run, else the latest shared one."""
        return self.rows[0].run if self.rows else None


def visible_runs(person: Person) -> JobQuerySet[PresetRun]:
    """Runs that a person may see: their own, and shared ones."""
    found = own_runs(person) | shared_runs()
    return found.distinct()


def history(preset: Preset, person: Person) -> History:
    """Runs of a preset that a person may see."""
    own = list(own_runs(person).filter(preset=preset.id).order_by("-pk")[:MAX_RUNS])
    others = shared_runs().filter(preset=preset.id).exclude(pk__in=[run.pk for run in own])
    shared = list(others.order_by("-pk")[:MAX_RUNS])
    links = links_of([*own, *shared])
    rows = [run_row(run, links) for run in own]
    rows += [run_row(run, links, is_own=False) for run in shared]
    rows = [replace(row, repeats=_is_repeated(row.run, rows)) for row in rows]
    return History(rows, stored.row(preset.id))


def _is_repeated(run: PresetRun, rows: Iterable[RunRow]) -> bool:
    """Whether an earlier run has the same spec, with its seed: then its matches are the same."""
    earlier = (row.run for row in rows if row.run.pk < run.pk and row.run.scale == run.scale)
    return any(other.job.spec == run.job.spec for other in earlier)


def _live_links() -> JobQuerySet[ShareLink]:
    """Links that show a whole job now."""
    return ShareLink.objects.filter(withdrawn_at=None, match=None)


def links_of(runs: Iterable[PresetRun]) -> dict[tuple[str, int], ShareLink]:
    """Live links of whole runs, by the keys of their jobs."""
    links = _live_links().of_any([run.job for run in runs])
    return {link.job_key: link for link in links.order_by("-pk")}


# ---- comparisons


@dataclass(frozen=True)
class RunComparison:
    """A run beside the published figures, if there are any, or several runs that are pooled.

    unit: words for what its progress counts, "one,many"; more: the rows that a chart stacks; grids: the figures
    where nothing is published, instead of `table`. stage: how far it is; pooled: the runs that are pooled, this one
    first, empty where it stands alone; between: whether they agree; poolable: how many others could be pooled with it;
    playing: a later run of the visitor that is not over yet; stored: the run that ships with the project, in place
    of `run`; is_new_here: whether one of its scale, started now, plays the very matches that it played;
    explanation: which explanation held, at the planned end.
    """

    preset: Preset
    run: PresetRun | None
    scale: str
    setup: str
    now: Progress
    unit: str
    table: wording.Table
    more: wording.Table | None
    grids: list[grids.Grid]
    charts: list[Chart]
    stage: Stage
    pooled: tuple[RunRow, ...] = ()
    between: tuple[str, ...] = ()
    poolable: int = 0
    playing: RunRow | None = None
    stored: StoredRow | None = None
    is_new_here: bool = False
    explanation: tuple[Finding, ...] = ()


def progress(run: PresetRun) -> Progress:
    """The progress of a run."""
    return jobs.of(run.job).progress(run.job)


def stage(run: PresetRun, looks: int = 1) -> Stage:
    """How far a run is: at its planned end only where all of it has been done, or a rule for precision ended it."""
    job = run.job
    if isinstance(job, Experiment):
        return Stage(is_at_planned_end(job), int(job.spec["deals"]), looks)
    return Stage(job.status == Job.Status.FINISHED, 0, looks)


def compare_run(run: PresetRun, others: Sequence[PresetRun] = (), poolable: int = 0) -> RunComparison | None:
    """Compare a run, as it stands now, with its preset; None for a preset that this version does not know.

    others: finished runs that are pooled with it; poolable: how many could be.
    """
    preset = registry.presets().get(run.preset)
    if preset is None:
        return None
    now, runs = progress(run), (run, *others)
    reached, found, comparison = _measured(preset, runs)
    scale = scale_of(run)
    return RunComparison(
        run=run,
        scale=preset.scale_names.get(run.scale, run.scale),
        setup=scale.words if scale else "",
        now=now,
        unit=jobs.of(run.job).words.count_units,
        pooled=tuple(run_row(one) for one in runs) if others else (),
        between=tuple(wording.statistic("Q", test) for test in pooling.between_runs(found)) if others else (),
        poolable=poolable,
        **_shown(preset, comparison, reached),
    )


def figures(run: PresetRun) -> Comparison | None:
    """The figures of a run beside the published ones, as numbers; None for a preset that this version does not know."""
    preset = registry.presets().get(run.preset)
    return None if preset is None else _measured(preset, (run,))[2]


def _measured(preset: Preset, runs: Sequence[PresetRun]) -> tuple[Stage, list[Numbers], Comparison]:
    """How far runs are that are pooled, the numbers of each, and all of them beside the published figures."""
    reached = stage(runs[0], len(runs))
    found = [numbers.numbers(preset, one) for one in runs]
    if reached.is_at_end:
        found = [numbers.with_pools(preset, one, shown) for one, shown in zip(runs, found, strict=True)]
    return reached, found, compare(preset, reduce(add, found), scale_of(runs[0]), reached)


def compare_stored(preset: Preset) -> RunComparison | None:
    """The run that ships with the project beside the published figures; None where none does, or of other figures."""
    found = stored.fitting(preset)
    if found is None:
        return None
    scale = preset.scales[found.run.scale]
    return RunComparison(
        run=None,
        scale=found.scale,
        setup=scale.words,
        now=found.progress,
        unit=jobs.get(scale.job).words.count_units,
        stored=found,
        is_new_here=not runs().filter(preset=preset.id, scale=found.run.scale).exists(),
        **_shown(preset, stored.comparison(preset.id), found.run.stage),
    )


def _shown(preset: Preset, comparison: Comparison, reached: Stage) -> dict[str, Any]:
    """What a page shows of a comparison, whoever has played."""
    main, more = _split_stacked(preset, comparison)
    is_partial, looks = not reached.is_at_end, reached.looks
    return {
        "preset": preset,
        "table": wording.table(main, is_partial, looks),
        "more": wording.table(more, is_partial, looks) if more.rows else None,
        "grids": [] if preset.is_published else grids.grids(comparison),
        "charts": _charts(preset, comparison),
        "stage": reached,
        "explanation": explanation(comparison, preset.program) if reached.is_at_end else (),
    }


def rank(run: PresetRun) -> Rank:
    """How much a run tells: at its planned end before others, nearest to the paper, the latest.

    Where all scales play alike the one with the most deals tells most, else that with the largest scale, whose budgets
    are nearest to those of the paper.
    """
    reached = stage(run)
    return stored.rank_of(run, reached.is_at_end, reached.deals)


def scale_of(run: PresetRun) -> Scale | None:
    """The scale as the run plays it: it may have had another size when that was started; None for an unknown one."""
    job, preset = run.job, registry.presets().get(run.preset)
    scale = preset.scales.get(run.scale) if preset else None
    if not isinstance(job, Experiment):
        return scale
    is_same = scale is not None and scale.deals == job.spec["deals"]
    words = scale.words if scale is not None and is_same else f"{formats.count(job.spec['deals'])} deals for each arm"
    places = () if preset is None or "sweep" in job.spec else preset.places(job.spec)
    return Scale(words, job.spec, places)


def _split_stacked(preset: Preset, comparison: Comparison) -> tuple[Comparison, Comparison]:
    """Split a comparison into the rows of the table and the many rows that a chart stacks."""
    if preset.curve is None or not preset.curve.families:
        return comparison, Comparison(())
    stacked = tuple(row for row in comparison.rows if row.x is not None)
    return Comparison(tuple(row for row in comparison.rows if row.x is None)), Comparison(stacked)


@dataclass(frozen=True)
class PublishedFigures:
    """The published figures alone, for a preset that has no run yet, and their charts."""

    table: wording.Table
    charts: list[Chart]


def published_figures(preset: Preset) -> PublishedFigures:
    """The page of a preset before any run: all figures whose published values are known, else all figures."""
    comparison = compare(preset, Numbers())
    stated = tuple(row for row in comparison.rows if row.published.value is not None or row.published.words)
    return PublishedFigures(wording.table(Comparison(stated or comparison.rows), False), _charts(preset, comparison))


def _charts(preset: Preset, comparison: Comparison) -> list[Chart]:
    if preset.curve is None:
        return charts(comparison)
    if not preset.is_published:
        return own_curves(preset.curve, comparison)
    return stacks(preset.curve, comparison) if preset.curve.families else curves(preset.curve, comparison)
