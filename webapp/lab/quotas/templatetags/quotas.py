"""``{% load quotas %}``: ``{% quotas user %}``."""

from __future__ import annotations

from typing import Any

from django import template

from webapp.lab.quotas import selectors
from webapp.people.accounts.models import User

register = template.Library()


@register.inclusion_tag("quotas/_bounds.html")
def quotas(person: User) -> dict[str, Any]:
    """What a person may have, has, and has left."""
    return {"bounds": selectors.bounds(person), "is_staff": person.is_staff}
