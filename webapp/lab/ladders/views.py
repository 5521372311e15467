"""New ladder, an engine that enters one, more deals."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from webapp.common import engine_forms
from webapp.common.numbers import parse_whole
from webapp.common.permissions import get_owned
from webapp.lab.jobs import registry
from webapp.lab.jobs.responses import context as job_context
from webapp.lab.jobs.selectors import source, url
from webapp.lab.ladders import draft, services
from webapp.lab.ladders.draft import Builder, EntryForms
from webapp.lab.quotas import selectors as quotas
from webapp.people.accounts.requests import UserRequest
from webapp.records.models import Experiment
from webapp.table.strategies import selectors as strategies
from worker import spec as specs
from worker.spec import SpecError


@login_required
def new(request: UserRequest) -> HttpResponse:
    """Build a ladder: from a game's levels, an earlier one (``?from=``, ``?shared=``), or a spec that is pasted."""
    own = strategies.own_strategies(request.user)
    if request.method != "POST":
        return _show(request, Builder(_source(request), own))
    posted = request.POST.dict()
    action = posted.get("do", "start")
    if action == "paste":
        return _paste(request, posted)
    if action != "start":
        data = draft.complete(posted)
        return _show(request, Builder(draft.apply_action(data, action), own))
    builder = Builder(posted, own)
    if not engine_forms.is_as_shown(posted, builder.data):
        return _show(request, builder, is_stale=True)
    if builder.spec is None:
        return _show(request, builder, is_refused=True)
    try:
        made = services.create(request.user, builder.title, builder.spec, builder.setup.cleaned_data["submission"])
    except SpecError as error:
        builder.add_error(error)
        return _show(request, builder, is_refused=True)
    return redirect("ladders:detail", pk=made.pk)


def _source(request: UserRequest) -> Mapping[str, str]:
    ladder = source(request, "ladder")
    if ladder is None:
        return {key: request.GET[key] for key in ("game", "seats") if key in request.GET}
    try:
        return draft.from_spec(specs.from_json(ladder.spec), ladder.title)
    except SpecError as error:
        messages.warning(request, f"That spec is of another version of the lab ({error}). The form starts afresh.")
        return {}


def _paste(request: UserRequest, posted: Mapping[str, str]) -> HttpResponse:
    own, text = strategies.own_strategies(request.user), posted.get("pasted", "")
    try:
        spec = specs.from_json(json.loads(text))
        if spec.ladder is None:
            raise SpecError(("ladder",), "is missing: this is the spec of an experiment")
        data = draft.from_spec(spec, posted.get("title", "")) | {"seed": str(spec.seed)}
        return _show(request, Builder(data, own))
    except (ValueError, RecursionError) as error:
        problem = f"{error}." if isinstance(error, SpecError) else f"This is not JSON that can be read: {error}."
    return _show(request, Builder(posted, own), pasted=text, problem=problem)


def _show(request: UserRequest, builder: Builder, **extra: Any) -> HttpResponse:
    template = "ladders/_builder.html" if request.htmx else "ladders/new.html"
    return render(request, template, _context(request, builder) | extra)


def _context(request: UserRequest, builder: Builder) -> dict[str, Any]:
    """The form, what it will take, and why a quota refuses that."""
    over = "" if builder.spec is None else quotas.refusal(request.user, quotas.ask_of(builder.spec))
    return {"builder": builder, "cost": builder.cost, "over": over}


@login_required
@require_POST
def estimate(request: UserRequest) -> HttpResponse:
    """What the form as it stands will take."""
    builder = Builder(request.POST.dict(), strategies.own_strategies(request.user))
    return render(request, "ladders/_estimate.html", _context(request, builder))


@login_required
def enter(request: UserRequest, pk: int) -> HttpResponse:
    """The form of one more engine; a POST with ``do=start`` lets it enter."""
    ladder: Experiment = get_owned(registry.get("ladder").jobs, request.user, pk=pk)
    posted = request.POST.dict()
    data = draft.complete_entry(posted, 0, ladder.game)
    forms = EntryForms(data, ladder.game, 0, strategies.own_strategies(request.user))
    is_refused = False
    if request.method == "POST" and posted.get("do", "start") == "start":
        is_refused = True
        entry = draft.entry_of(forms, specs.from_json(ladder.spec))
        if entry is not None:
            try:
                services.add_entry(ladder, entry)
            except SpecError as error:
                forms.form.add_error("name", error.message)
            else:
                messages.success(request, f"{entry.name} has entered")
                return redirect(url(ladder))
    context = job_context(ladder, url(ladder)) | {
        "seat": forms,
        "is_refused": is_refused,
        "is_gauntlet": ladder.spec["ladder"]["pairing"] == "gauntlet",
        "list_url": url(ladder),
    }
    return render(request, "ladders/_enter.html" if request.htmx else "ladders/enter.html", context)


@login_required
@require_POST
def more(request: UserRequest, pk: int) -> HttpResponse:
    """Play more deals."""
    ladder: Experiment = get_owned(registry.get("ladder").jobs, request.user, pk=pk)
    deals = parse_whole(request.POST.get("deals"))
    try:
        if deals is None:
            raise SpecError(("deals",), "must be a whole number")
        services.play_more(ladder, deals)
        messages.success(request, f"Up to {deals} deals are played now")
    except SpecError as error:
        messages.warning(request, f"Nothing has changed: {error}.")
    return redirect(url(ladder))
