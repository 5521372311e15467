"""Strategies are kept, changed and deleted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webapp.common.errors import RefusedError
from webapp.people.accounts.models import User
from webapp.table.strategies.models import Strategy

MAX_STRATEGIES = 100
"""Per person."""


def create(owner: User, data: Mapping[str, Any]) -> Strategy:
    """Keep a checked strategy. Raises RefusedError where the person has too many."""
    if owner.strategies.count() >= MAX_STRATEGIES:
        raise RefusedError(f"You have {MAX_STRATEGIES} strategies. Delete one first.")
    return Strategy.objects.create(owner=owner, game=data["game"], name=data["name"], data=dict(data))


def change(strategy: Strategy, data: Mapping[str, Any]) -> None:
    """Give a strategy other data, which is checked. What holds copies of the old ones keeps them."""
    strategy.name, strategy.data = data["name"], dict(data)
    strategy.save(update_fields=["name", "data", "changed_at"])


def delete(strategy: Strategy) -> None:
    """Delete a strategy; matches that it played keep their copies."""
    strategy.delete()
