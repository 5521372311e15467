"""How chores came out that run while nobody watches: who runs one notes it here, and a bad end is an alarm."""

from __future__ import annotations

from django.utils import timezone

from webapp.lab.watch.models import Report

BACKUP = "backup"
MOST_LETTERS = 500


def note(name: str, *, is_ok: bool, sentence: str = "") -> None:
    """Note the end of a run. sentence: what went wrong, or what was done."""
    now = timezone.now()
    values = {"at": now, "is_ok": is_ok, "sentence": sentence.strip()[-MOST_LETTERS:]}
    Report.objects.update_or_create(name=name, defaults=values | ({"succeeded_at": now} if is_ok else {}))
