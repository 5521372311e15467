"""Named levels of a game's engines, from beginner to strongest, with what each won against the next.

Kept as data beside the game's rules (`games.data_files`); `engines.ladder` measures what stands there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from games import data_files, registry, rule_sets

NAME = "levels"
FORMAT = "levels-2"


@dataclass(frozen=True)
class Measurement:
    """Matches of a level against the next stronger one, counted for the weaker, deal by deal.

    The matches of a deal share its luck, so intervals have the deal as their unit, not the match.
    matches_per_deal: one for each distinct seating; deals: wins and draws in the matches of one deal
    (the others were lost), and on how many deals it came out so.
    Raises ValueError where more matches of a deal came out than it has, or a number of deals is not positive.
    """

    matches_per_deal: int
    deals: tuple[tuple[int, int, int], ...]

    def __post_init__(self) -> None:
        for wins, draws, count in self.deals:
            if min(wins, draws) < 0 or wins + draws > self.matches_per_deal or count < 1:
                raise ValueError(f"{count} deals with {wins} wins and {draws} draws in {self.matches_per_deal} matches")

    @property
    def num_deals(self) -> int:
        """Number of deals in all."""
        return sum(count for _, _, count in self.deals)

    @property
    def matches(self) -> int:
        """Number of matches in all."""
        return self.matches_per_deal * self.num_deals

    @property
    def wins(self) -> int:
        """Matches that the weaker level won."""
        return sum(wins * count for wins, _, count in self.deals)

    @property
    def draws(self) -> int:
        """Matches that nobody won."""
        return sum(draws * count for _, draws, count in self.deals)

    @property
    def losses(self) -> int:
        """Matches that the weaker level lost."""
        return self.matches - self.wins - self.draws

    def totals(self) -> dict[str, int]:
        """Wins, draws and losses of all matches, as commands and the API have them."""
        return {"wins": self.wins, "draws": self.draws, "losses": self.losses}


@dataclass(frozen=True)
class Level:
    """One level.

    budget: what it was measured with, a count wherever the engine knows one, so that figures
    hold on any machine; has_clock: it may think for another time instead (levels below are
    what they are by their count); against_next: None for the strongest, and where nobody has
    measured; by_book: the same by the rule book (`games.rule_sets`), where the others are by the game's
    defaults, the paper's rules; decision_s: CPU seconds of a decision in the middle of a match within its budget,
    on the machine that measured; stands_in: whether it takes the seats of those who leave.
    """

    id: str
    label: str
    summary: str
    engine: str
    options: dict[str, Any]
    budget: dict[str, int | float]
    has_clock: bool
    against_next: Measurement | None
    decision_s: float | None = None
    stands_in: bool = False
    by_book: Measurement | None = None

    def measured(self, rules: str) -> Measurement | None:
        """Matches against the next stronger one by named rules; None where nobody has measured by these."""
        return self.by_book if rules == rule_sets.RULE_BOOK else self.against_next


@cache
def for_game(game_id: str) -> tuple[Level, ...]:
    """The levels of a game, weakest first; none where nobody has named any."""
    if game_id not in registry.ids():
        return ()
    data = data_files.read(registry.get(game_id).folder, NAME, FORMAT) or {"levels": ()}
    return tuple(_level(row) for row in data["levels"])


@cache
def names() -> frozenset[str]:
    """Names of the levels of all games, in small letters."""
    return frozenset(level.label.lower() for game_id in registry.ids() for level in for_game(game_id))


def _level(row: dict[str, Any]) -> Level:
    measured: dict[str, Any] = {key: row.get(key) and _measurement(row[key]) for key in ("against_next", "by_book")}
    return Level(**(row | measured))


def _measurement(data: dict[str, Any]) -> Measurement:
    return Measurement(data["matches_per_deal"], tuple((wins, draws, count) for wins, draws, count in data["deals"]))


def text(game_id: str, levels: Sequence[Level]) -> str:
    """The file that holds the levels, one a line."""
    rows = [json.dumps(asdict(level), ensure_ascii=False) for level in levels]
    return f'{{"format": "{FORMAT}", "game": "{game_id}", "levels": [\n' + ",\n".join(rows) + "\n]}\n"


def store(game_id: str, levels: Sequence[Level]) -> None:
    """Write the levels of a game."""
    data_files.write(registry.get(game_id).folder, NAME, text(game_id, levels))
    for_game.cache_clear()
    names.cache_clear()


def get(game_id: str, level_id: str) -> Level:
    """A level by its id. Raises KeyError."""
    for level in for_game(game_id):
        if level.id == level_id:
            return level
    raise KeyError(level_id)


def weaker(game_id: str, level_id: str) -> Level | None:
    """The level below, None below the weakest. Raises KeyError."""
    levels = for_game(game_id)
    place = levels.index(get(game_id, level_id))
    return levels[place - 1] if place else None


def stronger(game_id: str, level_id: str) -> Level | None:
    """The level above, None above the strongest. Raises KeyError."""
    levels = for_game(game_id)
    place = levels.index(get(game_id, level_id)) + 1
    return levels[place] if place < len(levels) else None


def stand_in(game_id: str) -> Level | None:
    """The level that takes the seats of people and agents who leave; None where the game has no levels."""
    levels = for_game(game_id)
    return next((level for level in levels if level.stands_in), levels[-1] if levels else None)
