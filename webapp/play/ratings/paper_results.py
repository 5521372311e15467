"""Results of the papers' players against people, as printed."""

from __future__ import annotations

from dataclasses import dataclass

from worker.analysis.intervals import Interval, wilson
from worker.presets import papers
from worker.presets.papers import Paper


@dataclass(frozen=True)
class HumanTest:
    """Matches of a program against people, counted for the program. won None: not counted in the paper."""

    game: str
    player: str
    people: str
    won: int | None
    drawn: int | None
    matches: int | None
    paper_id: str
    where: str
    note: str = ""

    @property
    def interval(self) -> Interval | None:
        """Interval of the share that the program won, 95 %."""
        return None if self.won is None or self.matches is None else wilson(self.won, self.matches)

    @property
    def paper(self) -> Paper:
        """Paper where it was published."""
        return papers.paper(self.paper_id)


TESTS = (
    HumanTest("carcassonne", "Star2.5", "two advanced players", 6, None, 10, "heyden-2009", "section 6.5"),
    HumanTest("carcassonne", "MCTS (C = 3)", "the same two", 0, 0, 3, "heyden-2009", "section 6.5"),
    HumanTest("carcassonne", "MCTS (C = 3)", "an intermediate beginner", 2, None, 5, "heyden-2009", "section 6.5"),
    HumanTest(
        "dominion",
        "UCT modified, 100,000 simulations",
        "four fairly experienced players",
        7,
        0,
        8,
        "jansen-2014",
        "table 51",
        "The text gives these figures to flat UCB.",
    ),
    HumanTest(
        "dominion",
        "Flat UCB modified, 100,000 simulations",
        "four fairly experienced players",
        1,
        0,
        4,
        "jansen-2014",
        "table 51",
        "The text gives these figures to UCT.",
    ),
    HumanTest(
        "dominoes",
        "Greedy, with a person as its partner",
        "two people, many of them beginners",
        5,
        None,
        10,
        "dominai",
        "section on oracle and baseline",
        "Rounds, not matches.",
    ),
    HumanTest(
        "dominoes",
        "PIMC",
        "a beginner and an advanced player",
        None,
        None,
        None,
        "dominai",
        "section on PIMC",
        "It lost every one of a few matches.",
    ),
)
