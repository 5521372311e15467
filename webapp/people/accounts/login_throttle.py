"""Throttle of logins: after eight wrong passwords for one name from one address comes a pause.

Enough against guessing by hand or by a simple script, no defence against a large attack.
"""

from __future__ import annotations

import hashlib

from django.http import HttpRequest

from webapp.common import counts

MAX_TRIES = 8
PAUSE_S = 300


def _key(request: HttpRequest, username: str) -> str:
    who = f"{request.META.get('REMOTE_ADDR', '')} {username.strip().lower()}"
    return f"tries-{hashlib.sha256(who.encode()).hexdigest()}"


def is_paused(request: HttpRequest, username: str) -> bool:
    """Whether this address has guessed wrong too often for this name."""
    return counts.shared_counts.number(_key(request, username)) >= MAX_TRIES


def count_wrong(request: HttpRequest, username: str) -> None:
    """Note a wrong try."""
    counts.shared_counts.add(_key(request, username), PAUSE_S)


def forget(request: HttpRequest, username: str) -> None:
    """A right try clears the count."""
    counts.shared_counts.forget(_key(request, username))
