"""Pictures of the cards that a kingdom is chosen from."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from games.dominion.board import card_choices
from games.dominion.board.card_choices import Choice

register = template.Library()


@register.simple_tag
def kingdom_choices() -> tuple[Choice, ...]:
    """All kingdom cards."""
    return card_choices.choices()


@register.simple_tag
def kingdom_sheet() -> SafeString:
    """Symbols that their pictures refer to; drawn by the game, without anything that people wrote."""
    return mark_safe(card_choices.sheet())


@register.filter
def picture(choice: Choice) -> SafeString:
    """One picture."""
    return mark_safe(choice.svg)
