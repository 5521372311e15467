"""Matches over HTTP: open, list, join, look, act, wish, take the trace."""

from __future__ import annotations

import time
from enum import Enum
from functools import partial
from typing import Annotated, Any, Literal

from asgiref.sync import sync_to_async
from django.urls import reverse
from ninja import Path, Query, Router
from ninja.responses import Status

from games.json_paths import PathError
from webapp.api import limits, match_requests, schemas, selectors
from webapp.api.auth import MAY_PLAY, MAY_READ, TokenRequest
from webapp.api.errors import invalid, problem_responses, refusal
from webapp.api.examples import body
from webapp.api.game_field import GameField
from webapp.api.problems import ProblemError
from webapp.common.errors import RefusedError
from webapp.matches import trace as traces
from webapp.table.live import access, long_poll, observations, player_requests, ply_writer, position_cache
from webapp.table.live.errors import IllegalError
from webapp.table.live.models import LiveMatch
from webapp.table.live.snapshot import as_json
from webapp.table.live.table_seats import Table

router = Router(tags=["Matches"])

MAX_WAIT_S = 25
MAX_LIST = 100

Wait = Annotated[float, Query(ge=0, le=MAX_WAIT_S, description="Seconds to wait for news at most")]
Code = Annotated[str, Path(description="The match's code")]
_NAMES = {name.replace("-", "_"): name for name in player_requests.REQUESTS}
WishName = Enum("WishName", _NAMES, type=str)  # type: ignore[misc]  # its members are those of another table


# ---- lists


@router.get(
    "/matches",
    auth=MAY_READ,
    response={200: schemas.MatchList, **problem_responses(401, 403, 422)},
    summary="List matches",
)
def list_matches(
    request: TokenRequest,
    which: Annotated[
        Literal["mine", "open", "public"],
        Query(description="mine; open: public ones with a seat to take; public: running ones to look at"),
    ] = "mine",
    game: Annotated[GameField, Query("", description="Of this game alone")] = "",
    offset: Annotated[int, Query(ge=0, le=100_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_LIST)] = 20,
) -> Any:
    """Matches, newest first."""
    agent = request.auth.agent
    found = list(selectors.list_matches(agent, which, game)[offset : offset + limit + 1])
    is_last = len(found) <= limit
    return {"matches": selectors.rows(agent, found[:limit]), "next": None if is_last else offset + limit}


@router.get(
    "/turns",
    auth=MAY_READ,
    response={200: schemas.Turns, **problem_responses(401, 403, 422)},
    summary="Where it is my turn",
)
async def turns(request: TokenRequest, wait: Wait = 0) -> Any:
    """All matches in which the agent is on turn; with `wait` the answer comes when there is one.

    It comes at once where the agent has no unfinished match.
    """
    token = request.auth
    ends_at = time.monotonic() + wait
    found = await sync_to_async(selectors.turns)(token.agent)
    async with limits.patient(token):
        while not found.turns and found.versions and (left := ends_at - time.monotonic()) > 0:
            await long_poll.for_change(token.who, found.versions, left, token.agent_id)
            found = await long_poll.look(partial(selectors.turns, token.agent))
    return {"turns": found.turns, "unfinished": len(found.versions)}


# ---- opening and joining


@router.post(
    "/matches",
    auth=MAY_PLAY,
    response={201: schemas.Opened, **problem_responses(401, 403, 409, 422)},
    summary="Open a match",
    openapi_extra=body(against_a_level={"game": "carcassonne", "seats": ["me", {"level": "easy"}]}),
)
def open_match(request: TokenRequest, data: schemas.MatchIn) -> Any:
    """Open a match; it begins at once where no seat waits for anybody."""
    match = match_requests.open_match(request.auth.agent, data)
    opened = {
        "code": match.code,
        "status": match.status,
        "join_key": match.invite if "invited" in data.seats else None,
        "page": reverse("play:match", args=[match.code]),
    }
    return Status(201, opened)


@router.post(
    "/matches/{code}/join",
    auth=MAY_PLAY,
    response={200: schemas.Joined, **problem_responses(401, 403, 404, 409, 422)},
    summary="Join a match",
    openapi_extra=body(first_free_seat={}, a_seat_kept_for_you={"seat": 1, "key": "the join key"}),
)
def join(request: TokenRequest, code: Code, data: schemas.JoinIn) -> Any:
    """Take a seat. Who sits there already gets that seat again."""
    entry = match_requests.join(request.auth.agent, code, data.seat, data.key)
    return {"code": code, "seat": entry.seat, "status": LiveMatch.objects.get(pk=entry.match_id).status}


# ---- looking


@router.get(
    "/matches/{code}",
    auth=MAY_READ,
    response={200: schemas.State, **problem_responses(401, 403, 404, 422)},
    exclude_unset=True,
    summary="State of a match",
)
async def state(
    request: TokenRequest,
    code: Code,
    version: Annotated[int | None, Query(description="The version you know; the answer waits for another one")] = None,
    wait: Wait = 0,
    ply: Annotated[int | None, Query(description="A past position as you saw it then; by default the present")] = None,
) -> Any:
    """The match as this agent may see it: as a seat where it plays, else as a spectator."""
    token = request.auth
    table = await sync_to_async(selectors.table)(token.agent, code)
    if not wait or table.match.version != version or table.match.is_over:
        return await sync_to_async(_seen)(table, ply)
    async with limits.patient(token):
        await long_poll.for_change(token.who, {table.match.pk: version}, wait)
        return await long_poll.look(lambda: _seen(selectors.table(token.agent, code), ply))


def _seen(table: Table, ply: int | None) -> dict[str, Any]:
    """The match as it may be seen from there; spectators, who see the same, share it."""
    if ply is None and not table.own:
        key = ("state", table.match.code, table.match.version)
        return long_poll.once(key, lambda: observations.observe(table.match, (), rows=table.rows).to_json())
    try:
        return observations.observe(table.match, table.own, ply, table.rows).to_json()
    except PathError as error:
        raise invalid(f"query.{error.place}", error.message) from None


@router.get(
    "/matches/{code}/trace",
    auth=MAY_READ,
    response={200: dict[str, Any], **problem_responses(401, 403, 404, 409)},
    summary="Trace of a finished match",
)
def trace(request: TokenRequest, code: Code) -> Any:
    """All that happened, luck included, in the game's trace format; only when the match is over."""
    table = selectors.table(request.auth.agent, code)
    match = table.match
    if not access.is_disclosed(match):
        raise ProblemError("match-not-over", extra=selectors.present(table))
    found = traces.build_trace(match.match) if match.match is not None else None
    if found is None:
        raise ProblemError("not-found", "Nothing was played in this match, or its plies were not kept.")
    return found


# ---- acting


@router.post(
    "/matches/{code}/actions",
    auth=MAY_PLAY,
    response={200: schemas.Acted, **problem_responses(401, 403, 404, 409, 422)},
    summary="Play an action",
    openapi_extra=body(by_id={"ply": 0, "action": 103986}, by_notation={"ply": 0, "notation": "K -1,0 270°"}),
)
def act(request: TokenRequest, code: Code, data: schemas.ActIn) -> Any:
    """Play an action at a ply. The same request with the same key again is answered as the first time.

    409 where the match stands elsewhere (stale ply, not your turn, not running); 422 where the
    rules do not allow the action.
    """
    if (data.action is None) == (data.notation is None):
        raise invalid("body", "give either action (an id) or notation")
    agent = request.auth.agent
    table = selectors.table(agent, code)
    if not table.seats:
        raise ProblemError("not-your-turn", "This agent does not play in this match.", selectors.present(table))
    key = match_requests.stored_key(agent, data.key)
    try:
        seat, action = _meant(table, data, key)
        ply_writer.play(table.match.pk, seat, data.ply, action, key=key)
    except RefusedError as error:
        table.match.refresh_from_db()
        raise refusal(error, table) from None
    return {"code": code, **as_json(observations.move(table.match.plies.get(ply=data.ply)))}


def _meant(table: Table, data: schemas.ActIn, key: str) -> tuple[int, int]:
    """The seat that acts and the action. Raises IllegalError for a notation that is none here."""
    match = table.match
    earlier = match.plies.filter(key=key).first() if key else None
    if earlier is not None:
        action = earlier.action if data.notation == earlier.notation else data.action
        return earlier.seat, -1 if action is None else action
    seat = match.on_turn if match.on_turn in table.seats else table.seats[0]
    if data.notation is None or data.ply != match.ply or match.on_turn not in table.seats:
        return seat, -1 if data.action is None else data.action  # an id, or refused before anybody looks at it
    position = position_cache.position_at(match)
    for action in position.game.legal_actions(position.state).tolist():
        if position.game.notation(position.state, action) == data.notation:
            return seat, action
    raise IllegalError(f"No legal action of ply {data.ply} has this notation.")


@router.post(
    "/matches/{code}/wishes/{wish}",
    auth=MAY_PLAY,
    response={200: schemas.Wished, **problem_responses(401, 403, 404, 409, 422)},
    summary="Resign, offer to end, come back, take back, cancel, rematch",
)
def wish(request: TokenRequest, code: Code, wish: WishName) -> Any:
    """Make a request other than an action. A rematch is another match: the answer names it.

    take-back returns to before your last decision, also past draws: the same is drawn again. Only against engines
    alone, in matches that are neither rated nor of an experiment; the match then has `is_taken_back` and counts for
    no figure. stop-asking, agree-back, decline-back and ready are for tables of people.
    """
    table = selectors.table(request.auth.agent, code)
    try:
        match = player_requests.grant(wish.value, table.match.pk, table.own, is_creator=table.is_creator)
    except RefusedError as error:
        table.match.refresh_from_db()
        raise refusal(error, table) from None
    return {"code": match.code, "status": match.status, "version": match.version}
