"""Jansen and Tollisen 2014, chapter 3: parameters tried against BMFSM. Tables 4 to 22."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from worker.presets import jansen, papers
from worker.presets.model import RATE, AsRun, Cell, Curve, Preset, Scale

GAMES = "Games against BMFSM, each starting half of them, until the numbers settled: about 500 to 1,400 a row."
HUNDRED = "100 games a row against BMFSM, each starting half of them."
SIMULATIONS = "Simulations a move"
BIG_MONEY = "BMFSM buys Gold and Silver for 15 turns, then points, and plays no Action card."


@dataclass(frozen=True)
class Trial:
    """One row of a table. printed: the row; options: what differs from the named configuration; x: on the curve."""

    group: str
    label: str
    printed: Mapping[str, Any]
    variant: str
    simulations: int
    options: Mapping[str, Any]
    trees: int = 1
    x: float | None = None

    def as_run(self) -> Trial:
        """The same row as the thesis' program chose among equal children."""
        return replace(self, label=f"{self.label}, last of equals", options={**self.options, **jansen.LAST_OF_EQUALS})

    def seat(self, simulations: int) -> dict[str, Any]:
        """The player with a number of simulations a tree."""
        return jansen.variant(self.variant, simulations, self.trees, **self.options)


@dataclass(frozen=True)
class Table:
    """A table of trials against BMFSM. budgets, matches: simulations a tree and matches each, quick and standard.

    most: simulations of the last row that is played at these scales, in a table that asks for their number: its rows
    are played as published or not at all. is_tied: its children are often equal, so every row is played as the thesis'
    program chose among them, too.
    """

    number: int
    title: str
    question: str
    trials: Sequence[Trial]
    matches: tuple[int, int]
    budgets: tuple[int, int] = (0, 0)
    most: tuple[int, int] = (0, 0)
    turns: int = jansen.SHORT
    method: str = GAMES
    games: int = 1000
    notes: tuple[str, ...] = ()
    curve: Curve | None = None
    is_tied: bool = False

    @property
    def arms(self) -> Sequence[Trial]:
        """The rows, then where children are often equal the same ones as the program chose among them."""
        if not self.is_tied:
            return self.trials
        return [*self.trials, *(trial.as_run() for trial in self.trials)]

    def preset(self) -> Preset:
        """The table rebuilt."""
        last = Scale(
            f"{self.games:,} matches each, as many simulations as the thesis",
            self._spec([trial.simulations for trial in self.arms], self.games),
        )
        cut = (jansen.CUT,) if self.turns == jansen.SHORT else ()
        return jansen.preset(
            f"jansen-table-{self.number}",
            where=f"Table {self.number}",
            title=self.title,
            question=self.question,
            method=self.method,
            scales=jansen.scales(self._smaller(0), self._smaller(1), last),
            cells=tuple(
                Cell(
                    trial.group,
                    trial.label,
                    jansen.share(trial.printed),
                    jansen.wins(arm, 0),
                    RATE,
                    None if any(self.most) else jansen.FEWER,
                    x=trial.x,
                    arm=arm,
                    as_run=self._as_run(len(self.trials) + arm),
                )
                for arm, trial in enumerate(self.trials)
            ),
            program=jansen.PROGRAM if self.is_tied else None,
            notes=(*self.notes, jansen.PEEK, *cut, BIG_MONEY, jansen.TIES),
            curve=self.curve,
        )

    def _as_run(self, arm: int) -> AsRun | None:
        return AsRun(jansen.wins(arm, 0), arm) if self.is_tied else None

    def _smaller(self, size: int) -> Scale:
        """size: 0 quick, 1 standard."""
        matches, most = self.matches[size], self.most[size]
        if most:
            played = [trial.simulations for trial in self.trials if trial.simulations <= most]
            return Scale(f"{matches} matches for each number up to {most:,}", self._spec(played, matches))
        budget = self.budgets[size]
        words = f"{matches} matches each, {budget:,} of {jansen.SIMULATIONS:,} simulations"
        return Scale(words, self._spec([budget] * len(self.arms), matches))

    def _spec(self, simulations: Sequence[int], matches: int) -> dict[str, Any]:
        """The first rows, as many as there are numbers."""
        arms = {
            f"{trial.group}, {trial.label}": (trial.seat(number), jansen.player("bmfsm"))
            for trial, number in zip(self.arms, simulations, strict=False)
        }
        return jansen.experiment(arms, matches // 2, self.turns)


def _rows(number: int) -> Sequence[Mapping[str, Any]]:
    return papers.results()[f"dominion-table-{number}"].rows


def _uct_mod(group: str, label: str, row: Mapping[str, Any], x: float | None = None, **options: Any) -> Trial:
    return Trial(group, label, row, "UCT_mod", jansen.SIMULATIONS, options, x=x)


def _scoring() -> Table:
    trials = [
        _uct_mod(
            f"Pure {row['scoring']}" if row["scoring"] == "W/L" else row["scoring"],
            f"C = {row['C']}",
            row,
            row["C"],
            c=row["C"],
            utility=jansen.SCORING[row["scoring"]],
            min_visits=1,
            **jansen.playouts(None),
        )
        for row in _rows(4)
    ]
    return Table(
        4,
        "what a playout is worth, and the constant C",
        "Does UCT_mod play better for the win alone or for the win and the points, and with which C?",
        trials,
        matches=(20, 28),
        budgets=(500, 4_000),
        is_tied=True,
        notes=("Playouts are heuristic greedy, minimum visits 1.",),
        curve=Curve("C", "Wins, %"),
    )


def _rollouts() -> Table:
    names = {"random": "Random", "heuristic greedy": "Heuristic greedy", "epsilon": "Epsilon heuristic greedy"}
    trials = []
    for row in _rows(6):
        epsilon = row["epsilon_percent"]
        label = f"C = {row['C']}" if epsilon is None else f"epsilon {epsilon} %, C = {row['C']}"
        policy = {"policy": "random", "epsilon": 0.0} if row["rollout"] == "random" else jansen.playouts(epsilon)
        trials.append(_uct_mod(names[row["rollout"]], label, row, c=row["C"], min_visits=1, **policy))
    return Table(
        6,
        "who plays out",
        "Which playouts suit UCT_mod best: random, greedy, or greedy with a random share?",
        trials,
        matches=(22, 60),
        budgets=(600, 5_000),
        notes=("Scoring is Win+Diff, minimum visits 1.",),
    )


def _must_play() -> Table:
    trials = []
    for row in _rows(8):
        greedy, epsilon = ("heuristic greedy", None) if row["scoring"] == "W/L" else ("epsilon 10 %", 10)
        group = f"Pure W/L, {greedy} playouts" if epsilon is None else f"Win+Diff, {greedy}"
        options = {"utility": jansen.SCORING[row["scoring"]], **jansen.playouts(epsilon, row["mppaf"])}
        label = "Action cards that give actions first" if row["mppaf"] else "no such rule"
        trials.append(_uct_mod(group, label, row, c=0.5, min_visits=1, **options))
    return Table(
        8,
        "must play plus actions first (MPPAF)",
        "What is it worth to UCT_mod that cards that give an action back are played first, without a search?",
        trials,
        matches=(20, 32),
        budgets=(2_000, 10_000),
        is_tied=True,
        notes=("C = 0.5, minimum visits 1.",),
    )


def _simulations(
    number: int, name: str, most: tuple[int, int], matches: tuple[int, int], options: Mapping[str, Any], **table: Any
) -> Table:
    """Tables 10, 12, 20 and 22: how many simulations a variant needs."""
    least = table.pop("least", 1)
    trials = [
        Trial(
            name,
            f"{row['simulations']:,} simulations",
            row,
            name,
            row["simulations"],
            {**options, "min_visits": 1 if row["simulations"] == 100 else least},
            x=row["simulations"],
        )
        for row in _rows(number)
    ]
    return Table(
        number,
        f"how many simulations {name} needs",
        f"From how many simulations a move on does {name} beat BMFSM?",
        trials,
        matches,
        most=most,
        curve=Curve(SIMULATIONS, "Wins, %", is_x_log=True),
        **table,
    )


def _visits(number: int) -> Table:
    trials = []
    for row in _rows(number):
        scoring, greedy = row.get("scoring", "Win+Diff"), number == 14
        group = f"Pure {scoring}, no MPPAF" if scoring == "W/L" else "Win+Diff"
        options = {"utility": jansen.SCORING[scoring], "c": 0.5 if greedy else 0.7, "min_visits": row["min_visits"]}
        policy = jansen.playouts(None if greedy else 15, row.get("mppaf", True))
        visits = row["min_visits"]
        trials.append(_uct_mod(group, f"at least {visits}", row, visits if greedy else None, **options, **policy))
    return Table(
        number,
        "minimum visits" if number == 14 else "minimum visits, with a random share in playouts",
        "Does it help UCT_mod to try every move at the root some times before the formula decides?",
        trials,
        matches=(22, 50) if number == 14 else (28, 60),
        budgets=(500, 4_000) if number == 14 else (4_000, 20_000),
        notes=(
            "Playouts are heuristic greedy, C = 0.5." if number == 14 else "Epsilon 15 %, C = 0.7, Win+Diff.",
            "With a part of the simulations the same minimum takes more of them.",
        ),
        curve=Curve("Minimum visits", "Wins, %", is_x_log=True) if number == 14 else None,
    )


def _trees() -> Table:
    trials = [
        Trial(
            "UCT_mod",
            f"{row['threads']} x {row['iterations']}",
            row,
            "UCT_mod",
            jansen.SIMULATIONS,
            {"c": 0.7, "min_visits": 10},
            trees=row["threads"] * row["iterations"],
        )
        for row in _rows(18)
    ]
    return Table(
        18,
        "several trees (root parallelisation)",
        "Does UCT_mod play better with several trees, whose visits at the root are added up?",
        trials,
        matches=(22, 50),
        budgets=(500, 4_000),
        notes=(
            "Threads x iterations of the thesis are trees here: it makes no difference where they grow. Budgets count "
            "all trees together; those named with the scales are of one tree.",
            "The thesis names 1 x 1 in the configuration of this table and others in its rows.",
        ),
    )


UNTUNED = "Pure Win/Loss, C = 0.5, epsilon 10 %: the thesis tried these numbers before its other parameters were found."
TEN = "Epsilon is 10 %, although the thesis found 15 % best; minimum visits 1 with 100 simulations, else 10."


def tables() -> Sequence[Preset]:
    """The tables in the thesis' order."""
    pure = {"utility": "win", "c": 0.5, **jansen.playouts(10)}
    found = (
        _scoring(),
        _rollouts(),
        _must_play(),
        _simulations(10, "UCT_mod", (5_000, 25_000), (24, 60), {"c": 0.7}),
        _simulations(
            12,
            "UCT_orig",
            (5_000, 10_000),
            (26, 150),
            {"c": 0.7},
            least=10,
            turns=jansen.LONG,
            method=HUNDRED,
            games=100,
            notes=(
                "The row of 1,000 simulations adds up to 98 games; the text says that 100,000 win two games more than "
                "10,000, the table five.",
                "Minimum visits 1 with 100 simulations, else 10.",
            ),
        ),
        *map(_visits, (14, 16)),
        _trees(),
        _simulations(20, "UCB_mod", (5_000, 25_000), (88, 60), pure, notes=(UNTUNED, jansen.LAST)),
        _simulations(
            22,
            "UCB_orig",
            (5_000, 10_000),
            (94, 150),
            {"c": 0.7, **jansen.playouts(10)},
            least=10,
            method=HUNDRED,
            games=100,
            notes=(TEN,),
        ),
    )
    return [table.preset() for table in found]
