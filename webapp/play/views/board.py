"""The board of a match: the page, its state as JSON, an action, a wish, a switch of an aid."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeGuard

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from engines import level_kernels
from games import readiness
from games import registry as game_registry
from webapp.common import lessons
from webapp.common.errors import RefusedError
from webapp.common.handler import wait_for, waited
from webapp.common.limits import address
from webapp.common.points import are_against
from webapp.people.accounts import guests
from webapp.play import aids, board_page, guide, known_pages, links, talk, waits
from webapp.play.board_page import NO_TAGS
from webapp.play.preferences import SPEEDS
from webapp.play.visitors import visit
from webapp.play.waits import Waited
from webapp.table.live import long_poll, player_requests, ply_writer, taking_back
from webapp.table.live.errors import StaleError
from webapp.table.live.long_poll import RETRY_S
from webapp.table.live.models import LiveMatch
from webapp.table.live.table_seats import Table

LARGEST_BODY = 4096
KEY_LENGTH = 64
ADDRESSES = ("state", "act", "aids", "hint", "frames", "say", "hear")
"""Addresses that the script asks, by name."""
WARMING = "Lab-Warming"
"""Header of an answer that brings no news: the game is being compiled, for so many more seconds (0: nobody knows)."""


@never_cache
@require_safe
def match(request: HttpRequest, code: str) -> HttpResponse:
    """The board while a match runs, its result afterwards, the waiting room before."""
    table = visit(request, code)
    known_pages.remember(request, table.match, _who(request, table))
    shown = board_page.build_page(table, get_token(request), links.base_of(request))
    is_open = table.match.status == LiveMatch.Status.OPEN
    context = {
        "match": table.match,
        "game": game_registry.get(table.match.game),
        "shown": shown,
        "panel": shown.panels,
        "is_player": bool(table.seats),
        "is_against": are_against(table.match.game, table.match.options),
        "may_undo": bool(table.seats) and not taking_back.why_never(table),
        "must_ask": bool(table.others),
        "rule_words": sorted(
            lessons.words(game_registry.get(table.match.game), table.match.options, table.match.num_seats)
        ),
        "is_folded": request.COOKIES.get("side") == "folded",
        "can_turn": any(step.kind == "turn" for step in shown.script.steps),
        "aids": shown.script.aids,
        "speeds": SPEEDS,
        "speed": shown.script.preferences.motion,
        "aids_on": shown.script.aids_on,
        "is_led": bool(table.seats) and guide.is_led(guests.person(request), table.match),
        "has_hint": bool(table.seats)
        and not table.match.is_over
        and aids.HINT.id in [aid.id for aid in shown.script.aids],
        "talk": talk.menu(table),
        "addresses": {name: reverse(f"play:{name}", args=[code]) for name in ADDRESSES},
    }
    return render(request, "play/room.html" if is_open else "play/match.html", context)


@never_cache
def state(request: HttpRequest, code: str) -> HttpResponse:
    """The match as JSON. ``?version=N``: once it has another version; 204 where it has none in time.

    ``wait=0``: answer at once. ``has=NAME:TAG,…``: parts that the page has; those that are as they were are left out.
    """
    if (came := waited(request)) is not None:
        return _after_wait(request, code, came)
    table, version = visit(request, code), request.GET.get("version")
    if version != str(table.match.version):
        return _seen(request, table)
    if request.GET.get("wait") == "0":
        return _nothing_new(request, table)
    wait = partial(waits.until_moved, _who(request, table), table.match.pk, table.match.version)
    return wait_for(request, wait, lambda came: _after_wait(request, code, came))


def _after_wait(request: HttpRequest, code: str, came: Waited) -> HttpResponse:
    if came.refusal:
        return HttpResponse(came.refusal, "text/plain", 429, headers={"Retry-After": RETRY_S})
    table = visit(request, code)
    return _seen(request, table) if came.has_moved else _nothing_new(request, table)


def _nothing_new(request: HttpRequest, table: Table) -> HttpResponse:
    """No news; where an engine is late because its game is compiled for the first time, that is said."""
    match = table.match
    known_pages.remember(request, match, _who(request, table))
    is_warming = match.is_engine_due and readiness.is_compiling(match.game)
    return HttpResponse(status=204, headers={WARMING: f"{_warming_s(match):.0f}"} if is_warming else None)


def _warming_s(match: LiveMatch) -> float:
    """Seconds until the level on turn is ready; 0 where nobody knows."""
    on_turn = -1 if match.on_turn is None else match.on_turn
    level_id = match.seats.filter(seat=on_turn).values_list("level", flat=True).first()
    return level_kernels.seconds_left(match.game, [level_id] if level_id else [])


def _who(request: HttpRequest, table: Table) -> str:
    """Client that a waiting request counts for."""
    return f"person {table.person.pk}" if table.person else f"address {address(request)}"


def _seen(request: HttpRequest, table: Table) -> HttpResponse:
    """The state; spectators, whose pages have no forms, share one."""
    known_pages.remember(request, table.match, _who(request, table))
    if table.own or table.is_creator:
        return _answer(request, table, known=_known(request.GET.get("has")))
    spectator, known = Table(table.match, table.rows, ()), _known(request.GET.get("has"))
    key = ("page", table.match.code, table.match.version, *known.items())
    text = long_poll.once(key, lambda: board_page.build_page(spectator, "").dumps(known))
    return HttpResponse(text, "application/json")


def _answer(
    request: HttpRequest, table: Table, status: int = 200, *, known: Mapping[str, str] = NO_TAGS, **further: Any
) -> HttpResponse:
    """The state, and the token that what is sent from now on needs. known: tags of what the page has."""
    known_pages.remember(request, table.match, _who(request, table))
    token = get_token(request)
    text = board_page.build_page(table, token, links.base_of(request)).dumps(known, token=token, **further)
    return HttpResponse(text, "application/json", status)


def _known(sent: Any) -> dict[str, str]:
    """Tags of parts, by name, from what a page has sent: ``NAME:TAG,…``."""
    pairs = [pair.partition(":") for pair in sent[:LARGEST_BODY].split(",")] if isinstance(sent, str) else ()
    return {name: tag for name, _, tag in pairs}


@never_cache
@require_POST
def act(request: HttpRequest, code: str) -> HttpResponse:
    """Play an action: ``{"ply", "action", "key"}``, and `has` as `state` takes it; the same key changes nothing.

    Answers the state, also with 409 where it was refused: `error` says what was the matter.
    """
    table = visit(request, code)
    wanted = _body(request)
    ply, action, key = wanted.get("ply"), wanted.get("action"), wanted.get("key")
    if not _is_number(ply) or not _is_number(action) or not _is_key(key):
        raise BadRequest("An action is a JSON object with ply, action and key.")
    try:
        played, rows = ply_writer.play_and_see(table.match.pk, _seat(table, ply, key), ply, action, key=key)
        return _answer(request, replace(table, match=played, rows=rows), known=_known(wanted.get("has")))
    except StaleError:
        words = "The match had moved on: your choice was not played. The board is current."
    except RefusedError as refused:
        words = str(refused)
    return _answer(request, visit(request, code), 409, error=words)


def _seat(table: Table, ply: int, key: str) -> int:
    """The seat that acts: of the earlier request with this key, else the one on turn."""
    if ply != table.match.ply:
        earlier = table.match.plies.filter(key=key, seat__in=table.seats).values_list("seat", flat=True).first()
        if earlier is not None:
            return earlier
    if table.match.on_turn in table.seats:
        return int(table.match.on_turn)
    return table.seats[0] if table.seats else -1


def _body(request: HttpRequest) -> dict[str, Any]:
    """The JSON object that was sent. Raises BadRequest."""
    if len(request.body) > LARGEST_BODY:
        raise BadRequest("That is too long.")
    try:
        found = json.loads(request.body)
    except ValueError:
        raise BadRequest("That is not JSON.") from None
    if not isinstance(found, dict):
        raise BadRequest("That is not a JSON object.")
    return found


def _is_number(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def _is_key(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and 0 < len(value) <= KEY_LENGTH and value.isascii() and value.isprintable()


@never_cache
@require_POST
def wish(request: HttpRequest, code: str, name: str) -> HttpResponse:
    """Carry out what a player asks for besides an action; back to the board, or on to the new match."""
    table = visit(request, code)
    try:
        to = player_requests.grant(name, table.match.pk, table.own, is_creator=table.is_creator)
        where = reverse("play:match", args=[to.code])
    except KeyError:
        raise Http404("no such wish") from None
    except RefusedError as refused:
        if _wants_json(request):
            return _answer(request, visit(request, code), 409, error=str(refused))
        messages.warning(request, str(refused))
        return redirect("play:match", code=code)
    if not _wants_json(request):
        return redirect(where)
    if to.pk != table.match.pk:
        return JsonResponse({"location": where})
    return _answer(request, visit(request, code))


def _wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


@never_cache
@require_POST
def switch(request: HttpRequest, code: str) -> HttpResponse:
    """Keep which aids are on: ``{"legal": false}``. A visitor without an account has nothing to save."""
    table = visit(request, code)
    try:
        if (person := guests.person(request)) is not None:
            aids.switch_aids(person, game_registry.get(table.match.game), _body(request))
    except ValueError as error:
        raise BadRequest(str(error)) from None
    return HttpResponse(status=204)


@never_cache
@require_POST
def lead(request: HttpRequest, code: str) -> HttpResponse:
    """Keep that the guide is not wanted any more: ``{"done": true}``."""
    table = visit(request, code)
    person = guests.person(request)
    if person is None or not table.seats:
        raise Http404("no guide")
    if _body(request).get("done") is not True:
        raise BadRequest('The guide is ended by {"done": true}.')
    guide.end(person, table.match)
    return HttpResponse(status=204)
