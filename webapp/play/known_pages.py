"""Pages that this process has answered a moment ago: their next request may wait without being looked at first.

Between a move and its answer a page asks to wait for the next version of what it has just been sent. Who asks, and
whether they may look at the match, was found out for that answer. To wait tells nothing: when there is something to
be told, all of it is asked anew.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest

from webapp.table.live.memory import Memory
from webapp.table.live.models import LiveMatch

FRESH_S = 30.0
"""How long ago the answer may be."""
KEPT = 1024


@dataclass(frozen=True)
class Known:
    """What was sent. who: client that its waiting requests count for."""

    who: str
    match_id: int
    version: int
    sent_at: float


_known: Memory[tuple[str, str], Known] = Memory(KEPT)


def remember(request: HttpRequest, match: LiveMatch, who: str) -> None:
    """Note that this session is being sent the match as it is; nothing without a session."""
    if session := request.COOKIES.get(settings.SESSION_COOKIE_NAME):
        _known.put((session, match.code), Known(who, match.pk, match.version, time.monotonic()))


def find(session: str, code: str, version: int) -> Known | None:
    """What this session was sent of the match a moment ago, where it was this version."""
    known = _known.get((session, code))
    if known is None or known.version != version or time.monotonic() - known.sent_at > FRESH_S:
        return None
    return known
