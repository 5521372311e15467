"""A paper in short: each table and figure by what was printed, by the method as described, as the program ran.

What explains a difference stands with its evidence, and what nobody has explained is called open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from webapp.lab.presets import wording
from webapp.lab.presets.explanation import Finding, explanation
from webapp.lab.presets.models import PresetRun
from webapp.lab.presets.stored import StoredRow
from worker.analysis import verdict
from worker.presets import contents
from worker.presets.comparison import NOT_JUDGED, NOT_YET, VERDICTS, Comparison, Row, counts, family
from worker.presets.contents import Item
from worker.presets.model import Preset, Reason

NOT_RUN, RUNS, SHOWN = "not run", "not judged yet", "shown, not judged"
"""What is said of a preset that has no verdict."""


@dataclass(frozen=True)
class Compared:
    """A preset beside the runs that tell most. rows: its published figures, counted once in the whole paper.

    stored: the run that ships with the project, where no run of this lab tells more; then there are no `runs`.
    """

    preset: Preset
    runs: tuple[PresetRun, ...]
    rows: tuple[Row, ...]
    comparison: Comparison
    stored: StoredRow | None = None


@dataclass(frozen=True)
class Part:
    """One preset in short.

    figures: that were printed; state: why there is no verdict, empty where there is one; described, as_run: (number,
    chip, word) of the verdicts by either method; stored: the run that ships, where that is the one; explanation: which
    one held.
    """

    preset: Preset
    figures: int
    state: str
    described: tuple[tuple[int, str, str], ...]
    as_run: tuple[tuple[int, str, str], ...]
    pooled: tuple[wording.PooledLine, ...]
    pooled_as_run: tuple[wording.PooledLine, ...]
    sweeps: tuple[wording.SweepLine, ...]
    reasons: tuple[Reason, ...]
    stored: StoredRow | None = None
    explanation: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Line:
    """A table or figure of the paper, with the presets that rebuild it, each in its first line.

    Without any it is counted live, absent, or in another line: others are the presets that it is seen in.
    """

    item: Item
    parts: tuple[Part, ...]
    others: tuple[Preset, ...] = ()


@dataclass(frozen=True)
class Open:
    """A difference that nobody has explained. where: the tables that have it."""

    where: tuple[Preset, ...]
    reason: Reason


@dataclass(frozen=True)
class Summary:
    """All tables and figures of a paper.

    described, as_run: (number, chip, word) of all counted figures by either method, of those that both have; family:
    what chance makes of those by the program; open: reasons without evidence.
    """

    lines: tuple[Line, ...]
    described: tuple[tuple[int, str, str], ...]
    as_run: tuple[tuple[int, str, str], ...]
    both: int
    family: str
    open: tuple[Open, ...]


def summary(paper_id: str, found: Sequence[Compared]) -> Summary:
    """The summary of what has been compared of a paper."""
    parts = {one.preset.id: _part(one) for one in found}
    pairs = [pair for one in found for pair in _pairs(one.rows)]
    programs = [run for _, run in pairs]
    return Summary(
        lines=tuple(_lines(contents.of_paper(paper_id), parts)),
        described=_words(row for row, _ in pairs),
        as_run=_words(programs),
        both=len(pairs),
        family=wording.family(family(programs)),
        open=_open(one.preset for one in found),
    )


def _lines(items: Iterable[Item], parts: Mapping[str, Part]) -> Iterator[Line]:
    seen: set[str] = set()
    for item in items:
        if item.kind in contents.NUMBERED:
            new = [name for name in item.presets if name in parts and name not in seen]
            others = [parts[name].preset for name in item.presets if name in seen]
            seen.update(new)
            yield Line(item, tuple(parts[name] for name in new), tuple(others))


def _part(one: Compared) -> Part:
    pairs = _pairs(one.rows)
    differing = [row for row in one.rows if row.verdict == verdict.DIFFERS and row.reason is not None]
    return Part(
        preset=one.preset,
        figures=len(one.rows),
        state=_state(one),
        described=_words(one.rows),
        as_run=_words(run for _, run in pairs),
        pooled=tuple(map(wording.pooled_line, one.comparison.lines)),
        pooled_as_run=tuple(map(wording.pooled_line, one.comparison.lines_as_run)),
        sweeps=wording.sweep_lines(one.comparison),
        reasons=tuple(dict.fromkeys(row.reason for row in differing if row.reason is not None)),
        stored=one.stored,
        explanation=explanation(one.comparison, one.preset.program),
    )


def _state(one: Compared) -> str:
    """Why a preset has no verdict; empty where it has one."""
    if all(row.verdict == NOT_JUDGED for row in one.rows):
        return SHOWN
    if any(row.verdict in VERDICTS for row in one.rows):
        return ""
    return RUNS if one.runs and any(row.verdict == NOT_YET for row in one.rows) else NOT_RUN


def _pairs(rows: Iterable[Row]) -> list[tuple[Row, Row]]:
    """Counted figures that have a verdict by both methods."""
    both = [(row, row.as_run) for row in rows if row.as_run is not None and row.is_counted]
    return [(row, run) for row, run in both if row.verdict in VERDICTS and run.verdict in VERDICTS]


def _words(rows: Iterable[Row]) -> tuple[tuple[int, str, str], ...]:
    """Verdicts that there are."""
    return tuple(one for one in wording.count_words(counts(rows)) if one[0])


def _open(presets: Iterable[Preset]) -> tuple[Open, ...]:
    """What is open, each once, with the tables where it stands."""
    found: dict[Reason, list[Preset]] = {}
    for preset in presets:
        for reason in preset.open:
            found.setdefault(reason, []).append(preset)
    return tuple(Open(tuple(where), reason) for reason, where in found.items())
