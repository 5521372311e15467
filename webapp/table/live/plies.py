"""The plies of a match as pages show them: read once, and those that have come since are added.

Where nothing was ever taken back, plies are only added, so that what a process remembers is the beginning of what
the rows hold. The digest, which is chained, is compared all the same.
"""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection

from webapp.table.live.memory import Memory
from webapp.table.live.models import LiveMatch, LivePly
from webapp.table.live.position_cache import MovedError

KEPT = 64
"""Matches whose plies a process remembers: some hundred bytes a ply."""


class Played(NamedTuple):
    """Columns of `LivePly`."""

    ply: int
    seat: int
    action: int
    notation: str
    words: str
    scores: tuple[int, ...]
    played_by: str
    is_reply: bool
    chapter: str
    digest: int
    legal_count: int


SCORES = Played._fields.index("scores")
_SQL = f"""SELECT {", ".join(Played._fields)} FROM live_liveply
WHERE match_id = %s AND ply >= %s AND ply < %s ORDER BY ply"""
_kept: Memory[int, tuple[Played, ...]] = Memory(KEPT)


def first_plies(match: LiveMatch, number: int) -> tuple[Played, ...]:
    """The first plies of a match, `number` of them. Raises MovedError where rows have changed since it was read."""
    kept = () if match.is_taken_back else _kept.get(match.pk) or ()
    for known in (kept, ()):
        found = known if len(known) >= match.ply else known + _read(match.pk, len(known), match.ply)
        if len(found) >= match.ply and (not match.ply or found[match.ply - 1].digest == match.digest):
            break
    else:
        raise MovedError(f"match {match.pk} has not the plies any more that it had")
    if found is not kept and not match.is_taken_back:
        _kept.put(match.pk, found)
    return found[:number]


def add(match: LiveMatch, row: LivePly) -> None:
    """Remember a ply of a match that has been committed, where those before it are remembered."""
    kept = _kept.get(match.pk) or ()
    if len(kept) == row.ply and not match.is_taken_back:
        _kept.put(match.pk, (*kept, _played(row)))


def forget(match_id: int) -> None:
    """Forget the plies of a match: some were taken back, and from now on none are remembered."""
    _kept.take(match_id)


def _played(row: LivePly) -> Played:
    values = {name: getattr(row, name) for name in Played._fields}
    return Played(**values | {"scores": tuple(row.scores)})


def _read(match_id: int, begin: int, end: int) -> tuple[Played, ...]:
    with connection.cursor() as cursor:
        cursor.execute(_SQL, (match_id, begin, end))
        return tuple(Played(*row)._replace(scores=tuple(row[SCORES])) for row in cursor.fetchall())
