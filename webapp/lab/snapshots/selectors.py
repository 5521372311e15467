"""Reading: the snapshots of a link, their files and addresses, what they take of an account's storage."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse

from webapp.lab.quotas.snapshots import of_owner
from webapp.records.models import ShareLink
from webapp.records.snapshot_models import Snapshot

State = Snapshot.State


def of_link(link: ShareLink) -> QuerySet[Snapshot]:
    """Those of a link, the newest first."""
    return link.snapshots.order_by("-asked_at", "-pk")


def find(link: ShareLink, digest: str) -> Snapshot | None:
    """The one that an address names by the beginning of its checksum."""
    if not _DIGEST.fullmatch(digest):
        return None
    found = list(Snapshot.objects.filter(link=link, sha256__startswith=digest)[:2])
    return found[0] if len(found) == 1 else None


_DIGEST = re.compile(r"[0-9a-f]{12,64}")
"""What an address may name one by: enough of its checksum."""


def path_of(snapshot: Snapshot) -> Path:
    """Its file."""
    return Path(settings.SNAPSHOT_FOLDER) / f"{snapshot.sha256}.zip"


def address(snapshot: Snapshot) -> str:
    """The whole public address of its page."""
    return f"{settings.PUBLIC_URL}{reverse('sharing:snapshot', args=[snapshot.link.slug, snapshot.digest])}"


def file_address(snapshot: Snapshot) -> str:
    """The whole public address of its file."""
    return f"{settings.PUBLIC_URL}{reverse('sharing:snapshot_file', args=[snapshot.link.slug, snapshot.digest])}"


def waiting_of(owner_id: int) -> bool:
    """Whether one of an account's is being made, or will be."""
    return Snapshot.objects.filter(of_owner(owner_id), state=State.WAITING).exists()
