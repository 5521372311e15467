"""Slows down the guessing of passwords: so many wrong tries per name and address, then a pause.

The counts live in Django's cache, of one web process unless a shared cache is configured:
enough against guessing by hand or by a simple script, no defence against a large attack.
"""

from __future__ import annotations

import hashlib

from django.core.cache import cache
from django.http import HttpRequest

MAX_TRIES = 8
PAUSE_S = 300


def _key(request: HttpRequest, username: str) -> str:
    who = f"{request.META.get('REMOTE_ADDR', '')} {username.strip().lower()}"
    return f"tries-{hashlib.sha256(who.encode()).hexdigest()}"


def is_paused(request: HttpRequest, username: str) -> bool:
    """Whether this address has guessed wrong too often for this name."""
    return int(cache.get(_key(request, username), 0)) >= MAX_TRIES


def count_wrong(request: HttpRequest, username: str) -> None:
    """Note a wrong try."""
    key = _key(request, username)
    cache.add(key, 0, PAUSE_S)
    try:
        cache.incr(key)
    except ValueError:  # it ran out between the two calls
        cache.set(key, 1, PAUSE_S)


def forget(request: HttpRequest, username: str) -> None:
    """A right try clears the count."""
    cache.delete(_key(request, username))
