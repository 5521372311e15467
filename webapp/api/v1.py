"""The API, version 1: its operations, its errors, its schema."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

from webapp.api import (
    account,
    answers,
    comparison,
    dictionary,
    examples,
    job_results,
    job_steering,
    jobs,
    ladders,
    library,
    matches,
    me,
    presets,
    projects,
    query_fields,
    snapshots,
    strategies,
    verification,
    webhook,
)
from webapp.api.errors import HANDLERS
from webapp.api.problems import MEDIA_TYPE

DESCRIPTION = """\
**To play**, as an *agent*: send the header `Authorization: Bearer mlab_…` with a token of your agent; games, levels
and engines need none. `GET /turns?wait=20` tells where you are on turn, `GET /matches/{code}` shows the position and
the legal actions, `POST /matches/{code}/actions` plays one.

**For research**: send `Authorization: Bearer mlabp_…` with a token of your account. `POST /experiments` starts an
experiment by its spec (`?dry_run=true` says first what it would take), `GET /experiments/{number}?wait=25` answers
when it is over, `GET /experiments/{number}/result` has every number of its page,
`GET /experiments/{number}/export/matches.parquet` its matches (`GET /columns` says what each column means), and
`GET /compare` sets several beside each other, pooled where they ask the same. `PATCH /experiments/{number}` changes
title, notes and tags, and `GET /experiments?tag=uct&q=bias` finds them. Ladders and studies likewise. The scope *read*
sees all of that, *experiment* starts, steers, describes, shares and deletes.

**Sending again** is safe: with a header `Idempotency-Key` of your own a request is carried out once.

**Quotas** are those of your pages: `GET /account` says what is used of each. What is beyond one is refused with a
sentence (*over-quota*); a dry run tells before.

In the command lines below `$LAB` is the address of the lab and `$LAB_TOKEN` a token.

Errors are problem details (RFC 9457) whose `type` is the address of a page that explains them. A request may have
64 KB, a token 3,000 requests a minute; those that wait for a second or more are not counted.
"""


class Explorer(DocsBase):
    """The page on which the schema is read and tried, from files of our own."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        """Draw the page."""
        settings = {"url": self.get_openapi_url(api, kwargs), "layout": "BaseLayout", "deepLinking": True}
        return render(request, "api/explorer.html", {"explorer_settings": settings})


class LabApi(NinjaAPI):
    """The API with its own errors in the schema."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._schemas: dict[str, Any] = {}

    def set_default_exception_handlers(self) -> None:
        """All errors are problems."""
        for error, handler in HANDLERS.items():
            self.add_exception_handler(error, handler)

    def get_openapi_schema(self, **kwargs: Any) -> Any:
        """The schema, made once for each address: that takes a CPU second, and its page waits for it."""
        asked = repr(sorted(kwargs.items()))
        if asked not in self._schemas:
            self._schemas[asked] = self._make_schema(**kwargs)
        return self._schemas[asked]

    def _make_schema(self, **kwargs: Any) -> Any:
        """Errors under their own media type, with a command line for each operation and an example of each answer."""
        schema = super().get_openapi_schema(**kwargs)
        for path, operations in schema["paths"].items():
            for method, operation in operations.items():
                line = examples.command(method, path, operation)
                operation["description"] = f"{operation.get('description', '')}\n\n```sh\n{line}\n```".strip()
                for status, response in operation["responses"].items():
                    if int(status) >= 400:
                        response["content"] = {MEDIA_TYPE: response["content"].popitem()[1]}
                    else:
                        answers.show(response.get("content", {}))
        return schema


api = LabApi(
    title="Meeple Lab",
    version="1",
    description=DESCRIPTION,
    docs=Explorer(),
    urls_namespace="api-v1",
)
api.add_decorator(query_fields.refuse_unknown, mode="view")
api.add_router("", library.router)
api.add_router("", me.router)
api.add_router("", matches.router)
api.add_router("", account.router)
api.add_router("", jobs.router)
api.add_router("", job_results.router)
api.add_router("", comparison.router)
api.add_router("", dictionary.router)
api.add_router("", verification.router)
api.add_router("", ladders.router)
api.add_router("", snapshots.router)
api.add_router("", job_steering.router)
api.add_router("", presets.router)
api.add_router("", projects.router)
api.add_router("", strategies.router)
api.add_router("", webhook.router)
