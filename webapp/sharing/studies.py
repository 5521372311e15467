"""What an address of a shared study answers; `webapp.sharing.views` hands over here."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from webapp.lab.studies import responses
from webapp.lab.studies import selectors as study_selectors
from webapp.lab.studies.draft import can_run_again
from webapp.lab.studies.rows import glimpse, row_page
from webapp.records.models import ShareLink
from webapp.sharing import selectors
from webapp.sharing.public import base_of, context_of, picture


def _context(request: HttpRequest, link: ShareLink, **extra: Any) -> dict[str, Any]:
    return responses.page_context(link.study, base_of(link), **extra) | context_of(request, link)


def show(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The whole study on one page."""
    found = responses.result_context(link.study, base_of(link))
    context = _context(request, link, rows=glimpse(link.study), **found)
    preview = selectors.study_preview(link, context["shown"])
    context |= {
        "preview": preview,
        "embed": selectors.embed(preview),
        "settings": study_selectors.settings_of(link.study),
        "can_run_again": can_run_again(link.study),
    }
    return render(request, "sharing/study.html", context)


def live(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """Progress, asked for again and again; another state reloads the page."""
    context = _context(request, link, is_update=True)
    return responses.reloading(request, render(request, "studies/_live.html", context), context["progress"].state)


def result(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The sections alone."""
    return render(
        request,
        "studies/_sections.html",
        _context(request, link, **responses.result_context(link.study, base_of(link))),
    )


def rows(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """All pieces with their rows."""
    return render(request, "sharing/rows.html", _context(request, link, rows=row_page(link.study, request.GET)))


def spec_json(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The study's spec as a file."""
    return responses.spec_json_response(link.study, link.slug)


def result_json(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The result as a file."""
    return responses.result_json_response(link.study, link.slug)


def chart_json(request: HttpRequest, link: ShareLink, chart_id: str) -> HttpResponse:
    """One figure."""
    return responses.chart_json_response(request, link.study, chart_id)


def chart_page(request: HttpRequest, link: ShareLink, chart_id: str) -> HttpResponse:
    """One figure with its table."""
    return responses.chart_page_response(request, link.study, chart_id, base_of(link))


def export(request: HttpRequest, link: ShareLink, table: str, format_id: str) -> HttpResponseBase:
    """The rows as a file."""
    if table != "rows":
        raise Http404(f"a study has no {table}")
    return responses.export_response(link.study, format_id, link.slug)


def card(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The preview picture, drawn from the numbers of this moment."""
    return picture(request, selectors.study_preview(link, study_selectors.shown_of(link.study)).card)
