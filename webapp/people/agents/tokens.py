"""Tokens of agents: made, recognised, withdrawn. The secret itself is shown once and kept nowhere."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from webapp.people.agents.models import Agent, AgentToken

PREFIX = "mlab_"
READ, PLAY = "read", "play"
SCOPES = {
    READ: "see its matches, public matches and open seats",
    PLAY: "open and join matches, act in them, resign",
}
"""Scopes of a token, in words that complete "may"."""

MAX_SECRET = 200
USED_EVERY = timedelta(minutes=1)
"""Interval at which the last use is noted: not at every request."""


def issue(agent: Agent, label: str, scopes: Sequence[str]) -> tuple[AgentToken, str]:
    """Make a token; return its row and the secret, which nobody can read again."""
    secret = f"{PREFIX}{secrets.token_urlsafe(32)}"
    row = AgentToken.objects.create(
        agent=agent,
        label=label,
        start=secret[: AgentToken._meta.get_field("start").max_length],
        digest=digest(secret),
        scopes=[scope for scope in SCOPES if scope in scopes],
    )
    return row, secret


def digest(secret: str) -> str:
    """Digest that is kept of a secret. The secret is random and long, so one round of SHA-256 is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def find(secret: str) -> AgentToken | None:
    """The token with this secret, if it still holds.

    It is found by its digest, so the time taken says nothing about the secrets of others.
    """
    if not secret.startswith(PREFIX) or len(secret) > MAX_SECRET:
        return None
    row = (
        AgentToken.objects.select_related("agent__owner__quota").filter(digest=digest(secret), revoked_at=None).first()
    )
    if row is None or row.agent.retired_at is not None or not row.agent.owner.is_active:
        return None
    _note_use(row)
    return row


def _note_use(row: AgentToken) -> None:
    now = timezone.now()
    if row.used_at is None or row.used_at <= now - USED_EVERY:
        unused = Q(used_at=None) | Q(used_at__lte=now - USED_EVERY)
        AgentToken.objects.filter(unused, pk=row.pk).update(used_at=now)
        row.used_at = now


def revoke(row: AgentToken) -> bool:
    """Withdraw a token for good. False when it was withdrawn already."""
    return bool(AgentToken.objects.filter(pk=row.pk, revoked_at=None).update(revoked_at=timezone.now()))
