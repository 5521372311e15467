"""Limits on how often somebody may do a thing in a minute, whichever web process they ask."""

from __future__ import annotations

import ipaddress
import math
import time
from dataclasses import dataclass
from functools import lru_cache

from django.http import HttpRequest

from webapp.common import counts
from webapp.common.errors import RefusedError

KEPT_S = 120


class TooManyError(RefusedError):
    """One too many; `wait_s`: seconds until the next may come."""

    def __init__(self, words: str, wait_s: int) -> None:
        super().__init__(words)
        self.wait_s = wait_s


@dataclass(frozen=True)
class Limit:
    """Limit of a number a minute. name: what it is counted for; what: of what, in the plural."""

    name: str
    per_minute: int
    what: str = "requests"

    def count(self, who: str) -> None:
        """Count one. Raises TooManyError where it is one too many."""
        now = time.time()
        if counts.shared_counts.add(self._key(who, now), KEPT_S) > self.per_minute:
            raise TooManyError(
                f"At most {self.per_minute} {self.what} a minute for each {self.name}.", math.ceil(60 - now % 60)
            )

    def give_back(self, who: str, counted_at: float) -> None:
        """One of that moment is not counted after all; nothing where it was counted elsewhere, or is forgotten."""
        key = self._key(who, counted_at)
        if counts.shared_counts.number(key) > 0:
            counts.shared_counts.add(key, KEPT_S, -1)

    def _key(self, who: str, at: float) -> str:
        return f"{self.what}-{self.name}-{who}-{int(at // 60)}".replace(" ", "-")


def address(request: HttpRequest) -> str:
    """Address that a request comes from, as limits count it."""
    return counted_address(str(request.META.get("REMOTE_ADDR", "")))


@lru_cache(maxsize=4096)
def counted_address(host: str) -> str:
    """Address as limits count it: of IPv6 the network of one household, whose addresses are without number."""
    try:
        parsed = ipaddress.ip_address(host)
    except ValueError:  # a Unix socket
        return host
    if parsed.version == 4:
        return host
    return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False))
