"""My matches: running, waiting, over."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import registry as game_registry
from webapp.common.requests import HtmxRequest
from webapp.people.accounts import guests
from webapp.play import selectors
from webapp.table.live.models import LiveMatch

PAGE = 20
POLL_S = 4


@require_safe
def my_matches(request: HtmxRequest) -> HttpResponse:
    """The page; for htmx what is open or running, which changes while one looks."""
    person = guests.person(request)
    going = selectors.current_matches(person) if person is not None else []
    context = {
        "poll_s": POLL_S,
        "is_guest": person is None or person.is_guest,
        "running": [line for line in going if line.match.status == LiveMatch.Status.RUNNING],
        "waiting": [line for line in going if line.match.status == LiveMatch.Status.OPEN],
    }
    if request.htmx:
        return render(request, "play/_going.html", context)
    game_id = request.GET.get("game", "")
    if game_id not in game_registry.ids():
        game_id = ""
    over = selectors.past_matches(person, game_id) if person is not None else LiveMatch.objects.none()
    page = Paginator(over, PAGE).get_page(request.GET.get("page"))
    context |= {
        "page": page,
        "over": selectors.lines(page, person),
        "game_id": game_id,
        "games": [(key, game_registry.get(key).label) for key in game_registry.ids()],
    }
    return render(request, "play/mine.html", context)
