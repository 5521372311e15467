"""Django's handler for the pages: a request is one step in one of a few threads, and waits for news in none of them.

Django goes through the middlewares asynchronously, with a thread of its own for each request and several ways there
and back: 3 to 5 ms of CPU. Here a view that would have to wait for news answers a `WaitResponse`, or is known to have
to before it is asked: then the loop waits, holding no thread, connection or place, and asks the view once more.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import IO, Any, TypeVar

from asgiref.sync import ThreadSensitiveContext, async_to_sync, sync_to_async
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import set_script_prefix

from webapp.common import admission
from webapp.common.gate import Receive, Scope, Send
from webapp.common.request_kinds import ASYNCHRONOUS

THREADS = 2 * admission.PLACES
"""Of one process: for requests that have a place, and for static files, which need none."""
WAITED = "lab.waited"
"""Key of a scope: what came of the wait; None where it is one that may still wait."""

T = TypeVar("T")
Wait = Callable[[], Awaitable[Any]]
"""Wait for news; what comes of it is handed to the view (`waited`). It gives up the request's place itself."""


class WaitResponse(HttpResponse):
    """Answer of a view that has nothing new to say yet: it is asked again after the wait."""

    def __init__(self, wait: Wait) -> None:
        super().__init__(status=204)
        self.wait = wait


def waited(request: HttpRequest) -> Any:
    """What came of the request's wait; None where it has not waited."""
    return getattr(request, "scope", {}).get(WAITED)


def wait_for(request: HttpRequest, wait: Wait, view: Callable[[Any], HttpResponse]) -> HttpResponse:
    """Wait, and then answer what `view` makes of what came of it.

    Where the loop can wait for the request the view is asked anew, and finds that by `waited`; elsewhere, as under
    WSGI, the thread waits.
    """
    if WAITED in getattr(request, "scope", {}):
        return WaitResponse(wait)
    return view(async_to_sync(_come)(wait))


async def _come(wait: Wait) -> Any:
    return await wait()


class PagesHandler(ASGIHandler):
    """The ASGI application of the pages, inside the door (`gate`).

    wait_of: what a request has to wait for before it is looked at, from its scope (None: nothing).
    """

    def __init__(self, wait_of: Callable[[Scope], Wait | None] = lambda scope: None) -> None:
        super().__init__()
        self._inside = BaseHandler()
        self._inside.load_middleware(is_async=False)
        self._threads = ThreadPoolExecutor(THREADS, "pages")
        self._wait_of = wait_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or ASYNCHRONOUS.fullmatch(scope["path"]):
            await super().__call__(scope, receive, send)
            return
        with contextlib.suppress(RequestAborted):
            response = await self._response(scope, receive)
            if response.streaming:
                await self._stream(response, receive, send)
                return
            with contextlib.suppress(asyncio.CancelledError):  # its reader has left
                await self.send_response(response, send)

    async def _response(self, scope: Scope, receive: Receive) -> HttpResponseBase:
        """The response, whole or to be streamed, after all waits. Raises RequestAborted where its reader leaves."""
        body = await self.read_body(receive)
        scope[WAITED] = None
        wait = self._wait_of(scope)
        if wait is None:
            response = await self._in_thread(scope, body)
            wait = response.wait if isinstance(response, WaitResponse) else None
        while wait is not None:
            scope[WAITED] = await _while_there(receive, wait())
            async with admission.back_as_poll():
                response = await self._in_thread(scope, io.BytesIO())
            wait = response.wait if isinstance(response, WaitResponse) else None
        return response

    async def _in_thread(self, scope: Scope, body: IO[bytes]) -> HttpResponseBase:
        call = partial(copy_context().run, self._answer, scope, body)
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def _answer(self, scope: Scope, body: IO[bytes]) -> HttpResponseBase:
        """The response of one step; whole ones are done with, so that the thread's connection is free."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response = refusal if request is None else self._inside.get_response(request)
        assert response is not None
        response._handler_class = self.__class__  # type: ignore[attr-defined]  # Django's handler says so, too
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        if not response.streaming:
            response.close()
        return response

    async def _stream(self, response: HttpResponseBase, receive: Receive, send: Send) -> None:
        async with ThreadSensitiveContext():  # its pieces are made in one thread, which is its own
            try:
                await _while_there(receive, self.send_response(response, send))
            except asyncio.CancelledError:
                pass  # as above
            finally:
                await sync_to_async(response.close)()


async def _while_there(receive: Receive, work: Awaitable[T]) -> T:
    """What `work` brings. Raises RequestAborted, and works no more, where the reader leaves meanwhile."""
    leaving, working = asyncio.ensure_future(receive()), asyncio.ensure_future(work)
    try:
        await asyncio.wait((leaving, working), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise RequestAborted
        return working.result()
    finally:
        leaving.cancel()
        working.cancel()
        await asyncio.gather(leaving, working, return_exceptions=True)
