"""Rules for matches that count for ratings: comparable, between parties, and sure to end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q

from engines import levels
from games import options as option_tools
from games import registry, rule_sets
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.plans import SeatPlan, Terms
from worker.spec import seat_from_json

ACCOUNT = "A rated match needs an account: a rating has to be somebody's."
RULES = "A rated match is played by the rule book or by the paper's rules, just as they are, so that ratings compare."
BOOK, PAPER = "book", "paper"
POOLS = {BOOK: rule_sets.RULE_BOOK, PAPER: rule_sets.PAPER}
"""Name of the rules of each pool of ratings; what was played before there were two belongs to the paper's."""
LEVELS = "In a rated match engines play as one of their levels, as it was measured: nothing else has a known rating."
ONE_SEAT = "In a rated match everybody has one seat, their agents counted as themselves."
RIVALS = "A rated match needs two sides at least."
LIMIT = "A rated match needs a time limit, for one action or for the whole match: leaving it counts as losing it."


def refusal(game_id: str, options: Mapping[str, Any], seats: Sequence[SeatPlan], terms: Terms) -> str:
    """Say in a sentence why such a match cannot be rated; empty where it can. options: complete."""
    if any(plan.person is not None and plan.person.is_guest for plan in seats):
        return ACCOUNT
    if len(seats) < 2:
        return RIVALS
    if not pool_of(game_id, options):
        return RULES
    if any(plan.engine is not None and not _is_level(game_id, plan) for plan in seats):
        return LEVELS
    owners = [owner for plan in seats if (owner := _owner(plan.person or plan.agent)) is not None]
    if len(set(owners)) < len(owners):
        return ONE_SEAT
    return LIMIT if terms.ply_limit_s is None and terms.clock_s is None else ""


def pools(game_id: str) -> list[str]:
    """The pools of ratings that a game has, the usual one first; one of defaults where it has no named rules."""
    known = registry.get(game_id).presets
    return [pool for pool, name in POOLS.items() if name in known] or [PAPER]


def pool_of(game_id: str, options: Mapping[str, Any]) -> str:
    """The pool of ratings that matches with these rules are of; empty where they are of none."""
    game = registry.get(game_id)
    chosen = option_tools.to_json(option_tools.from_json(game.options, options))
    found = (pool for pool in pools(game_id) if rule_sets.complete(game, POOLS[pool]) == chosen)
    return next(found, "")


def is_seated(match: LiveMatch, who: User | Agent | None) -> bool:
    """Whether somebody, or an agent of the same owner, sits at the match already."""
    owner = _owner(who)
    held = Q(person_id=owner) | Q(agent__owner_id=owner)
    return owner is not None and LiveSeat.objects.filter(held, match=match).exists()


def _owner(who: User | Agent | None) -> int | None:
    if who is None:
        return None
    owner: int = who.owner_id if isinstance(who, Agent) else who.pk
    return owner


def _is_level(game_id: str, plan: SeatPlan) -> bool:
    """Whether the engine is a level, with the options and the budget that it was measured with."""
    known = next((level for level in levels.for_game(game_id) if level.id == plan.level), None)
    if known is None:
        return False
    measured = {"engine": known.engine, "options": known.options, "budget": known.budget}
    return plan.engine == seat_from_json(measured, (), game_id)
