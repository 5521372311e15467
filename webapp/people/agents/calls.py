"""Requests to the API on a day (UTC), counted for the owner of the agents and tokens that make them.

Counted by all web processes together (`webapp.common.counts`); where that server starts anew, so does the count.
"""

from __future__ import annotations

import math
import time

from webapp.common import counts
from webapp.common.limits import TooManyError
from webapp.people.accounts import quotas
from webapp.people.accounts.models import User

DAY_S = 86_400


def count(owner: User) -> None:
    """Count a request. Raises TooManyError where it is beyond the owner's quota."""
    most = quotas.limits(owner).api_calls
    now = time.time()
    if most is None:
        return
    if counts.shared_counts.add(_key(owner.pk, now), 2 * DAY_S) > most:
        give_back(owner.pk, now)
        raise TooManyError(
            f"All {most} requests that your programs may make on a day are used up. There are some again at midnight, "
            "UTC. Long-polls (wait=20) need far fewer; the lab's staff can allow more.",
            math.ceil(DAY_S - now % DAY_S),
        )


def give_back(owner_id: int, counted_at: float) -> None:
    """One of that moment is not counted after all; nothing where it was counted elsewhere, or is forgotten."""
    key = _key(owner_id, counted_at)
    if counts.shared_counts.number(key) > 0:
        counts.shared_counts.add(key, 2 * DAY_S, -1)


def number(owner_id: int) -> int:
    """Requests of today."""
    return counts.shared_counts.number(_key(owner_id, time.time()))


def _key(owner_id: int, at: float) -> str:
    return f"calls-{owner_id}-{int(at // DAY_S)}"
