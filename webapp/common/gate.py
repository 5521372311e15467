"""The door of a web process: every request passes it before anything is done for it (`admission`).

Its body is read first, so that a slow sender holds no place; the place is given up as soon as the answer begins,
so that a slow reader holds none. Who takes nothing of an answer for `READ_S` seconds is hung up on.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, parse_cookie

from webapp.common import admission
from webapp.common.admission import BusyError, Client, Kind
from webapp.common.limits import counted_address

logger = logging.getLogger(__name__)

Message = Mapping[str, Any]
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Answer = tuple[int, dict[str, str], bytes]
"""Status, headers and body."""

ARRIVED = "lab.arrived"
"""Key of a scope: when the whole request was there (`time.perf_counter`)."""
BODY_S = 30.0
"""Seconds in which the body of a request has to be there."""
BODY_BYTES = 4 << 20
"""More of a body is not read ahead: what takes it refuses that much."""
READ_S = 30.0


class Gate:
    """An ASGI application that lets requests in to another one.

    kind_of: the kind of a request (None: it needs no place); refuse: the answer to one that found none, from its
    scope and the seconds after which it may come again.
    """

    def __init__(
        self, app: App, kind_of: Callable[[Scope], Kind | None], refuse: Callable[[Scope, int], Answer]
    ) -> None:
        self._app = app
        self._kind_of = kind_of
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        kind = self._kind_of(scope) if scope["type"] == "http" else None
        if kind is None:
            await self._app(scope, receive, _impatient(send))
            return
        try:
            receive = await _read_ahead(receive)
            scope[ARRIVED] = time.perf_counter()
            ticket = await admission.admit(kind, client(scope))
        except TimeoutError:
            await _send(send, (408, {"Connection": "close"}, b""))
            return
        except BusyError as busy:
            await _send(send, self._refuse(scope, busy.wait_s))
            return
        places = admission.admission()
        patient = _impatient(send)

        async def send_on(message: Message) -> None:
            places.leave(ticket)
            await patient(message)

        try:
            await self._app(scope, receive, send_on)
        finally:
            places.leave(ticket)


def arrived(request: HttpRequest) -> float:
    """When a request came to the door (`time.perf_counter`); now, where there is none."""
    scope: Scope = getattr(request, "scope", {})
    return float(scope.get(ARRIVED) or time.perf_counter())


def client(scope: Scope) -> Client:
    """Client that a request comes from: an address as limits count it, and a session or token."""
    host = counted_address((scope.get("client") or ("",))[0])
    headers = dict(scope["headers"])
    token = headers.get(b"authorization", b"").decode("latin1")
    return Client(host, token[:80] or session(scope)[:80])


def session(scope: Scope) -> str:
    """Key of the session that a request names; empty without one. It may be of nobody."""
    cookies = dict(scope["headers"]).get(b"cookie", b"").decode("latin1")
    return parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME, "") if cookies else ""


async def _read_ahead(receive: Receive) -> Receive:
    """Read the body; what hands it on. Raises TimeoutError where it does not come."""
    kept: list[Message] = []
    size = 0
    async with asyncio.timeout(BODY_S):
        while size <= BODY_BYTES:
            kept.append(message := await receive())
            size += len(message.get("body", b""))
            if not message.get("more_body", False):
                break

    async def once_more() -> Message:
        return kept.pop(0) if kept else await receive()

    return once_more


def _impatient(send: Send) -> Send:
    """Send, and hang up on who takes nothing."""

    async def send_in_time(message: Message) -> None:
        try:
            async with asyncio.timeout(READ_S):
                await send(message)
        except TimeoutError:
            logger.info("hung up on a reader who took nothing for %.0f s", READ_S)
            raise asyncio.CancelledError from None  # as Django knows those who have left: it ends what it had begun

    return send_in_time


async def _send(send: Send, answer: Answer) -> None:
    status, headers, body = answer
    lines = [(name.lower().encode(), value.encode("latin1")) for name, value in headers.items()]
    lines.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": lines})
    await send({"type": "http.response.body", "body": body})
