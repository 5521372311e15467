"""Requests with a key: sent again, they are answered as the first time and do nothing twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from webapp.common.errors import RefusedError
from webapp.people.accounts.models import User
from webapp.people.agents.models import KeptAnswer

KEPT = timedelta(days=7)


class KeyReusedError(RefusedError):
    """A key that came with another request before."""


def once(owner: User, key: str, request: Any, do: Callable[[], Any]) -> Any:
    """What `do` answers; with a key that this owner has sent before, what it answered then.

    request: what was asked, as JSON: the key holds for it alone. do: answers JSON, and what it writes is undone
    where it raises, with the key. Two requests with a key come one after the other. Raises KeyReusedError.
    """
    if not key:
        return do()
    asked = _digest(json.dumps(request, sort_keys=True))
    with transaction.atomic():
        row, is_new = KeptAnswer.objects.get_or_create(owner=owner, key=_digest(key), defaults={"request": asked})
        if not is_new:
            if row.request != asked:
                raise KeyReusedError("This key came with another request before. Take a new key for each.")
            return row.answer
        row.answer = do()
        row.save(update_fields=["answer"])
        return row.answer


def forget_old(now: datetime) -> int:
    """Forget what was answered long ago; return how many."""
    return KeptAnswer.objects.filter(created_at__lt=now - KEPT).delete()[0]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
