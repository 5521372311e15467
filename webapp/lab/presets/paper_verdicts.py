"""All verdicts of one paper: every published figure of its presets, with those of the runs that tell most."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import add

from webapp.lab.jobs import power
from webapp.lab.presets import lineage, numbers, paper_summary, selectors, stored, wording
from webapp.lab.presets.models import PresetRun
from webapp.lab.presets.paper_summary import Compared, Summary
from webapp.lab.presets.selectors import Person, ScaleRow
from webapp.lab.presets.stored import StoredRow
from worker.presets import registry
from worker.presets.comparison import NO_NUMBER, NOT_JUDGED, NOT_YET, VERDICTS, Comparison, Row, compare, counts, family
from worker.presets.model import Preset
from worker.presets.numbers import Numbers, asked
from worker.presets.papers import Paper, paper

NOT_RUN = "not run"
WORDS: Mapping[str, str] = {
    **{word: wording.VERDICTS[word][1] for word in (*VERDICTS, NOT_YET, NOT_JUDGED)},
    NOT_RUN: "Not run",
}
"""Word of a filter -> its name."""


@dataclass(frozen=True)
class Filter:
    """A word to filter by. key: its part of the address; number: of counted figures that have it."""

    key: str
    name: str
    number: int
    is_chosen: bool


@dataclass(frozen=True)
class Section:
    """The figures of one preset that are left by the filter. scales: what each costs.

    runs, or stored: whose verdicts they are; counts: (number, chip, word) of each verdict of all its figures.
    """

    preset: Preset
    table: wording.Table
    runs: tuple[selectors.RunRow, ...]
    scales: list[ScaleRow]
    counts: tuple[tuple[int, str, str], ...]
    stored: StoredRow | None = None


@dataclass(frozen=True)
class PaperVerdicts:
    """All figures of a paper.

    counts: (number, chip, word) of each verdict; judged: how many these are; family: what chance would make of them;
    run: presets that have been run here; stored: those shown by the run that ships with the project; summary: of every
    table and figure, whatever the filter leaves.
    """

    paper: Paper
    game: str
    filters: list[Filter]
    sections: list[Section]
    figures: int
    counts: tuple[tuple[int, str, str], ...]
    judged: int
    run: int
    stored: int
    presets: int
    family: str
    word: str
    summary: Summary


def verdicts(paper_id: str, person: Person, word: str = "") -> PaperVerdicts:
    """The verdicts of a paper that a person may see; word: leave those that have it; an unknown one leaves all."""
    found, workers = compared(paper_id, person), power.now()
    links = selectors.links_of(run for one in found for run in one.runs)
    every = [row for one in found for row in one.rows]
    word = word if word in WORDS else ""
    sections = [
        Section(
            one.preset,
            wording.table(
                Comparison(tuple(row for row in one.rows if not word or (row.is_counted and _word(row) == word))),
                is_partial=False,
                looks=max(1, len(one.runs)),
            ),
            tuple(selectors.run_row(run, links, is_own=run.job.owner_id == person.pk) for run in one.runs),
            selectors.scale_rows(one.preset, workers),
            wording.count_words(counts(one.rows)),
            one.stored,
        )
        for one in found
    ]
    return PaperVerdicts(
        paper=paper(paper_id),
        game=found[0].preset.game,
        filters=_filters(every, word),
        sections=[section for section in sections if section.table.groups],
        figures=sum(row.is_counted for row in every),
        counts=wording.count_words(counts(every)),
        judged=sum(counts(every).values()),
        run=sum(bool(one.runs) for one in found),
        stored=sum(one.stored is not None for one in found),
        presets=len(found),
        family=wording.family(family(every)),
        word=word,
        summary=paper_summary.summary(paper_id, found),
    )


def compared(paper_id: str, person: Person) -> list[Compared]:
    """Every published table of a paper with the runs that tell most of those that a person may see."""
    known = [preset for preset in registry.presets().values() if preset.paper.id == paper_id and preset.is_published]
    best = _best_runs([preset.id for preset in known], person)
    seen: set[tuple[str, str, str]] = set()
    found = []
    for preset in known:
        run, shipped = best.get(preset.id), stored.fitting(preset)
        if shipped is not None and (run is None or stored.rank(shipped) > selectors.rank(run)):
            found.append(_compared(preset, stored.comparison(preset.id), seen, shipped=shipped))
            continue
        runs = () if run is None else (run, *lineage.poolable(run, person))
        found.append(_compared(preset, _comparison(preset, runs) if runs else compare(preset, Numbers()), seen, runs))
    return found


def _filters(rows: list[Row], chosen: str) -> list[Filter]:
    found = Counter(_word(row) for row in rows if row.is_counted)
    return [Filter(word, name, found[word], word == chosen) for word, name in WORDS.items() if found[word]]


def _word(row: Row) -> str:
    """The word of a row among those of the filters."""
    return NOT_RUN if row.verdict == NO_NUMBER else row.verdict


def _compared(
    preset: Preset,
    comparison: Comparison,
    seen: set[tuple[str, str, str]],
    runs: tuple[PresetRun, ...] = (),
    shipped: StoredRow | None = None,
) -> Compared:
    """The published figures of a preset. seen: comparisons of earlier presets, which the same ones repeat."""
    found = []
    for key, row in zip(_keys(preset.id), comparison.rows, strict=True):
        repeats = key is not None and key in seen
        if key is not None:
            seen.add(key)
        found.append(_uncounted(row) if repeats else row)
    rows = tuple(row for cell, row in zip(preset.cells, found, strict=True) if cell.published is not None)
    return Compared(preset, runs, rows, replace(comparison, rows=rows), shipped)


def _uncounted(row: Row) -> Row:
    return replace(row, is_counted=False, as_run=row.as_run and replace(row.as_run, is_counted=False))


def _comparison(preset: Preset, runs: Sequence[PresetRun]) -> Comparison:
    reached = selectors.stage(runs[0], len(runs))
    found = [numbers.numbers(preset, run) for run in runs]
    if reached.is_at_end:
        found = [numbers.with_pools(preset, run, one) for run, one in zip(runs, found, strict=True)]
    return compare(preset, reduce(add, found), selectors.scale_of(runs[0]), reached)


@cache
def _keys(preset_id: str) -> tuple[tuple[str, str, str] | None, ...]:
    """What makes two figures of matches the same comparison: what is played, what is counted, what was printed."""
    preset = registry.get(preset_id)
    played = json.dumps(preset.scales["published"].spec, sort_keys=True)
    keys = [(asked(cell.ours), cell.published) for cell in preset.cells]
    return tuple(key and (played, repr(key), repr(figure)) if figure is not None else None for key, figure in keys)


def _best_runs(presets: Iterable[str], person: Person) -> dict[str, PresetRun]:
    """Of every preset the run that tells most: at its planned end before others, nearest to the paper, the latest.

    Where all scales play alike the one with the most deals tells most, else that with the largest scale, whose budgets
    are nearest to those of the paper.
    """
    runs = selectors.visible_runs(person).filter(preset__in=list(presets))
    return {run.preset: run for run in sorted(runs, key=selectors.rank)}
