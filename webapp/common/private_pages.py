"""Pages of people who are signed in are kept by no browser and no proxy."""

from __future__ import annotations

from collections.abc import Awaitable

from django.http import HttpRequest, HttpResponseBase

from webapp.common.middleware import TwofoldMiddleware

PRIVATE = "private, no-store"


class PrivatePagesMiddleware(TwofoldMiddleware):
    """Adds ``Cache-Control: private, no-store`` where an answer may hold what only its reader may know.

    That is where the session of somebody known (guests included) was read; without it *Back* on a
    shared computer shows a page after its reader has signed out. What an answer says itself stays.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Answer the request."""
        if self.async_mode:
            return self.__acall__(request)
        return _marked(request, self.pass_on(request))

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        return _marked(request, await self.pass_on_async(request))


def _marked(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    session = request.session
    if "Cache-Control" not in response.headers and session.accessed and not session.is_empty():
        response.headers["Cache-Control"] = PRIVATE
    return response
