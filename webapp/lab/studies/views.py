"""New study: choose a kind, fill in its form, see the time it takes, start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from webapp.lab.jobs.selectors import source
from webapp.lab.quotas import selectors as quotas
from webapp.lab.studies import services
from webapp.lab.studies.draft import Draft, adapt_to_game, blank_data, form_kinds, from_spec, games_of
from webapp.people.accounts.requests import UserRequest
from webapp.records.models import Study
from worker.spec import SpecError
from worker.studies import spec as specs
from worker.studies.protocol import FormKind


@login_required
def new(request: UserRequest) -> HttpResponse:
    """The list of kinds, or the form of one (``?kind=``, ``?from=``, ``?shared=``)."""
    kinds = form_kinds()
    if request.method == "POST":
        kind = _kind(kinds, request.POST.get("kind", ""))
        data = request.POST.dict()
        if request.POST.get("do") == "update":
            return _show(request, Draft(kind, adapt_to_game(kind, data)))
        return _start(request, Draft(kind, data))
    study = source(request, "study")
    if study is not None:
        return _again(request, kinds, study)
    if "kind" not in request.GET:
        return render(request, "studies/kinds.html", {"kinds": [(kind, games_of(kind)) for kind in kinds.values()]})
    kind = _kind(kinds, request.GET["kind"])
    return _show(request, Draft(kind, blank_data(kind)))


def _kind(kinds: Mapping[str, FormKind], kind_id: str) -> FormKind:
    if kind_id not in kinds:
        raise Http404(f"no form for {kind_id}")
    return kinds[kind_id]


def _again(request: UserRequest, kinds: Mapping[str, FormKind], study: Study) -> HttpResponse:
    kind = _kind(kinds, study.kind)
    try:
        return _show(request, Draft(kind, from_spec(specs.from_json(study.spec), study.title)))
    except SpecError as error:
        messages.warning(request, f"The form cannot express that study ({error}). It starts empty.")
        return _show(request, Draft(kind, blank_data(kind)))


def _start(request: UserRequest, draft: Draft) -> HttpResponse:
    cost = draft.cost
    if draft.spec is None or cost is None:
        return _show(request, draft, is_refused=True)
    if cost.is_huge and draft.data.get("confirmed") != cost.key:
        if why := _over(request, draft):  # what is refused anyway needs no confirmation
            draft.add_error(SpecError((), why))
            return _show(request, draft, is_refused=True)
        return _show(request, draft, is_unconfirmed=True)
    try:
        setup = draft.setup.cleaned_data
        made = services.create(request.user, setup["title"], draft.spec, setup["submission"])
    except SpecError as error:
        draft.add_error(error)
        return _show(request, draft, is_refused=True)
    return redirect("studies:detail", pk=made.pk)


def _show(request: UserRequest, draft: Draft, **extra: Any) -> HttpResponse:
    name = "studies/_form.html" if request.htmx else "studies/new.html"
    return render(request, name, {"draft": draft, "cost": draft.cost, "over": _over(request, draft), **extra})


def _over(request: UserRequest, draft: Draft) -> str:
    """Why a quota refuses it; empty where none does."""
    return "" if draft.cost is None else quotas.refusal(request.user, quotas.Ask(cpu_s=draft.cost.cpu_s))


@login_required
@require_POST
def estimate(request: UserRequest) -> HttpResponse:
    """The time that the form as it stands would take."""
    draft = Draft(_kind(form_kinds(), request.POST.get("kind", "")), request.POST.dict())
    context = {"draft": draft, "cost": draft.cost, "over": _over(request, draft)}
    return render(request, "studies/_estimate.html", context)
