"""The papers' players against people: what was printed, and which matches of people here are like theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from worker.analysis.intervals import Interval, wilson
from worker.presets import jansen, papers
from worker.presets.papers import Paper


@dataclass(frozen=True)
class HumanTest:
    """Matches of a program against people, counted for the program. won None: not counted in the paper.

    table: id of the table here that stands beside it.
    """

    game: str
    player: str
    people: str
    won: int | None
    drawn: int | None
    matches: int | None
    paper_id: str
    where: str
    table: str
    note: str = ""

    @property
    def interval(self) -> Interval | None:
        """Interval of the share that the program won, 95 %."""
        return None if self.won is None or self.matches is None else wilson(self.won, self.matches)

    @property
    def lost(self) -> int | None:
        """Matches that the program lost; None where the paper does not say how many were drawn."""
        if self.matches is None or self.won is None or self.drawn is None:
            return None
        return self.matches - self.won - self.drawn

    @property
    def paper(self) -> Paper:
        """Paper where it was published."""
        return papers.paper(self.paper_id)


TESTS = (
    HumanTest(
        "carcassonne",
        "Star2.5",
        "two advanced players",
        6,
        None,
        10,
        "heyden-2009",
        "section 6.5",
        "heyden-section-6.5",
    ),
    HumanTest(
        "carcassonne", "MCTS (C = 3)", "the same two", 0, 0, 3, "heyden-2009", "section 6.5", "heyden-section-6.5"
    ),
    HumanTest(
        "carcassonne",
        "MCTS (C = 3)",
        "an intermediate beginner",
        2,
        None,
        5,
        "heyden-2009",
        "section 6.5",
        "heyden-section-6.5",
    ),
    HumanTest(
        "dominion",
        "UCT modified, 100,000 simulations",
        "four fairly experienced players",
        7,
        0,
        8,
        "jansen-2014",
        "table 51",
        "jansen-tables-51-52",
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
        "jansen-tables-51-52",
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
        "dominai-section-4-d",
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
        "figure 3",
        "dominai-figure-3",
        "It lost every one of a few matches.",
    ),
)


@dataclass(frozen=True)
class HumanTable:
    """A published table of matches against people, and what of ours stands beside it.

    people: on the side of the engine, and on the other; seats: of a match; players: the paper's engines, by name: of
    options and budget what a match must have; sight: that an engine at a table with people has another sight than the
    program had; setup: rows of a printed configuration, as (name, printed, where ours has it).
    """

    id: str
    paper_id: str
    where: str
    title: str
    game: str
    seats: int
    people: tuple[int, int]
    who: str
    players: Mapping[str, Mapping[str, Any]]
    sight: str = ""
    setup: Sequence[tuple[str, str, str]] = ()

    @property
    def tests(self) -> tuple[HumanTest, ...]:
        """What was printed."""
        return tuple(test for test in TESTS if test.table == self.id)


def _variant(name: str) -> dict[str, Any]:
    """One of the thesis' players with what Table 52 says of it."""
    seat = jansen.variant(name, 100_000, min_visits=10)
    fixed = ("utility", "policy", "c", "forced", "min_visits", "selection", "propagation")
    return {**seat, "options": {"trees": 1} | {name: value for name, value in seat["options"].items() if name in fixed}}


TABLE_52 = (
    ("Simulations", "100 000", "simulations"),
    ("Scoring", "Win+Diff", "utility"),
    ("C", "0.7", "c"),
    ("Rollout", "Epsilon H. Greedy", "policy"),
    ("Epsilon", "15", "policy"),
    ("Min. Vis.", "10", "min_visits"),
    ("MPPAF", "True", "forced"),
    ("Thrs., Its.", "1, 1", "trees"),
)
TABLES = (
    HumanTable(
        "heyden-section-6.5",
        "heyden-2009",
        "Section 6.5",
        "Star2.5 and MCTS against people",
        "carcassonne",
        2,
        (0, 1),
        "one person against the engine",
        {
            "Star2.5": {"engine": "expectimax", "options": {"algorithm": "star2.5"}},
            "MCTS (C = 3)": {"engine": "uct", "options": {"c": 3.0}},
        },
    ),
    HumanTable(
        "jansen-tables-51-52",
        "jansen-2014",
        "Tables 51 and 52",
        "UCT_mod and UCB_mod against people",
        "dominion",
        2,
        (0, 1),
        "one person against the engine",
        {f"{name}, Table 52": _variant(name) for name in ("UCT_mod", "UCB_mod")},
        "The thesis' program knew the hand of the person. Engines that do are not seated with people here, so ours has "
        "the same configuration and does not know it.",
        TABLE_52,
    ),
    HumanTable(
        "dominai-figure-3",
        "dominai",
        "Figure 3",
        "PIMC against two people",
        "dominoes",
        4,
        (0, 2),
        "two people as partners against two of the engine",
        {"PIMC, any parameters": {"engine": "pimc", "options": {"inner": "search"}}},
    ),
    HumanTable(
        "dominai-section-4-d",
        "dominai",
        "Section IV-D",
        "the greedy player and its human partner against two people",
        "dominoes",
        4,
        (1, 2),
        "one person and the engine as partners against two people",
        {"Greedy": {"engine": "scripted", "options": {"policy": "greedy"}}},
    ),
)
