"""Gedda, Lagerkvist, Butler 2018: figures 2 to 8, and all presets of the paper in its order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from worker.analysis.verdict import Sample
from worker.presets import cells, gedda, gedda_constants, gedda_players, gedda_program, papers
from worker.presets.gedda_constants import less
from worker.presets.model import (
    CLAIM_MEAN,
    FACTOR_2,
    MEAN,
    SCORE,
    SHOWN,
    SPEED,
    AsRun,
    Cell,
    Claim,
    Curve,
    Figure,
    Preset,
    Scale,
    exact,
)
from worker.presets.numbers import Numbers, Quantity
from worker.presets.papers import Result

ROUNDS = range(1, 14)
FIRST_GAMES = (
    f"{gedda.PICTURE} By round: the mean over the first 60 games of each file, with its error; in the last round over "
    "all."
)
BELOW = Claim(-math.inf, 0.0, "below 0")
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
        scales=gedda.against_random({"TR": gedda_players.player("tr")}),
        cells=tuple(_actions_and_size()),
        notes=(
            gedda.PICTURE,
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
    value = gedda_players.SEATS * sum(math.log10(mean.value) for mean in found)
    parts = [(mean.deviation or 0.0) / mean.value for mean in found]
    return Sample(found[0].n, value, gedda_players.SEATS * math.hypot(*parts) / math.log(10), found[0].degrees)


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
    arms = {name: gedda_players.player(name.lower()) for name in ("TR", "GPRD", "FG")}
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
            ran = gedda.table_2_program(arm) if name in gedda.SCORED_FOR else None
            why, as_run = (None, None) if ran is None else (gedda.FEWER, AsRun(_after(ran, round_), ran))
            yield Cell(
                name, f"Round {round_}", printed, _after(arm, round_), measure, why, x=round_, arm=arm, as_run=as_run
            )


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
                Cell(
                    behind,
                    name,
                    BELOW,
                    less(_after(arm, MIDDLE), _after(0, MIDDLE)),
                    CLAIM_MEAN,
                    as_run=AsRun(less(_after(ran, MIDDLE), _after(0, MIDDLE)), ran),
                )
                for arm, name in enumerate(finals)
                if (ran := gedda.table_2_program(arm)) is not None
            ),
        ),
        notes=(
            gedda.BUDGETS,
            gedda.TABLE_2_AS_PROGRAMMED,
            FIRST_GAMES,
            gedda.ORDER,
            "The text says that players with playouts give up points in the middle of the game for more at its end; "
            f"judged is that they have less than FG after round {MIDDLE}.",
            gedda_constants.INDEPENDENT,
        ),
        quantities=SCORES,
        curve=Curve(BY_ROUND, "Score, points"),
        program=gedda_players.FLAT_PROGRAM,
    )


# ---- figure 6: how fast playouts are


def _speed() -> Preset:
    runs = [{"label": name, **gedda_players.playout_policy(name)} for name in gedda_players.RATES]

    def scale(words: str, matches: int, seconds: float) -> Scale:
        parameters = {
            "matches": matches,
            "seconds": seconds,
            "seats": gedda_players.SEATS,
            "driver": "fg",
            "runs": runs,
        }
        study = {"version": 1, "study": "playout_speed", "game": gedda_players.GAME, "parameters": parameters}
        return Scale(words, {**study, "seed": gedda_players.SEED})

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
            gedda.PICTURE,
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


# ---- all


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
        gedda_constants.exploration(),
        gedda_constants.win_bias(),
        *third,
        gedda_program.preset(),
    )
