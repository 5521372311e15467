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
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from engines import levels as engine_levels
from games import registry as game_registry
from games import rule_sets
from games.protocol import Game
from webapp.common import gate, made_once, shared_pages
from webapp.common.errors import RefusedError
from webapp.common.requests import HtmxRequest
from webapp.people.accounts import guests
from webapp.people.accounts.models import User
from webapp.people.friends import selectors as friends
from webapp.play import guide, level_cards, level_readiness, match_start, quick_start, selectors
from webapp.play.level_cards import LevelCard
from webapp.play.quick_start import COMPANIES, Company
from webapp.play.visitors import note_presence
from webapp.table.live import invitations
from webapp.table.live.models import LiveMatch

POLL_S = 4
TOKEN = secrets.token_hex(24)
"""Stands in a page that is made for many where each has a token of their own."""


@dataclass(frozen=True)
class PlayNow:
    """One game that can be begun by a click.

    chosen: id of the level offered first; table: how many play; readiness: what has to be compiled first, in words.
    """

    game: Game
    levels: list[LevelCard]
    chosen: str
    submission: uuid.UUID
    table: str
    readiness: str
    has_guide: bool = False

    @property
    def place(self) -> int:
        """Index of the chosen level, for a slider."""
        return next((n for n, card in enumerate(self.levels) if card.level.id == self.chosen), 0)

    @property
    def rules(self) -> str:
        """Name of the rules that it is played by; empty where the game has no named ones."""
        return rule_sets.opening(self.game)


def play_now(person: User | None, company: Company = COMPANIES[0]) -> list[PlayNow]:
    """The games that have levels."""
    last_levels, guided = selectors.last_levels(person), guide.offered_games(person)
    return [
        _offer(game_id, company, last_levels.get(game_id, ""), game_id in guided)
        for game_id in game_registry.ids()
        if level_cards.cards(game_id)
    ]


def _offer(game_id: str, company: Company, last_level: str, may_be_guided: bool) -> PlayNow:
    game, cards = game_registry.get(game_id), quick_start.levels(game_id, company)
    is_known = last_level in [card.level.id for card in cards]
    chosen = last_level if is_known else level_cards.opening_level(game_id)
    is_guided = company.id == quick_start.ENGINES and may_be_guided
    ready = level_readiness.words(game_id, [card.level for card in cards])
    return PlayNow(game, cards, chosen, uuid.uuid4(), quick_start.table_words(game.traits), ready, is_guided)


@require_safe
def lobby(request: HtmxRequest) -> HttpResponse:
    """The page; for htmx the lists alone, which change while one looks."""
    person, since = guests.person(request), gate.arrived(request)
    note_presence(person)
    company = quick_start.company(request.GET.get("with", ""))
    if person is None and not request.htmx and shared_pages.is_for_all(request):
        return _for_unknown(request, company, since)
    context = _lists(person, company, since)
    if request.htmx:
        return render(request, "play/_lobby.html", context | {"readiness": _readiness(company)})
    further = {"offers": play_now(person, company), "companies": COMPANIES, **_friends(person, company, request)}
    return render(request, "play/lobby.html", context | further)


def _lists(person: User | None, company: Company, since: float) -> dict[str, Any]:
    """The context of the lists."""
    mine = selectors.current_matches(person) if person is not None else []
    return {
        "poll_s": POLL_S,
        "person": person,
        "is_guest": person is None or person.is_guest,
        "company": company,
        "mine": mine,
        "my_turn": [line for line in mine if line.is_my_turn],
        "open_seats": selectors.list_open_matches(person, since),
        "watchable": selectors.watchable_matches(person, since),
        "invited": selectors.invitations_of(person),
    }


def _readiness(company: Company) -> dict[str, str]:
    """What has to be compiled first, by game: the same for all who look within a moment."""

    def make() -> dict[str, str]:
        shown = {game_id: quick_start.levels(game_id, company) for game_id in game_registry.ids()}
        return {
            game_id: level_readiness.words(game_id, [card.level for card in cards])
            for game_id, cards in shown.items()
            if cards
        }

    return made_once.once(("readiness", company.id), make, made_once.seconds_ago(POLL_S / 2))


def _for_unknown(request: HtmxRequest, company: Company, since: float) -> HttpResponse:
    """The page for somebody of whom nothing is known: the same for all of them but what each form is known by."""

    def page() -> tuple[str, list[str]]:
        offers = play_now(None, company)
        context = _lists(None, company, since) | {"offers": offers, "companies": COMPANIES, "csrf_token": TOKEN}
        return render_to_string("play/lobby.html", context, request), [str(offer.submission) for offer in offers]

    text, numbers = made_once.once(("lobby page", company.id, shared_pages.theme_of(request)), page, since)
    for number in numbers:
        text = text.replace(number, str(uuid.uuid4()))
    return HttpResponse(text.replace(TOKEN, get_token(request)))


def _friends(person: User | None, company: Company, request: HtmxRequest) -> dict[str, Any]:
    """Friends in their view of the lobby, and the one who was chosen there for a match."""
    if person is None or person.is_guest:
        return {}
    asking = friends.requests(person)
    if company.id != quick_start.FRIENDS:
        return {"requests": asking}
    found, name = friends.friends(person), request.GET.get("friend", "")
    chosen = next((friend.name for friend in found if friend.name == name), "")
    return {"friends": found, "requests": asking, "asked": friends.asked(person), "chosen": chosen}


def _invite(request: HttpRequest, match: LiveMatch, name: str) -> None:
    """Invite a friend to the match that was just opened; why that could not be is told."""
    person = guests.person(request)
    try:
        if person is not None:
            invitations.invite(match.pk, person, name)
    except RefusedError as refused:
        messages.warning(request, str(refused))


@require_POST
def now(request: HttpRequest) -> HttpResponse:
    """Begin a match at once and go to it; a guided one is against the weakest level."""
    game_id, level_id = request.POST.get("game", ""), request.POST.get("level", "")
    company = quick_start.company(request.POST.get("with", ""))
    is_guided, person = request.POST.get("guided") == "1", guests.person(request)
    if company.needs_account and (person is None or person.is_guest):
        return redirect(f"{reverse('accounts:sign_up')}?next={reverse('play:lobby')}%3Fwith={company.id}")
    try:
        if is_guided:
            level_id = engine_levels.for_game(game_id)[0].id
        elif level_id or quick_start.levels(game_id, company):
            engine_levels.get(game_id, level_id)
        submission = uuid.UUID(request.POST.get("submission", ""))
    except (KeyError, IndexError, ValueError):
        messages.warning(request, "That form was not complete. Choose a level and start again.")
        return redirect("play:lobby")
    friend = request.POST.get("friend", "") if company.id == quick_start.FRIENDS else ""
    content = {"game": game_id, "level": level_id, "guided": str(is_guided), "with": company.id, "friend": friend}
    try:
        setup = quick_start.setup(person, game_id, level_id, company, is_first=is_guided)
        match = match_start.start(request, setup, submission, content)
    except match_start.BusyError as error:
        messages.warning(request, str(error))
        return redirect("play:match", code=error.match.code) if error.match else redirect("play:mine")
    except ValueError as error:
        messages.warning(request, str(error))
        return redirect("play:lobby")
    if friend:
        _invite(request, match, friend)
    if is_guided and (player := guests.person(request)) is not None:
        guide.begin(player, match)
    return redirect("play:match", code=match.code)
