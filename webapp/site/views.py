"""Start page, games, engines, and the state of the system."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import registry as game_registry
from webapp.common import lessons
from webapp.lab.watch import condition
from webapp.lab.watch.recording import recording
from webapp.people.accounts.requests import UserRequest
from webapp.people.audit import services as audit
from webapp.records import orders
from webapp.site import library, selectors, stored_chart, worker_list

WORKERS_POLL_S = 5


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """The start page: games to play, a real result, and numbers where there is something to count."""
    featured, others = selectors.front()
    context = {
        "stored": None if featured else stored_chart.context(),
        "numbers": selectors.numbers(),
        "featured": featured,
        "others": others,
        "games": library.games(),
    }
    return render(request, "site/start.html", context)


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """All games."""
    return render(request, "site/games.html", {"games": library.games()})


@require_safe
def game(request: HttpRequest, game_id: str) -> HttpResponse:
    """One game for players: its rules in pictures, and the ways to begin."""
    found = _game(game_id)
    return render(request, "site/game.html", {"game": found, "sheet": lessons.usual_sheet(game_registry.get(game_id))})


@require_safe
def exact(request: HttpRequest, game_id: str) -> HttpResponse:
    """One game for researchers: exact rules as played here, options, traits, what is counted, who plays it."""
    return render(request, "site/exact.html", {"game": _game(game_id)})


def _game(game_id: str) -> library.GamePage:
    if game_id not in game_registry.ids():
        raise Http404(f"no game {game_id}")
    return library.game(game_id)


@require_safe
def engines(request: HttpRequest) -> HttpResponse:
    """All engines, or those that play one game."""
    games = game_registry.ids()
    wanted = request.GET.get("game", "")
    game = wanted if wanted in games else ""
    shown = [engine for engine in library.engines() if not game or game in [each for each, _ in engine.games]]
    return render(request, "site/engines.html", {"engines": shown, "games": games, "game": game})


@require_safe
def engine(request: HttpRequest, engine_id: str) -> HttpResponse:
    """One engine: what it does, its options and budgets, the games it plays."""
    if not library.is_engine(engine_id):
        raise Http404(f"no engine {engine_id}")
    return render(request, "site/engine.html", {"engine": library.engine(engine_id)})


@require_safe
def judging(request: HttpRequest) -> HttpResponse:
    """The page on how numbers on result pages are made and what they mean."""
    return render(request, "site/judging.html")


@never_cache
@login_required
@require_safe
def workers(request: UserRequest) -> HttpResponse:
    """What each worker process does; the table alone for a script that asks again."""
    template = "site/_workers.html" if request.htmx else "site/workers.html"
    return render(request, template, {"workers": worker_list.workers(request.user), "poll_s": WORKERS_POLL_S})


@login_required
@require_POST
def order_workers(request: UserRequest) -> HttpResponse:
    """Staff have the workers of one machine, or of all, drain, begin anew one by one, or take work again."""
    if not request.user.is_staff:
        raise PermissionDenied
    order, host = request.POST.get("order", ""), request.POST.get("machine", "")
    if order not in orders.Order.values:
        raise Http404(f"no order {order!r}")
    orders.give(order, host)
    audit.note(request.user, f"ordered: {order or 'resume'}", "workers", host or "all machines")
    return redirect("site:workers")


@never_cache
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """The condition of the lab; 503 where pages cannot be served or nothing is recorded.

    JSON for programs, words for browsers.
    """
    found = condition.read()
    status = 200 if found.is_ok else 503
    if request.get_preferred_type(["application/json", "text/html"]) == "text/html":
        if found.parts["database"] == "down":  # who is signed in, and what they were told, stands in it
            request.user, request.session = AnonymousUser(), SessionStore()
        return render(request, "site/health.html", {"found": found, "state": found.parts}, status=status)
    return JsonResponse(found.as_json(), status=status)


@never_cache
@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """Whether this process answers: nothing else is asked. One that does not is to be started anew."""
    return JsonResponse({"ok": True})


@never_cache
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Whether pages can be shown here: 503 where the database does not answer, and a proxy should ask elsewhere."""
    verdict = recording.verdict()
    sentence = "Pages can be shown." if verdict.answers else verdict.sentence
    return JsonResponse({"ok": verdict.answers, "sentence": sentence}, status=200 if verdict.answers else 503)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Numbers for Prometheus; nothing is here unless the settings say who may read them."""
    if not settings.LAB_METRICS:
        raise Http404("no metrics")
    from webapp.lab.watch import metrics as numbers  # its client counts in files: only where they are wanted

    if not numbers.may_read(request):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(numbers.text(), content_type=numbers.CONTENT_TYPE)
