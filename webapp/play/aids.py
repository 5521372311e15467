"""Aids that a person has switched on, game by game; kept with the person's preferences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.protocol import Aid, Game
from webapp.people.accounts.models import User
from webapp.play import preferences
from webapp.table.live import hints
from webapp.table.live.models import LiveMatch

KEY = "aids"
HINT = Aid(
    "hint", "Hint", "On your turn a button asks for the best three moves, what they are worth, and why.", thinks=True
)
"""Offered by the lab itself, for every game."""


def may_think(match: LiveMatch) -> bool:
    """Whether something may count, remember or look ahead for those who play: in no rated match."""
    return match.has_aids and not match.is_rated


def offered_aids(match: LiveMatch, game: Game) -> list[Aid]:
    """The aids that there are in a match; none on the bare board."""
    has_hints = not hints.why_none(match)
    known = [*game.aids, *([HINT] if has_hints else [])]
    return [aid for aid in known if match.has_aids and (may_think(match) or not aid.thinks)]


def active_aids(person: User | None, game: Game, among: Sequence[Aid]) -> list[str]:
    """Ids of the aids that are on, among those offered; where nothing is known, as the game says."""
    stored = preferences.load_for_game(person, KEY, game.id)
    return [aid.id for aid in among if stored.get(aid.id, aid.is_on) is True]


def switch_aids(person: User, game: Game, wanted: Mapping[str, Any]) -> None:
    """Keep what the person switched. Raises ValueError naming what is wrong."""
    known = {aid.id for aid in game.aids} | {HINT.id}
    for aid_id, is_on in wanted.items():
        if aid_id not in known:
            raise ValueError(f"{game.label} has no aid {aid_id!r}")
        if not isinstance(is_on, bool):
            raise ValueError(f"{aid_id} must be true or false")
    preferences.save_for_game(person, KEY, game.id, wanted)
