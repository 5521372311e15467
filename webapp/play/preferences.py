"""Preferences of people at play: kept with the person, guests too, and read by the board's page."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games import options as option_tools
from games.options import OptionError, option
from webapp.people.accounts.models import User
from webapp.table.live.phrase_list import LANGUAGES

SPEEDS = (("off", "At once"), ("quick", "Quickly"), ("system", "As usual"), ("slow", "Slowly"))
"""How fast moves are shown."""


@dataclass(frozen=True)
class Preferences:
    """confirm: where an action counts only when it is confirmed; automatic: a single legal action plays itself.

    motion: how fast moves are shown: "off", "quick", "system" (usual), "slow"; letters: whether single letters,
    digits and signs are keys; shapes: pieces carry the mark of their seat; language, phrases: in which
    ready phrases are read, and whether (`webapp.table.live.phrase_list`); presence: friends see when the person is
    here.
    """

    confirm: str = option(
        "rated",
        "Confirm each action",
        "Where you confirm, a wrong click costs nothing. Elsewhere the last click plays, and U takes it back.",
        choices=(
            ("never", "Never"),
            ("rated", "Rated, on a clock, or with other people"),
            ("always", "Always"),
        ),
    )
    automatic: bool = option(
        False,
        "Play single actions by themselves",
        "Where the rules leave one action only, it is played for you after a moment.",
    )
    motion: str = option(
        "system",
        "Others\N{RIGHT SINGLE QUOTATION MARK} moves are shown",
        "Pieces travel and points are counted one after another. Where your system asks for less motion, "
        "nothing travels; the pauses stay.",
        choices=SPEEDS,
    )
    letters: bool = option(
        True,
        "Keys of one letter",
        "H asks for a hint, R turns, L shows the last move, 1 to 9 choose. Off: only arrows, Enter, Space and Escape.",
    )
    shapes: bool = option(
        False,
        "Shapes on pieces",
        "Every piece carries the mark of its seat (disc, square, triangle, diamond, plus), not its colour alone.",
    )
    phrases: bool = option(
        True,
        "Show what others say",
        "Ready phrases, such as greetings; there is no free chat. Off: you see none at any table.",
    )
    language: str = option(
        "en",
        "Language of ready phrases",
        "Everybody reads them in the language that they chose.",
        choices=tuple(LANGUAGES.items()),
    )
    presence: bool = option(
        True,
        "Friends see when I am here",
        "Your friends, and nobody else, see that you are here, and whether you sit at a table.",
    )

    def to_json(self) -> dict[str, Any]:
        """All of them by name, for the page."""
        return option_tools.to_json(self)


OLD_CONFIRM = {True: "always", False: "never"}
"""What was kept while confirming was on or off."""


def load(person: User | None) -> Preferences:
    """Load a person's choices; defaults for nobody known, and for whatever is not, or no longer, valid."""
    chosen = Preferences()
    stored = dict(person.preferences) if person is not None else {}
    if isinstance(before := stored.get("confirm"), bool):
        stored["confirm"] = OLD_CONFIRM[before]
    for field in dataclasses.fields(Preferences):
        if field.name in stored:
            try:
                one = option_tools.from_json(Preferences, {field.name: stored[field.name]})
            except OptionError:
                continue
            chosen = dataclasses.replace(chosen, **{field.name: getattr(one, field.name)})
    return chosen


def save(person: User, chosen: Preferences) -> None:
    """Store them. What other rooms keep beside them stays."""
    change(person, lambda stored: {**stored, **chosen.to_json()})


def save_some(person: User, changed: Mapping[str, Any]) -> None:
    """Store some of them by name; the others stay. Raises OptionError, a ValueError, for what is none."""
    option_tools.from_json(Preferences, changed)
    change(person, lambda stored: {**stored, **changed})


def load_for_game(person: User | None, key: str, game_id: str) -> dict[str, Any]:
    """Load what stands under a key for one game; empty where it is nothing that was kept here."""
    return _of_game(person.preferences, key, game_id) if person is not None else {}


def save_for_game(person: User, key: str, game_id: str, changed: Mapping[str, Any]) -> None:
    """Change some of what stands under a key for one game; the rest of it, and of other games, stays."""

    def kept(stored: Mapping[str, Any]) -> dict[str, Any]:
        games = stored.get(key)
        others = games if isinstance(games, dict) else {}
        return {**stored, key: {**others, game_id: {**_of_game(stored, key, game_id), **changed}}}

    change(person, kept)


def _of_game(stored: Mapping[str, Any], key: str, game_id: str) -> dict[str, Any]:
    games = stored.get(key)
    own = games.get(game_id) if isinstance(games, dict) else None
    return own if isinstance(own, dict) else {}


@transaction.atomic
def change(person: User, changed: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Store what `changed` makes of all that is kept now, not of what this request read of it.

    Nothing where the person is gone: a guest who has signed in to an account meanwhile.
    """
    row = User.objects.select_for_update(no_key=True).filter(pk=person.pk).first()
    if row is not None:
        person.preferences = row.preferences = changed(row.preferences)
        row.save(update_fields=["preferences"])
