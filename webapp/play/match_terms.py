"""The terms of a match in words, for those who may join it and those who play it."""

from __future__ import annotations

from games import registry as game_registry
from games import rule_sets
from webapp.common.fields import format_plain
from webapp.common.formats import duration, plural
from webapp.common.option_forms import describe_options
from webapp.play import level_cards
from webapp.play.forms import VISIBILITIES
from webapp.table.live.models import LiveMatch, LiveSeat


def describe_terms(match: LiveMatch) -> list[tuple[str, str]]:
    """(what, how) of a match; what is not limited is left out where nobody asks."""
    game = game_registry.get(match.game)
    rules = rule_sets.name_of(game, match.options)
    changed = describe_options(game.options, match.options, changed_only=True)
    told = [("Game", game.label), *([("Rules", rules)] if rules else changed or [("Rules", "the lab's defaults")])]
    counts = "for no rating"
    if match.is_rated:
        counts = "for ratings: no hints, nothing taken back; leaving counts as a loss, even if the others agree to end"
    told.append(("Counts", counts))
    told += [("Aids", _aids(match)), ("Time", _time(match))]
    thinking = _thinking(match)
    if thinking:
        told.append(("Engines think", thinking))
    told.append(("Who may see it", VISIBILITIES[LiveMatch.Visibility(match.visibility)][1].removesuffix(".")))
    if match.spectator_delay and match.visibility != LiveMatch.Visibility.PRIVATE:
        told.append(("Spectators see it", f"{plural(match.spectator_delay, 'move', 'moves')} late"))
    return told


def _aids(match: LiveMatch) -> str:
    if not match.has_aids:
        return "off, the bare board"
    return "on, except those that count or remember for you" if match.is_rated else "on"


def _time(match: LiveMatch) -> str:
    parts = []
    if match.clock_s is not None:
        more = f" and {format_plain(match.increment_s)} s more for each move" if match.increment_s else ""
        parts.append(f"{duration(match.clock_s)} for each seat{more}; a seat that runs out of time forfeits")
    if match.ply_limit_s is not None:
        then = "an engine takes over" if match.replaces_absent else "the seat forfeits"
        parts.append(f"{duration(match.ply_limit_s)} for one action, then {then}")
    return "; ".join(parts) or "no limit"


def _thinking(match: LiveMatch) -> str:
    """Words on how long engines think, where they have a clock."""
    rows = match.seats.filter(kind=LiveSeat.Kind.ENGINE).select_related("configuration")
    budgets = [row.configuration.budget for row in rows if row.configuration is not None]
    seconds = sorted({budget[level_cards.SECONDS] for budget in budgets if level_cards.SECONDS in budget})
    return " and ".join(f"{format_plain(each)} s a move" for each in seconds)
