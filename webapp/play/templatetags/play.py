"""What every page says about play."""

from __future__ import annotations

from typing import Any

from django import template

from webapp.accounts import guests
from webapp.accounts.models import User
from webapp.play import selectors

register = template.Library()


@register.simple_tag
def num_matches(person: User) -> int:
    """Matches that the list *My matches* of a person has."""
    return selectors.mine(person).count()


@register.simple_tag(takes_context=True)
def my_turns(context: dict[str, Any]) -> int:
    """In how many matches it is the turn of whoever asks."""
    request = context.get("request")
    return 0 if request is None else selectors.num_turns(guests.person(request))
