"""The link of an address, and the headers and limits of every public answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any

from django.db.models import Value
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from webapp.common import public_answers, shared_pages
from webapp.lab.jobs.shared import find, is_hidden, note_reader
from webapp.lab.results import cache as results
from webapp.people.accounts import guests
from webapp.records.check_models import SampleCheck
from webapp.records.job import Job
from webapp.records.models import Experiment, Match, ShareLink
from webapp.sharing.card import Card, png

HEADERS = {
    "Referrer-Policy": "same-origin",  # the address is the key: links carry it nowhere else, forms here need it
    "X-Robots-Tag": "noindex",  # unlisted: anybody with the address may see it, search engines do not list it
}
GONE = 410
PICTURE_S = 300
OVER_S, UNDER_WAY_S = 10.0, 1.0
"""Time for which all readers of whom nothing is known are given the same: of what is over, and of all else. What is
withdrawn, renamed or played anew is seen at once."""
PASSING = ("served_at", "brief")
"""Fields of a job that change while it runs and are not shown."""

View = Callable[..., HttpResponseBase]


READING = ("GET", "HEAD")


def public(
    view: View,
    methods: Sequence[str] = READING,
    *,
    is_kept: bool = True,
    withdrawn: str = "sharing/withdrawn.html",
) -> View:
    """Make ``view(request, link, ...)`` answer for a slug, to anybody.

    methods: those that it allows; is_kept: whether readers of whom nothing is known are given the same answer;
    withdrawn: the template that says so of a closed address.
    """

    @require_http_methods(list(methods))
    @wraps(view)
    def answer(request: HttpRequest, slug: str, **values: Any) -> HttpResponseBase:
        link, person = find(slug), guests.person(request)
        if is_hidden(link, person):
            raise Http404("you play this deal yourself")
        note_reader(link, person)

        def make() -> HttpResponseBase:
            with public_answers.public_answer():
                if link.withdrawn_at is not None:
                    return render(request, withdrawn, {"link": link}, status=GONE)
                return view(request, link, **values)

        if is_kept:
            response = shared_pages.answer(request, _version(link), make, _stands_s(link, is_match="pk" in values))
        else:
            response = make()
        for name, value in HEADERS.items():
            response[name] = value
        return response

    return answer


public_file = partial(public, is_kept=False)
"""The same for what is written while it is read."""


def _version(link: ShareLink) -> tuple[str, ...]:
    """What a link shows: its row and that of its job, matches written, snapshots, and what was verified last."""
    job = link.job
    rows = [
        [getattr(row, field.attname) for field in row._meta.concrete_fields if field.name not in PASSING]
        for row in (link, job)
    ]
    written = results.version(job) if isinstance(job, Experiment) else ()
    checked = SampleCheck.objects.of(job).order_by("-pk").annotate(part=Value(0)).values_list("pk", "status", "part")
    beside = sorted(checked[:1].union(link.snapshots.values_list("pk", "state", "done"), all=True))
    return (hashlib.sha256(repr((rows, written, beside)).encode()).hexdigest(),)


def _stands_s(link: ShareLink, *, is_match: bool) -> float:
    """Time for which an answer may stand though something beside those rows has changed, as analyses of a match do."""
    is_over = link.job.status in (Job.Status.FINISHED, Job.Status.STOPPED)
    return OVER_S if is_over and link.match_id is None and not is_match else UNDER_WAY_S


def base_of(link: ShareLink) -> str:
    """The address of a link."""
    return reverse("sharing:show", args=[link.slug])


def whole_job(link: ShareLink) -> Job:
    """The job, if the link shows all of it. Raises Http404."""
    if link.match_id is not None:
        raise Http404("this address shows one match only")
    return link.job


def experiment_of(link: ShareLink) -> Experiment:
    """The experiment, if the link shows all of one. Raises Http404."""
    job = whole_job(link)
    if not isinstance(job, Experiment):
        raise Http404(f"this address shows a {job.word}")
    return job


def match_of(link: ShareLink, pk: int | None) -> Match:
    """The match that an address below a link names. Raises Http404."""
    if pk is None:
        if link.match is None:
            raise Http404(f"this address shows a whole {link.job.word}")
        return link.match
    return get_object_or_404(Match.objects.select_related("experiment"), experiment=experiment_of(link), pk=pk)


def context_of(request: HttpRequest, link: ShareLink) -> dict[str, Any]:
    """The context of all shared pages; with `is_owner` they show the actions of the owner."""
    return {"link": link, "base": base_of(link), "is_shared": True, "is_owner": is_owner(request, link)}


def is_owner(request: HttpRequest, link: ShareLink) -> bool:
    """Whether the job of a link is of the person who asks, who may be a guest."""
    person = guests.person(request)
    return person is not None and person.pk == link.job.owner_id


def picture_response(request: HttpRequest, card: Card) -> HttpResponse:
    """A preview picture, or 304 where the browser has it already."""
    etag = f'"{card.key}"'
    headers = {"ETag": etag, "Cache-Control": f"public, max-age={PICTURE_S}"}
    if request.headers.get("If-None-Match", "").removeprefix("W/") == etag:
        return HttpResponse(status=304, headers=headers)
    return HttpResponse(png(card), content_type="image/png", headers=headers)
