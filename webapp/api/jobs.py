"""Experiments, ladders and studies over HTTP: start, list, follow, describe, delete."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypeVar

from asgiref.sync import sync_to_async
from ninja import Header, Path, Query, Router
from ninja.responses import Status

from webapp.api import examples, job_answers, job_schemas, limits
from webapp.api.auth import MAY_EXPERIMENT, MAY_READ_RESEARCH, PersonRequest
from webapp.api.each_kind import KINDS, Operation, each_kind
from webapp.api.errors import problem_responses
from webapp.api.matches import Wait
from webapp.api.problems import ProblemError
from webapp.lab.experiments import lineage
from webapp.lab.jobs import follow, services
from webapp.lab.jobs.kind import JobKind
from webapp.lab.quotas.services import OverQuotaError
from webapp.people.accounts.models import User
from webapp.people.agents import kept_answers
from webapp.records.models import Experiment
from webapp.table.live import long_poll
from worker.spec import SpecError

router = Router()
T = TypeVar("T")

MAX_LIST = 100
Number = Annotated[int, Path(ge=1, lt=2**63, description="The number in the address of its page")]
DryRun = Annotated[bool, Query(description="Check it and say what it would take; nothing is started")]
Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="Your own name for this request: sent again within a week, it is answered as the first time and "
        "does nothing twice",
    ),
]


@each_kind(
    router,
    Operation(
        "POST",
        "",
        "Start {one}, or only say what it would take",
        MAY_EXPERIMENT,
        {200: job_schemas.PlanOut, 201: job_schemas.JobOut, **problem_responses(401, 403, 409, 422)},
        extra=examples.STARTS,
    ),
)
def start(
    request: PersonRequest,
    kind: JobKind,
    data: job_schemas.JobIn,
    dry_run: DryRun = False,
    key: Key = "",
) -> Any:
    """Start it by its spec. It has the quotas, checks and estimates of the pages.

    `dry_run=true` answers 200 with the complete spec, matches, CPU seconds, rows and bytes, and with the quota that
    would refuse it. 422 names the place of what is wrong; 409 says which quota is used up, or that the size has to be
    confirmed.
    """
    owner = request.auth.owner
    origin = _origin(kind, owner, data)
    plan = _in_spec(lambda: kind.plan(owner, data.spec))
    if origin is not None and not data.same_matches:
        _in_spec(lambda: lineage.check_is_new(owner, origin, data.spec))
    if dry_run:
        return Status(200, plan)
    asked = {"start": kind.plural, **data.model_dump()}
    number = kept_answers.once(owner, key, asked, lambda: _start(kind, owner, data, origin, plan.confirm))
    return Status(201, job_answers.started(lambda: job_answers.one(kind, owner, number)))


def _origin(kind: JobKind, owner: User, data: job_schemas.JobIn) -> Experiment | None:
    """What it runs again; None where nothing is named. Raises SpecError."""
    if not data.origin:
        if data.same_matches:
            raise SpecError(("same_matches",), "needs an origin: whose matches are they?")
        return None
    if kind.start_again is None:
        raise SpecError(("origin",), f"is of experiments: {kind.plural} run no other one again")
    found = lineage.named(owner, data.origin)
    if found is None:
        raise SpecError(("origin",), "is neither the number of an experiment of yours nor the slug of a shared one")
    return found


def _start(kind: JobKind, owner: User, data: job_schemas.JobIn, origin: Experiment | None, confirm: str) -> int:
    """Start it; its number."""
    if confirm != data.confirm and confirm:
        raise ProblemError("unconfirmed", extra={"confirm": confirm})
    again = kind.start_again
    if origin is not None and again is not None:
        return int(_in_spec(lambda: again(owner, data.title, data.spec, origin)).pk)
    return int(_in_spec(lambda: kind.start(owner, data.title, data.spec, None)).pk)


def _in_spec(call: Callable[[], T]) -> T:
    """What it answers. Raises SpecError with the place in the body."""
    try:
        return call()
    except OverQuotaError:
        raise
    except SpecError as error:
        raise error.below("spec") from None


@each_kind(
    router,
    Operation(
        "GET",
        "",
        "List {many}",
        MAY_READ_RESEARCH,
        {200: job_schemas.JobList, **problem_responses(401, 403, 422)},
    ),
)
def list_jobs(
    request: PersonRequest,
    kind: JobKind,
    asked: Annotated[job_schemas.JobFilters, Query()],
    offset: Annotated[int, Query(ge=0, le=100_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_LIST)] = 20,
) -> Any:
    """Your own, newest first; those that fit all of what is asked for."""
    return job_answers.page(kind, request.auth.owner, asked, offset, limit)


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}",
        "See or follow {one}",
        MAY_READ_RESEARCH,
        {200: job_schemas.JobOut, **problem_responses(401, 403, 404, 422)},
    ),
)
async def see(
    request: PersonRequest,
    kind: JobKind,
    number: Number,
    version: Annotated[str, Query(max_length=40, description="The version you know")] = "",
    wait: Wait = 0,
) -> Any:
    """Say how far it is. With `wait` the answer comes when it is over, or when that time is up.

    With `version` and `wait` it comes as soon as there is any news: that version is not the present one.
    """
    token = request.auth
    look = partial(job_answers.one, kind, token.owner, number)
    found = await sync_to_async(look)()
    if not wait or job_answers.is_news(found, version):
        return found
    async with limits.patient(token):
        news = partial(follow.wait_for_news, found["kind"], number, version or None, wait)
        await long_poll.for_news(token.who, news)
        return await long_poll.look(look)


@each_kind(
    router,
    Operation(
        "PATCH",
        "/{number}",
        "Change title, notes and tags of {one}",
        MAY_EXPERIMENT,
        {200: job_schemas.JobOut, **problem_responses(401, 403, 404, 409, 422)},
        extra=dict.fromkeys(KINDS, examples.DESCRIPTIONS),
    ),
)
def describe(request: PersonRequest, kind: JobKind, number: Number, data: job_schemas.DescriptionIn) -> Any:
    """Change what is said of it, also after it has ended; what is left out stays.

    With `edition`, as it was answered, nothing is overwritten that somebody has kept since: 409 then.
    """
    owner = request.auth.owner
    job_answers.describe(job_answers.find(kind, owner, number), data)
    return job_answers.one(kind, owner, number)


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}/spec",
        "Spec of {one}",
        MAY_READ_RESEARCH,
        {200: dict[str, Any], **problem_responses(401, 403, 404, 422)},
    ),
)
def spec(request: PersonRequest, kind: JobKind, number: Number) -> Any:
    """What it was started with, complete: sent again it starts the same."""
    return job_answers.find(kind, request.auth.owner, number).spec


@each_kind(
    router,
    Operation(
        "DELETE",
        "/{number}",
        "Delete {one}",
        MAY_EXPERIMENT,
        {204: None, **problem_responses(401, 403, 404, 409, 422)},
    ),
)
def delete(request: PersonRequest, kind: JobKind, number: Number) -> Any:
    """Delete it for good, with all that belongs to it. 409 while it runs, and where it was ever shared."""
    services.delete(job_answers.find(kind, request.auth.owner, number))
    return Status(204, None)
