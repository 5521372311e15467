"""Signs of life of programs of which there is one: the sweeper."""

from __future__ import annotations

import os
import time

from django.db import connection

SWEEPER = "sweeper"
BEAT_S = 10.0
_STARTED_AT = time.monotonic()

_BEAT = """
insert into watch_beat (name, at) values (%s, clock_timestamp())
on conflict (name) do update set at = excluded.at
"""


def beat(name: str = SWEEPER) -> None:
    """Give a sign of life."""
    with connection.cursor() as cursor:
        cursor.execute(_BEAT, [name])


def silent_s(name: str = SWEEPER) -> float:
    """Seconds since the last sign of life, or since this process has begun to listen: whichever is less."""
    with connection.cursor() as cursor:
        cursor.execute("select extract(epoch from clock_timestamp() - at) from watch_beat where name = %s", [name])
        row = cursor.fetchone()
    listened = time.monotonic() - _STARTED_AT
    return listened if row is None else min(listened, float(row[0]))


def _begin() -> None:
    """A forked process has only begun to listen, though another one loaded this module long before."""
    global _STARTED_AT
    _STARTED_AT = time.monotonic()


os.register_at_fork(after_in_child=_begin)
