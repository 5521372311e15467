"""Around every request of the API: limits before it, and no answer but JSON after it."""

from __future__ import annotations

from collections.abc import Awaitable

from asgiref.sync import sync_to_async
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponseBase

from webapp.api import limits, problems
from webapp.api.problems import BY_STATUS, PREFIX, ProblemError
from webapp.common.limits import address
from webapp.common.middleware import TwofoldMiddleware

JSON_TYPES = ("application/json", problems.MEDIA_TYPE)


class ApiMiddleware(TwofoldMiddleware):
    """Leaves everything outside the API alone."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Answer the request."""
        if self.async_mode:
            return self.__acall__(request)
        return _finished(request, _refusal(request) or self.pass_on(request))

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        refusal = await _refusal_of_thread(request) if _is_api(request) else None
        return _finished(request, refusal or await self.pass_on_async(request))


def _is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith(PREFIX)


def _refusal(request: HttpRequest) -> HttpResponseBase | None:
    """The answer to a request that is not even looked at."""
    if not _is_api(request):
        return None
    try:
        _check_host(request)
        limits.ADDRESS.count(address(request))
        _check_length(request)
    except ProblemError as problem:
        return problems.answer(request, problem)
    return None


_refusal_of_thread = sync_to_async(_refusal)
"""Counting asks a server: nobody else waits for its answer."""


def _check_host(request: HttpRequest) -> None:
    """Raises ProblemError for a name that the lab does not answer to."""
    try:
        request.get_host()
    except DisallowedHost:
        raise ProblemError("bad-request", "The lab does not answer to this host name.") from None


def _check_length(request: HttpRequest) -> None:
    """Raises ProblemError for a body that is too large, or of unknown length."""
    length = str(request.META.get("CONTENT_LENGTH") or "")
    if length.isdecimal():
        if int(length) > limits.MAX_BODY:
            raise ProblemError("too-large", f"The body has {length} bytes; at most {limits.MAX_BODY} are taken.")
    elif length or request.headers.get("Transfer-Encoding"):
        raise ProblemError("length-required")


def _finished(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The answer as it leaves: no error page of the site, and kept by nobody on its way."""
    response = _as_problem(request, response)
    if _is_api(request):
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def _as_problem(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """An error page of the site, as a problem."""
    kind = BY_STATUS.get(response.status_code)
    if kind is None or not _is_api(request) or response.headers.get("Content-Type", "").startswith(JSON_TYPES):
        return response
    allow = response.headers.get("Allow")
    return problems.answer(request, ProblemError(kind, headers={"Allow": allow} if allow else {}))
