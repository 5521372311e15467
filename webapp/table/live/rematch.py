"""Rematches: the same terms and players, everybody one seat on; a match has one, no matter who asks.

Other people, and their agents, sit down again by asking for it, too: until then their seats are open.
"""

from __future__ import annotations

import dataclasses

from engines.protocol import Budget
from webapp.common.errors import RefusedError
from webapp.people.accounts.models import User
from webapp.table.live import match_limits, match_setup, turn
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.plans import INVITED, SeatPlan, Terms
from webapp.table.live.table_seats import Table
from worker.spec import SeatSpec, SpecError


def why_not(table: Table) -> str:
    """Say why the asker cannot have a rematch; empty where they can."""
    match = table.match
    if not match.is_over:
        return "The match is not over."
    if match.experiment_id is not None:
        return "A match of an experiment has no rematch."
    if match.status == LiveMatch.Status.CANCELLED:
        return "The match was called off before it began."
    if not table.own:
        return "Only those who played can have a rematch."
    there = current_rematch(match)
    if there is not None and there.status != LiveMatch.Status.OPEN and not _is_seated(there, _first(table)):
        return "The rematch has begun without you."
    return ""


def current_rematch(match: LiveMatch) -> LiveMatch | None:
    """The rematch that there is, not called off."""
    return match.rematches.exclude(status=LiveMatch.Status.CANCELLED).order_by("-pk").first()


def rematch(table: Table) -> LiveMatch:
    """The rematch, with the asker at it. The match is locked, and the wish was found possible.

    Raises RefusedError where the asker has too many matches open or running.
    """
    there = current_rematch(table.match)
    if there is None:
        opened = _open(table)
        turn.save_change(table.match)  # the others see that there is one
        return opened
    entry = _first(table)
    if not _is_seated(there, entry):
        _check_room(entry)
        seat = (entry.seat + 1) % there.num_seats
        match_setup.join(there.pk, person=entry.person, agent=None if entry.person else entry.agent, seat=seat)
        there.refresh_from_db()
    return there


def _open(table: Table) -> LiveMatch:
    match, asker = table.match, _asker(_first(table))
    User.objects.select_for_update(no_key=True).get(pk=asker.pk)  # two rematches at once are counted one by one
    _check_room(_first(table))
    plans = [_plan(row, asker, is_asking=row.seat in table.own) for row in table.rows]
    try:
        return match_setup.open_match(
            asker,
            match.game,
            match.options,
            [plans[seat - 1] for seat in range(match.num_seats)],
            Terms(**{field.name: getattr(match, field.name) for field in dataclasses.fields(Terms)}),
            rematch_of=match,
        )
    except SpecError as error:  # an engine or options of another version of the lab
        raise RefusedError(f"This match cannot be opened again: {error}.") from None


def _first(table: Table) -> LiveSeat:
    """The first seat that is or was the asker's. They have one."""
    return table.rows[table.own[0]]


def _asker(row: LiveSeat) -> User:
    """The person who asks, or whose agent does: the rematch is theirs."""
    if row.person is not None:
        return row.person
    assert row.agent is not None
    return row.agent.owner


def _check_room(row: LiveSeat) -> None:
    """Raises RefusedError if the asker has too many matches."""
    if row.person is not None:
        match_limits.check_limit(row.person)
    else:
        match_limits.check_agents(_asker(row).pk)


def _plan(row: LiveSeat, asker: User, *, is_asking: bool) -> SeatPlan:
    """Plan one seat: the asker, agents and engines sit down at once; others, and players replaced, are invited."""
    if is_asking and row.person is not None:
        name = row.replaced[0]["name"] if row.replaced and row.kind != LiveSeat.Kind.PERSON else row.name
        return SeatPlan(name=name, person=row.person)
    is_there = is_asking or row.kind == LiveSeat.Kind.AGENT
    if is_there and row.agent is not None and row.agent.owner == asker and row.agent.retired_at is None:
        return SeatPlan(name=row.agent.name, agent=row.agent)
    if row.kind == LiveSeat.Kind.ENGINE and row.configuration is not None and row.person is None:
        kept = row.configuration
        spec = SeatSpec(kept.engine, kept.options, Budget.from_json(kept.budget))
        return SeatPlan(name=row.name, engine=spec, level=row.level)
    return SeatPlan(name=INVITED)


def previous_player(match: LiveMatch, seat: int) -> str:
    """Name of the player who had a seat before the rematch, and is asked again; empty where it is no rematch."""
    if match.rematch_of is None:
        return ""
    row = match.rematch_of.seats.get(seat=(seat - 1) % match.num_seats)
    return str(row.replaced[0]["name"]) if row.replaced else row.name


def _is_seated(match: LiveMatch, entry: LiveSeat) -> bool:
    """Whether the player of this seat sits at that match."""
    if entry.person_id is not None:
        return match.seats.filter(person=entry.person_id).exists()
    return entry.agent_id is not None and match.seats.filter(agent=entry.agent_id).exists()
