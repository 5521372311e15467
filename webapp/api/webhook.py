"""The webhook of a person: where a program is told that an experiment, ladder or study is over."""

from __future__ import annotations

from typing import Any

from ninja import Router
from ninja.responses import Status

from webapp.api import webhook_schemas
from webapp.api.auth import MAY_EXPERIMENT, MAY_READ_RESEARCH, PersonRequest
from webapp.api.errors import invalid, problem_responses
from webapp.api.examples import body
from webapp.api.problems import ProblemError
from webapp.people.accounts.models import User
from webapp.table.hooks import addresses, selectors, services
from webapp.table.hooks.addresses import AddressError
from webapp.table.hooks.models import Delivery, Hook

router = Router(tags=["Webhook"])


def _hook(owner: User) -> Hook:
    found = Hook.objects.filter(owner=owner).first()
    if found is None:
        raise ProblemError("not-found", "You have no webhook: PUT /webhook sets one.")
    return found


@router.get(
    "/webhook",
    auth=MAY_READ_RESEARCH,
    response={200: webhook_schemas.HookOut, **problem_responses(401, 403, 404)},
    summary="My webhook and its last deliveries",
)
def see_webhook(request: PersonRequest) -> Any:
    """Where it leads, and what came of the last notices."""
    hook = _hook(request.auth.owner)
    rows = [_delivery(row.delivery) for row in selectors.last_deliveries(hook)]
    return {"url": hook.url, "created_at": hook.created_at, "deliveries": rows}


def _delivery(row: Delivery) -> dict[str, Any]:
    names = ("event", "status", "attempts", "answer", "problem", "created_at")
    return {"delivery": str(row.pk), **{name: getattr(row, name) for name in names}}


@router.put(
    "/webhook",
    auth=MAY_EXPERIMENT,
    response={200: webhook_schemas.HookSet, **problem_responses(401, 403, 422)},
    summary="Set my webhook",
    openapi_extra=body(public_address={"url": "https://notebook.example.org/lab"}),
)
def set_webhook(request: PersonRequest, data: webhook_schemas.HookIn) -> Any:
    """Set where to POST a notice, a few seconds after an experiment, ladder or study of yours has finished or stopped.

    The body names it: {"delivery": …, "event": "finished", "user": …, "job": {"kind", "number", "title", "status",
    "address", "page"}}. Meeple-Signature is sha256= and the HMAC-SHA256, with the secret, of Meeple-Timestamp, a dot
    and the body. Answer with 2xx within 10 seconds; else it is tried again after 5 s, 30 s, 2 min, 10 min and 1 h. One
    may come twice: drop those whose delivery you know. Only https to the public internet, but for hosts that the
    operator allows. The secret is in this answer alone, and only where the address is a new one.
    """
    try:
        addresses.check(data.url)
    except AddressError as error:
        raise invalid("body.url", str(error)) from None
    hook, secret = services.set_up_own(request.auth.owner, data.url)
    return {"url": hook.url, "secret": secret or None}


@router.post(
    "/webhook/test",
    auth=MAY_EXPERIMENT,
    response={202: None, **problem_responses(401, 403, 404, 409)},
    summary="Send a test to my webhook",
)
def test_webhook(request: PersonRequest) -> Any:
    """Put a test in the queue; GET /webhook shows what came of it. 409 where one was sent a moment ago."""
    services.send_test(_hook(request.auth.owner))
    return Status(202, None)


@router.delete(
    "/webhook",
    auth=MAY_EXPERIMENT,
    response={204: None, **problem_responses(401, 403)},
    summary="Remove my webhook",
)
def remove_webhook(request: PersonRequest) -> Any:
    """Tell nothing any more. Setting it again gives a new secret."""
    services.remove_own(request.auth.owner)
    return Status(204, None)
