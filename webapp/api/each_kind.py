"""Operations that experiments, ladders and studies have alike: written once, with an address of each kind."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from ninja import Router

from webapp.lab.jobs import registry
from webapp.lab.jobs.kind import JobKind

View = Callable[..., Any]
KINDS = ("experiment", "ladder", "study")
"""In the order of the reference."""
ARTICLES = {"experiment": "an experiment", "ladder": "a ladder", "study": "a study"}


@dataclass(frozen=True)
class Operation:
    """What an operation is for every kind. summary: with "{one}" and "{many}"; extra: of the schema, by kind."""

    method: str
    path: str
    summary: str
    auth: Any
    response: Any
    kinds: Sequence[str] = KINDS
    extra: Mapping[str, dict[str, Any]] = field(default_factory=dict)


def each_kind(router: Router, operation: Operation) -> Callable[[View], View]:
    """Decorator: add an operation for each kind of job to a router.

    The function takes the request, the `JobKind`, and what the address, query and body hold.
    """

    def decorate(view: View) -> View:
        for word in operation.kinds:
            plural = registry.get(word).plural
            router.add_api_operation(
                f"/{plural}{operation.path}",
                [operation.method],
                _bound(view, word),
                auth=operation.auth,
                response=operation.response,
                operation_id=f"{view.__name__}_{word}",
                summary=operation.summary.format(one=ARTICLES[word], many=plural),
                tags=[plural.capitalize()],
                openapi_extra=operation.extra.get(word),
            )
        return view

    return decorate


def _bound(view: View, word: str) -> View:
    """The view of one kind; its signature is that of the function without the kind."""
    signature = inspect.signature(view, eval_str=True)
    request, _, *others = signature.parameters.values()

    if inspect.iscoroutinefunction(view):

        @wraps(view)
        async def bound_async(request: Any, **values: Any) -> Any:
            return await view(request, _kind(word), **values)

        found: View = bound_async
    else:

        @wraps(view)
        def bound(request: Any, **values: Any) -> Any:
            return view(request, _kind(word), **values)

        found = bound
    found.__signature__ = signature.replace(parameters=[request, *others])  # type: ignore[attr-defined]  # ninja reads it
    return found


def _kind(word: str) -> JobKind:
    return registry.get(word)
