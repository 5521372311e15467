"""Agents in a spec: programs that play over HTTP under a name, with limits on their time.

A spec names one as the engine ``agent:<name>``. Whether there is such an agent, and whose it is,
is for the server to say.
"""

from __future__ import annotations

import re
from typing import Any

from engines.protocol import Budget
from games.json_paths import Path
from games.options import format_bound, quote
from worker.spec.checks import SpecError, object_of

PREFIX = "agent:"
NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
DEFAULT_LIMITS = {"seconds_per_ply": 60, "seconds_per_match": 3600}
"""Default limits: an agent that is away for longer at a ply, or has used up the time for a match, fails in it."""
MAX_LIMITS = {"seconds_per_ply": 86_400, "seconds_per_match": 7 * 86_400}


def is_agent(engine: Any) -> bool:
    """Whether a seat's engine is an agent."""
    return isinstance(engine, str) and engine.startswith(PREFIX)


def check_name(engine: str, path: Path) -> None:
    """Raises SpecError where no agent can be called so."""
    if not NAME.fullmatch(engine.removeprefix(PREFIX)):
        raise SpecError(path, f"an agent's name has 1 to 40 letters, digits, - and _, not {quote(engine)}")


def limits_from_json(data: Any, path: Path) -> Budget:
    """The limits of an agent's time in whole seconds; what is not given is as in DEFAULT_LIMITS.

    Raises SpecError naming the place.
    """
    given = object_of(data, path, dict.fromkeys(DEFAULT_LIMITS, False))
    limits: dict[str, int] = {}
    for key, default in DEFAULT_LIMITS.items():
        value, most = given.get(key, default), MAX_LIMITS[key]
        is_whole = isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
        if not is_whole or not 1 <= value <= most:
            raise SpecError((*path, key), f"must be whole seconds from 1 to {format_bound(most)}, not {quote(value)}")
        limits[key] = int(value)
    return Budget(seconds_per_ply=limits["seconds_per_ply"], seconds_per_match=limits["seconds_per_match"])
