"""How strong are they: all games, one game, and the start of a measurement here."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games import registry as game_registry
from webapp.lab.jobs import registry as jobs
from webapp.lab.jobs import selectors as job_selectors
from webapp.people.accounts.requests import UserRequest
from webapp.play.duplicates import selectors as duplicates
from webapp.play.strength import pages
from worker.spec import SpecError
from worker.strength import registry, stored
from worker.strength.model import Measurement


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All games, each with its strongest level."""
    context = {"games": [pages.page(one) for one in pages.game_ids()], "tallies": duplicates.tallies()}
    return render(request, "strength/index.html", context)


@require_safe
def game(request: HttpRequest, game_id: str) -> HttpResponse:
    """One game: levels, matches, probes, regret, what was learned."""
    if game_id not in game_registry.ids():
        raise Http404(f"no game {game_id}")
    context = {"game": pages.page(game_id), "submission": uuid.uuid4()}
    return render(request, "strength/game.html", context)


def _measurement(measurement_id: str) -> Measurement:
    known = registry.measurements()
    if measurement_id not in known:
        raise Http404(f"no measurement {measurement_id}")
    return known[measurement_id]


@require_safe
def record(request: HttpRequest, measurement_id: str) -> HttpResponse:
    """The stored file of a measurement with the spec that it is of."""
    found = stored.load(_measurement(measurement_id).id)
    if found is None:
        raise Http404(f"{measurement_id} has not been carried out")
    values = {**vars(found), "run_on": found.run_on.isoformat(), "spec": _measurement(measurement_id).spec}
    return JsonResponse(values, json_dumps_params={"indent": 1})


@login_required
def start(request: UserRequest, measurement_id: str) -> HttpResponse:
    """Start a measurement here, as an experiment or study of one's own; the same form sent twice starts one."""
    chosen = _measurement(measurement_id)
    if request.method != "POST":
        return redirect("strength:game", game_id=chosen.game)  # after signing in, say
    try:
        submission = uuid.UUID(request.POST.get("submission", ""))
        submission = uuid.uuid5(submission, chosen.id)  # a page has one number for all of its buttons
    except ValueError:
        submission = uuid.uuid4()
    try:
        job = jobs.get(chosen.job).start(request.user, chosen.title, chosen.spec, submission)
    except SpecError as error:
        messages.warning(request, f"This measurement cannot be started now ({error}).")
        return redirect("strength:game", game_id=chosen.game)
    return redirect(job_selectors.url(job))
