"""Sets a match up: seats for people, agents and engines; it begins when no seat is open any more."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from games import registry as game_registry
from games.json_paths import Path
from games.protocol import TERMINAL
from webapp.common.errors import RefusedError
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.records import lineups
from webapp.table.hooks import announce
from webapp.table.live import guest_rules, match_end, ply_writer, position_cache, rated_rules, turn
from webapp.table.live.errors import OUTDATED, OverError
from webapp.table.live.models import LiveMatch, LivePly, LiveSeat
from webapp.table.live.plans import SeatPlan, Terms
from webapp.table.live.table_seats import Table
from worker.recorder import AGENTS, INTERACTIVE
from worker.spec import SpecError, rules_from_json, seat_from_json, seat_to_json

CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 10
OPEN_FOR = timedelta(days=14)
"""A match whose seats are not all taken by then is called off."""
MOST_CALLED_OFF = 100
PEEKS = "sees what others hide: it plays in experiments only"
"""Reason why an engine, named before this, cannot sit at a table."""


@transaction.atomic
def open_match(
    creator: User | None,
    game_id: str,
    options: Mapping[str, Any],
    seats: Sequence[SeatPlan],
    terms: Terms,
    *,
    submission: uuid.UUID | None = None,
    taken_over: Sequence[LivePly] = (),
    **further: Any,
) -> LiveMatch:
    """Open a match; it begins at once where no seat is open.

    submission: number of the shown form: the same one again gives its creator the match of the
    first time. taken_over: unsaved plies of another match, the first ones of this one (see
    `playing_on`). further: other fields of LiveMatch. Raises SpecError naming the place,
    RefusedError for what guests may not, IntegrityError where the same form comes at this moment.
    """
    if submission is not None:
        known = LiveMatch.objects.filter(submission=submission, creator=creator).first()
        if known is not None:
            return known
    complete = _checked(game_id, options, seats)
    if further.get("experiment") is None:
        _check_honest(seats)
    if creator is not None and creator.is_guest:
        _check_guest(creator, game_id, seats)
    if terms.is_rated and (refusal := rated_rules.refusal(game_id, complete, seats, terms)):
        raise RefusedError(refusal)
    own = {"creator": creator, "game": game_id, "options": complete, "num_seats": len(seats), "submission": submission}
    match = LiveMatch.objects.create(**_drawn(game_id, {**vars(terms), **own, **further}))
    known_configurations = lineups.configurations(plan.engine for plan in seats if plan.engine is not None)
    LiveSeat.objects.bulk_create(_seat(match, i, plan, known_configurations) for i, plan in enumerate(seats))
    if taken_over:
        _take_over(match, taken_over)
    _begin_if_full(match, timezone.now())
    return match


def _drawn(game_id: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a new match with what is drawn for it; seeds may be given."""
    salt = secrets.token_hex(16)
    seeds = {"seed": secrets.randbits(63), "deal_seed": secrets.randbits(63), **values}
    return {
        "code": "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)),
        "game_version": game_registry.get(game_id).version,
        "salt": salt,
        "commitment": commitment(salt, (seeds.get("renewal") or {"seed": seeds["deal_seed"]})["seed"]),
        "invite": secrets.token_urlsafe(16),
        **seeds,
    }


def _take_over(match: LiveMatch, rows: Sequence[LivePly]) -> None:
    """Begin after plies of another match; the match is not saved."""
    for row in rows:
        row.match = match
    LivePly.objects.bulk_create(rows)
    match.ply = match.begun_at_ply = len(rows)
    match.digest = rows[-1].digest


def _check_guest(creator: User, game_id: str, seats: Sequence[SeatPlan]) -> None:
    """Raises RefusedError for what guests may not; two matches at once are counted one after the other."""
    if not User.objects.select_for_update().filter(pk=creator.pk).exists():
        raise RefusedError("You have signed in meanwhile: ask once more.")
    others = [(plan.engine, plan.level) for plan in seats if plan.person != creator]
    if refusal := guest_rules.refusal(creator, game_id, others):
        raise RefusedError(refusal)


def _checked(game_id: str, options: Mapping[str, Any], seats: Sequence[SeatPlan]) -> dict[str, Any]:
    """The options, complete. Raises SpecError."""
    if game_id not in game_registry.ids():
        raise SpecError(("game",), f"there is no game {game_id}")
    game = game_registry.get(game_id)
    least, most = game.traits.min_seats, game.traits.max_seats
    if not least <= len(seats) <= most:
        wanted = f"{least} to {most}" if least < most else f"{most}"
        raise SpecError(("seats",), f"{game.label} has {wanted} seats, not {len(seats)}")
    complete = rules_from_json(options, game, len(seats))
    for seat, plan in enumerate(seats):
        _check_seat(game_id, ("seats", seat), plan)
    return complete


def _check_seat(game_id: str, path: Path, plan: SeatPlan) -> None:
    if sum(who is not None for who in (plan.person, plan.agent, plan.engine)) > 1:
        raise SpecError(path, "is for one of a person, an agent and an engine")
    if plan.engine is not None:
        seat_from_json(seat_to_json(plan.engine), path, game_id)
    if plan.agent is not None and plan.agent.retired_at is not None:
        raise SpecError(path, f"{plan.agent.name} has retired")


def _check_honest(seats: Sequence[SeatPlan]) -> None:
    """Raises SpecError for an engine to which the others' hands would lie open."""
    for seat, plan in enumerate(seats):
        if plan.engine is not None and plan.engine.peeks:
            raise SpecError(("seats", seat, "engine"), f"{plan.name} {PEEKS}")


def commitment(salt: str, deal_seed: int) -> str:
    """Commitment to the deal that is shown from the start: SHA-256 of ``salt:deal_seed``."""
    return hashlib.sha256(f"{salt}:{deal_seed}".encode()).hexdigest()


def _seat(match: LiveMatch, seat: int, plan: SeatPlan, configurations: Mapping[str, int]) -> LiveSeat:
    kind = LiveSeat.Kind.OPEN
    if plan.person is not None:
        kind = LiveSeat.Kind.PERSON
    elif plan.agent is not None:
        kind = LiveSeat.Kind.AGENT
    elif plan.engine is not None:
        kind = LiveSeat.Kind.ENGINE
    return LiveSeat(
        match=match,
        seat=seat,
        lineup_index=seat if plan.place is None else plan.place,
        kind=kind,
        person=plan.person,
        agent=plan.agent,
        configuration_id=configurations[lineups.configuration_key(plan.engine)] if plan.engine else None,
        level=plan.level,
        name=plan.name,
    )


@transaction.atomic
def join(match_id: int, *, person: User | None = None, agent: Agent | None = None, seat: int | None = None) -> LiveSeat:
    """Take an open seat (None: the first). A player who sits there already stays there.

    Raises OverError where the match is not open any more or can no more be played, RefusedError
    where the seat is taken, or for guests and agents that have retired.
    """
    assert (person is None) != (agent is None)
    match = ply_writer.lock_match(match_id)
    mine = match.seats.filter(person=person) if person is not None else match.seats.filter(agent=agent)
    if (already := mine.first()) is not None:
        return already
    if match.status != LiveMatch.Status.OPEN:
        raise OverError("It is too late to sit down: the match is not open any more.")
    if person is not None and person.is_guest:
        raise RefusedError(guest_rules.NO_PEOPLE)
    if agent is not None and agent.retired_at is not None:
        raise RefusedError(f"{agent.name} has been retired and no longer plays.")
    if match.is_rated and rated_rules.is_seated(match, person or agent):
        raise RefusedError(rated_rules.ONE_SEAT)
    free = match.seats.filter(kind=LiveSeat.Kind.OPEN).order_by("seat")
    entry = free.first() if seat is None else free.filter(seat=seat).first()
    if entry is None:
        raise RefusedError("Somebody else has taken this seat. Choose another one.")
    if person is not None:
        entry.kind, entry.person, entry.name = LiveSeat.Kind.PERSON, person, person.username
    else:
        assert agent is not None
        entry.kind, entry.agent, entry.name = LiveSeat.Kind.AGENT, agent, agent.name
    entry.seen_at = timezone.now()
    entry.save()
    if not _begin_if_full(match, timezone.now()):
        turn.save_change(match)
    return entry


def why_not_call_off(table: Table) -> str:
    """Say why the asker cannot cancel the match; empty where they can."""
    if table.match.status == LiveMatch.Status.CANCELLED:
        return "The match has been cancelled already."
    if table.match.status != LiveMatch.Status.OPEN:
        return "The match has begun already."
    return "" if table.is_creator else "Only the player who set the match up can cancel it."


def call_off(table: Table) -> LiveMatch:
    """Cancel the match; it is locked, and the wish was found possible."""
    _call_off(table.match)
    return table.match


def _call_off(match: LiveMatch) -> None:
    match.status, match.ended_at = LiveMatch.Status.CANCELLED, timezone.now()
    turn.save_change(match)


def call_off_old(now: datetime) -> int:
    """Cancel matches that nobody has joined for `OPEN_FOR`, a batch; return how many.

    Safe beside another one: each cancels those that the other has not.
    """
    old = LiveMatch.objects.filter(status=LiveMatch.Status.OPEN, created_at__lt=now - OPEN_FOR)
    with transaction.atomic():
        found = list(old.select_for_update(of=("self",), skip_locked=True)[:MOST_CALLED_OFF])
        for match in found:
            _call_off(match)
    return len(found)


def _begin_if_full(match: LiveMatch, now: datetime) -> bool:
    """Begin where nobody is waited for; say whether it began. Raises OverError where the rules have changed since."""
    if match.seats.filter(kind=LiveSeat.Kind.OPEN).exists():
        return False
    course = position_cache.take_course(match)
    if not position_cache.is_at(course, match):
        raise OverError(OUTDATED)
    has_people = match.seats.filter(kind=LiveSeat.Kind.PERSON).exists()
    match.queue = INTERACTIVE if has_people and match.experiment_id is None else AGENTS
    match.status, match.started_at = LiveMatch.Status.RUNNING, now
    announce.started(match.code, match.version, match.seats.values_list("agent_id", flat=True))
    position_cache.remember(match.pk, course)
    if course.player == TERMINAL:
        match_end.finish(match, course, now)
    else:
        turn.put_on_turn(match, course.player, now)
    return True
