"""The guided first match: whose it is, how far they have come, and whether it is done. Kept with the preferences.

A person has one guided match of a game at a time; done or closed, the guide is offered no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games import registry
from games.protocol import GuideStep
from webapp.people.accounts.models import User
from webapp.play import preferences
from webapp.table.live.models import LiveMatch, LiveSeat

KEY = "guide"


@dataclass(frozen=True)
class Guide:
    """The steps beside a board, and the one that is shown, from 0."""

    steps: Sequence[GuideStep]
    step: int


def begin(person: User, match: LiveMatch) -> None:
    """Lead the person through this match; nothing where it is already, or the game has no guide."""
    if registry.get(match.game).guide and preferences.load_for_game(person, KEY, match.game).get("match") != match.code:
        preferences.save_for_game(person, KEY, match.game, {"match": match.code, "step": 0, "is_done": False})


def find_guide(person: User | None, match: LiveMatch) -> Guide | None:
    """The guide beside this match for this person; None where there is none, or it is done."""
    kept = preferences.load_for_game(person, KEY, match.game)
    if kept.get("match") != match.code or kept.get("is_done"):
        return None
    steps, step = registry.get(match.game).guide, kept.get("step")
    return Guide(steps, step if isinstance(step, int) and 0 <= step < len(steps) else 0) if steps else None


def turn_to(person: User, match: LiveMatch, step: int) -> None:
    """Show another step from now on; nothing where no guide leads through the match any more (closed in another tab).

    Raises ValueError where there is no such step.
    """
    guide = find_guide(person, match)
    if guide is None:
        return
    if not 0 <= step < len(guide.steps):
        raise ValueError(f"step must be between 0 and {len(guide.steps) - 1}, not {step}")
    preferences.save_for_game(person, KEY, match.game, {"match": match.code, "step": step})


def end(person: User, match: LiveMatch) -> None:
    """End the guide: it is done, or was closed, and is not shown again."""
    if preferences.load_for_game(person, KEY, match.game).get("match") == match.code:
        preferences.save_for_game(person, KEY, match.game, {"match": match.code, "is_done": True})


def offered_games(person: User | None) -> set[str]:
    """Games through whose first match somebody may want to be led: who has not been, and played none to its end.

    The ids of those that have a guide.
    """
    found = {
        game_id
        for game_id in registry.ids()
        if registry.get(game_id).guide and not preferences.load_for_game(person, KEY, game_id).get("is_done")
    }
    if person is None or not found:
        return found
    played = LiveSeat.objects.filter(person=person, match__status=LiveMatch.Status.FINISHED)
    return found - set(played.values_list("match__game", flat=True).distinct())
