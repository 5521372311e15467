"""Positions of a match as responses: for its owner, for who played it, and on shared pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.db.models import Count, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils.safestring import mark_safe

from games import registry as game_registry
from webapp.common.engine_forms import is_as_shown
from webapp.common.requests import HtmxRequest
from webapp.lab.experiments.selectors import link_showing
from webapp.matches.positions import analysis as analyses
from webapp.matches.positions import forms, services, situation
from webapp.matches.positions.forms import AnalysisForm
from webapp.matches.positions.situation import Situation
from webapp.people.accounts.models import User
from webapp.records.models import Match, Study
from worker.spec import SpecError
from worker.studies.position import Position

POLL_S = 1


LISTED = 20


NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class Place:
    """Place of a position page, and whose analyses it shows.

    base: its own address; match_url, experiment_url, list_url: where it came from (empty: no
    such page); people: ids of those whose analyses are shown (None: nobody); looking: the seat of the reader.
    """

    base: str
    match_url: str
    people: tuple[int | None, ...]
    experiment_url: str = ""
    list_url: str = ""
    template: str = "positions/position.html"
    looking: int | None = None
    extra: dict[str, Any] = field(default_factory=dict)


def position_response(request: HtmxRequest, match: Match, place: Place) -> HttpResponse:
    """The page, or what a POST makes of it."""
    here = situation.situation(match, _number(request, "ply"), place.looking)
    if request.method != "POST":
        return _show(request, here, place)
    if not request.user.is_authenticated:
        return redirect_to_login(_address(place, here.ply))
    game = game_registry.get(match.experiment.game)
    posted = request.POST.dict()
    action = posted.pop("do", "start")
    if action != "start":
        data = forms.apply_button(forms.complete(posted, game), action, game)
        return _show(request, here, place, AnalysisForm(data, game))
    return _start(request, here, place, request.user, posted)


def _start(request: HtmxRequest, here: Situation, place: Place, owner: User, posted: dict[str, str]) -> HttpResponse:
    form = AnalysisForm(posted, game_registry.get(here.match.experiment.game))
    if not is_as_shown(posted, form.data):
        return _show(request, here, place, form, is_stale=True)
    if form.is_valid():
        values = form.start.cleaned_data
        try:
            study = services.start(owner, here, form.to_json(), values["seed"], values["submission"])
            return redirect(_address(place, here.ply, study))
        except services.NotAnalysableError as error:
            form.errors.append(str(error))
        except SpecError as error:
            form.add_error(error)
    return _show(request, here, place, form, is_refused=True)


def live_response(request: HtmxRequest, match: Match, place: Place) -> HttpResponse:
    """The results with their board, or 204 while nothing has changed. Raises Http404."""
    number = _number(request, "analysis")
    if number is None:
        raise Http404("no analysis asked for")
    study = get_object_or_404(_studies(match, place), pk=number)
    if request.GET.get("version") == analyses.version_of(study):
        return HttpResponse(status=204)
    here = situation.situation(match, study.ply, place.looking)
    if here.refusal:  # no position that an earlier analysis could be shown with
        return HttpResponse(status=204)
    found = analyses.analysis(here, study)
    context = _context(request, here, place) | {
        "found": found,
        "board": _board(here, found),
        "listed": _listed(here, place),
        "elsewhere": _elsewhere(here, place),
        "is_update": True,
    }
    return render(request, "positions/_results.html", context)


def _show(
    request: HtmxRequest, here: Situation, place: Place, form: AnalysisForm | None = None, **flags: bool
) -> HttpResponse:
    context = _context(request, here, place) | flags
    if form is not None and request.htmx:
        return render(request, "positions/_form.html", context | {"form": form})
    listed = _listed(here, place)
    number = _number(request, "analysis")
    chosen = next((study for study in listed if study.pk == number), None) if number is not None else None
    if number is not None and chosen is None:
        chosen = get_object_or_404(_studies(here.match, place), pk=number, ply=here.ply)
    study = chosen or next(iter(listed), None)
    found = analyses.analysis(here, study) if study and not here.refusal else None
    context |= {
        "found": found,
        "board": _board(here, found) if here.state is not None else "",
        "listed": listed,
        "elsewhere": _elsewhere(here, place),
        "form": form or _fresh_form(here, study),
        "is_asked": form is not None,
    }
    return render(request, place.template, context)


def _fresh_form(here: Situation, study: Study | None) -> AnalysisForm:
    """The form as the shown analysis was asked for, or with its openers."""
    spec = study.spec if study else None
    data = forms.from_runs(spec["parameters"]["runs"], spec["seed"]) if spec else {}
    return AnalysisForm(data, game_registry.get(here.match.experiment.game))


def _board(here: Situation, found: analyses.Analysis | None) -> str:
    return mark_safe(analyses.board(here, found))


def _context(request: HtmxRequest, here: Situation, place: Place) -> dict[str, Any]:
    return {
        "here": here,
        "no_such_ply": _no_such_ply(request, here),
        "place": place,
        "experiment": here.match.experiment,
        "game": game_registry.get(here.match.experiment.game),
        "poll_s": POLL_S,
        "previous": max(0, here.ply - 1),
        "next": min(here.last, here.ply + 1),
        "is_published": _is_published(request, here.match),
        "sign_in": f"{resolve_url(settings.LOGIN_URL)}?next={_address(place, here.ply)}",
        **place.extra,
    }


def _is_published(request: HtmxRequest, match: Match) -> bool:
    """Whether what is started here can be seen by others: what the owner of a shared match starts."""
    return request.user.pk == match.experiment.owner_id and link_showing(match) is not None


def _studies(match: Match, place: Place) -> QuerySet[Study]:
    """Analyses of this match that may be seen here."""
    return Study.objects.filter(match=match, kind=Position.id, owner__in=place.people, archived_at=None)


def _listed(here: Situation, place: Place) -> list[Study]:
    return list(_studies(here.match, place).filter(ply=here.ply).order_by("-created_at")[:LISTED])


def _elsewhere(here: Situation, place: Place) -> Sequence[Mapping[str, Any]]:
    """Other plies of the match that were analysed, with how often."""
    others = _studies(here.match, place).exclude(ply=here.ply).values("ply")
    return list(others.annotate(times=Count("pk")).order_by("ply"))


def _address(place: Place, ply: int, study: Study | None = None) -> str:
    return f"{place.base}?ply={ply}" + (f"&analysis={study.pk}" if study else "")


def _no_such_ply(request: HtmxRequest, here: Situation) -> str:
    """The ply that the address asks for where the match has no such ply, and the page shows another."""
    return "" if _number(request, "ply") == here.ply else request.GET.get("ply", "")


def _number(request: HtmxRequest, name: str) -> int | None:
    """A number of the address; None for nonsense."""
    text = request.GET.get(name, "")
    return int(text) if NUMBER.fullmatch(text) else None
