"""The analysis of a played match, for those who may see its replay."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from webapp.common.requests import HtmxRequest
from webapp.matches.reviews.responses import Place, review_response
from webapp.play.visitors import visit
from webapp.table.live import access


@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HtmxRequest, code: str) -> HttpResponse:
    """Show what is known of a match's analysis; those who played it, guests too, may ask for one."""
    table = visit(request, code)
    record = access.record_of(table.match)
    if record is None:
        raise Http404("nothing to analyse")
    asker = table.person if table.own or table.is_creator else None
    return review_response(request, record, Place(reverse("play:replay", args=[code]), asker))
