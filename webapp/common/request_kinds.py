"""Kind of a request, by its method and address: how much it matters that it is answered now (`admission`)."""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any

from django.conf import settings

from webapp.common.admission import EXPORT, MOVE, PAGE, POLL, Kind

MOVES = re.compile(r"/play/[^/]+/(act|wish/[^/]+|join)/|/api/v1/matches/[^/]+/(actions|join|wishes/[^/]+)")
"""What a player does in a match."""
ASYNCHRONOUS = re.compile(r"/api/v1/turns|/api/v1/(matches|experiments|ladders|studies)/[^/]+")
"""Views that wait by themselves."""
POLLS = re.compile(rf"/play/[^/]+/state/|{ASYNCHRONOUS.pattern}")
WAITS = re.compile(rb"(^|&)(version|wait)=")
EXPORTS = re.compile(r"/.+/export/.+")
WATCHES = ("/health/", "/health/live/", "/health/ready/", "/metrics")
"""What those ask who look after the lab: they have to hear from it, above all when it is busy."""


def kind_of(scope: MutableMapping[str, Any]) -> Kind | None:
    """Kind of the request of an ASGI scope; None for static files, which need nothing but the disk."""
    path, method = scope["path"], scope["method"]
    if path.startswith(settings.STATIC_URL):
        return None
    if path in WATCHES or (method == "POST" and MOVES.fullmatch(path)):
        return MOVE
    if POLLS.fullmatch(path) and WAITS.search(scope.get("query_string", b"")):
        return POLL
    return EXPORT if EXPORTS.fullmatch(path) else PAGE
