"""`/embed/<slug>/…`: a chart or a replay as a small page for frames of other sites; how to put one there; oEmbed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.views.decorators.http import require_safe

from webapp.common import public_answers
from webapp.common.limits import TooManyError
from webapp.common.limits import address as client_address
from webapp.common.requests import HtmxRequest
from webapp.lab.jobs import registry as jobs
from webapp.lab.jobs.shared import find, is_hidden, only_match
from webapp.matches.responses import Place, match_response
from webapp.people.accounts import guests
from webapp.records.models import Match, ShareLink
from webapp.sharing import embed_snippets as snippets
from webapp.sharing import selectors
from webapp.sharing.citation import address
from webapp.sharing.embed_snippets import Embed, Shape
from webapp.sharing.frames import BY_ADDRESS, framed
from webapp.sharing.public import base_of, match_of, public, whole_job

NOT_IMPLEMENTED = 501


# ---- inside of a frame


def _chart(request: HtmxRequest, link: ShareLink, chart_id: str) -> HttpResponse:
    """One chart with its table."""
    job = whole_job(link)
    card = next((card for card in jobs.of(job).cards(job, base_of(link)) if card.id == chart_id), None)
    if card is None:
        raise Http404(f"no chart {chart_id}")
    context = {"card": card, "job": job, "source": address(link), "citation": selectors.preview(link).citation}
    return render(request, "sharing/embed_chart.html", context)


def _replay(request: HtmxRequest, link: ShareLink, pk: int | None = None) -> HttpResponse:
    """A match, move by move."""
    found = _match(link, pk)
    base = base_of(link) if link.match is not None else f"{base_of(link)}matches/{found.pk}/"
    extra = {"source": f"{settings.PUBLIC_URL}{base}", "link": link}
    return match_response(request, found, Place(base, "", "sharing/embed_replay.html"), extra)


def _match(link: ShareLink, pk: int | None) -> Match:
    """The match that an address names, or the only one of its link. Raises Http404."""
    if pk is not None:
        return match_of(link, pk)
    found = only_match(link)
    if found is None:
        raise Http404("this address shows more than one match")
    return found


chart, replay = framed(_chart), framed(_replay)


# ---- on our own pages


def _ask(request: HtmxRequest, link: ShareLink, pk: int | None = None) -> HttpResponse:
    """Choose what is embedded, see it, and copy what to put into another page."""
    match = match_of(link, pk) if pk is not None else only_match(link)
    shape = snippets.shape_of(request.GET)
    choices = [] if match is not None else snippets.charts(link)
    chosen = request.GET.get("chart", "")
    if match is not None:
        embed = snippets.replay(link, match, shape)
    elif choices:
        embed = snippets.chart(link, next((card for card in choices if card.id == chosen), choices[0]), shape)
    else:
        embed = None
    base = base_of(link)
    context = {
        "embed": embed,
        "shape": shape,
        "choices": choices,
        "chosen": embed and embed.chart_id,
        "match": match,
        "back": base if pk is None else f"{base}matches/{pk}/",
        "here": request.path,
        "themes": snippets.THEMES,
        "link": link,
    }
    template = "sharing/_embed_shown.html" if request.htmx else "sharing/embed.html"
    return render(request, template, context)


ask = public(_ask)


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """What a site that knows oEmbed shows for an address of a shared page (oembed.com)."""
    if request.GET.get("format", "json") != "json":
        return HttpResponse("only JSON", status=NOT_IMPLEMENTED, content_type="text/plain")
    try:
        BY_ADDRESS.count(client_address(request))
    except TooManyError as error:
        headers = {"Retry-After": str(error.wait_s)}
        return HttpResponse(str(error), status=429, content_type="text/plain", headers=headers)
    shape = snippets.shape_of({"width": request.GET.get("maxwidth", ""), "height": request.GET.get("maxheight", "")})
    link, asked = _shared(request)
    with public_answers.public_answer():
        embed = _embed_of(link, asked, shape)
    about = {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Meeple Lab",
        "provider_url": settings.PUBLIC_URL,
        "title": embed.title,
        "html": embed.html,
        "width": shape.width or snippets.WIDTH,
        "height": shape.height,
        "cache_age": 3600,
    }
    response = JsonResponse(about)
    response["X-Robots-Tag"] = "noindex"
    response["Access-Control-Allow-Origin"] = "*"  # it says to anybody what the page itself does
    return response


def _shared(request: HttpRequest) -> tuple[ShareLink, Mapping[str, Any]]:
    """The link of the shared page that is asked about, and what else its address says. Raises Http404."""
    url = request.GET.get("url", "")
    if not url.startswith(f"{settings.PUBLIC_URL}/") or "\0" in url:
        raise Http404("not an address of this lab")
    path = url.removeprefix(settings.PUBLIC_URL).partition("#")[0].partition("?")[0]
    try:
        place = resolve(path)
    except Resolver404:
        raise Http404("nothing is there") from None
    if place.app_name != "sharing" or "slug" not in place.kwargs:
        raise Http404("not a shared page")
    link = find(place.kwargs["slug"])
    if link.withdrawn_at is not None or is_hidden(link, guests.person(request)):
        raise Http404("withdrawn, or a deal that they play")
    return link, place.kwargs


def _embed_of(link: ShareLink, asked: Mapping[str, Any], shape: Shape) -> Embed:
    """The embed of a page below a link. Raises Http404."""
    match = match_of(link, asked["pk"]) if "pk" in asked else only_match(link)
    if match is not None:
        return snippets.replay(link, match, shape)
    cards = snippets.charts(link)
    wanted = asked.get("chart_id")
    card = next((card for card in cards if wanted in (None, card.id)), None)
    if card is None:
        raise Http404("nothing to embed")
    return snippets.chart(link, card, shape)
