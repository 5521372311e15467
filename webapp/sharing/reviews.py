"""The analysis of a shared match: everybody sees it, and people who are signed in may ask for it."""

from __future__ import annotations

from django.http import HttpResponse

from webapp.common.requests import HtmxRequest
from webapp.matches.reviews.responses import Place, review_response
from webapp.records.models import ShareLink
from webapp.sharing.public import READING, base_of, match_of, public


def _show(request: HtmxRequest, link: ShareLink, pk: int | None = None) -> HttpResponse:
    """The analysis; a POST of somebody signed in asks for one."""
    match, base = match_of(link, pk), base_of(link)
    asker = request.user if request.user.is_authenticated else None
    return review_response(request, match, Place(base if pk is None else f"{base}matches/{pk}/", asker))


show = public(_show, (*READING, "POST"), is_kept=False)
