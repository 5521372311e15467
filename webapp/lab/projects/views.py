"""Pages of one's own projects: the list, the report to read and to write, what puts a result into one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from webapp.common.errors import RefusedError
from webapp.common.numbers import parse_whole
from webapp.common.permissions import get_owned
from webapp.common.requests import HtmxRequest
from webapp.lab.jobs import selectors as jobs
from webapp.lab.projects import report, selectors, services
from webapp.lab.projects.models import Project
from webapp.lab.projects.report import Block, ReportError
from webapp.lab.projects.services import ChangedError
from webapp.people.accounts.requests import UserRequest

PER_PAGE = 25
READ_OR_SEND = ("GET", "HEAD", "POST")


def _project(request: HttpRequest, pk: int) -> Project:
    return get_owned(Project.objects.select_related("owner"), request.user, pk=pk)


@login_required
@require_http_methods(READ_OR_SEND)
def index(request: UserRequest) -> HttpResponse:
    """One's projects; sent, a new one, which opens to be written."""
    context: dict[str, Any] = {}
    if request.method == "POST":
        title = request.POST.get("title", "")
        try:
            made = services.create(request.user, title, [report.new_text()])
            return redirect("projects:edit", pk=made.pk)
        except (ReportError, RefusedError) as error:
            context = {"problem": str(error), "title": title}
    page = Paginator(selectors.of_owner(request.user), PER_PAGE).get_page(request.GET.get("page"))
    context |= {"page": page, "rows": selectors.rows(list(page)), "max_title": report.MAX_TITLE}
    return render(request, "projects/list.html", context)


@require_safe
def detail(request: HttpRequest, pk: int) -> HttpResponse:
    """The report to read."""
    project = _project(request, pk)
    context = {"project": project, "report": selectors.report_of(project), "link": selectors.live_link(project)}
    return render(request, "projects/detail.html", context)


@require_http_methods(READ_OR_SEND)
def edit(request: HtmxRequest, pk: int) -> HttpResponse:
    """The report to write. A button changes the form and keeps nothing; *Save* keeps it and leads back."""
    project = _project(request, pk)
    kept = report.load(project.blocks)
    if request.method != "POST":
        return _form(request, project, project.title, kept)
    posted = request.POST.dict()
    title, button = posted.get("title", ""), posted.get("do", "save")
    blocks = report.read(posted, posted.get("order", "").split(","), kept)
    if button != "save":
        return _reshaped(request, project, title, blocks)
    try:
        services.change(project, title, blocks, parse_whole(posted.get("edition")) or 0)
    except ReportError as error:
        return _form(request, project, title, blocks, edition=posted.get("edition", ""), problem=str(error))
    except ChangedError:
        return _form(request, project, title, blocks, is_clash=True)
    messages.success(request, "Saved")
    return redirect("projects:detail", pk=pk)


def _reshaped(request: HtmxRequest, project: Project, title: str, blocks: Sequence[Block]) -> HttpResponse:
    """The form after a button; nothing is kept."""
    button, problem, chosen = request.POST["do"], "", None
    if button.startswith("result"):
        job = selectors.own_job(project.owner, request.POST.get("result", ""))
        chosen = report.new_result(job.word, job.pk, job.title) if job is not None else None
        problem = "" if chosen else "Choose a result first."
    changed, place = report.press(blocks, button, chosen)
    if len(changed) > report.MAX_BLOCKS:
        changed, problem = list(blocks), f"A report has at most {report.MAX_BLOCKS} texts and results."
    is_as_kept = (title, report.dump(changed)) == (project.title, project.blocks)
    edition = project.edition if is_as_kept else request.POST.get("edition", "")
    pressed = button.partition(":")[0]
    return _form(request, project, title, changed, edition=edition, problem=problem, place=place, pressed=pressed)


def _form(request: HtmxRequest, project: Project, title: str, blocks: Sequence[Block], **more: Any) -> HttpResponse:
    """The form with these blocks. more: edition, if it is not the present one; what there is to say."""
    context = {
        "project": project,
        "title": title,
        "report": selectors.report_of(project, draft=blocks),
        "offered": selectors.offered(project.owner, blocks),
        "order": ",".join(block.key for block in blocks),
        "edition": project.edition,
        "max_title": report.MAX_TITLE,
        "max_text": report.MAX_TEXT,
        **more,
    }
    return render(request, "projects/_form.html" if request.htmx else "projects/edit.html", context)


@login_required
@require_http_methods(READ_OR_SEND)
def add(request: UserRequest) -> HttpResponse:
    """Put a result (``?job=experiment-12``) into one of one's projects, or into a new one."""
    job = selectors.own_job(request.user, request.GET.get("job", ""))
    if job is None:
        raise Http404("no such job, or not yours")
    problem = ""
    if request.method == "POST":
        try:
            return _added(request, job)
        except (ReportError, RefusedError) as error:
            problem = str(error)
    context = {
        "job": job,
        "job_url": jobs.url(job),
        "projects": selectors.of_owner(request.user),
        "holding": set(selectors.holding(job).values_list("pk", flat=True)),
        "title": request.POST.get("title", ""),
        "max_title": report.MAX_TITLE,
        "problem": problem,
    }
    return render(request, "projects/add.html", context)


def _added(request: UserRequest, job: Any) -> HttpResponse:
    """Put it into the chosen project, or into a new one of that title. Raises ReportError or RefusedError."""
    if (number := parse_whole(request.POST.get("project"))) is not None:
        project = _project(request, number)
        is_new = services.add(project, job)
    else:
        result = report.new_result(job.word, job.pk, job.title)
        project, is_new = services.create(request.user, request.POST.get("title", ""), [result]), True
    said = f"Added to “{project.title}”" if is_new else f"It is in “{project.title}” already"
    messages.success(request, said)
    return redirect(f"{reverse('projects:detail', args=[project.pk])}#{job.word}-{job.pk}")


@require_http_methods(READ_OR_SEND)
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask, then delete; its jobs stay."""
    project = _project(request, pk)
    if request.method != "POST":
        return render(request, "projects/delete.html", {"project": project, "link": selectors.live_link(project)})
    try:
        services.delete(project)
    except RefusedError as error:
        messages.warning(request, str(error))
        return redirect("projects:detail", pk=pk)
    messages.success(request, f"Deleted “{project.title}”")
    return redirect("projects:list")
