"""Numbers and results of the start page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from django.core.cache import cache
from django.db.models import Exists, FloatField, Func, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from webapp.lab.experiments.progress import progress
from webapp.lab.jobs.progress import Progress
from webapp.lab.results.dashboard import Card, cards
from webapp.lab.results.table import Table, table
from webapp.records.models import Chunk, Experiment, Match, ShareLink, Summary, WaitingSummary
from webapp.table.live.models import LiveMatch

KEEP_S = 10
RATE_MINUTES = 10
RECENT = 6
HERO_CHART = "win-rate"


@dataclass(frozen=True)
class Numbers:
    """Numbers of what the lab holds and does, all of it counted; by_people: matches with a person in them."""

    matches: int
    by_people: int
    plies: int
    running: int
    per_minute: float
    minutes: int = RATE_MINUTES


def numbers() -> Numbers:
    """The live numbers, counted at most every ten seconds."""
    found: Numbers | None = cache.get("site-numbers")
    if found is None:
        found = _count()
        cache.set("site-numbers", found, KEEP_S)
    return found


def _count() -> Numbers:
    since = timezone.now() - timedelta(minutes=RATE_MINUTES)
    lately = Match.objects.filter(
        experiment__in=Experiment.objects.filter(served_at__gt=since - timedelta(minutes=RATE_MINUTES)),
        finished_at__gt=since,
    ).count()
    return Numbers(
        matches=Chunk.objects.aggregate(n=Sum("written", default=0))["n"] + _num_live(),
        by_people=LiveMatch.objects.filter(match__isnull=False, experiment=None).count(),
        plies=_num_plies(),
        running=Experiment.objects.filter(status=Experiment.Status.RUNNING).count(),
        per_minute=lately / RATE_MINUTES,
    )


def _num_live() -> int:
    """Matches in chunks of none: played by people, or by agents in experiments."""
    return LiveMatch.objects.filter(match__isnull=False).count()


def _num_plies() -> int:
    """Plies of all finished matches, each counted once: by the summaries of its first seat, merged and waiting.

    In one statement: amid a merge two would count what is merged between them twice, or not at all. Named by
    experiment, for the index; adding up matches would read all of them.
    """
    there = Experiment.objects.values("pk")
    merged = Summary.objects.filter(experiment__in=there, metric="num_plies", seat=0)
    waiting = WaitingSummary.objects.filter(experiment__in=there)
    of_waiting = Subquery(waiting.values(n=Func("plies", function="sum", output_field=FloatField())))
    return int(merged.aggregate(n=Sum("total", default=0.0) + Coalesce(of_waiting, 0.0))["n"])


@dataclass(frozen=True)
class SharedExperiment:
    """A shared experiment as the start page shows it."""

    link: ShareLink
    experiment: Experiment
    table: Table
    progress: Progress
    hero: Card | None = None


def front() -> tuple[SharedExperiment | None, list[SharedExperiment]]:
    """The featured experiment with its chart, and others that may stand on the start page.

    Only experiments that are shared and marked as featured are named here: a link that its
    owner gave to few is not for all.
    """
    links = (
        ShareLink.objects.filter(withdrawn_at=None, match=None, experiment__is_featured=True)
        .exclude(experiment__kind=Experiment.Kind.LADDER)
        .filter(Exists(Match.objects.filter(experiment=OuterRef("experiment"), status=Match.Status.FINISHED)))
        .select_related("experiment")
        .order_by("-experiment__created_at", "-pk")[: RECENT + 1]
    )
    once = {link.experiment_id: link for link in links}
    shown = [_shown(link) for link in once.values()]
    if not shown:
        return None, []
    first = shown[0]
    found = cards(first.experiment, f"/r/{first.link.slug}/")
    hero = next((card for card in found if card.id == HERO_CHART), None)
    return replace(first, hero=hero), shown[1:]


def _shown(link: ShareLink) -> SharedExperiment:
    experiment = link.experiment
    assert experiment is not None  # links of anything else are not asked for
    return SharedExperiment(link, experiment, table(experiment), progress(experiment))
