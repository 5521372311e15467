"""Positions of a played match, for those who sat at its table and have an account."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from webapp.common.requests import HtmxRequest
from webapp.matches import selectors as match_selectors
from webapp.matches.positions.responses import Place, live_response, position_response
from webapp.play.visitors import visit
from webapp.records.models import Match
from webapp.table.live import access


def _place(request: HtmxRequest, code: str) -> tuple[Match, Place]:
    """The record, and its position page with the analyses of the visitor. Raises Http404."""
    table = visit(request, code)
    record = access.record_of(table.match)
    if record is None or not access.may_analyse(table):
        raise Http404("nothing to analyse")
    match_url = reverse("play:replay", args=[code])
    seat = match_selectors.seat_of(record, request.user)
    return record, Place(f"{match_url}position/", match_url, people=(request.user.pk,), looking=seat)


@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HtmxRequest, code: str) -> HttpResponse:
    """A position; a POST starts an analysis, which belongs to the visitor."""
    return position_response(request, *_place(request, code))


@require_safe
def live(request: HtmxRequest, code: str) -> HttpResponse:
    """Answer with what an analysis has found since the version that the browser shows."""
    return live_response(request, *_place(request, code))
