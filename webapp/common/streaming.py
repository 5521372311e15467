"""The outermost middleware: the request's connection is given back before the answer is sent, which may take long.

And it streams synchronous responses under ASGI piece by piece.
Django's ASGI handler reads a synchronous iterator to its end before it sends the first byte:
an export of a million plies would be held in memory. Static files are such iterators too.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Iterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse

from webapp.common import database_pool
from webapp.common.middleware import TwofoldMiddleware

PIECE_BYTES = 64 * 1024
PIECE_SECONDS = 0.25


class StreamingMiddleware(TwofoldMiddleware):
    """Hands out a streamed response as it is made; the outermost middleware, ASGI only.

    Under ASGI it is called synchronously, too (`handler`).
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Answer the request."""
        if self.async_mode:
            return self.__acall__(request)
        response = self.pass_on(request)
        if not isinstance(request, ASGIRequest):
            return response
        database_pool.give_back()
        return _in_pieces(response)

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        response = await self.pass_on_async(request)
        await _give_back()
        return _in_pieces(response)


_give_back = sync_to_async(database_pool.give_back)


def _in_pieces(response: HttpResponseBase) -> HttpResponseBase:
    if isinstance(response, StreamingHttpResponse) and not response.is_async:
        parts = response.streaming_content
        assert isinstance(parts, Iterator)
        response.streaming_content = pieces(parts)
    return response


async def pieces(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Join small parts into pieces of 64 KB, or of what a quarter second brings."""
    gather = sync_to_async(_gather, thread_sensitive=True)
    piece, is_last = await gather(parts)
    while not is_last:
        yield piece
        piece, is_last = await gather(parts)
    yield piece


def _gather(parts: Iterator[bytes]) -> tuple[bytes, bool]:
    """The next piece, and whether the parts are at their end."""
    collected: list[bytes] = []
    size, deadline = 0, time.monotonic() + PIECE_SECONDS
    for part in parts:
        collected.append(part)
        size += len(part)
        if size >= PIECE_BYTES or time.monotonic() >= deadline:
            return b"".join(collected), False
    return b"".join(collected), True
