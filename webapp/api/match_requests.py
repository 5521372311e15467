"""Requests of agents to open a match or to join one: their seats, budgets and terms become those of a match."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable
from typing import Any

from django.db import transaction

from engines import levels as engine_levels
from engines import registry as engine_registry
from engines.own.sources import is_own
from games import registry as game_registry
from games.json_paths import Path
from webapp.api import selectors
from webapp.api.problems import ProblemError
from webapp.api.schemas import AgentSeat, EngineSeat, LevelSeat, MatchIn, SeatIn
from webapp.common.errors import RefusedError
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.play import open_seats
from webapp.table.live import access, match_limits, match_setup
from webapp.table.live.errors import RepeatError
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.plans import ANYBODY, INVITED, SeatPlan, Terms
from worker.spec import SpecError, seat_from_json

SECONDS = "seconds_per_ply"
MAX_THINKING_S = 10.0
"""Longest thinking time of an engine a ply in matches with agents."""

Visibility = LiveMatch.Visibility


def open_match(agent: Agent, wanted: MatchIn) -> LiveMatch:
    """Open a match with `agent` or others of its owner. Raises SpecError naming the place, RefusedError."""
    if wanted.game not in game_registry.ids():
        raise SpecError(("game",), f"must be one of {', '.join(game_registry.ids())}")
    plans = [_plan(agent, wanted.game, seat, ("seats", i)) for i, seat in enumerate(wanted.seats)]
    if not any(plan.agent is not None for plan in plans):
        raise SpecError(("seats",), 'must hold "me" or an agent of yours')
    terms = _terms(wanted)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=agent.owner_id)  # two requests are counted one by one
        known, submission = _sent_before(agent, wanted)
        if known is not None:
            return known
        match_limits.check_agents(agent.owner_id)
        return match_setup.open_match(agent.owner, wanted.game, wanted.options, plans, terms, submission=submission)


def _sent_before(agent: Agent, wanted: MatchIn) -> tuple[LiveMatch | None, uuid.UUID | None]:
    """The match that a request with this key has opened, and the number that this request's match carries.

    Half of the number is the agent's key, half the request. Raises RepeatError where the key was
    another request's.
    """
    if not wanted.key:
        return None, None
    content = json.dumps(wanted.model_dump(exclude={"key"}), sort_keys=True)
    half, other = _digest(f"{agent.pk} {wanted.key}")[:8], _digest(content)[:8]
    submission, least, most = (uuid.UUID(bytes=half + end) for end in (other, bytes(8), b"\xff" * 8))
    known = LiveMatch.objects.filter(submission__range=(least, most)).first()
    if known is not None and known.submission != submission:
        raise RepeatError("This key has opened another match, whose request was different.")
    return known, submission


def _terms(wanted: MatchIn) -> Terms:
    has_open = "open" in wanted.seats
    visibility = wanted.visibility or (Visibility.PUBLIC if has_open else Visibility.PRIVATE)
    if has_open and visibility != Visibility.PUBLIC:
        raise SpecError(
            ("visibility",), 'must be "public" where a seat is "open"; seats for players you choose are "invited"'
        )
    return Terms(
        visibility=visibility,
        has_aids=True,
        spectator_delay=wanted.spectator_delay,
        ply_limit_s=wanted.ply_limit_s,
        clock_s=wanted.clock_s,
        increment_s=wanted.increment_s if wanted.clock_s is not None else 0.0,
        replaces_absent=wanted.replaces_absent,
        is_rated=wanted.rated,
    )


# ---- seats


def _plan(agent: Agent, game_id: str, seat: SeatIn, path: Path) -> SeatPlan:
    if isinstance(seat, str):
        return NAMED[seat](agent)
    if isinstance(seat, LevelSeat):
        return _level(game_id, seat, path)
    if isinstance(seat, EngineSeat):
        return _engine(game_id, seat, path)
    return _other(agent, seat, path)


NAMED: dict[str, Callable[[Agent], SeatPlan]] = {
    "me": lambda agent: SeatPlan(name=agent.name, agent=agent),
    "open": lambda _: SeatPlan(name=ANYBODY),
    "invited": lambda _: SeatPlan(name=INVITED),
}


def _level(game_id: str, seat: LevelSeat, path: Path) -> SeatPlan:
    known = {level.id: level for level in engine_levels.for_game(game_id)}
    level = known.get(seat.level)
    if level is None:
        raise SpecError((*path, "level"), f"must be one of {', '.join(known) or 'none'}")
    if seat.seconds is not None and not level.has_clock:
        raise SpecError((*path, "seconds"), f"{level.label} takes no thinking time")
    budget = dict(level.budget) if seat.seconds is None else {SECONDS: seat.seconds}
    data = {"engine": level.engine, "options": level.options, "budget": budget}
    return SeatPlan(name=level.label, engine=seat_from_json(data, path, game_id), level=level.id)


def _engine(game_id: str, seat: EngineSeat, path: Path) -> SeatPlan:
    data: dict[str, Any] = {"engine": seat.engine, "options": seat.options}
    if is_own(seat.engine):
        raise SpecError((*path, "engine"), "engines of one's own play in experiments, not at tables")
    if seat.engine in engine_registry.ids():
        cls = engine_registry.get(seat.engine)
        if engine_registry.peeks(seat.engine, seat.options):
            place, name = (("engine",), cls.label) if cls.peeks else (("options", "peek"), f"{cls.label} with this")
            raise SpecError((*path, *place), f"{name} {match_setup.PEEKS}")
        budget = dict(cls.default_budget if seat.budget is None else seat.budget)
        if SECONDS in cls.budgets and budget.setdefault(SECONDS, MAX_THINKING_S) is not None:
            _check_thinking(budget[SECONDS], (*path, "budget", SECONDS))
        data["budget"] = budget
    spec = seat_from_json(data, path, game_id)
    return SeatPlan(name=engine_registry.get(spec.engine).label, engine=spec)


def _check_thinking(seconds: Any, path: Path) -> None:
    if isinstance(seconds, int | float) and not seconds <= MAX_THINKING_S:
        raise SpecError(path, f"must be at most {MAX_THINKING_S:g} in matches with agents")


def _other(agent: Agent, seat: AgentSeat, path: Path) -> SeatPlan:
    """Another agent of the same owner: nobody else's can be set to work unasked."""
    own = agent.owner.agents.filter(retired_at=None)
    found = next((other for other in own if other.name.lower() == seat.agent.lower()), None)
    if found is None:
        raise SpecError((*path, "agent"), "must be an agent of yours that is not retired; others join open seats")
    return SeatPlan(name=found.name, agent=found)


# ---- joining


def join(agent: Agent, code: str, seat: int | None, key: str) -> LiveSeat:
    """Take a free seat. Raises ProblemError, RefusedError (OverError where none is free)."""
    table = selectors.table(agent, code, key=key)
    match = table.match
    if table.held:
        return table.held[0]
    match_limits.check_agents(agent.owner_id)
    invited = table.is_creator or access.is_key(match, key)
    free = [entry.seat for entry in open_seats.list_open_seats(match, invited=invited) if seat in (None, entry.seat)]
    for number in free:
        try:
            return match_setup.join(match.pk, agent=agent, seat=number)
        except RefusedError:  # somebody was quicker
            continue
    raise ProblemError("refused", "No such seat is free for you in this match.", selectors.present(table))


def stored_key(agent: Agent, key: str) -> str:
    """An agent's key of an action as it is stored: nobody else's key can be the same."""
    return _digest(f"{agent.pk} {key}").hex() if key else ""


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()
