"""Limits on the requests of one token and one address in a minute, and of the programs of one person in a day.

A request that waited a second or more for its answer (long-poll) is not counted.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from asgiref.sync import sync_to_async

from webapp.api.problems import ProblemError
from webapp.common import limits
from webapp.common.limits import TooManyError
from webapp.people.agents import calls
from webapp.people.agents.models import AgentToken, PersonToken
from webapp.table.live.long_poll import RETRY_S, CrowdedError

AnyToken = AgentToken | PersonToken
MAX_BODY = 64 * 1024
"""Bytes of a request's body."""

LEAST_WAIT_S = 1.0
"""A shorter wait counts as none."""


class Limit(limits.Limit):
    """A limit whose refusal is a problem of the API."""

    def count(self, who: str) -> None:
        """Count a request. Raises ProblemError (429) where it is one too many."""
        try:
            super().count(who)
        except TooManyError as error:
            raise too_many(str(error), error.wait_s) from None


TOKEN = Limit("token", 3000)
ADDRESS = Limit("address", 6000)
WRONG_TOKEN = Limit("wrong-token", 60)


def too_many(detail: str, wait_s: int) -> ProblemError:
    """The problem of who asks too often."""
    return ProblemError("too-many-requests", detail, {"retry_after_s": wait_s}, {"Retry-After": str(wait_s)})


@asynccontextmanager
async def patient(token: AnyToken) -> AsyncIterator[None]:
    """Around the wait of a request: it is not counted where that takes `LEAST_WAIT_S`.

    Raises ProblemError (429) where too many requests of the token wait.
    """
    counted_at, began_at = time.time(), time.monotonic()
    try:
        yield
    except CrowdedError as error:
        raise too_many(str(error), RETRY_S) from None
    finally:
        if time.monotonic() - began_at >= LEAST_WAIT_S:
            await sync_to_async(_give_back)(token, counted_at)


def count(token: AnyToken) -> None:
    """Count a request of a token, and of its owner. Raises ProblemError (429) where it is one too many."""
    TOKEN.count(token.who)
    try:
        calls.count(token.owner)
    except TooManyError as error:
        raise too_many(str(error), error.wait_s) from None


def _give_back(token: AnyToken, counted_at: float) -> None:
    TOKEN.give_back(token.who, counted_at)
    calls.give_back(token.owner.pk, counted_at)
