"""How a person likes to play: kept with the person, guests too, and read by the board's page."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from games import options as option_tools
from games.options import OptionError, option
from webapp.accounts.models import User


@dataclass(frozen=True)
class Preferences:
    """confirm: an action counts when it is confirmed; automatic: a single legal action plays itself.

    motion: "system" (as the system asks) or "off"; shapes: pieces carry the mark of their seat.
    """

    confirm: bool = option(
        True,
        "Confirm each action",
        "A wrong click costs nothing: what you chose counts when you confirm it. Off: the last click plays.",
    )
    automatic: bool = option(
        False,
        "Play single actions by themselves",
        "Where the rules leave one action only, it is played for you after a moment.",
    )
    motion: str = option(
        "system",
        "Motion",
        "As the system: tiles settle and meeples walk home, unless your system asks for less motion.",
        choices=(("system", "As the system"), ("off", "Off")),
    )
    shapes: bool = option(
        False,
        "Shapes on pieces",
        "Every piece carries the mark of its seat (disc, square, triangle, diamond, plus), not its colour alone.",
    )

    def to_json(self) -> dict[str, Any]:
        """All of them by name, for the page."""
        return option_tools.to_json(self)


def of(person: User | None) -> Preferences:
    """What the person chose; defaults for nobody known, and for whatever is not, or no longer, valid."""
    chosen = Preferences()
    stored = person.preferences if person is not None else {}
    for field in dataclasses.fields(Preferences):
        if field.name in stored:
            try:
                one = option_tools.from_json(Preferences, {field.name: stored[field.name]})
            except OptionError:
                continue
            chosen = dataclasses.replace(chosen, **{field.name: getattr(one, field.name)})
    return chosen


def keep(person: User, chosen: Preferences) -> None:
    """Store them. What other rooms keep beside them stays."""
    person.preferences = {**person.preferences, **chosen.to_json()}
    person.save(update_fields=["preferences"])
