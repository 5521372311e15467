"""Watch engines: a match of two levels, played before one's eyes from its first ply on."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from engines import levels as engine_levels
from engines.levels import Level
from games import registry as game_registry
from games.protocol import Game
from webapp.common.table_size import default_num_seats
from webapp.lab.experiments import services as experiments
from webapp.lab.jobs.selectors import url
from webapp.people.accounts.models import User
from webapp.play import level_cards, quick_start
from webapp.play.level_cards import LevelCard
from webapp.records.models import Experiment
from worker import spec as specs
from worker.spec import SpecError

SIDES = ("one", "other")
MOST_SEED = 2**31


@dataclass(frozen=True)
class Side:
    """One of the two sides: its field, its label, its level."""

    name: str
    label: str
    chosen: str


@require_http_methods(["GET", "HEAD", "POST"])
def watch(request: HttpRequest) -> HttpResponse:
    """The form; sent, the match is played as an experiment of its own, and its page shows it."""
    data = request.POST if request.method == "POST" else request.GET
    playable = [game_id for game_id in game_registry.ids() if engine_levels.for_game(game_id)]
    game_id = data.get("game", "")
    game = game_registry.get(game_id if game_id in playable else playable[0])
    known = [card.level.id for card in level_cards.cards(game.id)]
    usual = (known[-2 if len(known) > 2 else 0], level_cards.opening_level(game.id))
    chosen = [data[name] if data.get(name) in known else level for name, level in zip(SIDES, usual, strict=True)]
    error = ""
    if request.method == "POST":
        if not isinstance(request.user, User):
            return redirect(f"{reverse('accounts:login')}?next={reverse('play:watch')}%3Fgame={game.id}")
        try:
            return redirect(url(_begin(request.user, game, chosen, data.get("submission", ""))))
        except SpecError as refused:
            error = f"{refused}."
    return render(request, "play/watch.html", _context(game, playable, chosen) | {"error": error})


def _context(game: Game, playable: list[str], chosen: list[str]) -> dict[str, Any]:
    labels = ("One team", "The other team") if game.traits.has_teams else ("One engine", "The other")
    cards: list[LevelCard] = level_cards.cards(game.id)
    return {
        "game": game,
        "games": [game_registry.get(game_id) for game_id in playable],
        "cards": cards,
        "sides": [Side(*each) for each in zip(SIDES, labels, chosen, strict=True)],
        "submission": uuid.uuid4(),
    }


def _begin(owner: User, game: Game, chosen: list[str], submission: str) -> Experiment:
    """The match, by the rules that play begins with. Raises SpecError."""
    try:
        number = uuid.UUID(submission)
    except ValueError:
        number = uuid.uuid4()
    one, other = (engine_levels.get(game.id, level_id) for level_id in chosen)
    seats = [one if seat % 2 == 0 else other for seat in range(default_num_seats(game.traits))]
    rules = quick_start.builder(None, game.id, other.id, quick_start.COMPANIES[0]).rules
    rules.is_valid()
    spec = specs.from_json(
        {
            "version": 1,
            "game": game.id,
            "options": rules.to_json(),
            "seats": len(seats),
            "arms": [{"name": _title(one, other), "seats": [_seat(level) for level in seats]}],
            "deals": 1,
            "rotation": "none",
            "seed": number.int % MOST_SEED,  # the same form sent twice asks for the same match
        }
    )
    title = f"{game.label}: {_title(one, other)}"
    return experiments.create(owner, title, spec, Experiment.Kind.MATCH, number)


def _title(one: Level, other: Level) -> str:
    return f"{one.label} against {other.label}"


def _seat(level: Level) -> dict[str, Any]:
    return {"engine": level.engine, "options": level.options, "budget": level.budget}
