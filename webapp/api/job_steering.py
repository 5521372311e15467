"""Experiments, ladders and studies over HTTP: share, pause, resume, stop, put away."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Router
from ninja.responses import Status

from webapp.api import job_answers, job_schemas
from webapp.api.auth import MAY_EXPERIMENT, PersonRequest
from webapp.api.each_kind import Operation, each_kind
from webapp.api.errors import problem_responses
from webapp.api.jobs import Number
from webapp.lab.jobs import services, share_links
from webapp.lab.jobs.kind import JobKind
from webapp.lab.jobs.selectors import live_link

router = Router()
"""The last one that has addresses of jobs: a deed may be called as the last part of another address is."""

Deed = Literal["pause", "resume", "stop", "archive", "unarchive"]


@each_kind(
    router,
    Operation(
        "PUT",
        "/{number}/share",
        "Share {one}",
        MAY_EXPERIMENT,
        {200: job_schemas.ShareOut, **problem_responses(401, 403, 404, 422)},
    ),
)
def share(request: PersonRequest, kind: JobKind, number: Number) -> Any:
    """Give it a public address: who has it sees settings, matches and results, without an account.

    What was shared once can no longer be deleted, since others may cite it. Sent again, it is the same address.
    """
    job = job_answers.find(kind, request.auth.owner, number)
    share_links.share(job)
    return job_answers.share(job)


@each_kind(
    router,
    Operation(
        "DELETE",
        "/{number}/share",
        "Withdraw the public address of {one}",
        MAY_EXPERIMENT,
        {204: None, **problem_responses(401, 403, 404, 422)},
    ),
)
def withdraw(request: PersonRequest, kind: JobKind, number: Number) -> Any:
    """Close the address: it says so from now on. Sharing again gives another one."""
    link = live_link(job_answers.find(kind, request.auth.owner, number))
    if link is not None:
        share_links.withdraw(link)
    return Status(204, None)


@each_kind(
    router,
    Operation(
        "POST",
        "/{number}/{deed}",
        "Pause, resume, stop or archive {one}",
        MAY_EXPERIMENT,
        {200: job_schemas.JobOut, **problem_responses(401, 403, 404, 409, 422)},
    ),
)
def steer(request: PersonRequest, kind: JobKind, number: Number, deed: Deed) -> Any:
    """Do as the buttons of its page do. Where it stands so already nothing changes. 409 says why it cannot be done."""
    owner = request.auth.owner
    getattr(services, deed)(job_answers.find(kind, owner, number))
    return job_answers.one(kind, owner, number)
