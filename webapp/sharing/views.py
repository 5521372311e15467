"""`/r/<slug>/`: shared jobs and matches, read-only and as live as their owners see them; no account needed."""

from __future__ import annotations

import base64
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from webapp.common import public_answers
from webapp.common.permissions import get_owned
from webapp.common.requests import HtmxRequest
from webapp.lab.jobs import registry as jobs
from webapp.lab.jobs import responses, share_links
from webapp.lab.jobs.selectors import live_link, url
from webapp.lab.jobs.shared import find, only_match
from webapp.lab.results.responses import export_response
from webapp.matches import selectors as match_selectors
from webapp.matches.responses import Place, board_response, match_response, trace_response
from webapp.people.accounts import guests
from webapp.records.job import Job
from webapp.records.models import Match, ShareLink
from webapp.sharing import selectors
from webapp.sharing.card import png
from webapp.sharing.public import (
    base_of,
    context_of,
    is_owner,
    match_of,
    picture_response,
    public,
    public_file,
    whole_job,
)

# ---- the owner's part


ASKED = ("GET", "HEAD", "POST")


@login_required
@require_http_methods(ASKED)
def share(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """Say what would become public; sent, give a job its public address and go there.

    A match that people played is shared by `share_match`.
    """
    found = jobs.get(kind)
    return _share(request, get_owned(found.only_listed(found.jobs), request.user, pk=pk))


@require_http_methods(ASKED)
def share_match(request: HtmxRequest, pk: int) -> HttpResponse:
    """The same for one match, at an address of its own; guests share what they played, too."""
    person = guests.person(request)
    if person is None:
        return redirect_to_login(request.get_full_path())
    matches = Match.objects.select_related("experiment__owner")
    match = get_owned(matches, person, owner="experiment__owner", pk=pk)
    return _share(request, match.experiment, match)


def _share(request: HtmxRequest, job: Job, match: Match | None = None) -> HttpResponse:
    if request.method == "POST":
        link = share_links.share(job, match)
        messages.success(request, "Shared: anybody with the address of this page can see it")
        return redirect("sharing:show", slug=link.slug)
    if (shared := live_link(job, match)) is not None:
        return redirect("sharing:show", slug=shared.slug)
    draft = share_links.draft(job, match)
    only = only_match(draft)
    with public_answers.public_answer():  # names as strangers will read them
        preview = (
            selectors.preview(draft) if only is None else selectors.match_preview(draft, match_selectors.page(only))
        )
        picture = base64.b64encode(png(preview.card)).decode()
    back = _page_of(match) if match is not None else url(job)
    context = {"link": draft, "preview": preview, "picture": picture, "back": back}
    return render(request, "sharing/ask.html", context)


def _page_of(match: Match) -> str:
    """The page of a match for its owner: guests have only that where they played it."""
    live = match_selectors.as_played(match) if match.experiment.owner.is_guest else None
    return reverse("play:replay", args=[live.code]) if live else reverse("matches:detail", args=[match.pk])


@require_POST
def withdraw(request: HtmxRequest, slug: str) -> HttpResponse:
    """Close an address, for its owner alone."""
    if guests.person(request) is None:
        return redirect_to_login(request.get_full_path())
    link = find(slug)
    if not is_owner(request, link):
        raise Http404("no such link, or not yours")
    share_links.withdraw(link)
    messages.success(request, "Withdrawn: anybody who opens the address now reads that it was withdrawn")
    return redirect(_page_of(link.match) if link.match is not None else url(link.job))


# ---- everybody's part


def _context(request: HtmxRequest, link: ShareLink) -> dict[str, Any]:
    return responses.context(whole_job(link), base_of(link), is_shared=True) | context_of(request, link)


@public
def show(request: HtmxRequest, link: ShareLink) -> HttpResponse:
    """The job of a link on one page, or its match."""
    if link.match is not None:
        return _match_page(request, link, link.match, base_of(link), "")
    if played := only_match(link):
        return redirect("sharing:match", slug=link.slug, pk=played.pk)
    kind, preview, context = jobs.of(link.job), selectors.preview(link), _context(request, link)
    now, base = context["progress"], context["base"]
    context |= kind.page_context(link.job, now, base, request.GET)
    context |= kind.parts["settings"].context(link.job, now, base, request.GET)
    context |= {"exports": selectors.export_rows(base), "embed_snippets": selectors.embed_snippets(preview)}
    return render(request, kind.shared_page, context | {"preview": preview})


@public
def live(request: HtmxRequest, link: ShareLink) -> HttpResponse:
    """Progress, for polls; another state reloads the page."""
    return responses.live_response(request, whole_job(link), _context(request, link))


@public
def result(request: HtmxRequest, link: ShareLink) -> HttpResponse:
    """The result alone."""
    kind, context = jobs.of(whole_job(link)), _context(request, link)
    return render(request, kind.result, context | kind.result_context(link.job, context["base"]))


@public
def part(request: HtmxRequest, link: ShareLink, name: str) -> HttpResponse:
    """The matches of an experiment, or the rows of a study: a page, or only the list where a script asks for it."""
    chosen, context = jobs.of(whole_job(link)).parts.get(name), _context(request, link)
    if chosen is None:
        raise Http404(f"a {link.job.word} has no {name}")
    context |= chosen.context(link.job, context["progress"], context["base"], request.GET)
    return responses.part_response(request, chosen, "sharing/part.html", context)


@public
def result_json(request: HtmxRequest, link: ShareLink) -> HttpResponse:
    """The result as a file."""
    return responses.result_file(whole_job(link), link.slug)


@public
def spec_json(request: HtmxRequest, link: ShareLink) -> HttpResponse:
    """The spec as a file."""
    return responses.spec_file(whole_job(link), link.slug)


@public
def chart_json(request: HtmxRequest, link: ShareLink, chart_id: str) -> HttpResponse:
    """The figure of a chart."""
    return jobs.of(whole_job(link)).chart_json(request, link.job, chart_id)


@public
def chart_page(request: HtmxRequest, link: ShareLink, chart_id: str) -> HttpResponse:
    """One chart with its table."""
    return jobs.of(whole_job(link)).chart_page(request, link.job, chart_id, base_of(link))


@public_file
def export(request: HtmxRequest, link: ShareLink, table: str, format_id: str) -> HttpResponseBase:
    """Rows of a shared job or match as a file."""
    if link.match is not None:
        return export_response(request, link.match.experiment, table, format_id, link.slug, link.match)
    return jobs.of(link.job).export(request, link.job, table, format_id, link.slug)


@public
def card(request: HtmxRequest, link: ShareLink) -> HttpResponse:
    """The preview picture, drawn from the numbers of this moment."""
    only = only_match(link)
    preview = selectors.preview(link) if only is None else selectors.match_preview(link, match_selectors.page(only))
    return picture_response(request, preview.card)


# ---- matches below an address


def _match_page(request: HtmxRequest, link: ShareLink, match: Match, base: str, experiment_url: str) -> HttpResponse:
    place = Place(base, experiment_url, "sharing/match.html")
    preview = selectors.match_preview(link, match_selectors.page(match)) if match == only_match(link) else None
    return match_response(request, match, place, context_of(request, link) | {"preview": preview, "base": base})


@public
def match(request: HtmxRequest, link: ShareLink, pk: int) -> HttpResponse:
    """A match of a shared experiment."""
    base = base_of(link)
    return _match_page(request, link, match_of(link, pk), f"{base}matches/{pk}/", base)


@public
def board(request: HtmxRequest, link: ShareLink, pk: int | None = None) -> HttpResponse:
    """A board as a file."""
    return board_response(request, match_of(link, pk))


@public
def trace_json(request: HtmxRequest, link: ShareLink, pk: int | None = None) -> HttpResponse:
    """A match in its game's trace format."""
    return trace_response(match_of(link, pk))


@public_file
def match_export(request: HtmxRequest, link: ShareLink, pk: int, table: str, format_id: str) -> HttpResponseBase:
    """One match's rows as a file."""
    found = match_of(link, pk)
    return export_response(request, found.experiment, table, format_id, f"match-{found.pk}", found)
