"""What other sites may show in a frame: the addresses of embeds, and these alone.

A frame on another site has no cookies of ours: an embed is for readers of whom nothing is known, and does nothing
for anybody. Whatever goes wrong is said inside of the frame, where an ordinary page would be refused by the browser.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_exempt

from webapp.common.limits import Limit, TooManyError, address
from webapp.sharing.public import View, public

BY_ADDRESS = Limit("address", 240, "embedded pages")
ANY_SITE = {"frame-ancestors": ["*"]}


def framed(view: View) -> View:
    """Make ``view(request, link, ...)`` answer for a slug inside of a frame of any site."""
    shown = public(view, withdrawn="sharing/embed_withdrawn.html")

    @wraps(view)
    def answer(request: HttpRequest, slug: str, **values: Any) -> HttpResponseBase:
        try:
            BY_ADDRESS.count(address(request))
            return shown(request, slug, **values)
        except TooManyError as error:
            response = _said(request, str(error), 429)
            response["Retry-After"] = str(error.wait_s)
            return response
        except Http404:
            return _said(request, "Nothing is shared at this address.", 404)

    unframed: View = answer
    return xframe_options_exempt(csp_replace(ANY_SITE)(unframed))


def _said(request: HttpRequest, words: str, status: int) -> HttpResponse:
    return render(request, "sharing/embed_said.html", {"words": words}, status=status)
