"""Which link an address names, and what every public answer carries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods

from webapp.records.models import ShareLink

HEADERS = {
    "Referrer-Policy": "no-referrer",  # the address is the key: links must not carry it elsewhere
    "X-Robots-Tag": "noindex",  # unlisted: whoever has the address may see it, search engines do not list it
}
GONE = 410

View = Callable[..., HttpResponseBase]


def find(slug: str) -> ShareLink:
    """The link of a slug, withdrawn or not. Raises Http404."""
    return get_object_or_404(ShareLink.objects.select_related("experiment", "match"), slug=slug)


READING = ("GET", "HEAD")


def public(view: View, methods: Sequence[str] = READING) -> View:
    """Make ``view(request, link, ...)`` answer for a slug, for anybody, with GET and HEAD only unless said."""

    @require_http_methods(list(methods))
    @wraps(view)
    def answer(request: HttpRequest, slug: str, **values: Any) -> HttpResponseBase:
        link = find(slug)
        if link.withdrawn_at is not None:
            response: HttpResponseBase = render(request, "sharing/withdrawn.html", {"link": link}, status=GONE)
        else:
            response = view(request, link, **values)
        for name, value in HEADERS.items():
            response[name] = value
        return response

    return answer
