"""The rules that a match plays, for the drawer beside its board."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games import registry as game_registry
from games import rule_sets
from games.options import OptionError
from webapp.common import lessons
from webapp.play.visitors import visit


@cache_control(private=True, max_age=3600)
@require_safe
def rules(request: HttpRequest, code: str) -> HttpResponse:
    """Pictures and sentences by the options of the match."""
    match = visit(request, code).match
    game = game_registry.get(match.game)
    try:
        name = rule_sets.name_of(game, match.options)
    except OptionError:  # of an older version
        name = ""
    context = {"game": game, "rules_name": name, "sheet": lessons.sheet(game, match.options, match.num_seats)}
    return render(request, "play/_rules_sheet.html", context)
