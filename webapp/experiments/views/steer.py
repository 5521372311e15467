"""Pause, resume, stop, archive, delete: POST only, owner only."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from webapp.common import formats
from webapp.common.permissions import get_owned
from webapp.experiments import services
from webapp.experiments.progress import progress
from webapp.records.models import Experiment


def _pause(experiment: Experiment) -> str:
    return "Paused: the matches being played come to their end" if services.pause(experiment) else "It was not running"


def _resume(experiment: Experiment) -> str:
    return "Running again" if services.resume(experiment) else "It was running, or finished already"


def _stop(experiment: Experiment) -> str:
    if not services.stop(experiment):
        return "It was over already"
    played = formats.plural(progress(experiment).played, "match", "matches")
    return f"Stopped after {played}. Those begun still come to their end, and you can resume."


def _archive(experiment: Experiment) -> str:
    services.archive(experiment)
    return "Archived: find it under Archived in your list"


def _unarchive(experiment: Experiment) -> str:
    services.unarchive(experiment)
    return "Back in your list"


ACTIONS: Mapping[str, Callable[[Experiment], str]] = {
    "pause": _pause,
    "resume": _resume,
    "stop": _stop,
    "archive": _archive,
    "unarchive": _unarchive,
}


@require_POST
def act(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    """Carry out one action and say what it did."""
    experiment = get_owned(Experiment.objects.all(), request.user, pk=pk)
    try:
        messages.success(request, ACTIONS[action](experiment))
    except services.RefusedError as error:
        messages.warning(request, str(error))
    return redirect("experiments:detail", pk=pk)


@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask once more, naming what goes; then delete."""
    experiment = get_owned(Experiment.objects.all(), request.user, pk=pk)
    if request.method == "POST":
        try:
            services.delete(experiment)
        except services.RefusedError as error:
            messages.warning(request, str(error))
            return redirect("experiments:detail", pk=pk)
        except Experiment.DoesNotExist:
            pass  # a second click: gone is gone
        messages.success(request, f"Deleted “{experiment.title}”")
        return redirect("experiments:list")
    return render(request, "experiments/delete.html", {"experiment": experiment, "progress": progress(experiment)})
