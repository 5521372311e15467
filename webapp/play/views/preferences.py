"""Page of a person's preferences at play."""

from __future__ import annotations

import json

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games import options as option_tools
from games.options import OptionError
from webapp.common.limits import TooManyError
from webapp.common.option_forms import OptionForm
from webapp.people.accounts import guests
from webapp.play import preferences as kept
from webapp.play.preferences import Preferences


@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Show them, or keep what was sent; somebody new becomes a guest by keeping some."""
    if request.method != "POST":
        shown = kept.load(guests.person(request)).to_json()
        return render(request, "play/preferences.html", {"form": OptionForm(Preferences, initial=shown)})
    form = OptionForm(Preferences, request.POST)
    if not form.is_valid():
        return render(request, "play/preferences.html", {"form": form})
    try:
        person = guests.person_or_new_guest(request)
    except TooManyError as error:
        messages.warning(request, str(error))
    else:
        kept.save(person, option_tools.from_json(Preferences, form.to_json()))
        messages.success(request, "Preferences kept")
    return redirect("play:preferences")


@never_cache
@require_POST
def speed(request: HttpRequest) -> HttpResponse:
    """Keep how fast moves are shown, chosen at a table: ``{"motion": "quick"}``. A visitor has nothing to keep."""
    try:
        wanted = json.loads(request.body)
        one = option_tools.from_json(Preferences, {"motion": wanted["motion"]})
    except (ValueError, KeyError, TypeError, OptionError):
        raise BadRequest("motion is one of off, quick, system, slow") from None
    if (person := guests.person(request)) is not None:
        kept.change(person, lambda stored: {**stored, "motion": one.motion})
    return HttpResponse(status=204)
