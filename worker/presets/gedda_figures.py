"""Gedda, Lagerkvist, Butler 2018: figures 2 to 8, and all presets of the paper in its order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from worker.analysis.verdict import Sample
from worker.presets import cells, gedda, gedda_program, papers
from worker.presets.model import (
    CLAIM_MEAN,
    FACTOR_2,
    MARGIN,
    MEAN,
    SCORE,
    SHOWN,
    SPEED,
    Cell,
    Claim,
    Curve,
    Figure,
    Preset,
    Reason,
    Scale,
    exact,
)
from worker.presets.numbers import Numbers, Quantity
from worker.presets.papers import Result

ROUNDS = range(1, 14)
PICTURE = (
    "The figure is a picture. Published here is what the authors' result files hold, which they put on the web with "
    "their program."
)
FIRST_GAMES = (
    f"{PICTURE} By round: the mean over the first 60 games of each file, with its error; in the last round over all."
)
ABOVE, BELOW = Claim(0.0, math.inf, "above 0"), Claim(-math.inf, 0.0, "below 0")
BY_ROUND = "Round"


# ---- figure 2: how many moves there are

NOT_COUNTED = "not counted"
LISTED, DIFFERENT, SIZE = "Actions, equal ends counted twice", "Different actions", "Size of the game"


def _branching() -> Preset:
    return gedda.preset(
        "gedda-figure-2",
        where="Figure 2",
        title="how many moves there are",
        question="How many actions has a random player in each round, and how large is the game?",
        method="1,000 games of a random player against three others; the size is the product of the means over all "
        "rounds and players, times the number of draws.",
        scales=gedda.against_random({"TR": gedda.player("tr")}),
        cells=tuple(_actions_and_size()),
        notes=(
            PICTURE,
            "The published program counts a domino with two equal ends twice, once turned round; so does the first "
            "group. Actions that differ are fewer, and the game some thousand times smaller.",
            "A product of means is the mean number of games only where rounds do not depend on each other, as the "
            "paper assumes; its error is taken on that assumption, too. Judged is whether it is the same within a "
            "factor of two.",
            gedda.ORDER,
        ),
        quantities=tuple(
            Quantity(f"{kind}_{r}", (f"{kind}_round_{r}",)) for kind in ("listed", "actions") for r in ROUNDS
        ),
        curve=Curve(BY_ROUND, "Actions a ply"),
    )


def _actions_and_size() -> Iterable[Cell]:
    """Actions by round, then what they multiply to."""
    whole, games = papers.results()["kingdomino-complexity"].rows[0], 1000
    for row in papers.results()["kingdomino-figure-2"].rows:
        yield _by_round(LISTED, "listed", row["round"], Sample(games, row["actions"]))
    for round_ in ROUNDS:
        yield _by_round(DIFFERENT, "actions", round_, NOT_COUNTED)
    one_order, in_all = (Sample(games, math.log10(whole[key])) for key in ("game_tree_for_one_deck", "games"))
    yield Cell(SIZE, "Games for one order of the dominoes, log₁₀", one_order, _tree, FACTOR_2)
    yield Cell(SIZE, "Draws", whole["draws"], _draws, exact(2))
    yield Cell(SIZE, "Games in all, log₁₀", in_all, _games, FACTOR_2)
    yield Cell(SIZE, "Games in all with different actions alone, log₁₀", NOT_COUNTED, _different_games, SHOWN)


def _by_round(group: str, kind: str, round_: int, printed: Figure) -> Cell:
    def ours(numbers: Numbers) -> Sample | None:
        return numbers.quantity(0, 0, f"{kind}_{round_}")

    return Cell(group, f"Round {round_}", printed, ours, MEAN if kind == "listed" else SHOWN, x=round_)


def _product(numbers: Numbers, kind: str) -> Sample | None:
    """Decimal logarithm of the product over rounds and seats; its error as if rounds were independent."""
    means = [numbers.quantity(0, 0, f"{kind}_{round_}") for round_ in ROUNDS]
    found = [mean for mean in means if mean is not None]
    if len(found) < len(means):
        return None
    value = gedda.SEATS * sum(math.log10(mean.value) for mean in found)
    parts = [(mean.deviation or 0.0) / mean.value for mean in found]
    return Sample(found[0].n, value, gedda.SEATS * math.hypot(*parts) / math.log(10), found[0].degrees)


def _tree(numbers: Numbers) -> Sample | None:
    return _product(numbers, "listed")


def _draws(numbers: Numbers) -> float | None:
    """Rows of four out of those left of 48 dominoes; known without any match, said with the first one."""
    return float(math.prod(math.comb(48 - 4 * row, 4) for row in range(12))) if numbers.blocks else None


def _with_draws(tree: Sample | None, numbers: Numbers) -> Sample | None:
    draws = _draws(numbers)
    if tree is None or draws is None:
        return None
    return Sample(tree.n, tree.value + math.log10(draws), tree.deviation, tree.freedom)


def _games(numbers: Numbers) -> Sample | None:
    return _with_draws(_tree(numbers), numbers)


def _different_games(numbers: Numbers) -> Sample | None:
    return _with_draws(_product(numbers, "actions"), numbers)


# ---- figures 3 and 4: how scores grow


def _scores() -> Preset:
    result = papers.results()["kingdomino-figure-3"]
    arms = {name: gedda.player(name.lower()) for name in ("TR", "GPRD", "FG")}
    finals = {name: _final(result.row(player=name), 1000) for name in arms}
    return gedda.preset(
        "gedda-figure-3",
        where="Figure 3",
        title="how scores grow with rules of thumb",
        question="How many points have a random, a greedily placing and a fully greedy player after each round?",
        method="1,000 games each against three random players.",
        scales=gedda.against_random(arms),
        cells=tuple(_progression(result, finals)),
        notes=(FIRST_GAMES, gedda.ORDER, gedda.GREEDY),
        quantities=SCORES,
        curve=Curve(BY_ROUND, "Score, points"),
    )


SCORES = tuple(Quantity(f"score_{round_}", (f"score_round_{round_}",)) for round_ in ROUNDS)


def _final(row: Mapping[str, Any], games: int) -> Sample | None:
    return cells.known_sample(games, row["final"], [row["final"] - row["half"], row["final"] + row["half"]])


def _after(arm: int, round_: int) -> Callable[[Numbers], Sample | None]:
    return lambda numbers: numbers.quantity(arm, 0, f"score_{round_}")


def _progression(result: Result, finals: Mapping[str, Figure | None]) -> Iterable[Cell]:
    """Scores of each player after each round. After the first all have what the middle kingdom gives."""
    for arm, (name, final) in enumerate(finals.items()):
        row = result.row(player=name)
        for round_ in ROUNDS:
            mean, deviation = row["score"][round_ - 1], row["deviation"][round_ - 1]
            printed: Figure | None = Sample(row["games"], mean, deviation)
            if round_ == ROUNDS[0]:
                printed = mean
            elif round_ == ROUNDS[-1]:
                printed = final
            measure = SCORE if isinstance(printed, Sample) else cells.without_judgement(SCORE)
            why = gedda.FEWER if name in gedda.SCORED_FOR else None
            yield Cell(name, f"Round {round_}", printed, _after(arm, round_), measure, why, x=round_, arm=arm)


MIDDLE = 6


def _statistical() -> Preset:
    result = papers.results()["kingdomino-figure-4"]
    table = papers.results()["kingdomino-table-2"]
    finals = {name: gedda.printed_score(table.row(player=name)) for name in ("FG", *gedda.SCORED_FOR)}
    behind = f"Less than FG after round {MIDDLE}"
    return gedda.preset(
        "gedda-figure-4",
        where="Figure 4",
        title="how scores grow with playouts",
        question="When do flat Monte Carlo players overtake the fully greedy one?",
        method="500 games each against three fully greedy players, 5 s a ply, random playouts.",
        scales=gedda.table_2_scales(),
        cells=(
            *_progression(result, finals),
            *(
                Cell(behind, name, BELOW, _less(_after(arm, MIDDLE), _after(0, MIDDLE)), CLAIM_MEAN)
                for arm, name in enumerate(finals)
                if arm
            ),
        ),
        notes=(
            gedda.BUDGETS,
            FIRST_GAMES,
            gedda.ORDER,
            "The text says that players with playouts give up points in the middle of the game for more at its end; "
            f"judged is that they have less than FG after round {MIDDLE}.",
            INDEPENDENT,
        ),
        quantities=SCORES,
        curve=Curve(BY_ROUND, "Score, points"),
    )


INDEPENDENT = (
    "Differences between players take their matches as independent. They are on the same deals, so the true intervals "
    "are narrower."
)


def _less(
    first: Callable[[Numbers], Sample | None], second: Callable[[Numbers], Sample | None]
) -> Callable[[Numbers], Sample | None]:
    """A mean less another, with the error of independent ones."""

    def difference(numbers: Numbers) -> Sample | None:
        return cells.less(first(numbers), second(numbers))

    return difference


# ---- figure 6: how fast playouts are


def _speed() -> Preset:
    runs = [{"label": name, **gedda.playout_policy(name)} for name in gedda.RATES]

    def scale(words: str, matches: int, seconds: float) -> Scale:
        parameters = {"matches": matches, "seconds": seconds, "seats": gedda.SEATS, "driver": "fg", "runs": runs}
        study = {"version": 1, "study": "playout_speed", "game": gedda.GAME, "parameters": parameters}
        return Scale(words, {**study, "seed": gedda.SEED})

    return gedda.preset(
        "gedda-figure-6",
        where="Figure 6",
        title="how fast playouts are",
        question="How many playouts a second does flat Monte Carlo make with each playout policy, round by round?",
        method="200 games of flat Monte Carlo players, 10 s a ply; Java on one thread of a Core i7 with 3.2 GHz.",
        scales={
            "quick": scale("20 matches, 0.02 s for each policy in each position", 20, 0.02),
            "standard": scale("100 matches, 0.1 s for each policy in each position", 100, 0.1),
            "published": scale("200 matches, 10 s for each policy in each position", 200, 10.0),
        },
        cells=tuple(_rates()),
        notes=(
            PICTURE,
            "Ours are playouts a second of CPU time on this machine, with nothing compiled meanwhile. Speeds depend on "
            "the machine: they are shown and never judged.",
            "Where only one action is legal nobody plays out anything: the last rounds have fewer positions.",
            "Positions are those of matches between fully greedy players; the paper's are of the matches that its "
            "Monte Carlo players played.",
        ),
        curve=Curve(BY_ROUND, "Playouts a second", is_y_log=True),
    )


def _rates() -> Iterable[Cell]:
    for row in papers.results()["kingdomino-playouts"].rows:
        policy, round_ = row["policy"], row["round"]
        yield Cell(policy, f"Round {round_}", float(row["per_s"]), _rate(policy, round_), SPEED, x=round_)


FEW = 5
"""Matches from which on their spread says something: few have a choice in the last round."""


def _rate(policy: str, round_: int) -> Callable[[Numbers], Sample | None]:
    def rate(numbers: Numbers) -> Sample | None:
        run = next((run for run in numbers.study.get("runs", ()) if run["label"] == policy), {"plies": ()})
        row = next((row for row in run["plies"] if row["ply"] == round_), None)
        if row is None:
            return None
        return Sample(row["matches"], row["per_s"], row["deviation"] if row["matches"] >= FEW else None)

    return rate


# ---- figures 7 and 8: constants of tree search

Line = tuple[str, float]
"""Playout policy, seconds a ply of the paper."""
CONSTANTS: Mapping[str, Sequence[Line]] = {
    "c": (("TR", 0.2), ("TR", 0.5), ("FG", 0.2), ("FG", 0.5), ("FG", 2.0)),
    "win_bias": (("TR", 0.5), ("TR", 2.0), ("FG", 0.5), ("FG", 2.0)),
}
VALUES = {
    "c": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0, 1.5, 2.0),
    "win_bias": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
}
POINTS_ONLY = (
    "The figure is a picture. Those of its points that are in Table III too stand beside ours; the rest of its text is "
    "judged as claims."
)
SHARES = {1: "all", 2: "half", 3: "a third", 5: "a fifth"}
"""Divisors of the paper's playouts, with words for the part that is left."""


@dataclass(frozen=True)
class Constant:
    """One that is varied: option of the engine, its symbol in the paper, the player's name, why it may play worse.

    quick, standard: what the playouts of the two smaller scales are divided by.
    """

    option: str
    symbol: str
    family: str
    quick: int
    standard: int
    why: Reason | None = None

    def points(self) -> list[tuple[Line, float]]:
        """All values of the first line, then of the next: one arm each."""
        return [(line, value) for line in CONSTANTS[self.option] for value in VALUES[self.option]]

    def scales(self) -> dict[str, Scale]:
        """The sizes of the experiment."""
        return {
            "quick": self._scale(self.quick, 20),
            "standard": self._scale(self.standard, 150),
            "published": self._scale(1, 200),
        }

    def _scale(self, factor: int, deals: int) -> Scale:
        arms = {}
        for (policy, seconds), value in self.points():
            one = gedda.tree(policy, {self.option: value}, gedda.playouts_in(policy, seconds, factor))
            arms[f"{self._group(policy, seconds)}, {self._label(value)}"] = one
        words = f"{deals} matches for each point, {SHARES[factor]} of the playouts"
        return Scale(words, gedda.experiment(arms, "fg", deals))

    def cells(self) -> Iterable[Cell]:
        """The margin of every line and value, judged where the paper prints it."""
        for arm, ((policy, seconds), value) in enumerate(self.points()):
            printed = _printed(self.option, policy, f"{seconds}s", value)
            measure = cells.without_judgement(MARGIN) if printed is None else MARGIN
            group, label = self._group(policy, seconds), self._label(value)
            yield Cell(group, label, printed, gedda.margin(arm), measure, self.why, x=value, arm=arm)

    def compared(self, line: int, better: float, worse: float) -> Cell:
        """The claim that one value of a line is better than another."""
        values, (policy, seconds) = VALUES[self.option], CONSTANTS[self.option][line]
        first = line * len(values)
        arms = (first + values.index(better), first + values.index(worse))
        label = f"{policy}, {seconds} s: {self._label(better)} less {self._label(worse)}"
        return Cell("Points gained", label, ABOVE, _less(gedda.margin(arms[0]), gedda.margin(arms[1])), CLAIM_MEAN)

    def _group(self, policy: str, seconds: float) -> str:
        return f"{self.family}-{policy}, {seconds} s"

    def _label(self, value: float) -> str:
        return f"{self.symbol} = {value:g}"


def _printed(option: str, policy: str, column: str, value: float) -> Sample | None:
    """Figures of Table III for a point: UCT with C = 0.6 (which is UCTW with W = 0), UCTW with W = 0.1."""
    names = {("c", gedda.C): "UCT", ("win_bias", 0.0): "UCT", ("win_bias", gedda.W): "UCTW"}
    name = names.get((option, value))
    return None if name is None else gedda.printed_margin(f"{name}-{policy}", column)


def _exploration() -> Preset:
    constant = Constant("c", "C", "UCT", 3, 1, gedda.FEWER)
    return gedda.preset(
        "gedda-figure-7",
        where="Figure 7",
        title="the exploration constant of tree search",
        question="Which C suits tree search with many playouts a ply, and which with few?",
        method="200 games for each player and each C, against three fully greedy players.",
        scales=constant.scales(),
        cells=(*constant.cells(), constant.compared(1, 0.6, 0.1), constant.compared(2, 1.0, 0.3)),
        notes=(
            gedda.BUDGETS,
            POINTS_ONLY,
            "The text finds C = 0.6 suitable with many playouts a ply, and at least 1 with few. Judged is that 0.6 "
            "gains on 0.1 with random playouts, 0.5 s, and 1 on 0.3 with fully greedy ones, 0.2 s.",
            gedda.ORDER,
            *gedda.TREE_NOTES,
            INDEPENDENT,
        ),
        curve=Curve("C", "Margin, points"),
    )


def _win_bias() -> Preset:
    constant = Constant("win_bias", "W", "UCTW", 5, 2, gedda.FEWER)
    return gedda.preset(
        "gedda-figure-8",
        where="Figure 8",
        title="the weight of progressive win bias",
        question="How much should the points that a move brings weigh in the tree?",
        method="200 games for each player and each W, against three fully greedy players, C = 0.6.",
        scales=constant.scales(),
        cells=(
            *constant.cells(),
            *(constant.compared(line, 0.1, 0.6) for line in range(len(CONSTANTS["win_bias"]))),
        ),
        notes=(
            gedda.BUDGETS,
            POINTS_ONLY,
            "The text finds W = 0.1 to 0.2 best, and less and less with more. Judged is that 0.1 gains on 0.6.",
            gedda.ORDER,
            *gedda.TREE_NOTES,
            INDEPENDENT,
        ),
        curve=Curve("W", "Margin, points"),
    )


def _playouts() -> Preset:
    return gedda.by_time(
        "mce",
        "gedda-figure-5",
        where="Figure 5",
        title="flat Monte Carlo by time a ply",
        question="When do better playouts pay for the time that they take?",
    )


def presets() -> Sequence[Preset]:
    """All of the paper's, in its order."""
    first, second, *third = gedda.tables()
    return (
        _branching(),
        _scores(),
        first,
        _statistical(),
        second,
        _playouts(),
        _speed(),
        _exploration(),
        _win_bias(),
        *third,
        gedda_program.preset(),
    )
