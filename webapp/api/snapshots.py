"""Frozen snapshots of shared results over HTTP: make one, list them, see how one stands."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Field, Path, Router, Schema
from ninja.responses import Status

from webapp.api import job_answers
from webapp.api.auth import MAY_EXPERIMENT, MAY_READ_RESEARCH, PersonRequest
from webapp.api.each_kind import Operation, each_kind
from webapp.api.errors import problem_responses
from webapp.api.jobs import Number
from webapp.api.problems import ProblemError
from webapp.api.schemas import Strict
from webapp.common.errors import RefusedError
from webapp.lab.jobs.kind import JobKind
from webapp.lab.jobs.selectors import live_link
from webapp.lab.snapshots import selectors, services
from webapp.records.models import ShareLink
from webapp.records.snapshot_models import Snapshot

router = Router()
NOT_SHARED = "It is not shared: PUT its share first, since a snapshot has a public address."


class SnapshotIn(Strict):
    """What goes into an archive."""

    plies: bool = Field(False, description="Whether every ply goes into it, which makes it much larger")


NO_PLIES = SnapshotIn(plies=False)


class SnapshotFile(Schema):
    """One file of the archive."""

    path: str
    bytes: int
    sha256: str


class SnapshotOut(Schema):
    """A snapshot. url, file, sha256, as_of: empty until it is made. url: of its page; file: of the archive.

    ended: matches, or rows of a study. done, total: files that are written. failure: why there is none.
    """

    number: int
    state: Literal["waiting", "made", "failed", "withdrawn"]
    asked_at: datetime
    as_of: datetime | None
    url: str
    file: str
    sha256: str
    bytes: int
    ended: int
    done: int
    total: int
    plies: bool
    citation: str
    bibtex: str
    failure: str
    files: list[SnapshotFile]


class Snapshots(Schema):
    """Those of the live address of a job, the newest first."""

    snapshots: list[SnapshotOut]


def _out(snapshot: Snapshot) -> dict[str, Any]:
    is_made = snapshot.state == Snapshot.State.MADE
    return {
        "number": snapshot.pk,
        "state": snapshot.state,
        "asked_at": snapshot.asked_at,
        "as_of": snapshot.made_at,
        "url": selectors.address(snapshot) if snapshot.sha256 else "",
        "file": selectors.file_address(snapshot) if is_made else "",
        "sha256": snapshot.sha256,
        "bytes": snapshot.size,
        "ended": snapshot.matches,
        "done": snapshot.done,
        "total": snapshot.total,
        "plies": snapshot.with_plies,
        "citation": snapshot.citation,
        "bibtex": snapshot.bibtex,
        "failure": snapshot.failure,
        "files": snapshot.contents,
    }


def _link(request: PersonRequest, kind: JobKind, number: int) -> ShareLink | None:
    return live_link(job_answers.find(kind, request.auth.owner, number))


@each_kind(
    router,
    Operation(
        "POST",
        "/{number}/snapshots",
        "Freeze {one}",
        MAY_EXPERIMENT,
        {200: SnapshotOut, 202: SnapshotOut, **problem_responses(401, 403, 404, 409, 422)},
    ),
)
def freeze(request: PersonRequest, kind: JobKind, number: Number, data: SnapshotIn = NO_PLIES) -> Any:
    """Make an archive of what its public address shows now: result, spec, tables, what their columns mean.

    It never changes, has an address named by its SHA-256, and can be cited and verified without this lab. 202: it is
    being made; ask for it until `state` is *made*. 200: nothing has changed since the one that is answered.
    """
    link = _link(request, kind, number)
    if link is None:
        raise ProblemError("refused", NOT_SHARED)
    try:
        snapshot, _ = services.freeze(link, with_plies=data.plies)
    except RefusedError as error:
        raise ProblemError("refused", str(error)) from None
    return Status(200 if snapshot.state == Snapshot.State.MADE else 202, _out(snapshot))


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}/snapshots",
        "Snapshots of {one}",
        MAY_READ_RESEARCH,
        {200: Snapshots, **problem_responses(401, 403, 404, 422)},
    ),
)
def list_snapshots(request: PersonRequest, kind: JobKind, number: Number) -> Any:
    """Those of its public address, also what was withdrawn or could not be made; none where it is not shared."""
    link = _link(request, kind, number)
    return {"snapshots": [] if link is None else [_out(row) for row in selectors.of_link(link)]}


@each_kind(
    router,
    Operation(
        "GET",
        "/{number}/snapshots/{snapshot}",
        "A snapshot of {one}",
        MAY_READ_RESEARCH,
        {200: SnapshotOut, **problem_responses(401, 403, 404, 422)},
    ),
)
def see_snapshot(
    request: PersonRequest, kind: JobKind, number: Number, snapshot: Annotated[int, Path(ge=1, lt=2**63)]
) -> Any:
    """How it stands, and once it is made where it is, its checksum, how to cite it. Its file needs no token."""
    link = _link(request, kind, number)
    found = None if link is None else selectors.of_link(link).filter(pk=snapshot).first()
    if found is None:
        raise ProblemError("not-found", "There is no such snapshot.")
    return _out(found)
