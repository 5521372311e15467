"""Pause, resume, stop, archive, delete: POST only, owner only."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from webapp.common import formats
from webapp.common.permissions import get_owned
from webapp.records.models import Study
from webapp.studies import services
from webapp.studies.progress import progress


def _pause(study: Study) -> str:
    return "Paused: the pieces being done come to their end" if services.pause(study) else "It was not running"


def _resume(study: Study) -> str:
    return "Running again" if services.resume(study) else "It was running, or finished already"


def _stop(study: Study) -> str:
    if not services.stop(study):
        return "It was over already"
    done = formats.plural(progress(study).played, "piece", "pieces")
    return f"Stopped after {done}. Those begun still come to their end, and you can resume."


def _archive(study: Study) -> str:
    services.archive(study)
    return "Archived: find it under Archived in your list"


def _unarchive(study: Study) -> str:
    services.unarchive(study)
    return "Back in your list"


ACTIONS: Mapping[str, Callable[[Study], str]] = {
    "pause": _pause,
    "resume": _resume,
    "stop": _stop,
    "archive": _archive,
    "unarchive": _unarchive,
}


@require_POST
def act(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    """Carry out one action and say what it did."""
    study = get_owned(Study.objects.all(), request.user, pk=pk)
    try:
        messages.success(request, ACTIONS[action](study))
    except services.RefusedError as error:
        messages.warning(request, str(error))
    return redirect("studies:detail", pk=pk)


@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask once more, naming what goes; then delete."""
    study = get_owned(Study.objects.all(), request.user, pk=pk)
    if request.method == "POST":
        try:
            services.delete(study)
        except services.RefusedError as error:
            messages.warning(request, str(error))
            return redirect("studies:detail", pk=pk)
        except Study.DoesNotExist:
            pass  # a second click: gone is gone
        messages.success(request, f"Deleted “{study.title}”")
        return redirect("studies:list")
    return render(request, "studies/delete.html", {"study": study, "progress": progress(study)})
