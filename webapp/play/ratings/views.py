"""Boards, players' histories, and engines against people."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from games import registry
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.play.ratings import charts, people, scale, selectors
from webapp.play.ratings.models import Rating
from webapp.table.live import rated_rules
from worker.presets import human_tests


@require_safe
def boards(request: HttpRequest) -> HttpResponse:
    """The board of the game that is rated most."""
    played = [(Rating.objects.filter(game=game_id).count(), game_id) for game_id in registry.ids()]
    return redirect("ratings:board", max(played, key=lambda found: found[0])[1])


@require_safe
def board(request: HttpRequest, game_id: str) -> HttpResponse:
    """The page with the ratings of a game."""
    if game_id not in registry.ids():
        raise Http404(f"no game {game_id}")
    pools = rated_rules.pools(game_id)
    asked = request.GET.get("rules", "")
    pool = asked if asked in pools else selectors.usual_pool(game_id)
    rows = selectors.board(game_id, pool, _reader(request))
    game = registry.get(game_id)
    context = {
        "game": game,
        "pool": pool,
        "rules": rated_rules.POOLS[pool],
        "pools": [(one, rated_rules.POOLS[one]) for one in pools],
        "rules_summary": game.presets[rated_rules.POOLS[pool]].summary if game.presets else "",
        "is_measured": all(row.is_measured for row in rows),
        "games": [registry.get(one) for one in registry.ids()],
        "rows": rows,
        "num_players": sum(row.place > 0 for row in rows),
        "start": scale.MEAN,
        "unsure": round(selectors.UNSURE),
    }
    return render(request, "ratings/board.html", context)


@require_safe
def person(request: HttpRequest, name: str) -> HttpResponse:
    """A person's ratings; who has none is not to be found here, but by themselves."""
    found = get_object_or_404(User, username=name, is_guest=False, is_active=True)
    return _player(request, found, is_own=found == request.user)


@require_safe
def agent(request: HttpRequest, name: str) -> HttpResponse:
    """An agent's ratings."""
    found = get_object_or_404(Agent.objects.select_related("owner"), name=name)
    return _player(request, found, is_own=found.owner == request.user)


def _player(request: HttpRequest, who: User | Agent, *, is_own: bool) -> HttpResponse:
    found = selectors.histories(who, _reader(request))
    if not found and not is_own:
        raise Http404("no ratings")
    context = {"who": who, "is_agent": isinstance(who, Agent), "is_own": is_own, "shown": charts.history_figures(found)}
    return render(request, "ratings/player.html", context)


@require_safe
def against_people(request: HttpRequest) -> HttpResponse:
    """The page with results of engines against people here, beside what the papers say of theirs."""
    context = {"rows": people.rows(), "most": people.MOST, "tests": human_tests.TESTS}
    return render(request, "ratings/against_people.html", context)


def _reader(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None
