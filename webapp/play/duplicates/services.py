"""Gives people deals: the other side of one that somebody else has played, or a new one."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction
from django.http import HttpRequest

from games import registry as game_registry
from webapp.common.table_size import default_num_seats
from webapp.people.accounts.models import User
from webapp.play import match_start, quick_start
from webapp.play.duplicates import selectors
from webapp.play.duplicates.models import DuplicateDeal, DuplicateLeg
from webapp.play.match_start import YOURS, Setup
from webapp.table.live import deal_sights, rated_rules
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan

SIDES = 2


@transaction.atomic
def begin(request: HttpRequest, person: User, game_id: str, submission: uuid.UUID) -> LiveMatch:
    """The match that the person plays on now: the one that goes on, or one on a deal that they have not met.

    Two forms at once are dealt with one after the other. Raises BusyError, SpecError, and ValueError with a sentence
    where the count of the game has ended, or it has no level with a rating.
    """
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    going_on = selectors.going_on(person, game_id)
    if going_on is not None:
        return going_on
    level = selectors.level_of(game_id)
    if level is None:
        raise ValueError("This game has no level with a known rating, so there is nobody to meet.")
    if selectors.tally(game_id).standing.ended:
        raise ValueError("The count of this game has ended. A rated match is still there to be played.")
    setup = quick_start.setup(person, game_id, level.id, quick_start.company(quick_start.RATED))
    pool = rated_rules.pools(game_id)[0]
    deal, seat = _deal_for(person, game_id, pool, level.id)
    made = replace(setup, seats=_seats(setup, seat), shuffle=False, further=_luck(deal))
    own = uuid.uuid5(submission, str(person.pk))  # whoever else sends the number of this form opens another match
    match = match_start.start(request, made, own, {"duplicate": str(deal.pk)})
    DuplicateLeg.objects.create(deal=deal, seat=seat, person=person, match=match)
    return match


def _luck(deal: DuplicateDeal) -> dict[str, int | bool]:
    """Fields of the match: others meet the same luck, so nothing but the match itself may show it meanwhile."""
    return {"deal_seed": deal.deal_seed, "deal_is_known": True}


def _deal_for(person: User, game_id: str, pool: str, level_id: str) -> tuple[DuplicateDeal, int]:
    """(deal, seat of the person): the oldest with a free side that they have not met, else a new one, side by lot.

    What was begun by another version of the game stays half played: the same seed may deal otherwise now.
    """
    known = DuplicateDeal.objects.filter(game=game_id, rules=pool, level=level_id)
    DuplicateLeg.objects.filter(deal__in=known).filter(selectors.VOID).delete()  # others may play these sides
    met = LiveMatch.objects.filter(seats__person=person).values("deal_seed")
    free = known.filter(
        pk__in=selectors.with_one_leg(known), legs__match__game_version=game_registry.get(game_id).version
    )
    free = free.exclude(deal_seed__in=met).exclude(deal_seed__in=deal_sights.seeds_seen(person))
    free = free.exclude(legs__person=person)
    deal = free.order_by("pk").select_for_update(skip_locked=True, of=("self",)).first()
    taken = [] if deal is None else list(deal.legs.all())
    if deal is not None and len(taken) == 1:  # both, where somebody was given it between the look and the lock
        return deal, 1 - taken[0].seat
    fresh = DuplicateDeal.objects.create(game=game_id, rules=pool, level=level_id, deal_seed=secrets.randbits(63))
    return fresh, secrets.randbelow(SIDES)


def _seats(setup: Setup, seat: int) -> tuple[SeatPlan, ...]:
    """The person at a seat, the level's engines at all others."""
    engines: Sequence[SeatPlan] = [plan for plan in setup.seats if plan != YOURS]
    size = default_num_seats(game_registry.get(setup.game_id).traits)
    assert len(engines) == size - 1, "a rated match at one click is against engines alone"
    return (*engines[:seat], YOURS, *engines[seat:])
