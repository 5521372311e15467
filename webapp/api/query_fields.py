"""Query fields that an operation does not have are refused: a misspelt or misplaced `dry_run` must start nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from ninja.operation import Operation
from ninja.params.models import QueryModel

from webapp.api import problems
from webapp.api.problems import ProblemError

Run = Callable[..., Any]


def known_to(operation: Operation) -> tuple[str, ...]:
    """Names of the query fields that it reads."""
    names: list[str] = []
    for model in operation.models:
        if issubclass(model, QueryModel):
            flat = getattr(model, "__ninja_flatten_map__", None)
            names += flat or [field.alias or name for name, field in model.model_fields.items()]
    return tuple(names)


def refuse_unknown(run: Run) -> Run:
    """Decorator of all operations (ninja's mode *view*): what they do not read in a query is answered by 400."""
    operation: Operation = run.__self__  # type: ignore[attr-defined]  # ninja hands on the bound method of each
    known = known_to(operation)

    def refusal(request: HttpRequest) -> HttpResponseBase | None:
        for name in request.GET:
            if name not in known:
                error = ProblemError("bad-request", _sentence(name, known))
                return problems.answer(request, error)
        return None

    @wraps(run)
    def run_known(request: HttpRequest, **values: Any) -> HttpResponseBase:
        return refusal(request) or run(request, **values)

    @wraps(run)
    async def run_known_async(request: HttpRequest, **values: Any) -> HttpResponseBase:
        refused = refusal(request)
        return refused if refused is not None else await run(request, **values)

    return run_known_async if operation.is_async else run_known


def _sentence(name: str, known: tuple[str, ...]) -> str:
    there = f"it has {', '.join(known)}" if known else "it has none"
    return f"query.{name[:40]}: this operation has no such field; {there}. Nothing was done."
