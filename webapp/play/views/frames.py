"""What happened between two plies of a match, picture by picture."""

from __future__ import annotations

import orjson
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.json_paths import PathError
from webapp.play import frames
from webapp.play.visitors import visit
from webapp.table.live.position_cache import MovedError


@never_cache
@require_safe
def between(request: HttpRequest, code: str) -> HttpResponse:
    """Boards after each ply: ``?after=12&until=15``. Answers ``{"frames": [...]}``, empty where the match moved on."""
    table = visit(request, code)
    try:
        after, until = (int(request.GET.get(name, "")) for name in ("after", "until"))
        found = [frame.to_json() for frame in frames.frames(table, after, until)]
    except (ValueError, PathError) as error:
        raise BadRequest(str(error)) from None
    except MovedError:
        found = []
    return HttpResponse(orjson.dumps({"frames": found}), "application/json")
