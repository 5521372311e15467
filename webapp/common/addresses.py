"""Addresses that no page has, and those that a form may lead on to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction

from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from django.utils.http import url_has_allowed_host_and_scheme

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


def own(request: HttpRequest, wanted: str) -> str:
    """An address that was sent along, where it is a path of this site; else empty."""
    is_own = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, {request.get_host()})
    return wanted if is_own else ""
