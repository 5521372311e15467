"""Verification over HTTP: have a sample of stored matches played again, and read what came out."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Router
from ninja.responses import Status

from webapp.api import job_answers, limits, verification_schemas
from webapp.api.auth import MAY_EXPERIMENT, MAY_READ_RESEARCH, PersonRequest
from webapp.api.each_kind import Operation, each_kind
from webapp.api.errors import problem_responses
from webapp.api.jobs import Number
from webapp.api.problems import ProblemError
from webapp.common.limits import TooManyError, address
from webapp.lab.checks import selectors, services
from webapp.lab.checks.subject import Subject
from webapp.lab.jobs import shared
from webapp.lab.jobs.kind import JobKind

router = Router()

Slug = Annotated[str, Path(pattern=r"^[-\w]+$", max_length=32, description="The last part of its shared address")]


def _shared(slug: str) -> Subject:
    """What a public address shows. Raises Http404, ProblemError."""
    link = shared.find(slug)
    if shared.is_hidden(link, None):
        raise ProblemError("not-found")
    if link.withdrawn_at is not None:
        raise ProblemError("not-found", "Who shared it has withdrawn this address.")
    return Subject(link.job, shared.only_match(link))


def _ask(request: HttpRequest, subject: Subject) -> Any:
    """Ask for a sample. Raises RefusedError, ProblemError (429)."""
    try:
        _, is_new = services.ask(subject, address(request))
    except TooManyError as error:
        raise limits.too_many(str(error), error.wait_s) from None
    return Status(202 if is_new else 200, selectors.as_json(selectors.read(subject)))


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}/verification",
        "Verification of {one}",
        MAY_READ_RESEARCH,
        {200: verification_schemas.VerificationOut, **problem_responses(401, 403, 404, 422)},
    ),
)
def verification(request: PersonRequest, kind: JobKind, number: Number) -> Any:
    """What came out of the samples that were played again so far, the last first."""
    return selectors.as_json(selectors.read(Subject(job_answers.find(kind, request.auth.owner, number))))


@each_kind(
    router,
    Operation(
        "POST",
        "/{number}/verification",
        "Verify a sample of {one}",
        MAY_EXPERIMENT,
        {
            200: verification_schemas.VerificationOut,
            202: verification_schemas.VerificationOut,
            **problem_responses(401, 403, 404, 409, 422),
        },
    ),
)
def verify(request: PersonRequest, kind: JobKind, number: Number) -> Any:
    """Have a sample played again from its seeds and compared with what is stored.

    202: it is put up, and GET follows it. 200: one is at work already, or ended within ten minutes.
    """
    return _ask(request, Subject(job_answers.find(kind, request.auth.owner, number)))


@router.get(
    "/shared/{slug}/verification",
    response={200: verification_schemas.VerificationOut, **problem_responses(404, 422)},
    summary="Verification of what is shared",
    tags=["Shared"],
)
def shared_verification(request: HttpRequest, slug: Slug) -> Any:
    """The same of what is shared under an address, for everybody and without a token."""
    return selectors.as_json(selectors.read(_shared(slug)))


@router.post(
    "/shared/{slug}/verification",
    response={
        200: verification_schemas.VerificationOut,
        202: verification_schemas.VerificationOut,
        **problem_responses(404, 409, 422),
    },
    summary="Verify a sample of what is shared",
    tags=["Shared"],
)
def verify_shared(request: HttpRequest, slug: Slug) -> Any:
    """Anybody may ask, six times a minute from an address; one sample of a result is at work at a time."""
    return _ask(request, _shared(slug))
