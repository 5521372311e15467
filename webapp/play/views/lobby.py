"""The lobby: play now, go on, sit down with others, watch."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from engines import levels as engine_levels
from games import registry as game_registry
from games.protocol import Game
from webapp.common.requests import HtmxRequest
from webapp.common.table_size import default_num_seats
from webapp.people.accounts import guests
from webapp.people.accounts.models import User
from webapp.play import guide, level_cards, match_start, selectors
from webapp.play.level_cards import LevelCard

POLL_S = 4


@dataclass(frozen=True)
class PlayNow:
    """One game that can be begun by a click; chosen: id of the level offered first."""

    game: Game
    levels: list[LevelCard]
    chosen: str
    submission: uuid.UUID
    has_guide: bool = False

    @property
    def terms(self) -> str:
        """The table that is begun, in words."""
        traits = self.game.traits
        if not traits.has_teams:
            return "Two seats, aids on, who starts is drawn."
        partners = default_num_seats(traits) // 2
        return f"Two teams of {partners}, your partner is an engine of the same level; aids on, seats drawn."


def play_now(person: User | None) -> list[PlayNow]:
    """The games that have levels."""
    offers = []
    for game_id in game_registry.ids():
        if cards := level_cards.cards(game_id):
            last = selectors.last_level(person, game_id)
            known = [card.level.id for card in cards]
            chosen = last if last in known else level_cards.opening_level(game_id)
            game = game_registry.get(game_id)
            offers.append(PlayNow(game, cards, chosen, uuid.uuid4(), guide.is_offered(person, game)))
    return offers


@require_safe
def lobby(request: HtmxRequest) -> HttpResponse:
    """The page; for htmx the lists alone, which change while one looks."""
    person = guests.person(request)
    mine = selectors.current_matches(person) if person is not None else []
    context: dict[str, Any] = {
        "poll_s": POLL_S,
        "person": person,
        "is_guest": person is None or person.is_guest,
        "mine": mine,
        "my_turn": [line for line in mine if line.is_my_turn],
        "open_seats": selectors.list_open_matches(person),
        "watchable": selectors.watchable_matches(person),
    }
    if request.htmx:
        return render(request, "play/_lobby.html", context)
    return render(request, "play/lobby.html", context | {"offers": play_now(person)})


@require_POST
def now(request: HttpRequest) -> HttpResponse:
    """Begin a match against a level at once, and go to it; a guided one is against the weakest."""
    game_id, level_id = request.POST.get("game", ""), request.POST.get("level", "")
    is_guided = request.POST.get("guided") == "1"
    try:
        level = engine_levels.for_game(game_id)[0] if is_guided else engine_levels.get(game_id, level_id)
        submission = uuid.UUID(request.POST.get("submission", ""))
    except (KeyError, IndexError, ValueError):
        messages.warning(request, "That form was not complete. Choose a level and start again.")
        return redirect("play:lobby")
    try:
        content = {"game": game_id, "level": level_id, "guided": str(is_guided)}
        setup = match_start.against(game_id, level, first=is_guided)
        match = match_start.start(request, setup, submission, content)
    except match_start.BusyError as error:
        messages.warning(request, str(error))
        return redirect("play:match", code=error.match.code) if error.match else redirect("play:mine")
    if is_guided and (person := guests.person(request)) is not None:
        guide.begin(person, match)
    return redirect("play:match", code=match.code)
