"""Ready phrases: one is said, and how somebody wants to read them is kept."""

from __future__ import annotations

import json
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from webapp.common.errors import RefusedError
from webapp.common.limits import TooManyError
from webapp.people.accounts import guests
from webapp.play import talk
from webapp.play.visitors import visit
from webapp.table.live import phrases

LARGEST_BODY = 200


@never_cache
@require_POST
def say(request: HttpRequest, code: str) -> HttpResponse:
    """Say a phrase: ``{"phrase": "thanks"}``. It comes to all with the next state; refused with a sentence by 409."""
    table = visit(request, code)
    try:
        phrases.say(table.match.pk, table.own, str(_body(request).get("phrase")))
    except KeyError:
        raise BadRequest("There is no such phrase.") from None
    except TooManyError as refused:
        return JsonResponse({"error": str(refused)}, status=429, headers={"Retry-After": str(refused.wait_s)})
    except RefusedError as refused:
        return JsonResponse({"error": str(refused)}, status=409)
    return HttpResponse(status=204)


@never_cache
@require_POST
def hear(request: HttpRequest, code: str) -> HttpResponse:
    """Keep how phrases are read: ``{"language": "de"}``, ``{"phrases": false}``. A visitor has nothing to keep."""
    visit(request, code)
    wanted = _body(request)
    if (person := guests.person(request)) is not None:
        try:
            talk.choose(person, wanted)
        except ValueError as error:
            raise BadRequest(str(error)) from None
    return HttpResponse(status=204)


def _body(request: HttpRequest) -> dict[str, Any]:
    """The JSON object that was sent. Raises BadRequest."""
    try:
        found = json.loads(request.body) if len(request.body) <= LARGEST_BODY else None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise BadRequest("A short JSON object is asked for.")
    return found
