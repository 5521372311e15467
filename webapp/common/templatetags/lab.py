"""Numbers, times, names and states as pages write them: `webapp.common.formats` for templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.timesince import timesince

from games import registry as game_registry
from webapp.common import board_pictures, formats, markdown

register = template.Library()

STATES = {
    "running": ("run", "Running"),
    "waiting": ("wait", "Waiting"),
    "paused": ("pause", "Paused"),
    "stopped": ("warn", "Stopped"),
    "finished": ("ok", "Finished"),
}
"""State -> (class of its chip, word)."""

HEAD = 1000
"""Letters of a drawing that hold its outermost element."""

register.filter("count", lambda value: formats.count(int(value or 0)))
register.filter("signed", lambda value: formats.signed(value, 0))
register.filter("signed_one", lambda value: formats.signed(value, 1))
register.filter("decimal", lambda value, digits=1: formats.number(value, int(digits)))
register.filter("bytes_size", formats.bytes_size)
register.filter("seconds", formats.seconds)
register.filter("markdown", markdown.render_of_people)
register.filter("duration", formats.duration)


@register.filter
def plural(value: int, words: str) -> str:
    """A counted noun: ``3|plural:"match,matches"``."""
    one, _, many = words.partition(",")
    return formats.plural(int(value), one, many or f"{one}s")


@register.filter
def of_key(values: Mapping[Any, Any], key: Any) -> Any:
    """The value of a key; None where there is none."""
    return values.get(key)


@register.filter
def beside(cells: Sequence[Any], columns: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Each cell of a row with its column."""
    return list(zip(cells, columns, strict=True))


@register.filter
def stage_kind(drawing: str) -> str:
    """What a stage shows, as its script finds out, too: a "map", which grows and is moved over, or a "table"."""
    return "map" if 'data-view="map"' in drawing[:HEAD] else "table"


@register.filter
def ago(moment: datetime | None) -> str:
    """A moment as its distance from now: "just now", "5 minutes ago"."""
    if moment is None:
        return "never"
    if (timezone.now() - moment).total_seconds() < 60:
        return "just now"
    return f"{timesince(moment).split(',')[0]} ago"


@register.filter
def game_label(game_id: str) -> str:
    """Label of a game; its id where this version of the lab does not know it."""
    try:
        return game_registry.get(game_id).label
    except KeyError:
        return game_id


@register.filter
def board_picture(game_id: str) -> str:
    """Address of the picture of a game's board; empty where it has none."""
    return static(board_pictures.name(game_id)) if board_pictures.has_picture(game_id) else ""


register.filter("game_about", board_pictures.about)


@register.filter
def state_chip(state: str) -> str:
    """Class of a state's chip."""
    return STATES[state][0]


@register.filter
def state_word(state: str) -> str:
    """Word for a state."""
    return STATES[state][1]


@register.filter
def seat_mark(index: Any) -> str:
    """Mark of a seat or side, empty for the grey ones."""
    return "" if index is None else str(index)


@register.filter
def unlocalized(value: float) -> str:
    """A number for a style: always with a point."""
    return f"{float(value):.2f}"
