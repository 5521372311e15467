"""Errors of the lab and of the framework, as problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from django.http import Http404, HttpRequest, HttpResponse
from ninja.errors import HttpError
from ninja.errors import ValidationError as NinjaValidationError

from games.json_paths import Path, format_path
from webapp.api import problems, response_models
from webapp.api.problems import BY_STATUS, ProblemError
from webapp.api.schemas import NO_NUL, Problem
from webapp.api.selectors import present
from webapp.common.errors import RefusedError
from webapp.lab.quotas.services import OverQuotaError
from webapp.people.agents.kept_answers import KeyReusedError
from webapp.records.archive.errors import ArchiveError
from webapp.table.live.errors import IllegalError, NotYourTurnError, OverError, RepeatError, StaleError
from webapp.table.live.table_seats import Table
from worker.spec import SpecError

KIND_OF = {
    StaleError: "stale-ply",
    NotYourTurnError: "not-your-turn",
    IllegalError: "illegal-action",
    OverError: "match-not-running",
    RepeatError: "key-reused",
    KeyReusedError: "key-reused",
}


response_models.share()  # before an operation is declared, which asks for its problems


def problem_responses(*statuses: int) -> dict[int, type[Problem]]:
    """Responses that an operation may give beside its result, for its schema; 400, 413, 429 and 503 every one may."""
    return dict.fromkeys(sorted({400, 413, 429, 503, *statuses}), Problem)


def refusal(error: RefusedError, table: Table | None = None) -> ProblemError:
    """A wish that could not be granted; table: in which match, read anew."""
    kind = KIND_OF.get(type(error), "refused")
    return ProblemError(kind, str(error), present(table) if table is not None else {})


def invalid(place: str, message: str) -> ProblemError:
    """One value is not valid."""
    return ProblemError("invalid", f"{place}: {message}", {"errors": [{"place": place, "message": message}]})


def on_problem(request: HttpRequest, error: ProblemError) -> HttpResponse:
    """Answer an error that the API itself raised."""
    return problems.answer(request, error)


def on_refused(request: HttpRequest, error: RefusedError) -> HttpResponse:
    """A wish that cannot be granted."""
    return problems.answer(request, refusal(error))


def on_spec(request: HttpRequest, error: SpecError) -> HttpResponse:
    """A bad body that the lab's own checks found."""
    return problems.answer(request, invalid(format_path(("body", *error.path)), error.message))


def on_over_quota(request: HttpRequest, error: OverQuotaError) -> HttpResponse:
    """Something beyond what an account may have."""
    return problems.answer(request, ProblemError("over-quota", f"{error.message}."))


def on_missing(request: HttpRequest, error: Http404) -> HttpResponse:
    """Nothing there."""
    return problems.answer(request, ProblemError("not-found"))


def on_http(request: HttpRequest, error: HttpError) -> HttpResponse:
    """Answer a request that the framework refuses: a body that is not JSON."""
    return problems.answer(request, ProblemError(BY_STATUS.get(error.status_code, "bad-request"), str(error)))


def on_invalid(request: HttpRequest, error: NinjaValidationError) -> HttpResponse:
    """Values that do not fit their schema."""
    errors = [{"place": _place(row["loc"]), "message": _message(row)} for row in error.errors]
    detail = "; ".join(f"{row['place']}: {row['message']}" for row in errors[:3])
    return problems.answer(request, ProblemError("invalid", detail, {"errors": errors}))


def on_unreadable(request: HttpRequest, error: ArchiveError) -> HttpResponse:
    """Plies in a file of the archive that cannot be read."""
    return problems.answer(request, ProblemError("unreadable", error.sentence))


def on_crash(request: HttpRequest, error: Exception) -> NoReturn:
    """Anything else is for Django to log; the middleware makes a problem of its page."""
    raise error


def _message(row: Mapping[str, Any]) -> str:
    """What is wrong with a value; where the framework would show a pattern, in words."""
    return "must not hold the character NUL" if row.get("ctx", {}).get("pattern") == NO_NUL else str(row["msg"])


def _place(location: Path) -> str:
    """``body.seats[1].level``: without the parameter's name, and the form of a union or its validators."""
    parts = [part for part in location if not (isinstance(part, str) and part.startswith(("<", "function-")))]
    if parts[:2] == ["body", "data"]:
        del parts[1]
    return format_path(parts)


HANDLERS: Mapping[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
    ProblemError: on_problem,
    RefusedError: on_refused,
    SpecError: on_spec,
    OverQuotaError: on_over_quota,
    Http404: on_missing,
    HttpError: on_http,
    NinjaValidationError: on_invalid,
    ArchiveError: on_unreadable,
    Exception: on_crash,
}
