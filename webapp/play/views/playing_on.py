"""Playing on from a position of a replay."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_http_methods

from games import variations
from webapp.common import naming
from webapp.matches import selectors as match_selectors
from webapp.people.accounts import guests
from webapp.play import match_start, playing_on
from webapp.play.playing_on import OnForm
from worker.spec import SpecError


@require_http_methods(["GET", "HEAD", "POST"])
def play_on(request: HttpRequest, token: str) -> HttpResponse:
    """The position and the form; by POST begin there."""
    text = request.GET.get("ply", "")
    person = guests.person(request)
    here = playing_on.origin(token, int(text) if text.isdecimal() and len(text) < 7 else None, person)
    first = playing_on.initial(here, person) | {"submission": uuid.uuid4()}
    form = OnForm(here, person, request.POST) if request.method == "POST" else OnForm(here, person, initial=first)
    seats = match_selectors.page(here.match, match_selectors.seat_of(here.match, person)).seats
    board = naming.name_seats(variations.svg(here.game, here.state, (), prefix="board-"), [card.name for card in seats])
    context = {
        "here": here,
        "form": form,
        "title": playing_on.title(here),
        "board": mark_safe(board),
        "seats": seats,
        "previous": max(0, here.ply - 1),
        "next": min(here.last, here.ply + 1),
    }
    if request.method == "POST" and not here.refusal and form.is_valid():
        content = {key: request.POST[key] for key in request.POST if key not in ("csrfmiddlewaretoken", "submission")}
        content |= {"origin": str(here.match.pk), "ply": str(here.ply)}
        try:
            match = match_start.start(request, form.setup(), form.cleaned_data["submission"], content)
            return redirect("play:match", code=match.code)
        except match_start.BusyError as error:
            context["busy"] = error
        except SpecError as error:
            form.add_error(None, f"{error}.")
    return render(request, "play/on.html", context)
