"""The position page, for the owner of a match."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from webapp.common.permissions import get_owned
from webapp.common.requests import HtmxRequest
from webapp.lab.jobs import registry as jobs
from webapp.lab.jobs.selectors import url
from webapp.matches.positions.responses import Place, live_response, position_response
from webapp.records.models import Experiment, Match


def _place(request: HtmxRequest, pk: int) -> tuple[Match, Place]:
    """An own match. Raises Http404."""
    matches = Match.objects.select_related("experiment")
    found = get_owned(matches, request.user, owner="experiment__owner", pk=pk)
    is_played = found.experiment.kind == Experiment.Kind.PLAY  # its own page says where it came from
    place = Place(
        base=reverse("positions:show", args=[pk]),
        match_url=reverse("matches:detail", args=[pk]),
        people=(request.user.pk,),
        experiment_url="" if is_played else url(found.experiment),
        list_url="" if is_played else reverse(f"{jobs.of(found.experiment).plural}:list"),
    )
    return found, place


@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HtmxRequest, pk: int) -> HttpResponse:
    """A position of an own match: ``?ply=`` and ``?analysis=`` choose; a POST changes the form or starts it."""
    return position_response(request, *_place(request, pk))


@require_safe
def live(request: HtmxRequest, pk: int) -> HttpResponse:
    """Answer with what an analysis has found since the version that the browser shows."""
    return live_response(request, *_place(request, pk))
