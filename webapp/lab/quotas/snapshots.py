"""Bytes of frozen snapshots: they count as storage of who owns the job."""

from __future__ import annotations

from django.db.models import Q, Sum

from webapp.people.accounts.models import User
from webapp.records.job import job_fields
from webapp.records.models import ShareLink
from webapp.records.snapshot_models import Snapshot


def of_owner(owner_id: int) -> Q:
    """Condition on the snapshots of an account's jobs."""
    found = Q()
    for field in job_fields(ShareLink):
        found |= Q(**{f"link__{field}__owner": owner_id})
    return found


def size(owner: User) -> int:
    """Bytes of the files that there are, those that are being made included."""
    kept = Snapshot.objects.filter(of_owner(owner.pk), state__in=(Snapshot.State.WAITING, Snapshot.State.MADE))
    return int(kept.aggregate(size=Sum("size"))["size"] or 0)
