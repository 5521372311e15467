"""Throttle of sign-ins: after a number of wrong passwords comes a pause, by what they have in common.

    both      one name from one address: guessing by hand, or by a simple script
    address   any names from one address: one password tried on many names
    name      one name from any addresses: guessing by many machines

From an address where they have signed in lately people meet the first one alone: neither strangers nor the others
in their classroom keep them out. A try is counted as it begins, so that many at the same moment are no way around;
a right one is taken off again.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.http import HttpRequest

from webapp.common import counts
from webapp.common.limits import address

MAX_TRIES = 8
MAX_OF_ADDRESS = 10
MAX_OF_NAME = 40
PAUSE_S = 300
KNOWN_S = 30 * 24 * 3600


@dataclass(frozen=True)
class Attempt:
    """An attempt to sign in with a name from an address. Counts go by digests: what is typed as a name may be none."""

    both: str
    address: str
    name: str
    known: str

    @classmethod
    def of(cls, request: HttpRequest, username: str) -> Attempt:
        """The attempt that a request makes."""
        host, name = address(request), username.strip().lower()
        return cls(
            both=_key("tries", host, name),
            address=_key("tries-of-address", host),
            name=_key("tries-of-name", name),
            known=_key("signed-in", host, name),
        )

    def begin(self) -> bool:
        """Count it; False where it is one too many, and the password is not even looked at."""
        limits = {self.both: MAX_TRIES}
        if not self._is_known():
            limits |= {self.address: MAX_OF_ADDRESS, self.name: MAX_OF_NAME}
        return all(counts.shared_counts.add(key, PAUSE_S) <= most for key, most in limits.items())

    def succeed(self) -> None:
        """It was right: its own count begins anew, and from the others it is taken off."""
        counts.shared_counts.forget(self.both)
        if not self._is_known():
            counts.shared_counts.add(self.address, PAUSE_S, -1)
            counts.shared_counts.add(self.name, PAUSE_S, -1)
        counts.shared_counts.add(self.known, KNOWN_S)

    def _is_known(self) -> bool:
        return counts.shared_counts.number(self.known) > 0


def _key(kind: str, *parts: str) -> str:
    return f"{kind}-{hashlib.sha256(' '.join(parts).encode()).hexdigest()}"
