"""Writing: make, change, share and delete projects. Callers have checked whose they are."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils import timezone

from webapp.common.errors import RefusedError
from webapp.common.formats import count
from webapp.lab.jobs import share_links
from webapp.lab.jobs.share_links import SLUG_BYTES
from webapp.lab.projects import report, selectors
from webapp.lab.projects.models import Project, ProjectLink
from webapp.lab.projects.report import Block
from webapp.people.accounts.models import User
from webapp.records.job import Job

MAX_PROJECTS = 200


class ChangedError(RefusedError):
    """Refusal to overwrite what another tab has kept."""


def create(owner: User, title: str, blocks: Sequence[Block] = ()) -> Project:
    """Make a project. Raises ReportError for what is too much, RefusedError where there are too many."""
    found = report.check(title, blocks)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        if Project.objects.filter(owner=owner).count() >= MAX_PROJECTS:
            raise RefusedError(f"You have {count(MAX_PROJECTS)} projects, which is all there may be. Delete one first.")
        return Project.objects.create(owner=owner, title=found, blocks=report.dump(_own(owner, blocks)))


def _locked(project: Project) -> Project:
    """Its row, held to the end of the transaction. Raises Http404 where it was deleted meanwhile."""
    return get_object_or_404(Project.objects.select_for_update(), pk=project.pk)


def change(project: Project, title: str, blocks: Sequence[Block], seen: int) -> None:
    """Keep a report that was written over an edition. Raises ReportError, or ChangedError over another edition."""
    found = report.check(title, blocks)
    with transaction.atomic():
        row = _locked(project)
        stored = report.dump(_own(row.owner, blocks))
        if (row.title, row.blocks) != (found, stored):
            if row.edition != seen:
                project.refresh_from_db()
                raise ChangedError(
                    "This report was changed elsewhere since you read it. Read it again, and change that."
                )
            row.title, row.blocks = found, stored
            row.edition, row.changed_at = row.edition + 1, timezone.now()
            row.save(update_fields=["title", "blocks", "edition", "changed_at"])
    project.refresh_from_db()


def add(project: Project, job: Job) -> bool:
    """Put a result at the end of a report; False where it stands there already. Raises ReportError."""
    with transaction.atomic():
        row = _locked(project)
        blocks = report.load(row.blocks)
        if any(block.job == (job.word, job.pk) for block in blocks):
            return False
        change(row, row.title, [*blocks, report.new_result(job.word, job.pk, job.title)], row.edition)
    project.refresh_from_db()
    return True


def _own(owner: User, blocks: Sequence[Block]) -> list[Block]:
    """The blocks with the names of their jobs, without results of other people that nothing knows the name of."""
    names = {key: job.title for key, job in selectors.jobs_of(owner, blocks).items()}
    return [block for block in report.renamed(blocks, names) if block.name or not block.is_result]


def delete(project: Project) -> None:
    """Remove it for good; its jobs stay. Raises RefusedError while it is shared."""
    with transaction.atomic():
        row = _locked(project)
        if selectors.live_link(row) is not None:
            raise RefusedError("It is shared, and others may read it. Withdraw its link first, then delete it.")
        row.delete()


def share(project: Project, results: Collection[tuple[str, int]] = ()) -> ProjectLink:
    """The public address of a project; asking again gives the same one while it is live.

    results: kind and number of those that become public with it, each under an address of its own.
    """
    with transaction.atomic():
        row = _locked(project)
        for key, job in selectors.jobs_of(row.owner, report.load(row.blocks)).items():
            if key in results:
                share_links.share(job)
        link = selectors.live_link(row)
        return link or ProjectLink.objects.create(project=row, slug=secrets.token_urlsafe(SLUG_BYTES))


def withdraw(link: ProjectLink) -> None:
    """Close an address for good; addresses of the results stay. Doing it twice changes nothing."""
    ProjectLink.objects.filter(pk=link.pk, withdrawn_at=None).update(withdrawn_at=timezone.now())
    link.refresh_from_db()
