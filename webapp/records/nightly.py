"""Nightly check: a sample of stored matches is played again, and a difference is noted for who runs the lab.

The sweeper does it a little at a time, from LAB_NIGHTLY_HOUR on; a run that a crash broke off goes on where it was.
Sampled are matches with recorded plies whose game needs no compiling here: nothing else waits meanwhile.
"""

from __future__ import annotations

import logging
import random
import time
from datetime import datetime

from django.conf import settings
from django.db import connection
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from games import loader, readiness, registry
from webapp.records import verification
from webapp.records.check_models import NightlyCheck
from webapp.records.models import Match, Ply

TURN_S = 1.0
"""Time after which the sweeper looks after other things first."""
AT_ONCE = 5
KEPT = 100
"""Checks that are kept."""
MAX_NOTED = 50
"""Differences of one check that are kept."""
logger = logging.getLogger(__name__)

_SPAN = "select min(id), max(id) from records_match"
_DRAWN = """
select distinct m.id from unnest(%s::bigint[]) as place (id) cross join lateral (
    select id from records_match where id >= place.id order by id limit 1
) as m
"""


def check() -> NightlyCheck | None:
    """Go on with the check of this night for a second, if it is due; the check where it has ended just now."""
    if not settings.LAB_NIGHTLY_MATCHES:
        return None
    now = timezone.now()
    current = NightlyCheck.objects.order_by("-pk").first()
    if current is None or current.ended_at is not None:
        if not _is_due(now, current):
            return None
        current = NightlyCheck.objects.create(waiting=draw(settings.LAB_NIGHTLY_MATCHES))
    until = time.monotonic() + TURN_S
    while current.waiting and time.monotonic() < until:
        _verify_some(current)
    if current.waiting:
        return None
    current.ended_at = timezone.now()
    current.save(update_fields=["ended_at"])
    if current.differences:
        logger.error("%s", sentence(current))
    old = NightlyCheck.objects.order_by("-pk").values_list("pk", flat=True)[KEPT:]
    NightlyCheck.objects.filter(pk__in=list(old)).delete()
    return current


def sentence(ended: NightlyCheck) -> str:
    """What a check found."""
    found = f"{ended.num_different} of {ended.matches} stored matches that were played again differ from their records"
    first = ended.differences[0] if ended.differences else None
    return found + (
        f", the first is match {first['match']} at ply {first['ply']} ({first['field']})." if first else "."
    )


def draw(most: int) -> list[int]:
    """Ids of matches, drawn at random: at most so many. No row is read but these."""
    with connection.cursor() as cursor:
        cursor.execute(_SPAN)
        low, high = cursor.fetchone()
        if low is None:
            return []
        dice = random.SystemRandom()
        cursor.execute(_DRAWN, ([dice.randint(low, high) for _ in range(most)],))
        found = [pk for (pk,) in cursor.fetchall()]
    dice.shuffle(found)
    return found


def _is_due(now: datetime, last: NightlyCheck | None) -> bool:
    tonight = now.replace(hour=settings.LAB_NIGHTLY_HOUR, minute=0, second=0, microsecond=0)
    return now >= tonight and (last is None or last.begun_at < tonight)


def _verify_some(current: NightlyCheck) -> None:
    ids, current.waiting = current.waiting[:AT_ONCE], current.waiting[AT_ONCE:]
    report = verification.verify(_ready(ids))
    current.matches += report.matches
    current.num_different += len(report.mismatches)
    room = MAX_NOTED - len(current.differences)
    current.differences = current.differences + [
        {"match": row["match"], "ply": row["ply"], "field": row["field"]} for row in report.mismatches[:room]
    ]
    current.save()


def _ready(ids: list[int]) -> list[int]:
    """Those of some matches that can be played again at once."""
    in_files = Q(experiment__plies_filed_at__isnull=False, experiment__plies_gone_to=None)
    has_plies = in_files | Exists(Ply.objects.filter(match=OuterRef("pk")))
    rows = Match.objects.filter(has_plies, pk__in=ids).order_by("pk").values_list("pk", "experiment__game")
    known = set(registry.ids())
    return [pk for pk, game in rows if game in known and not readiness.is_cold(loader.rules(registry.get(game).folder))]
