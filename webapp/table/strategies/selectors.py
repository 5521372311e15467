"""Strategies of a person, and the choices of strategies in other forms."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser

from games import registry as game_registry
from games.strategies import StrategyError
from webapp.common.data_fields import Own
from webapp.common.permissions import filter_owned
from webapp.people.accounts.models import User
from webapp.table.strategies.models import Strategy

MINE = "mine:"
"""Before the number of an own strategy, in forms and addresses."""


def mine(user: User | AnonymousUser) -> list[Strategy]:
    """One's strategies by name; none for somebody without an account."""
    return list(filter_owned(Strategy.objects.all(), user).order_by("name", "pk"))


def playable(user: User | AnonymousUser) -> list[tuple[Strategy, dict[str, Any]]]:
    """(strategy, its data) of one's strategies that today's rules can still read."""
    found = []
    for strategy in mine(user):
        book = game_registry.get(strategy.game).strategies if strategy.game in game_registry.ids() else None
        if book is not None:
            try:
                found.append((strategy, book.check(strategy.data)))
            except StrategyError:
                continue  # of another version of the lab; its page says what is wrong
    return found


def own_strategies(user: User | AnonymousUser | None) -> Own:
    """Strategies that forms offer beside the game's examples: key -> (name, data)."""
    if user is None:
        return {}
    return {f"{MINE}{strategy.pk}": (strategy.name, data) for strategy, data in playable(user)}


def seat_data(prefix: str, number: int) -> dict[str, str]:
    """The fields of a seat that plays one's strategy of this number (`webapp.common.engine_forms`)."""
    return strategy_fields(prefix, f"{MINE}{number}")


def strategy_fields(prefix: str, key: str) -> dict[str, str]:
    """The fields of a seat that plays a strategy by its key among the choices."""
    engine = {f"{prefix}-engine": "strategy", f"{prefix}-for": "strategy"}
    return engine | {f"{prefix}-option-strategy": key}
