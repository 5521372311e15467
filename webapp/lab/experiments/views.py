"""New experiment and new match: the same builder, from nothing, from a spec, from a paste."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from webapp.common import engine_forms
from webapp.common.data_fields import Own
from webapp.common.numbers import parse_whole
from webapp.common.permissions import filter_owned
from webapp.lab.experiments import draft, services
from webapp.lab.experiments.builder import Builder
from webapp.lab.experiments.forms import PasteForm
from webapp.lab.jobs.selectors import source
from webapp.people.accounts.requests import UserRequest
from webapp.records.models import Experiment
from webapp.table.strategies import prefill
from webapp.table.strategies import selectors as strategies
from worker import spec as specs


@login_required
def experiment(request: UserRequest) -> HttpResponse:
    """Build an experiment."""
    return _build(request, Experiment.Kind.EXPERIMENT)


@login_required
def match(request: UserRequest) -> HttpResponse:
    """Build a single match."""
    return _build(request, Experiment.Kind.MATCH)


def _build(request: UserRequest, kind: str) -> HttpResponse:
    if request.method != "POST":
        return _show(request, Builder(_source(request), kind, _agents(request), _own(request)))
    posted, agents, own = request.POST.dict(), _agents(request), _own(request)
    action = posted.get("do", "start")
    if action == "paste":
        return _paste(request, posted, kind)
    if action != "start":
        data = draft.complete(posted, agents)
        labels = draft.dropped_sweep(posted, data)
        return _show(request, Builder(draft.apply_action(data, action), kind, agents, own), dropped_labels=labels)
    return _start(request, Builder(posted, kind, agents, own), posted)


def _agents(request: UserRequest) -> list[str]:
    """Names of the visitor's own agents: nobody else's can be made to play."""
    return services.own_agents(request.user)


def _own(request: UserRequest) -> Own:
    """The visitor's own strategies, to choose from."""
    return strategies.own_strategies(request.user)


def _source(request: UserRequest) -> Mapping[str, str]:
    """The data that the form starts from: of an own experiment, a shared one, or none."""
    job = source(request, "experiment")
    if job is None:
        wanted = {key: request.GET[key] for key in ("game", "seats") if key in request.GET}
        if engine := request.GET.get("engine"):
            wanted[f"{draft.seat_prefix(0, 0)}-engine"] = engine
        if (number := parse_whole(request.GET.get("strategy"))) is not None:
            wanted |= strategies.seat_data(draft.seat_prefix(0, 0), number)
            wanted |= prefill.opponent_fields(draft.seat_prefix(0, 1), request.GET)
            wanted |= prefill.rules_fields(request.user, number, request.GET)
        return wanted
    try:
        spec = specs.from_json(job.spec)
        if not request.user.is_staff:
            spec = replace(spec, priority=min(spec.priority, 0))
        agents = _agents(request)
        if others := {seat.agent for arm in spec.arms for seat in arm.seats} - {"", *agents}:
            names = ", ".join(sorted(others))
            messages.warning(request, f"Engines have taken the seats of agents that you may not use: {names}.")
        return draft.from_spec(spec, job.title, agents)
    except specs.SpecError as error:
        messages.warning(request, f"That spec is of another version of the lab ({error}). The form starts empty.")
        return {}


def _paste(request: UserRequest, posted: Mapping[str, str], kind: str) -> HttpResponse:
    text, agents, own = posted.get("pasted", ""), _agents(request), _own(request)
    try:
        spec = specs.from_json(json.loads(text))
        services.check_priority(request.user, spec)
        services.check_agents(request.user, spec)
    except json.JSONDecodeError as error:
        problem = f"This is not JSON: line {error.lineno}, column {error.colno}: {error.msg}."
    except RecursionError:
        problem = "This JSON is nested too deeply."
    except specs.SpecError as error:
        problem = f"{error}.".encode("utf-8", "replace").decode()  # a name may hold half a character
    except ValueError:
        problem = "This JSON holds a number with too many digits."
    else:
        made = draft.from_spec(spec, posted.get("title", ""), agents)
        data = {**made, "submission": posted.get("submission", "")}
        return _show(request, Builder(data, kind, agents, own))
    return _show(request, Builder(posted, kind, agents, own), paste=PasteForm({"pasted": text}), problem=problem)


def _start(request: UserRequest, builder: Builder, posted: Mapping[str, str]) -> HttpResponse:
    if not engine_forms.is_as_shown(posted, builder.data):
        return _show(request, builder, is_stale=True, dropped_labels=draft.dropped_sweep(posted, builder.data))
    if builder.spec is None:
        return _show(request, builder, is_refused=True)
    cost = builder.cost
    submission = builder.setup.cleaned_data["submission"]
    try:
        if cost is not None and cost.is_huge and builder.data["confirmed"] != cost.key:
            services.check(request.user, builder.spec)  # a spec that is refused anyway needs no confirmation
            return _show(request, builder, is_unconfirmed=True)
        made = services.create(request.user, builder.title, builder.spec, builder.kind, submission)
    except specs.SpecError as error:
        builder.add_error(error)
        return _show(request, builder, is_refused=True)
    return redirect("experiments:detail", pk=made.pk)


def _show(request: UserRequest, builder: Builder, **extra: Any) -> HttpResponse:
    cost = builder.cost  # finds all errors, before some are hidden
    if not extra.get("is_refused"):
        builder.hide_untyped_errors()
    last = filter_owned(Experiment.objects.filter(kind=builder.kind), request.user).order_by("-created_at").first()
    context = {"builder": builder, "cost": cost, "paste": PasteForm(), "last": last, **extra}
    return render(request, "experiments/_builder.html" if request.htmx else "experiments/new.html", context)


@login_required
@require_POST
def estimate(request: UserRequest, kind: str) -> HttpResponse:
    """Time, rows, bytes and JSON of the form as it stands."""
    builder = Builder(request.POST.dict(), kind, _agents(request), _own(request))
    return render(request, "experiments/_estimate.html", {"builder": builder, "cost": builder.cost})
