"""Numbers of a game's policies, as kernels take them."""

from __future__ import annotations

from types import ModuleType


def policy_number(rules: ModuleType, name: str, seat: int) -> int:
    """Number of a policy for `R.policies.choose`, as it plays for the deciding seat.

    A game with policies that treat one seat apart (Kingdomino's ``pg``) takes that seat from bit
    `SEAT` of the number on. Raises ValueError for a policy that the game does not have.
    """
    number = list(rules.policies.NAMES).index(name)
    shift = getattr(rules.policies, "SEAT", None)
    return number if shift is None else number | (seat << shift)
