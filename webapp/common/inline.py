"""Django's middlewares for requests that wait: what each does at once is done where the request is.

Django sends every hook of theirs to the request's thread and back, 0.1 ms of CPU each and sixteen of them around a
long poll. Hooks that may ask the database go there still; requests that do not wait take one step (`handler`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import sync_to_async
from csp import middleware as csp
from django.contrib.auth import middleware as auth
from django.contrib.messages import middleware as messages
from django.contrib.sessions import middleware as sessions
from django.http import HttpRequest, HttpResponseBase
from django.middleware import clickjacking, common, csrf, security
from django.utils.deprecation import MiddlewareMixin

Begin = Callable[[HttpRequest], HttpResponseBase | None]
End = Callable[[HttpRequest, HttpResponseBase], HttpResponseBase]


class _Inline(MiddlewareMixin):
    """Comes before the middleware that it changes."""

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        begin: Begin | None = getattr(self, "process_request", None)
        end: End | None = getattr(self, "process_response", None)
        response = begin(request) if begin is not None else None
        response = response or await self.get_response(request)  # type: ignore[misc]  # async here
        if end is None:
            return response
        return await sync_to_async(end)(request, response) if self.waits(request) else end(request, response)

    def waits(self, request: HttpRequest) -> bool:
        """Whether what is left to do after the view may ask the database."""
        return False


class SecurityMiddleware(_Inline, security.SecurityMiddleware):
    """Django's."""


class SessionMiddleware(_Inline, sessions.SessionMiddleware):
    """Django's."""

    def waits(self, request: HttpRequest) -> bool:
        """Whether the session has to be saved."""
        return request.session.modified


class CommonMiddleware(_Inline, common.CommonMiddleware):
    """Django's."""


class CsrfViewMiddleware(_Inline, csrf.CsrfViewMiddleware):
    """Django's."""

    def __init__(self, get_response: Any) -> None:
        super().__init__(get_response)
        if self.async_mode:
            self.process_view = self._process_view_here  # type: ignore[method-assign, assignment]  # Django looks what it is

    async def _process_view_here(self, *given: Any) -> HttpResponseBase | None:
        return csrf.CsrfViewMiddleware.process_view(self, *given)


class AuthenticationMiddleware(_Inline, auth.AuthenticationMiddleware):
    """Django's."""


class MessageMiddleware(_Inline, messages.MessageMiddleware):
    """Django's."""

    def waits(self, request: HttpRequest) -> bool:
        """Whether there are messages that were shown, or are to be kept."""
        kept = getattr(request, "_messages", None)
        return kept is not None and (kept.used or kept.added_new)


class XFrameOptionsMiddleware(_Inline, clickjacking.XFrameOptionsMiddleware):
    """Django's."""


class CSPMiddleware(_Inline, csp.CSPMiddleware):
    """That of django-csp."""
