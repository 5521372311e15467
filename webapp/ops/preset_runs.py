"""Presets from the command line: start one on a running lab, follow it, print the verdicts."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.urls import reverse

from webapp.common import formats
from webapp.lab.jobs import power, share_links
from webapp.lab.jobs import registry as jobs
from webapp.lab.presets import selectors, services, wording
from webapp.lab.presets.models import PresetRun
from webapp.ops import job_follower
from webapp.people.accounts.models import User
from webapp.people.accounts.system import system_account
from worker.presets import contents, registry
from worker.presets.model import Preset

COLUMNS = ("figure", "published", "ours", "95 %", "difference, 99 %", "verdict")
AS_RUN = ("as their program ran", "95 %", "verdict")
"""Further columns of a table with figures by the authors' program."""
_WORDS = (5, 8)
"""Columns of words."""
_ALONE = (0, 2, 3)
"""The columns of what nothing is published of."""


def catalogue() -> Iterator[str]:
    """A line for every preset, one for each of its scales, and last what of the papers no preset rebuilds."""
    workers = power.now()
    for preset in registry.presets().values():
        yield f"{preset.id:<26}{preset.full_title}"
        for scale in selectors.scale_rows(preset, workers):
            yield f"    {scale.name}: {scale.words}, about {formats.duration(scale.seconds)}"
    for item in contents.items():
        if item.state == contents.ABSENT or (item.kind in contents.NUMBERED and not item.presets):
            words = f": {item.words}" if item.words else ""
            yield f"{contents.STATES[item.state].lower()}: {item.paper.short}, {item.place}, {item.what}{words}"


def contents_lines(paper_id: str | None = None) -> Iterator[str]:
    """What the papers hold and what of it is here, a line for each item; of one paper or of all."""
    for each in [paper_id] if paper_id else registry.PAPERS:
        found = contents.of_paper(each)
        sums = ", ".join(f"{contents.STATES[state].lower()} {n}" for state, n in contents.counts(found).items())
        yield f"{found[0].paper.short} ({sums})"
        for item in found:
            words = f": {item.words}" if item.words else ""
            by = f" [{', '.join(item.presets)}]" if item.presets else ""
            yield f"    {contents.STATES[item.state]:<22}{item.place}, {item.what}{words}{by}"


def start(preset: Preset, scale: str, owner: User | None = None) -> tuple[PresetRun, str, bool]:
    """Start a run, or find the one that is running; returns it, its address and whether it is new.

    Without an owner it belongs to the system account, and everybody who has its address sees it.
    """
    run, is_new = services.start(owner or system_account(), preset, scale)
    if owner is not None:
        return run, settings.PUBLIC_URL + selectors.run_row(run).url, is_new
    link = share_links.share(run.job)
    return run, settings.PUBLIC_URL + reverse("sharing:show", args=[link.slug]), is_new


def follow(run: PresetRun) -> Iterator[str]:
    """Yield the run's progress until it runs no more."""

    def words() -> str:
        now = selectors.progress(run)
        return f"{now.played} of {now.total} {jobs.of(run.job).words.units}"

    return job_follower.follow(run.job, words)


def is_complete(run: PresetRun) -> bool:
    """Whether all of it was done, and nothing failed."""
    now = selectors.progress(run)
    return now.remaining == 0 and now.failed == 0


def verdicts(run: PresetRun) -> Iterator[str]:
    """The comparison as a table of text."""
    found = selectors.compare_run(run)
    if found is None:
        return
    groups = [(group.name, [_cells(line) for line in group.lines]) for group in found.table.groups]
    names = (*COLUMNS, *AS_RUN) if found.table.has_program else COLUMNS
    columns = range(len(names)) if found.preset.is_published else _ALONE
    groups = [(name, [tuple(cells[i] for i in columns) for cells in lines]) for name, lines in groups]
    head = tuple(names[i] for i in columns)
    rows = [head, *(cells for _, lines in groups for cells in lines)]
    widths = [max(len(row[i]) for row in rows) + 2 for i in range(len(head))]
    yield _joined(head, widths)
    for name, lines in groups:
        yield name
        yield from (_joined(cells, widths) for cells in lines)
    if found.preset.is_published:
        yield from _together(found.table)
    yield from (f"{one.conclusion} {one.words}".strip().replace(formats.THIN, " ") for one in found.explanation)


def _together(table: wording.Table) -> Iterator[str]:
    """What is said of a whole table; nothing before its planned end."""
    if table.is_partial:
        yield "Not judged: this is not the planned end."
        return
    for line in table.pooled:
        yield _pooled(line)
    for line in table.pooled_as_run:
        yield f"As their program ran: {_pooled(line)}"
    for sweep in table.sweeps:
        as_run = f", as their program ran {sweep.as_run}" if sweep.as_run else ""
        yield f"{sweep.group}: printed {sweep.printed or 'unknown'}, ours {sweep.ours or 'unknown'}{as_run}"
    yield ", ".join(f"{number} {word.lower()}" for number, _, word in table.counts)
    if table.family:
        yield table.family.replace(formats.THIN, " ")


def _pooled(line: wording.PooledLine) -> str:
    words = [f"{line.name}: {line.difference} ({line.interval})", line.verdict.lower(), line.note, line.alike]
    return "; ".join(filter(None, words)).replace(formats.THIN, " ")


def _cells(line: wording.Line) -> tuple[str, ...]:
    difference = f"{line.difference} ({line.difference_interval})" if line.difference else ""
    run = line.as_run
    as_run = (run.ours, run.interval, _verdict(run)) if run is not None else ("", "", "")
    return (f"  {line.label}", line.published, line.ours, line.interval, difference, _verdict(line), *as_run)


def _verdict(line: wording.Line) -> str:
    return f"{line.verdict} ({line.note})" if line.note else line.verdict


def _joined(cells: tuple[str, ...], widths: list[int]) -> str:
    """One line: figures' names and verdicts to the left, numbers to the right."""
    parts = [cells[0].ljust(widths[0])]
    for place, (text, width) in enumerate(zip(cells[1:], widths[1:], strict=True), start=1):
        parts.append(f"  {text.ljust(width - 2)}" if place in _WORDS else text.rjust(width))
    return "".join(parts).rstrip().replace(formats.THIN, " ")
