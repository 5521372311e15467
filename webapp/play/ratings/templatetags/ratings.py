"""``{% load ratings %}``: ratings on pages of other rooms, and how points are written."""

from __future__ import annotations

from typing import Any

from django import template

from webapp.common import formats
from webapp.people.accounts.models import User
from webapp.play.ratings import charts, selectors
from webapp.table.live import rated_rules
from webapp.table.live.models import LiveMatch
from worker.analysis.intervals import Interval

register = template.Library()


@register.filter
def points(value: float) -> str:
    """Points of a rating: "1 657"."""
    return formats.count(round(value))


@register.filter
def change(value: float) -> str:
    """Points gained or lost, with their sign."""
    return formats.signed(value, 0)


@register.simple_tag
def share(part: int, whole: int, interval: Interval | None) -> str:
    """A share of matches with its interval: "60.0 % (31.3 to 83.2)"."""
    if interval is None:
        return ""
    return f"{formats.percent(part / whole)} ({formats.span(100 * interval.low, 100 * interval.high)})"


@register.inclusion_tag("ratings/_histories.html")
def rating_histories(person: User) -> dict[str, Any]:
    """Somebody's own ratings, with their history."""
    return {"shown": charts.history_figures(selectors.histories(person, person)), "is_own": True, "who": person}


@register.inclusion_tag("ratings/_changes.html")
def rating_changes(match: LiveMatch, plates: Any) -> dict[str, Any]:
    """Changes that a finished rated match made for those who played it."""
    why_not, found = selectors.changes(match)
    names = {plate.seat: plate.name for plate in plates}
    named = [(change, names.get(change.seat, "")) for change in found]
    pool = rated_rules.pool_of(match.game, match.options)
    return {"why_not": why_not, "changes": named, "match": match, "pool": pool}
