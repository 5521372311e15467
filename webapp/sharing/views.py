"""`/r/<slug>/`: what was shared, read-only and as live as its owner sees it; no account needed."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from webapp.common.permissions import get_owned
from webapp.lab.experiments import match_list
from webapp.lab.experiments.progress import POLL_S, progress
from webapp.lab.experiments.selectors import settings_of
from webapp.lab.results.dashboard import cards
from webapp.lab.results.responses import chart_json_response, chart_page_response, export_response
from webapp.lab.results.sides import lineups
from webapp.lab.results.table import table
from webapp.matches import selectors as match_selectors
from webapp.matches.responses import Place, board_response, match_response, trace_response
from webapp.records.models import Experiment, Match, ShareLink, Study
from webapp.sharing import selectors, services, studies
from webapp.sharing.public import base_of, context_of, find, match_of, of_study, owner_id, picture, public, whole

# ---- the owner's part


@login_required
@require_POST
def share(request: HttpRequest, pk: int) -> HttpResponse:
    """Give an experiment its public address, and go there."""
    return _shared(request, services.share(get_owned(_played_by_engines(), request.user, pk=pk)))


def _played_by_engines() -> QuerySet[Experiment]:
    """Of what people played the match itself is shared."""
    return Experiment.objects.exclude(kind=Experiment.Kind.PLAY)


@login_required
@require_POST
def share_study(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a study its public address, and go there."""
    return _shared(request, services.share_study(get_owned(Study.objects, request.user, pk=pk)))


@login_required
@require_POST
def share_match(request: HttpRequest, pk: int) -> HttpResponse:
    """Give one match a public address of its own, and go there."""
    matches = Match.objects.select_related("experiment")
    match = get_owned(matches, request.user, owner="experiment__owner", pk=pk)
    return _shared(request, services.share(match.experiment, match))


def _shared(request: HttpRequest, link: ShareLink) -> HttpResponse:
    messages.success(request, "Shared: anybody with the address of this page can see it")
    return redirect("sharing:show", slug=link.slug)


@login_required
@require_POST
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Close an address; only its owner can."""
    link = find(slug)
    if owner_id(link) != request.user.pk:
        raise Http404("no such link, or not yours")
    services.withdraw(link)
    messages.success(request, "Withdrawn: the address now says so to whoever opens it")
    if link.match_id:
        return redirect("matches:detail", pk=link.match_id)
    if link.study_id:
        return redirect("studies:detail", pk=link.study_id)
    return redirect("experiments:detail", pk=link.experiment_id)


# ---- everybody's part


def _only_match(link: ShareLink) -> Match | None:
    """The one match that a link shows: its own, or that of an experiment scheduled as a match."""
    if link.match is not None or link.experiment.kind == Experiment.Kind.EXPERIMENT:
        return link.match
    return link.experiment.matches.order_by("pk").first()


@public
@of_study(studies.show)
def show(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The experiment, or the match, of a link."""
    if link.match is not None:
        return _match_page(request, link, link.match, base_of(link), "")
    experiment = link.experiment
    if played := _only_match(link):
        return redirect("sharing:match", slug=link.slug, pk=played.pk)
    now = progress(experiment)
    preview = selectors.experiment_preview(link)
    context = {
        "experiment": experiment,
        "progress": now,
        "poll_s": POLL_S,
        "lineups": lineups(experiment),
        "table": table(experiment),
        "charts": cards(experiment, base_of(link)),
        "matches": match_list.page(experiment, request.GET, now.played),
        "settings": settings_of(experiment),
        "exports": selectors.export_rows(base_of(link)),
        "preview": preview,
        "versions": preview.citation.versions,
        "embed": selectors.embed(preview),
    }
    return render(request, "sharing/experiment.html", context | context_of(request, link))


@public
@of_study(studies.live)
def live(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """Progress, asked for again and again; another state reloads the page."""
    experiment = whole(link)
    now = progress(experiment)
    context = {"experiment": experiment, "progress": now, "poll_s": POLL_S}
    response = render(request, "sharing/_live.html", context | context_of(request, link))
    if request.GET.get("state", now.state) != now.state:
        response["HX-Refresh"] = "true"
    return response


@public
@of_study(studies.result)
def result(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The result table alone."""
    return render(request, "results/_results.html", {"table": table(whole(link))})


@public
def matches(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The list of matches: a page, or only the list for htmx."""
    experiment = whole(link)
    now = progress(experiment)
    page = match_list.page(experiment, request.GET, now.played)
    name = "experiments/_matches.html" if request.htmx else "sharing/matches.html"
    context = {"experiment": experiment, "progress": now, "matches": page, "lineups": lineups(experiment)}
    return match_list.remember(request, render(request, name, context | context_of(request, link)), page)


@public
@of_study(studies.rows)
def rows(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The rows of a study; an experiment has matches instead."""
    raise Http404("this address shows an experiment")


@public
@of_study(studies.result_json)
def result_json(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The result of a study as a file."""
    raise Http404("this address shows an experiment")


@public
@of_study(studies.spec_json)
def spec_json(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The experiment's spec as a file."""
    response = JsonResponse(whole(link).spec, json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="meeple-lab-{link.slug}.json"'
    return response


@public
@of_study(studies.chart_json)
def chart_json(request: HttpRequest, link: ShareLink, chart_id: str) -> HttpResponse:
    """The figure of a chart."""
    return chart_json_response(request, whole(link), chart_id)


@public
@of_study(studies.chart_page)
def chart_page(request: HttpRequest, link: ShareLink, chart_id: str) -> HttpResponse:
    """One chart with its table."""
    return chart_page_response(request, whole(link), chart_id, base_of(link))


@public
@of_study(studies.export)
def export(request: HttpRequest, link: ShareLink, table: str, format_id: str) -> HttpResponseBase:
    """Matches or plies of what was shared, as a file."""
    return export_response(link.experiment, table, format_id, link.slug, link.match)


@public
@of_study(studies.card)
def card(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The preview picture, drawn from the numbers of this moment."""
    if only := _only_match(link):
        drawn = selectors.match_preview(link, match_selectors.page(only)).card
    else:
        drawn = selectors.experiment_preview(link).card
    return picture(request, drawn)


# ---- matches below an address


def _match_page(request: HttpRequest, link: ShareLink, match: Match, base: str, experiment_url: str) -> HttpResponse:
    place = Place(base, experiment_url, "sharing/match.html")
    preview = selectors.match_preview(link, match_selectors.page(match)) if match == _only_match(link) else None
    return match_response(request, match, place, context_of(request, link) | {"preview": preview, "base": base})


@public
def match(request: HttpRequest, link: ShareLink, pk: int) -> HttpResponse:
    """A match of a shared experiment."""
    base = base_of(link)
    return _match_page(request, link, match_of(link, pk), f"{base}matches/{pk}/", base)


@public
def board(request: HttpRequest, link: ShareLink, pk: int | None = None) -> HttpResponse:
    """A board as a file."""
    return board_response(request, match_of(link, pk))


@public
def trace_json(request: HttpRequest, link: ShareLink, pk: int | None = None) -> HttpResponse:
    """A match in its game's trace format."""
    return trace_response(match_of(link, pk))


@public
def match_export(request: HttpRequest, link: ShareLink, pk: int, table: str, format_id: str) -> HttpResponseBase:
    """One match's rows as a file."""
    found = match_of(link, pk)
    return export_response(link.experiment, table, format_id, f"match-{found.pk}", found)
