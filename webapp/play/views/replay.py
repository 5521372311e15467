"""The replay of a played match, for those who played it and, where it is not private, for anybody."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from webapp.common.requests import HtmxRequest
from webapp.lab.checks import responses as checks
from webapp.lab.checks.subject import Subject
from webapp.lab.results.responses import export_response
from webapp.matches.responses import Place, board_response, match_response, trace_response
from webapp.people.accounts import guests
from webapp.play.visitors import visit
from webapp.records.models import Match
from webapp.table.live import access


def _record(request: HttpRequest, code: str) -> Match:
    """Raises Http404 where there is nothing to replay."""
    record = access.record_of(visit(request, code).match)
    if record is None:
        raise Http404("nothing to replay")
    return record


@require_safe
def match(request: HttpRequest, code: str) -> HttpResponse:
    """Board, replay and moves; the match's own page while there is nothing to replay."""
    table = visit(request, code)
    record = access.record_of(table.match)
    if record is None:
        return redirect("play:match", code=code)
    place = Place(
        base=reverse("play:replay", args=[code]),
        experiment_url=reverse("play:match", args=[code]),
        template="play/replay.html",
        list_url=reverse("play:mine") if table.seats or table.is_creator else "",
    )
    person = guests.person(request)
    owner = person is not None and record.experiment.owner_id == person.pk
    extra = {"live": table.match, "is_owner": owner, "may_analyse": access.may_analyse(table)}
    return match_response(request, record, place, extra)


@require_http_methods(checks.READ_AND_ASKED)
def verification(request: HtmxRequest, code: str) -> HttpResponse:
    """Have the match gone through again, and see what came out."""
    record, base = _record(request, code), reverse("play:replay", args=[code])
    return checks.check_response(request, Subject(record.experiment, record), checks.Place(base, "/matches/"))


@require_safe
def board(request: HttpRequest, code: str) -> HttpResponse:
    """The board at a ply as an SVG file."""
    return board_response(request, _record(request, code))


@require_safe
def trace_json(request: HttpRequest, code: str) -> HttpResponse:
    """The match in the game's trace format."""
    return trace_response(_record(request, code))


@require_safe
def export(request: HttpRequest, code: str, table: str, format_id: str) -> HttpResponseBase:
    """The rows of the match as a file."""
    record = _record(request, code)
    return export_response(request, record.experiment, table, format_id, f"match-{record.pk}", record)
