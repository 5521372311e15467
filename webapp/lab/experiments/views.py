"""New experiment and new match: the same builder, from nothing, from a spec, from a paste."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from engines import registry as engine_registry
from webapp.common import engine_forms
from webapp.common.data_fields import Own
from webapp.common.numbers import parse_whole
from webapp.common.permissions import filter_owned
from webapp.lab.experiments import draft, lineage, planning, replicate, services
from webapp.lab.experiments.builder import Builder
from webapp.lab.experiments.forms import PasteForm
from webapp.lab.jobs.selectors import source
from webapp.lab.quotas import selectors as quotas
from webapp.people.accounts.requests import UserRequest
from webapp.records.models import Experiment
from webapp.table.strategies import prefill
from webapp.table.strategies import selectors as strategies
from worker import spec as specs
from worker.planning.kinds import QUICK

KIND = "kind:"
"""Before the name of a way to begin that a button asks for."""


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
        builder = Builder(_source(request), kind, _agents(request), _own(request))
        if kind == Experiment.Kind.EXPERIMENT and not builder.data["origin"]:
            builder = _begun(request, builder, QUICK)
        return _show(request, builder)
    posted, agents, own = request.POST.dict(), _agents(request), _own(request)
    action = posted.get("do", "start")
    if action == "paste":
        return _paste(request, posted, kind)
    if action == "trial":
        return _try(request, Builder(posted, kind, agents, own))
    if action.startswith(KIND):
        return _show(request, _begun(request, Builder(posted, kind, agents, own), action.removeprefix(KIND)))
    if action != "start":
        data = draft.complete(posted, agents)
        labels = draft.dropped_sweep(posted, data)
        changed = Builder(draft.apply_action(data, action), kind, agents, own)
        return _show(request, changed, dropped_labels=labels, is_removed=action.startswith("remove:"))
    return _start(request, Builder(posted, kind, agents, own), posted)


def _begun(request: UserRequest, builder: Builder, name: str) -> Builder:
    """The form begun in one of the ways of `planning`."""
    return Builder(planning.with_kind(builder, request.user, name), builder.kind, builder.agents, builder.own)


def _try(request: UserRequest, builder: Builder) -> HttpResponse:
    """Start trial deals, and show the form that waits for them."""
    if builder.spec is None:
        return _show(request, builder, is_refused=True)
    try:
        made = services.create_trial(request.user, builder.title, builder.spec)
    except specs.SpecError as error:
        builder.add_error(error)
        return _show(request, builder, is_refused=True)
    return _show(request, Builder(builder.data | {"trial": str(made.pk)}, builder.kind, builder.agents, builder.own))


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
        agents = _agents(request)
        if others := {seat.agent for arm in spec.arms for seat in arm.seats} - {"", *agents}:
            names = ", ".join(sorted(others))
            messages.warning(request, f"Engines have taken the seats of agents that you may not use: {names}.")
        if gone := {seat.engine for arm in spec.arms for seat in arm.seats if engine_registry.absence(seat.engine)}:
            names = ", ".join(sorted(gone))
            messages.warning(request, f"Engines have taken the seats of those whose code is not here: {names}.")
        return draft.from_spec(spec, job.title, agents) | {"seed": draft.draw_seed(), "origin": str(job.pk)}
    except specs.SpecError as error:
        messages.warning(request, f"That spec is of another version of the lab ({error}). The form starts empty.")
        return {}


def _paste(request: UserRequest, posted: Mapping[str, str], kind: str) -> HttpResponse:
    text, agents, own = posted.get("pasted", ""), _agents(request), _own(request)
    try:
        spec = specs.from_json(json.loads(text))
        services.check_agents(request.user, spec)
        specs.check_presence(spec)
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
            if why := _over(request, builder):
                raise specs.SpecError((), why)
            return _show(request, builder, is_unconfirmed=True)
        repeated = lineage.repeats(request.user, builder.data["origin"], builder.spec)
        if repeated is not None and builder.data["same_matches"] != str(repeated.pk):
            return _show(request, builder, is_repeating=True)
        origin = lineage.origin(request.user, builder.data["origin"])
        made = services.create(request.user, builder.title, builder.spec, builder.kind, submission, origin)
    except specs.SpecError as error:
        builder.add_error(error)
        return _show(request, builder, is_refused=True)
    return redirect("experiments:detail", pk=made.pk)


def _show(request: UserRequest, builder: Builder, **extra: Any) -> HttpResponse:
    cost = builder.cost  # finds all errors, before some are hidden
    if not extra.get("is_refused"):
        builder.hide_untyped_errors()
    last = filter_owned(Experiment.objects.filter(kind=builder.kind), request.user).order_by("-created_at").first()
    context = {"builder": builder, "cost": cost, "paste": PasteForm(), "last": last, **_plan(request, builder), **extra}
    return render(request, "experiments/_builder.html" if request.htmx else "experiments/new.html", context)


def _over(request: UserRequest, builder: Builder) -> str:
    """Why a quota refuses it; empty where none does."""
    return "" if builder.spec is None else quotas.refusal(request.user, quotas.ask_of(builder.spec))


def _plan(request: UserRequest, builder: Builder) -> dict[str, Any]:
    """What an experiment will show and cost, how to begin, and what it repeats; a single match has no plan."""
    found: dict[str, Any] = {
        "repeats": lineage.repeats(request.user, builder.data["origin"], builder.spec),
        "over": _over(request, builder),
    }
    if builder.kind != Experiment.Kind.EXPERIMENT:
        return found
    return found | {
        "plan": planning.planned(builder, request.user),
        "kinds": planning.buttons(builder, request.user),
    }


@login_required
@require_POST
def estimate(request: UserRequest, kind: str) -> HttpResponse:
    """Time, rows, bytes and JSON of the form as it stands."""
    builder = Builder(request.POST.dict(), kind, _agents(request), _own(request))
    context = {"builder": builder, "cost": builder.cost, "is_update": True, **_plan(request, builder)}
    return render(request, "experiments/_estimate.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def replication(request: UserRequest) -> HttpResponse:
    """Say what it takes to run an own experiment or a shared one again with new luck; sent, start it."""
    origin = source(request, "experiment")
    if origin is None or origin.kind != Experiment.Kind.EXPERIMENT:
        raise Http404("only experiments are replicated: name one, by from= or shared=")
    plan = replicate.plan(request.user, origin, request.POST.dict())
    error = ""
    if request.method == "POST":
        cost = plan.cost
        if cost is not None and cost.is_huge and request.POST.get("confirmed") != cost.key:
            error = "It is so large that its size has to be confirmed below."
        else:
            try:
                return redirect("experiments:detail", pk=replicate.start(request.user, plan).pk)
            except specs.SpecError as refusal:
                error = f"{refusal}."
    context = {"plan": plan, "cost": plan.cost, "over": plan.over, "error": error}
    context |= {"origin_url": lineage.address(origin, request.user), "query": request.GET.urlencode()}
    return render(request, "experiments/replicate.html", context)
