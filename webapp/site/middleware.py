"""Answers that Django leaves blank, in words."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeGuard

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.template.loader import render_to_string

from webapp.common.middleware import TwofoldMiddleware
from webapp.records.archive.errors import ArchiveError
from webapp.site import errors


class WordsMiddleware(TwofoldMiddleware):
    """Turns a blank 405 into a page, and plies in a file that cannot be read into one of 503.

    A 405: somebody typed the address that a button sends to, or came back to it.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Answer the request."""
        if self.async_mode:
            return self.__acall__(request)
        return _in_words(request, self.pass_on(request))

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer where a view met a file of the archive that is missing or damaged."""
        return errors.unreadable(request, exception) if isinstance(exception, ArchiveError) else None

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        response = await self.pass_on_async(request)
        return await sync_to_async(_in_words)(request, response) if _is_blank(response) else response


def _is_blank(response: HttpResponseBase) -> TypeGuard[HttpResponseNotAllowed]:
    return isinstance(response, HttpResponseNotAllowed) and not response.content


def _in_words(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if _is_blank(response):
        response.content = render_to_string("errors/405.html", request=request)
    return response
