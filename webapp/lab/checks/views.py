"""Verification of one's own results; of shared ones see `webapp.sharing.verification`."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from webapp.common.permissions import get_owned
from webapp.common.requests import HtmxRequest
from webapp.lab.checks.responses import READ_AND_ASKED, Place, check_response
from webapp.lab.checks.subject import Subject
from webapp.lab.jobs import registry
from webapp.lab.jobs.selectors import url
from webapp.records.models import Match


@require_http_methods(READ_AND_ASKED)
def of_job(request: HtmxRequest, pk: int, kind: str) -> HttpResponse:
    """A sample of a job."""
    job = get_owned(registry.get(kind).jobs, request.user, pk=pk)
    return check_response(request, Subject(job), Place(url(job), "/matches/"))


@require_http_methods(READ_AND_ASKED)
def of_match(request: HtmxRequest, pk: int) -> HttpResponse:
    """One match."""
    matches = Match.objects.select_related("experiment")
    match = get_owned(matches, request.user, owner="experiment__owner", pk=pk)
    place = Place(reverse("matches:detail", args=[pk]), "/matches/")
    return check_response(request, Subject(match.experiment, match), place)
