"""The list of one's experiments, and the pages of one."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from webapp.common.permissions import get_owned, owned
from webapp.lab.experiments import match_list, selectors
from webapp.lab.experiments.builder import json_text
from webapp.lab.experiments.progress import POLL_S, progress
from webapp.lab.results.dashboard import cards
from webapp.lab.results.table import table
from webapp.records.models import Experiment

PER_PAGE = 25


def _experiment(request: HttpRequest, pk: int) -> Experiment:
    return get_owned(Experiment.objects.all(), request.user, pk=pk)


def _render(request: HttpRequest, template: str, experiment: Experiment, tab: str = "", **extra: Any) -> HttpResponse:
    link = selectors.live_link(experiment)
    context = {
        "experiment": experiment,
        "progress": extra.get("progress") or progress(experiment),
        "lineups": selectors.lineups(experiment),
        "poll_s": POLL_S,
        "tab": tab,
        "shared_url": reverse("sharing:show", args=[link.slug]) if link else "",
        "base": reverse("experiments:detail", args=[experiment.pk]),
        **extra,
    }
    return render(request, template, context)


@login_required
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """One's own experiments, in three tabs."""
    mine = owned(Experiment.objects.exclude(kind=Experiment.Kind.PLAY), request.user)
    tabs = selectors.tabs(mine)
    chosen = request.GET.get("tab", "")
    tab = chosen if chosen in tabs else selectors.first_filled(tabs)
    page = Paginator(selectors.listed(mine, tab), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "experiments/list.html", {"tabs": tabs, "tab": tab, "page": page})


@require_GET
def detail(request: HttpRequest, pk: int) -> HttpResponse:
    """The live page; a single match waits here until it is played, then shows itself."""
    experiment = _experiment(request, pk)
    if experiment.kind != Experiment.Kind.EXPERIMENT:
        return _match(request, experiment)
    now = progress(experiment)
    page = match_list.page(experiment, request.GET, now.played)
    results = {"table": table(experiment), "charts": cards(experiment, request.path)}
    return _render(request, "experiments/detail.html", experiment, "result", progress=now, matches=page, **results)


def _match(request: HttpRequest, experiment: Experiment) -> HttpResponse:
    played = experiment.matches.order_by("pk").first()
    if played is not None:
        return redirect("matches:detail", pk=played.pk)
    return _render(request, "experiments/waiting.html", experiment)


@require_GET
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """The part that is asked for again and again; another state or a played match reloads the page."""
    experiment = _experiment(request, pk)
    now = progress(experiment)
    response = _render(request, "experiments/_live.html", experiment, progress=now, is_update=True)
    is_played = experiment.kind == Experiment.Kind.MATCH and now.played > 0
    if is_played or request.GET.get("state", now.state) != now.state:
        response["HX-Refresh"] = "true"
    return response


@require_GET
def result(request: HttpRequest, pk: int) -> HttpResponse:
    """The result table alone, for the live page."""
    return render(request, "results/_results.html", {"table": table(_experiment(request, pk))})


@require_GET
def matches(request: HttpRequest, pk: int) -> HttpResponse:
    """The list of matches: a page, or only the list for htmx."""
    experiment = _experiment(request, pk)
    now = progress(experiment)
    page = match_list.page(experiment, request.GET, now.played)
    template = "experiments/_matches.html" if request.htmx else "experiments/matches.html"
    return match_list.remember(
        request, _render(request, template, experiment, "matches", progress=now, matches=page), page
    )


@require_GET
def settings(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything that was asked for, in words and as JSON."""
    experiment = _experiment(request, pk)
    return _render(
        request, "experiments/settings.html", experiment, "settings", settings=selectors.settings_of(experiment)
    )


@require_GET
def failures(request: HttpRequest, pk: int) -> HttpResponse:
    """Matches without a result, each with its reason."""
    experiment = _experiment(request, pk)
    page = Paginator(selectors.failures(experiment), PER_PAGE).get_page(request.GET.get("page"))
    return _render(request, "experiments/failures.html", experiment, "failures", page=page)


@require_GET
def spec_json(request: HttpRequest, pk: int) -> HttpResponse:
    """The spec as a file."""
    experiment = _experiment(request, pk)
    response = HttpResponse(json_text(experiment.spec), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="experiment-{experiment.pk}.json"'
    return response
