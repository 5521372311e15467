"""Positions of shared matches, with the analyses of the owner; people who are signed in may start more.

An analysis that a visitor starts is a study of their own: they alone see it here, beside those of the owner.
"""

from __future__ import annotations

from django.http import HttpResponse

from webapp.common.requests import HtmxRequest
from webapp.matches.positions.responses import Place, live_response, position_response
from webapp.records.models import Match, ShareLink
from webapp.sharing.public import READING, base_of, context_of, match_of, public


def _place(request: HtmxRequest, link: ShareLink, pk: int | None) -> tuple[Match, Place]:
    """The match that an address names, and its position page. Raises Http404."""
    match, base = match_of(link, pk), base_of(link)
    match_url = base if pk is None else f"{base}matches/{pk}/"
    people = (match.experiment.owner_id, *((request.user.pk,) if request.user.is_authenticated else ()))
    place = Place(
        base=f"{match_url}position/",
        match_url=match_url,
        people=people,
        experiment_url="" if pk is None else base,
        template="sharing/position.html",
        extra=context_of(request, link),
    )
    return match, place


def _show(request: HtmxRequest, link: ShareLink, pk: int | None = None) -> HttpResponse:
    """A position; a POST of somebody signed in starts an analysis."""
    return position_response(request, *_place(request, link, pk))


show = public(_show, (*READING, "POST"), is_kept=False)


@public
def live(request: HtmxRequest, link: ShareLink, pk: int | None = None) -> HttpResponse:
    """The news of an analysis since the version that the browser shows."""
    return live_response(request, *_place(request, link, pk))
