"""Addresses that no page has."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction

from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

Answer = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def no_nul(get_response: Answer) -> Answer:
    """404 for a path with a NUL: no name has one, and PostgreSQL takes none in a text."""
    if iscoroutinefunction(get_response):

        async def later(request: HttpRequest) -> HttpResponseBase:
            _check(request)
            response: HttpResponseBase = await get_response(request)
            return response

        return later

    def now(request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        _check(request)
        return get_response(request)

    return now


def _check(request: HttpRequest) -> None:
    """Raises Http404."""
    if "\0" in request.path_info:
        raise Http404("no address has a NUL")
