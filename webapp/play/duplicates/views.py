"""The standing invitation: the rule, the counts so far, and a match at one click."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import registry as game_registry
from webapp.people.accounts import guests
from webapp.play import match_start
from webapp.play.duplicates import rule, selectors, services
from worker.spec import SpecError


@never_cache
@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """Rule and counts, the same for everybody; buttons for who has an account."""
    person = guests.person(request)
    context = {
        "tallies": selectors.tallies(),
        "rule": rule,
        "submission": uuid.uuid4(),
        "going_on": selectors.games_going_on(person),
        "has_account": person is not None and not person.is_guest,
    }
    return render(request, "duplicates/duplicates.html", context)


@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Go to the match that goes on, or begin one."""
    person, game_id = guests.person(request), request.POST.get("game", "")
    if person is None or person.is_guest:
        return redirect(f"{reverse('accounts:sign_up')}?next={reverse('duplicates:show')}")
    try:
        submission = uuid.UUID(request.POST.get("submission", ""))
    except ValueError:
        game_id = ""
    if game_id not in game_registry.ids():
        messages.warning(request, "That form was not complete. Choose a game and begin again.")
        return redirect("duplicates:show")
    try:
        return redirect("play:match", code=services.begin(request, person, game_id, submission).code)
    except match_start.BusyError as error:
        messages.warning(request, str(error))
        return redirect("play:match", code=error.match.code) if error.match else redirect("play:mine")
    except SpecError as error:
        messages.warning(request, f"This match cannot be opened now ({error}).")
    except ValueError as error:
        messages.warning(request, str(error))
    return redirect("duplicates:show")
