"""Limits of an account: the lab's defaults, and what staff changed for it. What is used: `webapp.lab.quotas`."""

from __future__ import annotations

from dataclasses import dataclass, fields

from django.conf import settings

from webapp.people.accounts.models import Quota, User


@dataclass(frozen=True)
class Limits:
    """The most that an account may have of each; None: no limit."""

    running: int | None = None
    cpu_hours: int | None = None
    rows: int | None = None
    bytes: int | None = None
    api_calls: int | None = None


NAMES = tuple(field.name for field in fields(Limits))


def is_exempt(owner: User) -> bool:
    """Whether an account has no limits: that of staff, and the lab's own."""
    return owner.is_staff or owner.username == settings.LAB_ACCOUNT


def limits(owner: User) -> Limits:
    """The limits of an account."""
    if is_exempt(owner):
        return Limits()
    changed: Quota | None = getattr(owner, "quota", None)
    return Limits(**{name: _limit(name, changed) for name in NAMES})


def _limit(name: str, changed: Quota | None) -> int | None:
    given: int | None = getattr(changed, name, None)
    return (settings.LAB_QUOTAS[name] if given is None else given) or None
