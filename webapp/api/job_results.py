"""What came out over HTTP: every number of a page, charts, matches, plies, traces, files."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from ninja import Path, Query, Router

from webapp.api import job_answers, job_schemas
from webapp.api.auth import MAY_READ_RESEARCH, PersonRequest
from webapp.api.each_kind import Operation, each_kind
from webapp.api.errors import problem_responses
from webapp.api.jobs import Number
from webapp.api.problems import ProblemError
from webapp.lab.jobs.kind import JobKind
from webapp.lab.results import exports, files
from webapp.lab.results.responses import RETRY_S, download_response
from webapp.matches import trace as traces
from webapp.people.accounts.models import User
from webapp.records.models import Experiment, Match
from worker.spec import SpecError

router = Router()

MAX_MATCHES = 1000
"""Matches of a page of rows: more go as a file."""
OF_MATCHES = ("experiment", "ladder")
FormatId = Annotated[Literal["csv", "jsonl", "parquet"], Path()]
After = Annotated[
    int | None,
    Query(ge=0, lt=2**63, description="Begin after the match (piece, of a study) with this number, in their order"),
]
MatchNumber = Annotated[int, Path(ge=1, lt=2**63, description="As the column match has it")]
FILE = {
    "responses": {
        200: {
            "description": "The file. Meeple-Next: after what the next part begins; absent on the last",
            "headers": {"Meeple-Next": {"schema": {"type": "integer"}}},
            "content": {form.media_type: {"schema": {"type": "string"}} for form in files.FORMATS.values()},
        }
    }
}


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}/result",
        "Result of {one}",
        MAY_READ_RESEARCH,
        {200: dict[str, Any], **problem_responses(401, 403, 404, 409, 422)},
    ),
)
def result(request: PersonRequest, kind: JobKind, number: Number) -> Any:
    """Every number of its page at this moment, as result.json of the page has it. Intervals are [low, high].

    Rates are from 0 to 1; only `judged` is in percentage points, as the head of the page writes it. Of what is shared
    anybody may read the same at `share.result`, without a token.
    """
    job = job_answers.find(kind, request.auth.owner, number)
    try:
        return kind.numbers(job)
    except SpecError as error:
        raise ProblemError("refused", f"This version of the lab cannot read its spec any more: {error}.") from None


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}/charts",
        "Charts of {one}",
        MAY_READ_RESEARCH,
        {200: job_schemas.Charts, **problem_responses(401, 403, 404, 422)},
    ),
)
def charts(request: PersonRequest, kind: JobKind, number: Number) -> Any:
    """The charts that its page can show."""
    job = job_answers.find(kind, request.auth.owner, number)
    return {"charts": [{"id": card.id, "title": card.title} for card in kind.cards(job, "")]}


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}/charts/{chart_id}",
        "A chart of {one}",
        MAY_READ_RESEARCH,
        {200: dict[str, Any], **problem_responses(401, 403, 404, 422)},
    ),
)
def chart(
    request: PersonRequest,
    kind: JobKind,
    number: Number,
    chart_id: Annotated[str, Path(pattern=r"^[-a-zA-Z0-9_]+$", max_length=100)],
) -> HttpResponseBase:
    """The numbers of a chart, as a figure of Plotly and as a table. With If-None-Match 304 while nothing is new."""
    job = job_answers.find(kind, request.auth.owner, number)
    return kind.chart_json(request, job, chart_id)  # type: ignore[arg-type]  # it reads no mark of htmx


# ---- rows


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}/matches",
        "Matches of {one}",
        MAY_READ_RESEARCH,
        {200: job_schemas.Rows, **problem_responses(401, 403, 404, 422)},
        kinds=OF_MATCHES,
    ),
)
def list_job_matches(
    request: PersonRequest,
    kind: JobKind,
    number: Number,
    after: After = None,
    limit: Annotated[int, Query(ge=1, le=MAX_MATCHES, description="Matches, each with a row a seat")] = 100,
) -> Any:
    """Rows of matches, one a seat, in the order of their numbers; the columns are those of the exports."""
    experiment: Experiment = job_answers.find(kind, request.auth.owner, number)
    span, following = exports.span_after(experiment, after, limit)
    return {"rows": exports.read(experiment, "matches", span), "next": following}


def _match(kind: JobKind, owner: User, number: int, match: int) -> Match:
    """A match of a job. Raises Http404."""
    matches = Match.objects.select_related("experiment__owner", "code")
    return get_object_or_404(matches, experiment=job_answers.find(kind, owner, number).pk, pk=match)


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}/matches/{match}",
        "A match of {one}",
        MAY_READ_RESEARCH,
        {200: job_schemas.Rows, **problem_responses(401, 403, 404, 422)},
        kinds=OF_MATCHES,
    ),
)
def see_job_match(request: PersonRequest, kind: JobKind, number: Number, match: MatchNumber) -> Any:
    """Its rows, one a seat."""
    found = _match(kind, request.auth.owner, number, match)
    return {"rows": exports.read(found.experiment, "matches", found), "next": None}


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}/matches/{match}/plies",
        "Plies of a match of {one}",
        MAY_READ_RESEARCH,
        {200: job_schemas.Rows, **problem_responses(401, 403, 404, 422)},
        kinds=OF_MATCHES,
    ),
)
def list_plies(request: PersonRequest, kind: JobKind, number: Number, match: MatchNumber) -> Any:
    """A row for each action, with what its engine thought of it; none where the spec recorded no plies."""
    found = _match(kind, request.auth.owner, number, match)
    return {"rows": exports.read(found.experiment, "plies", found), "next": None}


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}/matches/{match}/trace",
        "Trace of a match of {one}",
        MAY_READ_RESEARCH,
        {200: dict[str, Any], **problem_responses(401, 403, 404, 422)},
        kinds=OF_MATCHES,
    ),
)
def see_trace(request: PersonRequest, kind: JobKind, number: Number, match: MatchNumber) -> Any:
    """All that happened, luck included, in the game's trace format, which `python -m games replay` checks."""
    found = traces.build_trace(_match(kind, request.auth.owner, number, match))
    if found is None:
        raise ProblemError("not-found", "Its plies were not kept, or today's rules do not replay them.")
    return found


# ---- files


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}/export/{table}.{format_id}",
        "Export matches, metrics or plies of {one}",
        MAY_READ_RESEARCH,
        {200: None, **problem_responses(401, 403, 404, 422)},
        kinds=OF_MATCHES,
        extra=dict.fromkeys(OF_MATCHES, FILE),
    ),
)
def export(
    request: PersonRequest,
    kind: JobKind,
    number: Number,
    table: Literal["matches", "metrics", "plies"],
    format_id: FormatId,
    after: After = None,
    limit: Annotated[int | None, Query(ge=1, le=10_000_000, description="Matches of a part; by default all")] = None,
) -> HttpResponseBase:
    """Download rows as a file: all of them, or a part. What a column means: `columns`.

    The metrics of a seat are columns of matches, and rows of the long table metrics. A broken download is taken up
    again: with `after` rows come in the order of their matches, from the one after that on. With `limit` each part is
    a whole file, also in Parquet, and the header Meeple-Next says where the next begins.
    """
    return _file(request, kind, number, (table, format_id), (after, limit))


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}/export/rows.{format_id}",
        "Export rows of {one}",
        MAY_READ_RESEARCH,
        {200: None, **problem_responses(401, 403, 404, 422)},
        kinds=("study",),
        extra={"study": FILE},
    ),
)
def export_rows(
    request: PersonRequest,
    kind: JobKind,
    number: Number,
    format_id: FormatId,
    after: After = None,
    limit: Annotated[int | None, Query(ge=1, le=10_000_000, description="Rows of a part; by default all")] = None,
) -> HttpResponseBase:
    """Download rows as a file: all of them, or a part, as matches of experiments."""
    return _file(request, kind, number, ("rows", format_id), (after, limit))


def _file(
    request: PersonRequest, kind: JobKind, number: int, what: tuple[str, str], part: tuple[int | None, int | None]
) -> HttpResponseBase:
    """A file, or a part of it. what: table and format; part: where it begins, and how much it holds."""
    owner = request.auth.owner
    job = job_answers.find(kind, owner, number)
    chosen, following = (None, None) if part == (None, None) else kind.span_after(job, *part)
    try:
        blocks = kind.stream(job, *what, chosen, f"person {owner.pk}")
    except files.BusyError as busy:
        raise ProblemError("busy", str(busy), {"retry_after_s": RETRY_S}, {"Retry-After": str(RETRY_S)}) from None
    response = download_response(blocks, what[1], f"{job.word}-{number}-{what[0]}")
    if following is not None:
        response["Meeple-Next"] = str(following)
        response["Link"] = f'<{request.path}?after={following}&limit={part[1]}>; rel="next"'
    return response
