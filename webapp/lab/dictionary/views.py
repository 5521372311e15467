"""The data dictionary: what all tables have, and the metrics of each game."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import registry as game_registry
from webapp.lab.dictionary import tables


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All tables; what only one game counts is on the page of that game."""
    listed = tables.tables()
    context = {
        "tables": [_shared(table) for table in listed if not table.study],
        "studies": [table for table in listed if table.study],
        "games": [(game, len(game.metric_table)) for game in tables.games()],
    }
    return render(request, "dictionary/index.html", context)


def _shared(table: tables.Table) -> dict[str, object]:
    return {
        "table": table,
        "entries": [entry for entry in table.entries if not entry.group],
        "has_metrics": any(entry.group for entry in table.entries),
    }


@require_safe
def game(request: HttpRequest, game_id: str) -> HttpResponse:
    """The metrics of one game, group by group."""
    if game_id not in game_registry.ids():
        raise Http404(f"no game {game_id}")
    found = game_registry.get(game_id)
    entries = tables.metrics(found)
    groups: dict[str, list[tables.Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    context = {"game": found, "groups": groups.items(), "num_metrics": len(entries)}
    return render(request, "dictionary/game.html", context)
