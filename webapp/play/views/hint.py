"""A hint for the seat on turn: asked for, polled, cancelled."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from webapp.common.errors import RefusedError
from webapp.play import seat_labels
from webapp.play.visitors import visit
from webapp.table.live import hints


@never_cache
@require_http_methods(["GET", "POST"])
def hint(request: HttpRequest, code: str) -> JsonResponse:
    """Answer with the hint that there is (GET); by POST ask for one, with ``?cancel=1`` call it off.

    Answers ``{"hint": ...}`` as `seat_labels.label_hint` tells it, with 409 and `error` where it was refused.
    """
    table = visit(request, code)
    error: dict[str, str] = {}
    if request.method == "POST" and "cancel" in request.GET:
        hints.cancel(table.match, table.seats)
    elif request.method == "POST":
        try:
            hints.ask(table.match.pk, table.seats)
        except RefusedError as refused:
            error = {"error": str(refused)}
        table.match.refresh_from_db()
    return JsonResponse({"hint": seat_labels.label_hint(table), **error}, status=409 if error else 200)
