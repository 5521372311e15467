"""The page that gets a newcomer to a first played match or experiment, the list of problems, the examples."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from webapp.api import limits
from webapp.api.problems import KINDS
from webapp.table.live import match_limits

EXAMPLES = {
    "random_agent.py": ("agents", "text/x-python"),
    "random_agent.mjs": ("agents", "text/javascript"),
    "experiment.py": ("research", "text/x-python"),
    "test.json": ("research", "application/json"),
    "first_experiment.ipynb": ("notebooks", "application/x-ipynb+json"),
    "own_engine.ipynb": ("notebooks", "application/x-ipynb+json"),
    "feature_scores.ipynb": ("notebooks", "application/x-ipynb+json"),
    "stronger.yml": ("ci", "application/yaml"),
}
"""Name of an example -> its folder and its media type."""
FOLDER = Path(settings.EXAMPLES)


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """The page that leads from nothing to a first match."""
    person = request.user
    context = {
        "agents": person.agents.filter(retired_at=None).order_by("-created_at") if person.is_authenticated else [],
        "base": request.build_absolute_uri("/").rstrip("/"),
        "python": source("random_agent.py"),
        "research": source("experiment.py"),
        "requests_per_minute": limits.TOKEN.per_minute,
        "requests_per_day": settings.LAB_QUOTAS["api_calls"],
        "max_unfinished": match_limits.MAX_UNFINISHED,
    }
    return render(request, "api/start.html", context)


@require_safe
def problem_list(request: HttpRequest) -> HttpResponse:
    """The page that the type of a problem leads to."""
    return render(request, "api/problems.html", {"kinds": KINDS.values()})


@require_safe
def example(request: HttpRequest, name: str) -> HttpResponse:
    """An example as a file."""
    if name not in EXAMPLES:
        raise Http404("no such example")
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return HttpResponse(source(name), content_type=f"{EXAMPLES[name][1]}; charset=utf-8", headers=headers)


@cache
def source(name: str) -> str:
    """The text of an example."""
    return (FOLDER / EXAMPLES[name][0] / name).read_text(encoding="utf-8")
