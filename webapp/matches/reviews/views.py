"""The analysis of a match, for its owner."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import resolve_url
from django.views.decorators.http import require_http_methods

from webapp.common.permissions import get_owned
from webapp.common.requests import HtmxRequest
from webapp.matches.reviews.responses import Place, review_response
from webapp.people.accounts import guests
from webapp.records.models import Match


@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HtmxRequest, pk: int) -> HttpResponse:
    """Show the analysis of an own match."""
    matches = Match.objects.select_related("experiment")
    found = get_owned(matches, request.user, owner="experiment__owner", pk=pk)
    return review_response(request, found, Place(resolve_url("matches:detail", pk), guests.person(request)))
