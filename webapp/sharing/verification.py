"""Verification of a shared result: anybody with the address sees it, and may ask for a sample to be played again."""

from __future__ import annotations

from django.http import HttpResponse

from webapp.common.requests import HtmxRequest
from webapp.lab.checks.responses import READ_AND_ASKED, Place, check_response
from webapp.lab.checks.subject import Subject
from webapp.lab.jobs.shared import only_match
from webapp.records.models import ShareLink
from webapp.sharing.public import base_of, match_of, public


def _show(request: HtmxRequest, link: ShareLink, pk: int | None = None) -> HttpResponse:
    """The samples of a link's job, of its one match, or of a match below it."""
    base = base_of(link)
    match = match_of(link, pk) if pk is not None else only_match(link)
    subject = Subject(link.job, match)
    return check_response(request, subject, Place(base if pk is None else f"{base}matches/{pk}/", f"{base}matches/"))


show = public(_show, READ_AND_ASKED, is_kept=False)
