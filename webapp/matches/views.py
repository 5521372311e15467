"""The page of a match, its board and its trace, for its owner."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_safe

from webapp.common.permissions import get_owned
from webapp.lab.jobs import registry as jobs
from webapp.lab.jobs.selectors import url
from webapp.lab.results.responses import export_response
from webapp.matches import selectors
from webapp.matches.responses import Place, board_response, match_response, trace_response
from webapp.records.models import Match


def _owned(request: HttpRequest, pk: int) -> Match:
    matches = Match.objects.select_related("experiment", "code")
    return get_owned(matches, request.user, owner="experiment__owner", pk=pk)


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Board, replay, moves and alternatives; ``?ply=`` chooses the position."""
    found = _owned(request, pk)
    base, live = reverse("matches:detail", args=[pk]), selectors.as_played(found)
    if live is not None and live.experiment_id is None:
        played_url, list_url = reverse("play:match", args=[live.code]), reverse("play:mine")
        return match_response(request, found, Place(base, played_url, list_url=list_url, list_label="My matches"))
    kind = jobs.of(found.experiment)
    list_url, label = reverse(f"{kind.plural}:list"), kind.plural.capitalize()
    return match_response(request, found, Place(base, url(found.experiment), list_url=list_url, list_label=label))


@require_safe
def board(request: HttpRequest, pk: int) -> HttpResponse:
    """The board at a ply as an SVG file."""
    return board_response(request, _owned(request, pk))


@require_safe
def trace_json(request: HttpRequest, pk: int) -> HttpResponse:
    """The match in the game's trace format."""
    return trace_response(_owned(request, pk))


@require_safe
def export(request: HttpRequest, pk: int, table: str, format_id: str) -> HttpResponseBase:
    """Answer with the match's rows as a file."""
    found = _owned(request, pk)
    return export_response(request, found.experiment, table, format_id, f"match-{pk}", found)
