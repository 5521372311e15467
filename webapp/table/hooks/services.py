"""Writing: set a webhook, change its secret, take it away. Callers have checked whose agent it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from webapp.common.errors import RefusedError
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.table.hooks import announce, delivery_signature
from webapp.table.hooks.models import Delivery, Hook

TEST_PAUSE = timedelta(seconds=5)
"""Time between two tests of a webhook: nobody can make the lab send at will."""


def set_up(agent: Agent, url: str, events: Sequence[str]) -> tuple[Hook, str]:
    """Set where the webhook of an agent leads; return it, and its secret where it is a new one (else "").

    Another address gets a new secret: who had the old one must not be able to sign for the new one.
    """
    with transaction.atomic():
        Agent.objects.select_for_update().get(pk=agent.pk)
        hook = Hook.objects.filter(agent=agent).first()
        if hook is not None and hook.url == url:
            hook.events = list(events)
            hook.save(update_fields=["events"])
            return hook, ""
        secret = delivery_signature.new_secret()
        values = {"url": url, "events": list(events), "secret": secret}
        hook, _ = Hook.objects.update_or_create(agent=agent, defaults=values)
        return hook, secret


def set_up_own(owner: User, url: str) -> tuple[Hook, str]:
    """Set where the webhook of a person leads, likewise."""
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        hook = Hook.objects.filter(owner=owner).first()
        if hook is not None and hook.url == url:
            return hook, ""
        secret = delivery_signature.new_secret()
        values = {"url": url, "events": [announce.FINISHED], "secret": secret}
        hook, _ = Hook.objects.update_or_create(owner=owner, defaults=values)
        return hook, secret


def rotate(hook: Hook) -> str:
    """Give the webhook a new secret and return it; deliveries that still wait are signed with it."""
    hook.secret = delivery_signature.new_secret()
    hook.save(update_fields=["secret"])
    return hook.secret


def remove(agent: Agent) -> None:
    """Take the webhook away, with its deliveries."""
    Hook.objects.filter(agent=agent).delete()


def remove_own(owner: User) -> None:
    """Take the webhook of a person away, likewise."""
    Hook.objects.filter(owner=owner).delete()


def send_test(hook: Hook) -> Delivery:
    """Put a test in the queue. Raises RefusedError where the last one was a moment ago."""
    with transaction.atomic():
        Hook.objects.select_for_update().get(pk=hook.pk)
        since = timezone.now() - TEST_PAUSE
        if Delivery.objects.filter(hook=hook, event=announce.TEST, created_at__gt=since).exists():
            raise RefusedError("A test was sent a moment ago: see its outcome below.")
        return announce.test(hook)
