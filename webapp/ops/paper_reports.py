"""A paper in short on the command line: each table and figure printed, as described, as the authors' program ran."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.contrib.auth.models import AnonymousUser

from webapp.common import formats
from webapp.lab.presets import paper_summary, paper_verdicts, people_tables, wording
from webapp.lab.presets.paper_summary import Compared, Part
from webapp.people.accounts.models import User
from worker.presets import registry
from worker.presets.papers import paper

NO_OTHER = "no other way is known"


def summary(paper_id: str | None, person: User | None, with_figures: bool) -> Iterator[str]:
    """The summary of one paper or of all, with the runs that a person may see; without one, those that are shared."""
    for each in [paper_id] if paper_id else registry.PAPERS:
        yield from (line.replace(formats.THIN, " ") for line in _paper(each, person, with_figures))


def _paper(paper_id: str, person: User | None, with_figures: bool) -> Iterator[str]:
    found = paper_verdicts.compared(paper_id, person or AnonymousUser())
    short, compared = paper_summary.summary(paper_id, found), {one.preset.id: one for one in found}
    here, shipped = sum(bool(one.runs) for one in found), sum(one.stored is not None for one in found)
    by = f" here, {shipped} by runs that ship with the project" if shipped else ""
    yield f"{paper(paper_id).short}: {here} of {len(found)} tables run{by}"
    for line in short.lines:
        if not line.parts:
            words = [line.item.words, *(f"See {preset.where}." for preset in line.others)]
            yield f"  {line.item.place}, {line.item.what}: {' '.join(filter(None, words)) or 'There.'}"
        for part in line.parts:
            yield from _part(part)
            if with_figures:
                yield from _figures(compared[part.preset.id])
    for table in people_tables.tables(paper_id):
        yield f"  {table.table.where}, {table.table.title}: {formats.plural(table.matches, 'match', 'matches')} here"
        yield from (f"      printed: {one.test.player} {one.share or 'not counted'}" for one in table.printed)
        yield from (f"      {one.name} {one.share}, {one.size}" for one in table.lines if one.matches)
    if short.both:
        described, as_run = _verdicts(short.described), _verdicts(short.as_run)
        yield f"  Judged both ways, {short.both}: as described {described}; as their program ran {as_run}"
        yield f"  {short.family}"
    yield from (f"  Open: {', '.join(p.where for p in one.where)}: {one.reason.words}" for one in short.open)


def _part(part: Part) -> Iterator[str]:
    described = part.state or _verdicts(part.described)
    program = part.preset.program
    as_run = _verdicts(part.as_run) or (part.state if program else NO_OTHER)
    as_run += f" ({program.doubt})" if program and program.doubt else ""
    printed = formats.plural(part.figures, "figure", "figures")
    yield f"  {part.preset.where}, {part.preset.title} [{part.preset.id}]"
    yield f"      printed: {printed}; as described: {described}; as their program ran: {as_run}"
    if part.stored is not None:
        ships = part.stored.run
        yield f"      ships with the project: run on {ships.run_on} at {ships.scale} scale, seed {ships.seed}"
    every = [*(("", line) for line in part.pooled), *(("as their program ran, ", line) for line in part.pooled_as_run)]
    for method, line in every:
        words = [
            f"{method}{line.name}: {line.difference} ({line.interval})",
            line.verdict.lower(),
            line.note,
            line.alike,
        ]
        yield f"      {'; '.join(filter(None, words))}"
    for sweep in part.sweeps:
        run = f"; as their program ran {sweep.as_run}" if sweep.as_run else ""
        yield f"      {sweep.group}: printed {sweep.printed or 'unknown'}; ours {sweep.ours or 'unknown'}{run}"
    yield from (f"      {found.conclusion}" for found in part.explanation if found.conclusion)
    for reason in part.reasons:
        yield f"      {reason.words} {reason.evidence or 'Open.'}"


def _figures(one: Compared) -> Iterator[str]:
    for row in one.rows:
        line = wording.line(row)
        run = "" if line.as_run is None else f"; as their program ran {_ours(line.as_run)}"
        name = ", ".join(filter(None, (row.group, line.label)))
        yield f"        {name}: printed {line.published or 'as a picture'}; as described {_ours(line)}{run}"


def _ours(line: wording.Line) -> str:
    words = [f"{line.ours or 'none'} ({line.interval})" if line.interval else line.ours or "none", line.verdict.lower()]
    return ", ".join(words)


def _verdicts(counts: Iterable[tuple[int, str, str]]) -> str:
    return ", ".join(f"{number} {word.lower()}" for number, _, word in counts)
