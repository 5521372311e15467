"""Cards drawn, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from games.dominion import cards
from games.dominion import state as layout
from games.protocol import Draw

KINGDOM = -1


def describe_draws(drawn: Sequence[Draw]) -> str:
    """``Witch, Estate for seat 0``: whose deck gave which cards, and which cards the kingdom got."""
    return "; ".join(_said(whose, list(group)) for whose, group in groupby(drawn, _whose))


def _whose(one: Draw) -> int:
    """The seat whose deck it is."""
    is_of_kingdom = one.before[layout.KIND] == layout.DRAW_KINGDOM
    return KINGDOM if is_of_kingdom else int(one.before[layout.DRAWER])


def _said(whose: int, drawn: Sequence[Draw]) -> str:
    counts = Counter(cards.name(one.outcome) for one in drawn)
    named = ", ".join(f"{name} \N{MULTIPLICATION SIGN}{count}" if count > 1 else name for name, count in counts.items())
    return f"kingdom of {named}" if whose == KINGDOM else f"{named} for seat {whose}"
