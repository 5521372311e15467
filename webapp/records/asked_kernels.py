"""Word to the warm-up of what running jobs need, so that it compiles that first (`games.readiness`)."""

from __future__ import annotations

from engines.own.sources import is_own
from games import readiness
from webapp.records import lineups
from webapp.records.job import Job
from webapp.records.models import LineupEntry, Study


def ask() -> int:
    """Leave word while kernels are compiled ahead; return how many engines and games were asked for."""
    if not readiness.is_warming():
        return 0
    entries = LineupEntry.objects.filter(arm__experiment__status=Job.Status.RUNNING)
    engines = entries.exclude(configuration__engine__startswith=lineups.AGENT)
    wanted = set(engines.values_list("arm__experiment__game", "configuration__engine").distinct())
    wanted = {(game_id, "" if is_own(engine_id) else engine_id) for game_id, engine_id in wanted}
    games = Study.objects.filter(status=Job.Status.RUNNING).values_list("game", flat=True).distinct()
    wanted |= {(game_id, "") for game_id in games}
    for game_id, engine_id in wanted:
        readiness.request(game_id, engine_id, by_jobs=True)
    return len(wanted)
