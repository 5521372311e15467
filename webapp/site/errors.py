"""Error pages in words that say what happened, what is safe and what to do."""

from __future__ import annotations

import sys
from functools import cache

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from webapp.records.archive.errors import ArchiveError

AWAY_S = 10
"""Seconds after which a page whose database does not answer may be asked for again."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: the browser sent something that cannot be read; 413: more than is read."""
    if isinstance(exception, RequestDataTooBig):
        return render(request, "errors/400.html", {"most": settings.DATA_UPLOAD_MAX_MEMORY_SIZE}, status=413)
    return render(request, "errors/400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: signed in, but not allowed."""
    return render(request, "errors/403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: not there, or not yours; the page does not say which."""
    return render(request, "errors/404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500: our fault; 503 where the database does not answer. The page asks nothing of it, nor of the session."""
    if isinstance(sys.exc_info()[1], OperationalError):
        page = render_to_string("errors/500.html", {"is_away": True})
        return HttpResponse(page, status=503, headers={"Retry-After": AWAY_S, "Cache-Control": "no-store"})
    return HttpResponse(render_to_string("errors/500.html"), status=500)


def unreadable(request: HttpRequest, error: ArchiveError) -> HttpResponse:
    """503: plies that are in a file of the archive which cannot be read; programs get the sentence alone."""
    if "html" in request.headers.get("Accept", ""):
        response = render(request, "errors/unreadable.html", {"sentence": error.sentence}, status=503)
    else:
        response = HttpResponse(error.sentence, content_type="text/plain; charset=utf-8", status=503)
    response["Cache-Control"] = "no-store"
    return response


def busy(method: str, wait_s: int) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of 503: all places are taken. The page loads itself again where that does no harm."""
    headers = {"Content-Type": "text/html; charset=utf-8", "Retry-After": str(wait_s), "Cache-Control": "no-store"}
    return 503, headers, _busy_page(method in ("GET", "HEAD"), wait_s)


@cache
def _busy_page(is_safe: bool, wait_s: int) -> bytes:
    return render_to_string("errors/503.html", {"wait_s": wait_s, "is_safe": is_safe}).encode()


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 of a form whose secret does not match: usually an old tab or blocked cookies."""
    return render(request, "errors/csrf.html", status=403)
