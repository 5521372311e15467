"""Presets: all of them, one with its latest run, the start of one, and the comparison alone."""

from __future__ import annotations

import uuid
from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_safe

from webapp.common.numbers import parse_whole
from webapp.lab.jobs import power
from webapp.lab.presets import lineage, paper_contents, paper_verdicts, people_tables, selectors, services, stored
from webapp.people.accounts.requests import UserRequest
from worker.presets import registry
from worker.presets.model import Preset
from worker.spec import SpecError

POLL_S = 2
FOLLOWS = ("poll", "tick")
"""How a live comparison is kept up to date: by its own polls, or by the progress of the page."""


def _preset(preset_id: str) -> Preset:
    if preset_id not in registry.presets():
        raise Http404(f"no preset {preset_id}")
    return registry.get(preset_id)


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All presets by paper, or those of one game, with the state of one's own last run."""
    papers = selectors.papers(request.user)
    games = list(dict.fromkeys(paper.game for paper in papers))
    wanted = request.GET.get("game", "")
    game = wanted if wanted in games else ""
    shown = [paper for paper in papers if game in ("", paper.game)]
    return render(request, "presets/list.html", {"papers": shown, "games": games, "game": game})


@require_safe
def detail(request: HttpRequest, preset_id: str) -> HttpResponse:
    """The method of the paper, our setups, and the latest run beside the published figures, if there are any."""
    preset = _preset(preset_id)
    history = selectors.history(preset, request.user)
    comparison = _compared(request, preset, history)
    context = {
        "preset": preset,
        "scales": selectors.scale_rows(preset, power.now()),
        "history": history,
        "comparison": comparison,
        "published": None if comparison or not preset.is_published else selectors.published_figures(preset),
        "is_own": history.has_own,
        "submission": uuid.uuid4(),
        "follow": "poll",
        "poll_s": POLL_S,
    }
    return render(request, "presets/detail.html", context)


def _compared(request: HttpRequest, preset: Preset, history: selectors.History) -> selectors.RunComparison | None:
    """The run that is shown, pooled with its replications; alone where it is asked for (``?run=``).

    The one that ships with the project is shown to who has no run of the preset, unless somebody shared a larger one.
    """
    asked = request.GET.get("run")
    number = parse_whole(asked)
    run = lineage.shown(history, number)
    if run is None and number is not None:
        raise Http404(f"no run {number} of this preset, or not yours")
    if asked == stored.ADDRESS or (number is None and lineage.is_outdone(run, history)):
        return selectors.compare_stored(preset)
    if run is None:
        return None
    others = lineage.poolable(run, request.user)
    found = selectors.compare_run(run, others if number is None else (), len(others))
    latest = history.rows[0]
    is_playing = number is None and latest.run != run and selectors.progress(latest.run).may_change
    return replace(found, playing=latest) if found and is_playing else found


@require_safe
def verdicts(request: HttpRequest, paper_id: str) -> HttpResponse:
    """All published figures of one paper with their verdicts; ``?word=`` leaves those of one word."""
    if paper_id not in registry.PAPERS:
        raise Http404(f"no paper {paper_id}")
    shown = paper_verdicts.verdicts(paper_id, request.user, request.GET.get("word", ""))
    return render(request, "presets/verdicts.html", {"shown": shown})


@require_safe
def contents(request: HttpRequest, paper_id: str) -> HttpResponse:
    """Every system, table, figure and idea of one paper: there, there but different, or not there."""
    if paper_id not in registry.PAPERS:
        raise Http404(f"no paper {paper_id}")
    return render(request, "presets/contents.html", {"shown": paper_contents.contents(paper_id)})


@require_safe
def people(request: HttpRequest, paper_id: str) -> HttpResponse:
    """The tables of one paper against people, as printed, beside the matches of people here."""
    shown = people_tables.tables(paper_id)
    if not shown:
        raise Http404(f"no paper {paper_id} with matches against people")
    context = {"paper": shown[0].table.tests[0].paper, "game": shown[0].table.game, "tables": shown}
    return render(request, "presets/people.html", context | {"most": people_tables.MOST})


@login_required
def start(request: UserRequest, preset_id: str) -> HttpResponse:
    """Start one scale; where it is already running, or the same form was sent before, redirect to that run."""
    preset = _preset(preset_id)
    if request.method != "POST":
        return redirect("presets:detail", preset_id=preset_id)  # after signing in, say
    scale = request.POST.get("scale", "")
    try:
        submission = uuid.UUID(request.POST.get("submission", ""))
    except ValueError:
        submission = uuid.uuid4()
    if scale not in preset.scales:
        messages.warning(request, "Choose one of the scales, then start.")
        return redirect("presets:detail", preset_id=preset_id)
    try:
        run, is_new = services.start(request.user, preset, scale, submission)
    except SpecError as error:
        messages.warning(request, f"This preset cannot be started now ({error}).")
        return redirect("presets:detail", preset_id=preset_id)
    if is_new:
        messages.success(request, "Started: its figures come in below, and on the page of the run")
        return redirect("presets:detail", preset_id=preset_id)
    is_running = run.job.status == run.job.Status.RUNNING
    before = "Already running: this is the run" if is_running else "This form has already started its run: here it is"
    messages.success(request, f"{before}, and nothing new was started")
    return redirect(selectors.run_row(run).url)


@require_GET
def comparison(request: HttpRequest, pk: int) -> HttpResponse:
    """The comparison of a run alone, for pages that follow it: for its owner, and for everybody once it is shared.

    known: the version that the page shows; where nothing is newer, the answer is empty and nothing is swapped.
    until: "over", where the page shows earlier runs until this one is over.
    """
    run = get_object_or_404(selectors.runs(), pk=pk)
    if not selectors.is_visible(run, request.user):
        raise Http404("no such run, or not yours")
    if selectors.progress(run).version == request.GET.get("known"):  # before anything is computed
        return HttpResponse(status=204)
    preset = _preset(run.preset)
    follow = request.GET.get("follow", "poll")
    if follow not in FOLLOWS or follow == "poll":  # the page of the preset, which lists its runs
        if request.GET.get("until") == "over" and selectors.progress(run).may_change:
            return HttpResponse(status=204)  # the verdicts of the runs before stay
        history = selectors.history(preset, request.user)
        found = _compared(request, preset, history)
        context = {"comparison": found, "follow": "poll", "history": history, "is_update": True}
    else:
        context = {"comparison": selectors.compare_run(run), "follow": follow}
    return render(request, "presets/_comparison.html", context | {"poll_s": POLL_S})
