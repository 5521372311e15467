"""Static files by WhiteNoise, also where everything else is asynchronous.

WhiteNoise's own middleware knows no async, so under ASGI Django would run every request inside a
thread from there on, and a request that only waits (long-poll) would hold that thread.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

from webapp.common.middleware import TwofoldMiddleware


class StaticFilesMiddleware(WhiteNoiseMiddleware, TwofoldMiddleware):  # type: ignore[misc]  # no types
    """WhiteNoise, sync or async as what is inside it."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        WhiteNoiseMiddleware.__init__(self, get_response)
        TwofoldMiddleware.__init__(self, get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Serve a static file, or hand the request on."""
        if self.async_mode:
            return self.__acall__(request)
        response: HttpResponseBase = WhiteNoiseMiddleware.__call__(self, request)
        return response

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith(self.static_prefix):
            served = await sync_to_async(self._served)(request)
            if served is not None:
                return served
        return await self.pass_on_async(request)

    def _served(self, request: HttpRequest) -> HttpResponseBase | None:
        path = request.path_info
        found = self.find_file(path) if self.autorefresh else self.files.get(path)
        return None if found is None else self.serve(found, request)
