"""The analysis of a match as responses, as a part of its page or as a page of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render, resolve_url

from webapp.common.errors import RefusedError
from webapp.common.formats import about
from webapp.common.requests import HtmxRequest
from webapp.matches import selectors as match_selectors
from webapp.matches.reviews import boards, services, summary
from webapp.people.accounts.models import User
from webapp.records.models import Match, Study
from worker.spec import SpecError
from worker.studies import registry

POLL_S = 2


MAX_PLY = 100_000


@dataclass(frozen=True)
class Place:
    """Place of an analysis. match_url: the page of its match, with a slash at its end; by: who may ask for one."""

    match_url: str
    by: User | None

    @property
    def base(self) -> str:
        """Its own address."""
        return f"{self.match_url}review/"


def review_response(request: HtmxRequest, match: Match, place: Place) -> HttpResponse:
    """Answer with what is known; with ``?board=7`` draw a decision (``&seat=page``: as the page
    of the match draws its board); by POST ask for an analysis with ``playouts``."""
    why = services.refusal(match)
    if not why and request.method == "GET" and (ply := _number(request.GET.get("board", ""))):
        return _boards(request, match, place, ply)
    problem = ""
    if request.method == "POST" and place.by is not None:
        try:
            services.start(place.by, match, _number(request.POST.get("playouts", "")))
        except (RefusedError, SpecError) as error:
            problem = str(error)
        if not problem and not request.htmx:
            return redirect(place.base)
    return _render(request, match, place, why, problem)


def _render(request: HtmxRequest, match: Match, place: Place, why: str, problem: str) -> HttpResponse:
    ply = min(_number(request.GET.get("ply", "")), MAX_PLY)
    context: dict[str, Any] = {"match": match, "place": place, "why": why, "problem": problem, "ply": ply}
    if not why:
        study = services.of_match(match).first()
        if study is not None and request.GET.get("version") == summary.version(study) and request.method == "GET":
            return HttpResponse(status=204)
        page = match_selectors.page(match, match_selectors.seat_of(match, place.by))
        told = summary.summarise(study, page) if study is not None else None
        context |= {"page": page, "told": told, "poll_s": POLL_S, "efforts": _efforts(match, study)}
    context["sign_in"] = f"{resolve_url(settings.LOGIN_URL)}?next={place.base}"
    return render(request, "reviews/_live.html" if request.htmx else "reviews/review.html", context)


def _boards(request: HtmxRequest, match: Match, place: Place, ply: int) -> HttpResponse:
    """A decision on two boards. Raises Http404 where the analysis lists none at this ply."""
    study = services.of_match(match).first()
    page = match_selectors.page(match, match_selectors.seat_of(match, place.by))
    as_page = request.GET.get("seat") == "page"
    found = boards.draw_decision(study, page, ply, as_page=as_page) if study is not None else None
    if found is None:
        raise Http404("no such decision")
    game = page.walked.game if page.walked is not None else None
    context = {
        "match": match,
        "place": place,
        "decision": found[0],
        "drawn": found[1],
        "is_seated": game is not None and game.has_seated_replay,
        "is_open": game is not None and game.traits.has_hidden_information,
    }
    return render(request, "reviews/_boards.html" if request.htmx else "reviews/boards.html", context)


def _efforts(match: Match, study: Study | None) -> list[tuple[int, str, bool]]:
    """Playouts, words with the time they take, whether it is the usual one; those that are more than there is."""
    least = study.spec["parameters"]["playouts"] if study is not None and study.status != Study.Status.STOPPED else 0
    found = []
    for playouts, label in services.EFFORTS.items():
        if playouts > least:
            spec = services.spec_of(match, playouts)
            words = f"{label}: {about(registry.get(spec.study).seconds(spec))}"
            found.append((playouts, words, playouts == services.USUAL))
    return found


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else 0
