"""Writing: ask for a snapshot, and take one back. Callers have checked whose the link is."""

from __future__ import annotations

import hashlib

from django.db import transaction
from django.utils import timezone

from webapp.common.errors import RefusedError
from webapp.lab.jobs import registry as jobs
from webapp.lab.quotas import services as quotas
from webapp.lab.quotas.selectors import Ask
from webapp.lab.results import cache
from webapp.lab.snapshots import selectors
from webapp.people.accounts.models import User
from webapp.records.models import Experiment, ShareLink
from webapp.records.snapshot_models import Snapshot
from worker.spec import SpecError

MOST = 20
"""Snapshots of one link that have a file."""
State = Snapshot.State


def refusal(link: ShareLink) -> str:
    """Why what a link shows cannot be frozen now, as a sentence; empty where it can."""
    if link.withdrawn_at is not None:
        return "Its address was withdrawn: share it again first."
    job = link.job
    if link.match_id is not None or jobs.of(job).only_match(job) is not None:
        return "This is a single match: its trace is its whole record, and can be downloaded."
    if isinstance(job, Experiment) and job.is_secret:
        return "Agents may still play in it, and until it is finished its seeds are secret."
    if not jobs.of(job).progress(job).played:
        return f"Nothing has come out of this {job.word} yet."
    return ""


def freeze(link: ShareLink, *, with_plies: bool = False) -> tuple[Snapshot, bool]:
    """The snapshot of what a link shows now, and whether it is new: the same is frozen once.

    Its file is made by `webapp.sharing.snapshots.maker`. Raises RefusedError with a sentence.
    """
    if why := refusal(link):
        raise RefusedError(why)
    job = link.job
    plies = with_plies and isinstance(job, Experiment) and job.keeps_plies
    with transaction.atomic():
        owner = User.objects.select_for_update(no_key=True).get(pk=job.owner_id)  # two clicks at once make one
        shown = _shown(link)
        rows = Snapshot.objects.filter(link=link, state__in=(State.WAITING, State.MADE))
        if (known := rows.filter(shown=shown, with_plies__gte=plies).first()) is not None:
            return known, False
        if selectors.waiting_of(owner.pk):
            raise RefusedError("A snapshot of yours is being made: wait until it is there.")
        if rows.count() >= MOST:
            raise RefusedError(f"There are {MOST} snapshots of this: withdraw one that nobody cites.")
        try:
            quotas.check(owner, Ask(jobs=0, bytes=1))
        except SpecError as error:
            raise RefusedError(f"{error.message}.") from None
        return Snapshot.objects.create(link=link, with_plies=plies, shown=shown), True


def _shown(link: ShareLink) -> str:
    """A hash of what a link shows: title, spec, state, and how much has ended."""
    job = link.job
    now = jobs.of(job).progress(job)
    written = cache.version(job) if isinstance(job, Experiment) else ()
    return hashlib.sha256(repr((job.title, job.spec, job.status, now.played, now.failed, written)).encode()).hexdigest()


def withdraw(snapshot: Snapshot) -> None:
    """Take a snapshot back: its address says so from now on, and its file goes. Doing it twice changes nothing."""
    rows = Snapshot.objects.filter(pk=snapshot.pk).exclude(state=State.WITHDRAWN)
    rows.update(state=State.WITHDRAWN, withdrawn_at=timezone.now())
    snapshot.refresh_from_db()
