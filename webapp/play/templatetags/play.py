"""Tags that tell every page about play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template

from webapp.people.accounts import guests
from webapp.people.accounts.models import User
from webapp.play import match_terms, selectors
from webapp.play.level_cards import LevelCard

register = template.Library()


@register.simple_tag
def num_matches(person: User) -> int:
    """Matches that the list *My matches* of a person has."""
    return selectors.mine(person).count()


@register.simple_tag(takes_context=True)
def my_turns(context: dict[str, Any]) -> int:
    """Number of matches in which it is the visitor's turn; the one whose page this is says it by itself."""
    request = context.get("request")
    if request is None:
        return 0
    place = request.resolver_match
    here = place.kwargs["code"] if place is not None and place.view_name == "play:match" else ""
    return selectors.num_turns(guests.person(request), besides=here)


@register.simple_tag(takes_context=True)
def my_invitations(context: dict[str, Any]) -> int:
    """Number of invitations by name that wait for the visitor's answer."""
    request = context.get("request")
    return 0 if request is None else selectors.num_invitations(guests.person(request))


register.filter("terms", match_terms.describe_terms)


@register.filter
def chosen_label(cards: Sequence[LevelCard], place: int) -> str:
    """Label of the level at a place."""
    return cards[place].level.label
