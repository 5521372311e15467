"""Answers to readers of whom nothing is known, made once for all who ask for the same.

A reader without a session has no name, no rights and no messages: what they are shown follows from the address, the
theme, and whether a script asks. Such an answer holds no token of a form, so the same bytes do for everybody; they
are compressed once, and their ETag saves sending them again. A browser or proxy may keep them but has to ask each
time, so that a page which is withdrawn is gone at once.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from http import HTTPStatus

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers

from webapp.common import gate, made_once
from webapp.common.compressing import ACCEPTED, LEAST_BYTES, TEXT

CACHE_CONTROL = "public, no-cache"
VARY = ("Cookie", "HX-Request", "Accept-Encoding")
LEVEL = 5
"""Of compression: each is read many times."""

Key = tuple[Hashable, ...]


@dataclass(frozen=True)
class Page:
    """An answer as it goes to everybody. packed: the content compressed; None where that saves nothing."""

    status: int
    headers: dict[str, str]
    content: bytes
    packed: bytes | None

    def answer(self, request: HttpRequest) -> HttpResponse:
        """The answer to one reader; 304 where they have it."""
        accepts = self.packed is not None and ACCEPTED.search(request.headers.get("Accept-Encoding", ""))
        response = HttpResponse(self.packed if accepts else self.content, status=self.status, headers=self.headers)
        if accepts:
            response.headers["Content-Encoding"] = "gzip"
        patch_vary_headers(response, VARY)
        if self.status != HTTPStatus.OK:
            return response
        return get_conditional_response(request, etag=self.headers["ETag"], response=response) or response


def is_for_all(request: HttpRequest) -> bool:
    """Whether nothing is known of the reader, who only reads."""
    known = (settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name)
    return request.method == "GET" and not any(name in request.COOKIES for name in known)


def theme_of(request: HttpRequest) -> str:
    """The theme that the reader has chosen; empty where it is the system's."""
    return {"dark": "dark", "light": "light"}.get(request.COOKIES.get("theme", ""), "")


def answer(
    request: HttpRequest, version: Key, make: Callable[[], HttpResponseBase], keep_s: float = 0.0
) -> HttpResponseBase:
    """The answer that `make` gives, for everybody where nothing is known of this reader and it is the same for all.

    version: what it is made from; keep_s: time for which it may be shown though something else has changed.
    """
    if not is_for_all(request):
        return make()
    asked = (request.get_full_path(), theme_of(request), request.headers.get("HX-Request", ""))
    own: list[HttpResponseBase] = []

    def page() -> Page | None:
        request.is_for_all = True  # type: ignore[attr-defined]  # base.html: no token then
        own.append(response := make())
        return _page_of(request, response)

    since = min(gate.arrived(request), made_once.seconds_ago(keep_s))
    found = made_once.once(("page", *asked, *version), page, since)
    if found is None:  # it is somebody's own after all
        return own[0] if own else make()
    return found.answer(request)


def _page_of(request: HttpRequest, response: HttpResponseBase) -> Page | None:
    """The answer as everybody may have it; None where it is its reader's own, or made while it is read."""
    is_own = response.cookies or "CSRF_COOKIE_NEEDS_UPDATE" in request.META or request.session.modified
    if response.streaming or is_own or response.status_code not in (HTTPStatus.OK, HTTPStatus.GONE):
        return None
    content: bytes = getattr(response, "content", b"")
    headers = dict(response.headers.items())
    headers.pop("Vary", None)
    headers.setdefault("ETag", f'W/"{hashlib.sha256(content).hexdigest()[:32]}"')
    headers["Cache-Control"] = headers.get("Cache-Control", CACHE_CONTROL)
    is_text = TEXT.match(headers.get("Content-Type", "")) and len(content) >= LEAST_BYTES
    return Page(response.status_code, headers, content, gzip.compress(content, LEVEL, mtime=0) if is_text else None)
