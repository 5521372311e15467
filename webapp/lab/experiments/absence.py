"""Agents for which an experiment waits: they are silent on their turn, or play as much as they may already."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Count, F, Max
from django.utils import timezone

from webapp.lab.jobs.kind import Absence
from webapp.people.agents.tokens import USED_EVERY
from webapp.records import lineups
from webapp.records.models import Experiment, LineupEntry
from webapp.table.live.models import LiveMatch, LiveSeat

AWAY = 2 * USED_EVERY
"""An agent that asks at all is heard of more often: its last use is noted every `USED_EVERY`."""


def absence(experiment: Experiment) -> Absence | None:
    """The agents that hold it up; None where none does, or something of it goes on without them."""
    if not experiment.has_agents or experiment.status != Experiment.Status.RUNNING:
        return None
    in_play = LiveMatch.objects.filter(experiment=experiment, status=LiveMatch.Status.RUNNING)
    num_in_play = in_play.count()
    if not num_in_play:
        return _busy(experiment)
    before = timezone.now() - AWAY
    waited_for = LiveSeat.objects.filter(
        match__in=in_play, match__turn_began_at__lt=before, seat=F("match__on_turn"), kind=LiveSeat.Kind.AGENT
    ).annotate(heard_at=Max("agent__tokens__used_at"))
    silent = [seat for seat in waited_for if seat.heard_at is None or seat.heard_at < before]
    if len(silent) < num_in_play:
        return None
    heard = [seat.heard_at for seat in silent if seat.heard_at is not None]
    return Absence(sorted({seat.name for seat in silent}), max(heard, default=None))


def _busy(experiment: Experiment) -> Absence | None:
    """Its agents that may begin no further match, where that is so of one in every arm with agents."""
    entries = LineupEntry.objects.filter(arm__experiment=experiment, configuration__engine__startswith=lineups.AGENT)
    arms: dict[int, set[str]] = {}
    for arm, engine in entries.values_list("arm_id", "configuration__engine"):
        arms.setdefault(arm, set()).add(engine.removeprefix(lineups.AGENT))
    playing = LiveSeat.objects.filter(
        agent__owner=experiment.owner, match__status=LiveMatch.Status.RUNNING, match__experiment__isnull=False
    ).values_list("agent__name")
    counts = dict(playing.annotate(n=Count("match", distinct=True)))
    full = {name for name, n in counts.items() if n >= settings.LAB_AGENT_MATCHES}
    if not arms or not all(names & full for names in arms.values()):
        return None
    return Absence(sorted(full & set().union(*arms.values())), None, are_busy=True)
