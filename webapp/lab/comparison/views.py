"""Several experiments on one page. The address holds the choice, so that it can be passed on and gone back to."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from webapp.common.permissions import filter_owned
from webapp.lab.comparison import numbers
from webapp.lab.comparison.chosen import MOST, Chosen, choose, shared_refs
from webapp.lab.comparison.page import Comparison, comparison
from webapp.lab.pooling.words import MEASURES
from webapp.people.accounts.models import User
from webapp.records.models import Experiment

HEADERS = {"Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex", "Cache-Control": "private, no-cache"}
"""Addresses of shared pages are keys, and stand in the address of this one."""
OFFERED = 12
"""Own experiments that are offered to choose from."""


def _reader(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _found(request: HttpRequest) -> Comparison:
    asked = request.GET
    chosen = choose(asked.getlist("job"), _reader(request))
    pool = set(asked.getlist("pool")) if "choice" in asked else None
    return comparison(chosen, asked.get("measure", ""), pool)


def _address(found: Comparison, refs: list[str], measure: str = "") -> str:
    """The address of the same choice, in the same measure or another."""
    pairs = [("job", ref) for ref in refs]
    if found.chosen_pool:
        at = dict(zip(found.chosen.refs, refs, strict=True))
        pairs += [("choice", "1"), *(("pool", at[tick.entry.ref]) for tick in found.ticks if tick.is_pooled)]
    measure = measure or (found.measure if found.forest else "")
    return urlencode([*pairs, *([("measure", measure)] if measure else [])])


def _unlisted(response: HttpResponse) -> HttpResponse:
    for name, value in HEADERS.items():
        response[name] = value
    return response


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Compare what the address names, or ask for it."""
    found = _found(request)
    own, (refs, unshared) = found.chosen.refs, shared_refs(found.chosen)
    context = {
        "comparison": found,
        "most": MOST,
        "measures": [(name, MEASURES[name], _address(found, own, name)) for name in found.measures],
        "query": _address(found, own),
        "shared_url": f"{settings.PUBLIC_URL}{reverse('comparison:compare')}?{_address(found, refs)}",
        "unshared": unshared,
        "without": _without(found.chosen),
        "games": [(label, urlencode([("job", ref) for ref in chosen]), len(chosen)) for label, chosen in found.games],
        "offered": _offered(request, found.chosen),
    }
    return _unlisted(render(request, "comparison/compare.html", context))


def _without(chosen: Chosen) -> dict[int, str]:
    """For each experiment the address without it."""
    refs = chosen.refs
    return {i: urlencode([("job", ref) for j, ref in enumerate(refs) if j != i]) for i in range(len(refs))}


def _offered(request: HttpRequest, chosen: Chosen) -> list[Experiment]:
    """Own experiments to choose from, those of the same game first, the latest first."""
    known = [entry.experiment.pk for entry in chosen.entries.values()]
    own = filter_owned(Experiment.objects.filter(kind=Experiment.Kind.EXPERIMENT), request.user).exclude(pk__in=known)
    own = own.filter(archived_at=None)
    if chosen.entries:
        own = own.filter(game=chosen.entries[0].experiment.game)
    return list(own.order_by("-created_at")[:OFFERED])


@require_safe
def compare_json(request: HttpRequest) -> HttpResponse:
    """Every number of the page as a file."""
    found = _found(request)
    text = json.dumps(numbers.numbers(found), indent=1, ensure_ascii=False)
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = 'attachment; filename="meeple-lab-comparison.json"'
    return _unlisted(response)
