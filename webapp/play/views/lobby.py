"""The lobby: play now, go on, sit down with others, watch."""

from __future__ import annotations

import secrets
import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST, require_safe

from engines import levels as engine_levels
from games import registry as game_registry
from games.protocol import Game
from webapp.common import gate, made_once, shared_pages
from webapp.common.requests import HtmxRequest
from webapp.common.table_size import default_num_seats
from webapp.people.accounts import guests
from webapp.people.accounts.models import User
from webapp.play import guide, level_cards, match_start, selectors
from webapp.play.level_cards import LevelCard

POLL_S = 4
TOKEN = secrets.token_hex(24)
"""Stands in a page that is made for many where each has a token of their own."""


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
    last_levels, guided = selectors.last_levels(person), guide.offered_games(person)
    for game_id in game_registry.ids():
        if cards := level_cards.cards(game_id):
            last = last_levels.get(game_id, "")
            known = [card.level.id for card in cards]
            chosen = last if last in known else level_cards.opening_level(game_id)
            game = game_registry.get(game_id)
            offers.append(PlayNow(game, cards, chosen, uuid.uuid4(), game_id in guided))
    return offers


@require_safe
def lobby(request: HtmxRequest) -> HttpResponse:
    """The page; for htmx the lists alone, which change while one looks."""
    person, since = guests.person(request), gate.arrived(request)
    if person is None and not request.htmx and shared_pages.is_for_all(request):
        return _for_unknown(request, since)
    context = _lists(person, since)
    if request.htmx:
        return render(request, "play/_lobby.html", context)
    return render(request, "play/lobby.html", context | {"offers": play_now(person)})


def _lists(person: User | None, since: float) -> dict[str, Any]:
    """The context of the lists."""
    mine = selectors.current_matches(person) if person is not None else []
    return {
        "poll_s": POLL_S,
        "person": person,
        "is_guest": person is None or person.is_guest,
        "mine": mine,
        "my_turn": [line for line in mine if line.is_my_turn],
        "open_seats": selectors.list_open_matches(person, since),
        "watchable": selectors.watchable_matches(person, since),
    }


def _for_unknown(request: HtmxRequest, since: float) -> HttpResponse:
    """The page for somebody of whom nothing is known: the same for all of them but what each form is known by."""

    def page() -> tuple[str, list[str]]:
        offers = play_now(None)
        context = _lists(None, since) | {"offers": offers, "csrf_token": TOKEN}
        return render_to_string("play/lobby.html", context, request), [str(offer.submission) for offer in offers]

    text, numbers = made_once.once(("lobby page", shared_pages.theme_of(request)), page, since)
    for number in numbers:
        text = text.replace(number, str(uuid.uuid4()))
    return HttpResponse(text.replace(TOKEN, get_token(request)))


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
