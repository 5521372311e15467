"""Waits of a match's page for news: without a look beforehand where it was sent what there is a moment ago."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from webapp.common import gate
from webapp.common.gate import Scope
from webapp.common.handler import Wait
from webapp.play import known_pages
from webapp.table.live import long_poll
from webapp.table.live.long_poll import CrowdedError

LONGEST_WAIT_S = 20.0
"""A waiting request is answered by then, so that nothing on the way takes it for dead."""
_STATE = re.compile(r"/play/([a-z0-9]{1,16})/state/")
_VERSION = re.compile(rb"(?:^|&)version=(\d{1,9})(?:&|$)")
_IMPATIENT = re.compile(rb"(?:^|&)wait=0(?:&|$)")


@dataclass(frozen=True)
class Waited:
    """What came of a wait. refusal: why there was none."""

    has_moved: bool
    refusal: str = ""


def wait_of(scope: Scope) -> Wait | None:
    """The wait of a request whose page was sent this version a moment ago; None for any other request."""
    at = _STATE.fullmatch(scope["path"])
    query = scope.get("query_string", b"")
    version = _VERSION.search(query)
    if at is None or version is None or scope["method"] != "GET" or _IMPATIENT.search(query):
        return None
    known = known_pages.find(gate.session(scope), at[1], int(version[1]))
    return None if known is None else partial(until_moved, known.who, known.match_id, known.version)


async def until_moved(who: str, match_id: int, version: int) -> Waited:
    """Wait until a match has another version. who: client that the wait counts for."""
    try:
        return Waited(await long_poll.for_change_at_the_door(who, {match_id: version}, LONGEST_WAIT_S))
    except CrowdedError as error:
        return Waited(False, str(error))
