"""Writing: note what a member of staff has done."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry

from webapp.people.accounts.models import User
from webapp.people.audit.models import StaffAction

DEEDS = {ADDITION: "added", CHANGE: "changed", DELETION: "deleted"}


def note(who: User, deed: str, kind: str, name: str, *, object_id: str = "", details: str = "") -> None:
    """Note a deed outside of the administration. deed: in the past, e.g. "drained"; kind: of thing, e.g. "worker"."""
    StaffAction.objects.create(
        who=who.get_username(),
        who_id=who.pk,
        deed=deed[:40],
        kind=kind[:60],
        object_id=object_id[:64],
        name=name[:200],
        details=details,
    )


def keep(sender: type[LogEntry], instance: LogEntry, created: bool, **_: Any) -> None:
    """Note a deed in the administration: its own log is deleted with the account of whoever did it."""
    if created:
        kind = instance.content_type.name if instance.content_type is not None else ""
        note(
            instance.user,
            DEEDS.get(instance.action_flag, str(instance.action_flag)),
            kind,
            instance.object_repr,
            object_id=str(instance.object_id or ""),
            details=instance.get_change_message(),
        )
