"""Every error of the API: RFC 9457 problem details, each kind explained on a page of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

PREFIX = "/api/v1/"
MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True)
class Kind:
    """A kind of error. meaning: what happened and what to do, for the page that lists them."""

    id: str
    status: int
    title: str
    meaning: str


KINDS = {
    kind.id: kind
    for kind in (
        Kind(
            "bad-request",
            400,
            "The request cannot be read",
            "The body is not JSON, a header is broken, or the query has a field that this operation does not know. "
            "Send JSON with Content-Type application/json, and the fields that the reference names.",
        ),
        Kind(
            "no-token",
            401,
            "A token is needed",
            "Send the header Authorization: Bearer mlab_… with a token of your agent, or mlabp_… with one of your "
            "account for experiments, ladders, studies and strategies.",
        ),
        Kind(
            "bad-token",
            401,
            "The token is not valid",
            "It is mistyped or revoked, or its agent is retired. Make a new one on the agent's page, or under Tokens.",
        ),
        Kind(
            "wrong-token",
            403,
            "The token is of the other sort",
            "An agent's token (mlab_…) plays; a token of your account (mlabp_…) does research: experiments, ladders, "
            "studies, strategies. Each has its own page.",
        ),
        Kind(
            "missing-scope",
            403,
            "The token may not do this",
            "The token was made without the scope that is named. Make one that has it.",
        ),
        Kind(
            "not-found",
            404,
            "There is nothing here",
            "The address is wrong, or names something that does not exist or that this token may not see.",
        ),
        Kind(
            "method-not-allowed",
            405,
            "The method is not allowed here",
            "The header Allow names the methods of this address.",
        ),
        Kind(
            "stale-ply",
            409,
            "The match has moved on",
            "The action was meant for another ply than the present one, which stands beside this as ply. "
            "Nothing was played. Read the state again.",
        ),
        Kind(
            "not-your-turn",
            409,
            "Another seat is on turn",
            "Wait for your turn: GET /turns?wait=20, or the state of the match with its version and wait.",
        ),
        Kind(
            "match-not-running",
            409,
            "The match is not running",
            "It is still waiting for players, or it is over; status says which.",
        ),
        Kind(
            "match-not-over",
            409,
            "The match is not over yet",
            "Traces hold all the luck of a match, so they are given when it is over.",
        ),
        Kind(
            "key-reused",
            409,
            "The key belongs to another request",
            "A key names one request, so that sending it again does no harm. Take a new key for each action, match, "
            "experiment or strategy.",
        ),
        Kind(
            "over-quota",
            409,
            "It is more than your account may have",
            "The sentence in detail says of what, how much is left, and what to do. GET /account shows all quotas; a "
            "dry run tells before. Nothing was started.",
        ),
        Kind(
            "unconfirmed",
            409,
            "Something so large has to be confirmed",
            "It would take more than a day of the lab, or more than ten gigabytes. Make it smaller, or send it again "
            "with confirm as it stands beside this.",
        ),
        Kind(
            "refused",
            409,
            "This cannot be done now",
            "The sentence in detail says why. Nothing has changed.",
        ),
        Kind(
            "length-required",
            411,
            "The length of the body is needed",
            "Send the header Content-Length; bodies in chunks are not taken.",
        ),
        Kind("too-large", 413, "The body is too large", "Bodies of requests are at most 64 KB."),
        Kind(
            "illegal-action",
            422,
            "The rules do not allow this action",
            "Choose one of the actions that the state of the match lists on your turn.",
        ),
        Kind(
            "invalid",
            422,
            "A value is not valid",
            "Each row of errors names the place (such as body.seats[1].level) and says what is allowed.",
        ),
        Kind(
            "too-many-requests",
            429,
            "Too many requests",
            "Wait for the seconds of the header Retry-After: to the next minute, or to midnight in UTC where all "
            "requests that your programs may make on a day are used up. Long-polls (wait=20) need far fewer.",
        ),
        Kind(
            "internal-error",
            500,
            "Something broke on our side",
            "It is noted in the log of the server. The same request may work later; actions with a key are safe "
            "to send again.",
        ),
        Kind(
            "unreadable",
            503,
            "The plies cannot be read just now",
            "They are in a file of the archive that is missing or damaged; the operator has been told.",
        ),
        Kind(
            "busy",
            503,
            "The lab is busy",
            "Nothing was done: all places were taken by other requests. Send it again after the seconds of the header "
            "Retry-After.",
        ),
    )
}

BY_STATUS = {
    400: "bad-request",
    401: "no-token",
    403: "missing-scope",
    404: "not-found",
    405: "method-not-allowed",
    411: "length-required",
    413: "too-large",
    429: "too-many-requests",
    500: "internal-error",
    503: "busy",
}
"""Kinds of problems that stand for an answer that Django gave before or beside the API."""


@dataclass
class ProblemError(Exception):
    """An error on its way out. extra: members beside those of every problem; headers: of the answer."""

    kind: str
    detail: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


def answer(request: HttpRequest, problem: ProblemError) -> HttpResponse:
    """The response that tells of a problem."""
    kind = KINDS[problem.kind]
    body = _body(kind, type_uri(request, kind.id), problem.detail) | dict(problem.extra)
    return HttpResponse(
        json.dumps(body), status=kind.status, content_type=MEDIA_TYPE, headers=dict(problem.headers) or None
    )


def busy(wait_s: int) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of the answer to a request that was not let in; nothing is asked for it."""
    kind = KINDS["busy"]
    body = _body(kind, f"{reverse('api:problems')}#{kind.id}", "") | {"retry_after_s": wait_s}
    headers = {"Content-Type": MEDIA_TYPE, "Retry-After": str(wait_s), "Cache-Control": "no-store"}
    return kind.status, headers, json.dumps(body).encode()


def _body(kind: Kind, uri: str, detail: str) -> dict[str, Any]:
    return {"type": uri, "title": kind.title, "status": kind.status, "detail": detail or kind.meaning}


def type_uri(request: HttpRequest, kind_id: str) -> str:
    """Address of the page that explains a kind; without host where the request named a bad one."""
    path = f"{reverse('api:problems')}#{kind_id}"
    try:
        return request.build_absolute_uri(path)
    except DisallowedHost:
        return path
