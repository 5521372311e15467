"""The verification of a result as a page, or as the part of it that is asked for again."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import redirect, render

from webapp.common.errors import RefusedError
from webapp.common.limits import TooManyError, address
from webapp.common.requests import HtmxRequest
from webapp.lab.checks import selectors, services
from webapp.lab.checks.subject import Subject
from webapp.records.sampling import LONGEST_S, MOST

POLL_S = 2
READ_AND_ASKED = ("GET", "HEAD", "POST")


@dataclass(frozen=True)
class Place:
    """Place of a verification. page_url: of what it is of; matches_url: what matches are below."""

    page_url: str
    matches_url: str

    @property
    def url(self) -> str:
        """Its own address."""
        return f"{self.page_url}verification/"


def check_response(request: HtmxRequest, subject: Subject, place: Place) -> HttpResponse:
    """Show what is known; a POST asks for a sample to be played again."""
    problem, status = "", 200
    if request.method == "POST":
        try:
            services.ask(subject, address(request))
        except RefusedError as error:
            problem, status = str(error), 429 if isinstance(error, TooManyError) else 409
        else:
            return redirect(place.url)
    found = selectors.read(subject)
    if request.htmx and request.method == "GET" and request.GET.get("version") == found.version:
        return HttpResponse(status=204)
    context = {
        "verification": found,
        "subject": subject,
        "place": place,
        "problem": problem,
        "poll_s": POLL_S,
        "most": MOST,
        "longest_s": LONGEST_S,
    }
    template = "checks/_state.html" if request.htmx else "checks/verification.html"
    return render(request, template, context, status=status)
