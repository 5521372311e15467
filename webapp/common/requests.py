"""Requests with what middleware adds to them, for views that read it."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request that says whether htmx sent it; every request of this site does."""

    htmx: HtmxDetails
