"""New match: who plays, by which rules, on which terms."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games import rule_sets
from webapp.common import engine_forms
from webapp.common.numbers import parse_whole
from webapp.common.requests import HtmxRequest
from webapp.people.accounts import guests
from webapp.play import draft, match_start
from webapp.play.builder import MatchBuilder
from webapp.table.strategies import prefill
from webapp.table.strategies import selectors as strategies
from worker.spec import SpecError

ASKED = ("game", "seats", "level", "visibility", "counts")
"""Fields that the address may set."""


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HtmxRequest) -> HttpResponse:
    """The form; sent with `do=update` it only takes the shape that its choices need."""
    person = guests.person(request)
    if request.method != "POST":
        return _show(request, MatchBuilder(_asked(request), person))
    posted = request.POST.dict()
    posted.pop("csrfmiddlewaretoken", None)
    action = posted.get("do", "start")
    builder = MatchBuilder(posted, person)
    if action != "start":
        return _show(request, builder, is_rules_open=action == "rules")
    if not engine_forms.is_as_shown(posted, builder.data):
        return _show(request, builder, is_stale=True)
    if builder.setup is None:
        return _show(request, builder, is_refused=True)
    content = {key: value for key, value in builder.data.items() if key != "submission"}
    try:
        match = match_start.start(request, builder.setup, builder.form.cleaned_data["submission"], content)
    except SpecError as error:
        builder.errors.append(f"{error}.")
        return _show(request, builder, is_refused=True)
    except match_start.BusyError as error:
        return _show(request, builder, busy=error)
    return redirect("play:match", code=match.code)


def _asked(request: HttpRequest) -> dict[str, str]:
    """Data that the form begins with."""
    wanted = {key: request.GET[key] for key in ASKED if key in request.GET}
    if (number := parse_whole(request.GET.get("strategy"))) is not None:
        seat = draft.seat_prefix(1)
        wanted |= {f"{seat}-who": draft.ENGINE} | strategies.seat_data(seat, number)
        wanted |= draft.SWITCHES | prefill.rules_fields(request.user, number, request.GET, rule_sets.RULE_BOOK)
    return wanted


def _show(request: HtmxRequest, builder: MatchBuilder, **extra: Any) -> HttpResponse:
    is_part = request.htmx and not extra.get("is_refused")
    if not extra.get("is_refused"):
        builder.clear_errors()
    context = {"builder": builder, **extra}
    return render(request, "play/_new.html" if is_part else "play/new.html", context)
