"""Reading: projects of somebody, the jobs of a report, the report as its readers see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from webapp.common.markdown import render_of_people
from webapp.lab.jobs import bars, briefs, registry, shared
from webapp.lab.jobs import selectors as jobs
from webapp.lab.jobs.bars import Axes, ShownBrief
from webapp.lab.projects import report
from webapp.lab.projects.models import Project, ProjectLink
from webapp.lab.projects.report import Block
from webapp.people.accounts.models import User
from webapp.records.job import Job

OFFERED = 50
"""Jobs of each kind that a report offers to add, the latest ones."""


def of_owner(owner: User) -> QuerySet[Project]:
    """Somebody's projects, last changed first."""
    return Project.objects.filter(owner=owner).order_by("-changed_at", "-pk")


def live_link(project: Project) -> ProjectLink | None:
    """The address under which a project can be seen now."""
    return project.links.filter(withdrawn_at=None).first()


def holding(job: Job) -> QuerySet[Project]:
    """Projects of a job's owner in which it stands."""
    block = {"word": job.word, "number": job.pk}
    return Project.objects.filter(owner=job.owner_id, blocks__contains=[block]).order_by("title")


def jobs_of(owner: User, blocks: Sequence[Block]) -> dict[tuple[str, int], Any]:
    """The jobs of a report that are there, with their counts, by kind and number: a query for each kind."""
    found: dict[tuple[str, int], Any] = {}
    for word in dict.fromkeys(block.word for block in blocks if block.is_result):
        kind = registry.get(word)
        numbers = [block.number for block in blocks if block.word == word]
        rows = kind.only_listed(kind.jobs).filter(owner=owner, pk__in=numbers)
        found |= {(word, job.pk): job for job in kind.with_counts(rows)}
    return found


@dataclass(frozen=True)
class Item:
    """A block as a page shows it. html: of a text; job: None where it was deleted.

    url: the page of its job for who reads; brief_url: what asks for the answer where `brief` is None; is_hidden: the
    job is there but not shared, so that a public page says no more; shared_url: its public page.
    """

    block: Block
    html: str = ""
    job: Any = None
    url: str = ""
    brief: ShownBrief | None = None
    brief_url: str = ""
    shared_url: str = ""
    is_hidden: bool = False


@dataclass(frozen=True)
class Report:
    """A report as a page shows it."""

    items: Sequence[Item]
    axes: Axes

    @property
    def results(self) -> list[Item]:
        """The results that its reader may see."""
        return [item for item in self.items if item.job is not None and not item.is_hidden]

    @property
    def is_written(self) -> bool:
        """Whether there is anything to read."""
        return any(item.html or item.block.is_result for item in self.items)

    @property
    def private(self) -> list[Item]:
        """Results that are not shared."""
        return [item for item in self.items if item.job is not None and not item.shared_url]


def report_of(
    project: Project, public_base: str = "", reader: User | None = None, draft: Sequence[Block] | None = None
) -> Report:
    """The report for its owner; with the address of its public page for everybody: what is not shared is hidden.

    reader: of the public page, from whom a match is hidden while they play its deal; draft: blocks that are not kept
    yet, in place of the stored ones.
    """
    blocks = report.load(project.blocks) if draft is None else draft
    found = jobs_of(project.owner, blocks)
    pages = shared.pages([job for job in found.values() if reader is None or not shared.is_job_hidden(job, reader)])
    seen = {key: job for key, job in found.items() if not public_base or key in pages}
    axes = bars.axes_of(map(briefs.last_effect, seen.values()))
    items = []
    for block in blocks:
        if not block.is_result:
            items.append(Item(block, html=render_of_people(block.text, under=1)))
            continue
        job, address = found.get(block.job), pages.get(block.job, "")
        if job is None or block.job not in seen:
            items.append(Item(block, job=job, is_hidden=job is not None))
            continue
        url = address if public_base else jobs.url(job)
        ask = f"{public_base}results/{block.key}/" if public_base else f"{url}brief/"
        items.append(Item(block, "", job, url, axes.show(briefs.stored(job)), f"{ask}{axes.query}", address))
    return Report(items, axes)


def offered(owner: User, blocks: Sequence[Block]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Jobs of somebody that are not in a report, latest first, by kind: its word and (value, words) of each."""
    present = {block.job for block in blocks}
    groups = []
    for word in registry.KINDS:
        kind = registry.get(word)
        rows = kind.only_listed(kind.jobs).filter(owner=owner, archived_at=None)
        latest = rows.order_by("-created_at").values_list("pk", "title")[: OFFERED + len(present)]
        options = [(f"{word}-{pk}", f"{title}, No. {pk}") for pk, title in latest if (word, pk) not in present]
        groups.append((kind.plural.capitalize(), options[:OFFERED]))
    return [(label, options) for label, options in groups if options]


def own_job(owner: User, text: str) -> Any:
    """The job of somebody that a text such as "experiment-12" names; None where they have none such."""
    named = report.parse_job(text)
    if named is None:
        return None
    kind = registry.get(named[0])
    return kind.only_listed(kind.jobs).filter(owner=owner, pk=named[1]).first()


@dataclass(frozen=True)
class Row:
    """A project in the list."""

    project: Project
    results: int
    texts: int
    link: ProjectLink | None


def rows(projects: Sequence[Project]) -> list[Row]:
    """Projects as the list shows them."""
    links = {link.project_id: link for link in ProjectLink.objects.filter(project__in=projects, withdrawn_at=None)}
    found = []
    for project in projects:
        blocks = report.load(project.blocks)
        results = sum(block.is_result for block in blocks)
        texts = sum(bool(block.text) for block in blocks)
        found.append(Row(project, results, texts, links.get(project.pk)))
    return found
