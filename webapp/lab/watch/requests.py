"""Around every request: its id, its time, a line in the log.

The id comes from the proxy's X-Request-ID or is drawn here, stands on every line that is logged meanwhile, and goes
back with the answer. Times are those until the answer begins, with the wait for a place (`common.gate`), and of a
long poll with what it waits for.
"""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Awaitable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from webapp.common import gate
from webapp.common.handler import WaitResponse
from webapp.common.middleware import TwofoldMiddleware
from webapp.lab.watch import request_times
from worker import log_ids

HEADER = "X-Request-ID"
GIVEN = re.compile(r"[\w.:-]{1,64}", re.ASCII)
NO_VIEW = "none"
logger = logging.getLogger("lab.request")


class RequestMiddleware(TwofoldMiddleware):
    """The outermost middleware."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Answer the request."""
        if self.async_mode:
            return self.__acall__(request)
        request_id, began = _id(request), gate.arrived(request)
        with log_ids.bound(request_id=request_id):
            return _finished(request, self.pass_on(request), request_id, began)

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        request_id, began = _id(request), gate.arrived(request)
        with log_ids.bound(request_id=request_id):
            return _finished(request, await self.pass_on_async(request), request_id, began)


def _id(request: HttpRequest) -> str:
    given = request.headers.get(HEADER, "")
    return given if GIVEN.fullmatch(given) else uuid.uuid4().hex


def _finished(request: HttpRequest, response: HttpResponseBase, request_id: str, began: float) -> HttpResponseBase:
    seconds = time.perf_counter() - began
    response.headers[HEADER] = request_id
    if isinstance(response, WaitResponse):  # it is asked once more
        return response
    match = request.resolver_match
    view = match.view_name if match is not None and match.view_name else NO_VIEW
    if settings.LAB_METRICS:
        request_times.note(view, response.status_code, seconds)
    if logger.isEnabledFor(logging.INFO):
        # The view and not the address: addresses hold tokens and codes of matches.
        fields = {"view": view, "method": request.method, "status": response.status_code, "seconds": round(seconds, 4)}
        logger.info("%s %s %d", request.method, view, response.status_code, extra=fields)
    return response
