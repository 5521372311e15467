"""Tokens of agents and of people: made, recognised, withdrawn. The secret itself is shown once and kept nowhere."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, TypeVar

from django.db.models import Q, QuerySet
from django.utils import timezone

from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent, AgentToken, PersonToken, Token

PREFIX = "mlab_"
PERSON_PREFIX = "mlabp_"
READ, PLAY, EXPERIMENT = "read", "play", "experiment"
SCOPES = {
    READ: "see its matches, public matches and open seats",
    PLAY: "open and join matches, act in them, resign",
}
"""Scopes of an agent's token, in words that complete "may"."""
PERSON_SCOPES = {
    READ: "see your experiments, ladders, studies and strategies, with results and exports",
    EXPERIMENT: "start, steer, share and delete them, and keep strategies",
}
"""Scopes of a person's token, in the same words."""

T = TypeVar("T", AgentToken, PersonToken)
MAX_SECRET = 200
USED_EVERY = timedelta(minutes=1)
"""Interval at which the last use is noted: not at every request."""


def issue(agent: Agent, label: str, scopes: Sequence[str]) -> tuple[AgentToken, str]:
    """Make a token of an agent; return its row and the secret, which nobody can read again."""
    secret, values = _draw(PREFIX, label, [scope for scope in SCOPES if scope in scopes])
    return AgentToken.objects.create(agent=agent, **values), secret


def issue_to_person(owner: User, label: str, scopes: Sequence[str]) -> tuple[PersonToken, str]:
    """Make a token of a person, likewise."""
    secret, values = _draw(PERSON_PREFIX, label, [scope for scope in PERSON_SCOPES if scope in scopes])
    return PersonToken.objects.create(owner=owner, **values), secret


def _draw(prefix: str, label: str, scopes: list[str]) -> tuple[str, dict[str, Any]]:
    """A secret, and the fields of its row."""
    secret = f"{prefix}{secrets.token_urlsafe(32)}"
    start = secret[: Token._meta.get_field("start").max_length]
    return secret, {"label": label, "start": start, "digest": digest(secret), "scopes": scopes}


def digest(secret: str) -> str:
    """Digest that is kept of a secret. The secret is random and long, so one round of SHA-256 is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def find(secret: str) -> AgentToken | PersonToken | None:
    """The token with this secret, if it still holds.

    It is found by its digest, so the time taken says nothing about the secrets of others.
    """
    if len(secret) > MAX_SECRET:
        return None
    if secret.startswith(PERSON_PREFIX):
        return _noted(_holding(PersonToken.objects.select_related("owner__quota"), secret))
    if not secret.startswith(PREFIX):
        return None
    row = _holding(AgentToken.objects.select_related("agent__owner__quota"), secret)
    return _noted(row) if row is None or row.agent.retired_at is None else None


def _holding(rows: QuerySet[T], secret: str) -> T | None:
    """The row with this secret, unless it is revoked or its owner's account is closed."""
    row = rows.filter(digest=digest(secret), revoked_at=None).first()
    return row if row is not None and row.owner.is_active else None


def _noted(row: T | None) -> T | None:
    """The token, its use noted."""
    now = timezone.now()
    if row is not None and (row.used_at is None or row.used_at <= now - USED_EVERY):
        unused = Q(used_at=None) | Q(used_at__lte=now - USED_EVERY)
        type(row)._default_manager.filter(unused, pk=row.pk).update(used_at=now)
        row.used_at = now
    return row


def revoke(row: AgentToken | PersonToken) -> bool:
    """Withdraw a token for good. False when it was withdrawn already."""
    rows = type(row)._default_manager.filter(pk=row.pk, revoked_at=None)
    return bool(rows.update(revoked_at=timezone.now()))
