"""Projects over HTTP: made, listed, read, changed, shared, deleted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated, Any

from django.urls import reverse
from ninja import Path, Query, Router
from ninja.responses import Status

from webapp.api import job_answers, project_schemas
from webapp.api.auth import MAY_EXPERIMENT, MAY_READ_RESEARCH, PersonRequest
from webapp.api.errors import invalid, problem_responses
from webapp.api.examples import body
from webapp.api.jobs import MAX_LIST, Key
from webapp.api.project_schemas import ProjectChange, ProjectIn, ResultIn, ShareIn, TextIn
from webapp.common.permissions import get_owned
from webapp.lab.jobs import briefs, shared
from webapp.lab.jobs import selectors as jobs
from webapp.lab.projects import report, selectors, services
from webapp.lab.projects.models import Project
from webapp.lab.projects.report import Block, ReportError
from webapp.people.accounts.models import User
from webapp.people.agents import kept_answers

router = Router(tags=["Projects"])

ProjectNumber = Annotated[int, Path(ge=1, lt=2**63, description="The number in the address of its page")]
EXAMPLE = {"title": "Does search pay?", "blocks": [{"text": "## The question\n\nHow much does a second look gain?"}]}


def _one(owner: User, number: int) -> dict[str, Any]:
    """A project with its report. Raises Http404."""
    project = _own(owner, number)
    found = report.load(project.blocks)
    known = selectors.jobs_of(owner, found)
    pages = shared.pages(list(known.values()))
    (row,) = selectors.rows([project])
    blocks = [_block(block, known.get(block.job), pages.get(block.job, "")) for block in found]
    return _row(row) | {"edition": project.edition, "blocks": blocks}


def _row(row: selectors.Row) -> dict[str, Any]:
    project = row.project
    return {
        "number": project.pk,
        "title": project.title,
        "results": row.results,
        "created_at": project.created_at,
        "changed_at": project.changed_at,
        "page": reverse("projects:detail", args=[project.pk]),
        "shared_page": reverse("sharing:project", args=[row.link.slug]) if row.link else "",
    }


def _block(block: Block, job: Any, shared_page: str) -> dict[str, Any]:
    if not block.is_result:
        return {"text": block.text}
    told = {"kind": block.word, "number": block.number, "title": block.name}
    if job is None:
        return told
    brief = briefs.stored(job)
    return told | {
        "title": job.title,
        "status": job.status,
        "brief": brief and asdict(brief),
        "page": jobs.url(job),
        "shared_page": shared_page,
    }


@router.post(
    "/projects",
    auth=MAY_EXPERIMENT,
    response={201: project_schemas.ProjectOut, **problem_responses(401, 403, 409, 422)},
    summary="Make a project",
    openapi_extra=body(a_text=EXAMPLE),
)
def make(request: PersonRequest, data: ProjectIn, key: Key = "") -> Any:
    """Make a report of texts and results of yours, in their order. It is yours alone until you share it on its page."""
    owner = request.auth.owner
    asked = {"start": "projects", **data.model_dump()}
    number = kept_answers.once(owner, key, asked, lambda: _make(owner, data))
    return Status(201, job_answers.started(lambda: _one(owner, number)))


def _make(owner: User, data: ProjectIn) -> int:
    """Make it; its number. Raises ProblemError."""
    with _refusals(data.title):
        return int(services.create(owner, data.title, _blocks(owner, data.blocks)).pk)


@contextmanager
def _refusals(title: str) -> Iterator[None]:
    """Say at which field a report cannot be kept."""
    try:
        yield
    except ReportError as error:
        raise invalid("body.blocks" if title.strip() else "body.title", str(error)) from None


def _blocks(owner: User, wanted: Sequence[TextIn | ResultIn], kept: Sequence[Block] = ()) -> list[Block]:
    """The blocks of a body; those that stand in the report already keep their keys, and links to them lead there.

    Raises ProblemError for a result that is neither the owner's nor in the report.
    """
    known = {(block.text.strip(), *block.job): block for block in reversed(kept)}
    blocks = []
    for i, block in enumerate(wanted):
        key = (block.text.strip(), "", 0) if isinstance(block, TextIn) else ("", block.kind, block.number)
        if (found := known.pop(key, None)) is not None:
            blocks.append(found)
        elif isinstance(block, TextIn):
            blocks.append(report.new_text(key[0]))
        else:
            job = selectors.own_job(owner, f"{block.kind}-{block.number}")
            if job is None:
                raise invalid(f"body.blocks[{i}].number", f"you have no {block.kind} of this number")
            blocks.append(report.new_result(block.kind, block.number, job.title))
    return blocks


@router.get(
    "/projects",
    auth=MAY_READ_RESEARCH,
    response={200: project_schemas.ProjectList, **problem_responses(401, 403, 422)},
    summary="List projects",
)
def list_projects(
    request: PersonRequest,
    offset: Annotated[int, Query(ge=0, le=100_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_LIST)] = 20,
) -> Any:
    """Your own, last changed first."""
    found = list(selectors.of_owner(request.auth.owner)[offset : offset + limit + 1])
    listed = [_row(row) for row in selectors.rows(found[:limit])]
    return {"projects": listed, "next": offset + limit if len(found) > limit else None}


@router.get(
    "/projects/{project}",
    auth=MAY_READ_RESEARCH,
    response={200: project_schemas.ProjectOut, **problem_responses(401, 403, 404, 422)},
    summary="See a project",
)
def see(request: PersonRequest, project: ProjectNumber) -> Any:
    """Its report: texts as they were written, results with their answers."""
    return _one(request.auth.owner, project)


@router.patch(
    "/projects/{project}",
    auth=MAY_EXPERIMENT,
    response={200: project_schemas.ProjectOut, **problem_responses(401, 403, 404, 409, 422)},
    summary="Change a project",
    openapi_extra=body(another_title={"title": "Does search pay, and when?"}),
)
def change(request: PersonRequest, project: ProjectNumber, data: ProjectChange) -> Any:
    """Change its title, or its report, which is replaced as a whole; what you leave out stays.

    Send the `edition` that you have read: 409 where it was changed since, so that nothing is lost.
    """
    owner = request.auth.owner
    found = _own(owner, project)
    title = found.title if data.title is None else data.title
    kept = report.load(found.blocks)
    blocks = kept if data.blocks is None else _blocks(owner, data.blocks, kept)
    with _refusals(title):
        services.change(found, title, blocks, data.edition or found.edition)
    return _one(owner, project)


@router.delete(
    "/projects/{project}",
    auth=MAY_EXPERIMENT,
    response={204: None, **problem_responses(401, 403, 404, 409, 422)},
    summary="Delete a project",
)
def delete(request: PersonRequest, project: ProjectNumber) -> Any:
    """Delete the report for good; its results stay. 409 while it is shared: withdraw its address first."""
    services.delete(_own(request.auth.owner, project))
    return Status(204, None)


@router.put(
    "/projects/{project}/share",
    auth=MAY_EXPERIMENT,
    response={200: project_schemas.ProjectOut, **problem_responses(401, 403, 404, 422)},
    summary="Share a project",
    openapi_extra=body(the_report_alone={"results": []}),
)
def share(request: PersonRequest, project: ProjectNumber, data: ShareIn) -> Any:
    """Give it a public address, and the results that you name one each. Results without one are hidden in the report.

    Sent again, it is the same address. What is named and not in the report stays as it is.
    """
    owner = request.auth.owner
    services.share(_own(owner, project), {(one.kind, one.number) for one in data.results})
    return _one(owner, project)


@router.delete(
    "/projects/{project}/share",
    auth=MAY_EXPERIMENT,
    response={204: None, **problem_responses(401, 403, 404, 422)},
    summary="Withdraw the public address of a project",
)
def withdraw(request: PersonRequest, project: ProjectNumber) -> Any:
    """Close the address for good; those of its results stay open."""
    link = selectors.live_link(_own(request.auth.owner, project))
    if link is not None:
        services.withdraw(link)
    return Status(204, None)


def _own(owner: User, number: int) -> Project:
    """A project of somebody. Raises Http404."""
    return get_owned(Project.objects.select_related("owner"), owner, pk=number)
