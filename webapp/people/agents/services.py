"""Agents are made, described and retired."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from engines import levels
from webapp.common.errors import RefusedError
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent, AgentToken

NAME_PATTERN = r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}"
NAME_WORDS = "Letters, digits, - and _, at most 40; a letter or digit first"
RESERVED = ("new",)
"""Names that addresses of pages need."""

MAX_AGENTS = 50
MAX_TOKENS = 20
"""Per person; per agent and per person: those that are not retired or revoked."""


def create(owner: User, name: str, description: str) -> Agent:
    """Make an agent. Raises RefusedError where the name is taken or the person has too many."""
    if name.lower() in RESERVED:
        raise RefusedError("This name is reserved. Try another.")
    if name.lower() in levels.names():
        raise RefusedError("A level of the engines has this name. Try another.")
    if owner.agents.filter(retired_at=None).count() >= MAX_AGENTS:
        raise RefusedError(f"You have {MAX_AGENTS} agents. Retire one first.")
    try:
        with transaction.atomic():
            return Agent.objects.create(owner=owner, name=name, description=description)
    except IntegrityError:
        raise RefusedError("Another agent has this name already. Try another.") from None


def describe(agent: Agent, description: str) -> None:
    """Change what is said of an agent."""
    Agent.objects.filter(pk=agent.pk).update(description=description)


def check_room_for_token(agent: Agent) -> None:
    """Raises RefusedError where it can have no further token."""
    if agent.retired_at is not None:
        raise RefusedError("A retired agent no longer plays, so it gets no token.")
    if agent.tokens.filter(revoked_at=None).count() >= MAX_TOKENS:
        raise RefusedError(f"It has {MAX_TOKENS} tokens. Revoke one first.")


def check_room_for_own_token(owner: User) -> None:
    """Raises RefusedError where a person can have no further token."""
    if owner.tokens.filter(revoked_at=None).count() >= MAX_TOKENS:
        raise RefusedError(f"You have {MAX_TOKENS} tokens. Revoke one first.")


@transaction.atomic
def retire(agent: Agent) -> None:
    """Retire an agent: all its tokens are revoked; its name and matches stay."""
    now = timezone.now()
    Agent.objects.filter(pk=agent.pk, retired_at=None).update(retired_at=now)
    AgentToken.objects.filter(agent=agent, revoked_at=None).update(revoked_at=now)
