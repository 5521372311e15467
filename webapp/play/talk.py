"""Ready phrases on the page of a match: its menu, in the language that the reader chose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webapp.people.accounts.models import User
from webapp.play import preferences
from webapp.table.live import phrases
from webapp.table.live.phrase_list import LANGUAGES, PHRASES
from webapp.table.live.table_seats import Table


@dataclass(frozen=True)
class Menu:
    """Menu of phrases for one reader. is_shown: whether they want to see what others say; why_not: they say nothing."""

    language: str
    is_shown: bool
    is_player: bool
    why_not: str

    @property
    def phrases(self) -> list[tuple[str, str]]:
        """Id and words of each phrase."""
        return [(name, words[self.language]) for name, words in PHRASES.items()]

    @property
    def languages(self) -> Mapping[str, str]:
        """Languages that can be chosen, in their own words."""
        return LANGUAGES

    @property
    def data(self) -> dict[str, Any]:
        """Data for the page's script, which says phrases in the language chosen last."""
        return {"language": self.language, "shown": self.is_shown, "phrases": PHRASES}


def menu(table: Table) -> Menu | None:
    """The menu for the reader of a table; None where no two people sit there."""
    if not phrases.has_listeners(table.rows):
        return None
    chosen = preferences.load(table.person)
    return Menu(chosen.language, chosen.phrases, bool(table.seats), phrases.why_not(table))


def choose(person: User, wanted: Mapping[str, Any]) -> None:
    """Keep what a reader chose in the menu: `language`, `phrases`. Raises ValueError."""
    changed = {name: wanted[name] for name in ("language", "phrases") if name in wanted}
    preferences.save_some(person, changed)
