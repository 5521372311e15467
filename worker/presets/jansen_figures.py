"""Jansen and Tollisen 2014: figures 25 and 26 (a Woodcutter too good), and tables 53 to 56 (time per move)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from worker.analysis.verdict import Sample
from worker.presets import cells, jansen, papers
from worker.presets.model import CLAIM_MEAN, MEAN, SECONDS, Cell, Claim, Curve, Preset, Scale
from worker.presets.numbers import Numbers
from worker.studies.unbalanced_card import ACTIONS, CARD, TREASURES

# ---- figures 25 and 26: cards bought by the coins of a Woodcutter

COINS = (2, 3, 4, 5, 6, 8, 10, 20)
VICTORY = ("Estate", "Duchy", "Province", "Gardens")
LAYERS: Mapping[str, int] = {
    **dict.fromkeys(("Copper", "Silver", "Gold"), 4),
    CARD: 1,
    "Witch": 3,
    ACTIONS: 3,
    **dict.fromkeys(VICTORY, 2),
}
"""Layers of the stack, from below -> their families: Treasures, the card, Actions, Victory cards."""
MORE, FEWER = Claim(0.0, math.inf, "more"), Claim(-math.inf, 0.0, "fewer")
_BOUGHT = cells.without_judgement(replace(MEAN, unit="cards"))


def _woodcutter(number: int, name: str, quick: tuple[int, int]) -> Preset:
    """quick: matches and simulations of the smallest scale."""

    def scale(matches: int, simulations: int) -> Scale:
        parameters = {
            "player": jansen.variant(name, simulations, min_visits=1),
            "opponent": jansen.player("bmfsm"),
            "coins": list(COINS),
            "matches": matches,
        }
        study = {"version": 1, "study": "unbalanced_card", "game": jansen.GAME, "parameters": parameters}
        return Scale(
            f"{matches} matches for each value, {simulations:,} simulations a move", {**study, "seed": jansen.SEED}
        )

    return jansen.preset(
        f"jansen-figure-{number}",
        where=f"Figure {number}",
        title=f"an unbalanced card, {name}",
        question=f"What does {name} buy as the coins of a Woodcutter grow from 2 to 20?",
        method="10 games for each value, 100,000 simulations a move, C = 0.7, epsilon 15 %, minimum visits 1.",
        scales=jansen.scales(scale(*quick), scale(20, 10_000), scale(10, jansen.SIMULATIONS)),
        cells=(*_claims(), *(cell for layer in LAYERS for cell in _layer(layer))),
        notes=(
            "The figure is a picture without numbers. Judged is what the text says of it: Woodcutters are bought from "
            "4 coins on and more often with more; at 10 and 20 they displace Treasures; at 20 fewer are needed than at "
            "10.",
            "Which values the figure has, beside 4, 10 and 20, and against whom the variant plays is not said; ours "
            "plays against BMFSM, which buys no Woodcutter.",
            jansen.FEWER,
            jansen.PEEK,
        ),
        curve=Curve("Coins of a Woodcutter", "Cards bought a match", families=tuple(LAYERS.values())),
    )


def _layer(layer: str) -> Iterable[Cell]:
    for coins in COINS:
        yield Cell(layer, f"{coins} coins", None, _bought(coins, layer), _BOUGHT, x=coins)


def _claims() -> Iterable[Cell]:
    """Claims of the text, as differences between two values."""
    rows: Sequence[tuple[str, str, int, int, Claim]] = (
        ("Woodcutters at 4 coins less those at 2", CARD, 4, 2, MORE),
        ("Woodcutters at 10 coins less those at 4", CARD, 10, 4, MORE),
        ("Woodcutters at 20 coins less those at 10", CARD, 20, 10, FEWER),
        ("Treasures at 10 coins less those at 2", TREASURES, 10, 2, FEWER),
        ("Treasures at 20 coins less those at 2", TREASURES, 20, 2, FEWER),
    )
    for label, name, one, other, claim in rows:
        yield Cell("What the text says", label, claim, _less(name, one, other), CLAIM_MEAN)


def _bought(coins: int, layer: str) -> Callable[[Numbers], Sample | None]:
    """Mean number of cards of a layer."""

    def bought(numbers: Numbers) -> Sample | None:
        row = next((row for row in numbers.study.get("values", ()) if row["coins"] == coins and row["matches"]), None)
        return None if row is None else _sample(row["matches"], (row["bought"] | row["sums"])[layer])

    return bought


def _less(name: str, one: int, other: int) -> Callable[[Numbers], Sample | None]:
    """Cards bought at one value less those at the other, match by match: these have the same luck."""

    def difference(numbers: Numbers) -> Sample | None:
        rows = numbers.study.get("less", ())
        row = next((row for row in rows if row["coins"] == [one, other] and row["matches"] > 1), None)
        return None if row is None else _sample(row["matches"], row["bought"][name])

    return difference


def _sample(matches: int, found: Mapping[str, float | None]) -> Sample:
    mean = found["mean"]
    assert mean is not None
    return Sample(matches, mean, found["deviation"])


# ---- tables 53 to 56: seconds a move

SPANS = {"all": "all turns", "early": "turns 1 to 10", "late": "from turn 11 on"}
DRIVER = 1_000
_MOVES = {1: "every eighth move", 4: "every second move", 8: "every move"}
"""Parts of a study of times, in words."""


def _times() -> Preset:
    result = papers.results()["dominion-speed"]
    runs = [{"label": _run(row), "player": _timed(row)} for row in result.rows]

    def scale(matches: int, parts: int) -> Scale:
        parameters = {
            "runs": runs,
            "driver": jansen.variant("UCB_orig", DRIVER, min_visits=10),
            "opponent": jansen.player("bmfsm"),
            "matches": matches,
            "parts": parts,
        }
        study = {"version": 1, "study": "move_time", "game": jansen.GAME, "parameters": parameters}
        moves = _MOVES[parts]
        words = f"{matches} {'match' if matches == 1 else 'matches'}, {moves} timed, as many simulations as the thesis"
        return Scale(words, {**study, "seed": jansen.SEED})

    return jansen.preset(
        "jansen-tables-53-56",
        where="Tables 53 to 56",
        title="time per move",
        question="How many seconds does a move take, by variant, simulations and threads?",
        method="10 games for each row against BMFSM; mean and standard deviation over the moves. C++, 2014.",
        scales=jansen.scales(scale(1, 1), scale(2, 4), scale(10, 8)),
        cells=tuple(cell for row in result.rows for cell in _spans(row)),
        notes=(
            "Ours are seconds of CPU time on one core of this machine. Times depend on the machine: they are shown and "
            "never judged.",
            "Threads x iterations are trees here, one after another on one core; the thesis' threads worked at once.",
            "No move of the thesis takes less than about a second, however few its simulations: something else of its "
            "program takes that.",
            f"Moves are those of matches that UCB_orig plays with {DRIVER:,} simulations; the same for all rows. Moves "
            "without a choice, and cards that are played without a search, are left out.",
            jansen.PEEK,
        ),
    )


def _timed(row: Mapping[str, Any]) -> dict[str, Any]:
    """The player of a row; threads x iterations are trees."""
    trees = row["threads"] * row["iterations"]
    return jansen.variant(row["player"], row["simulations"], trees, min_visits=10)


def _run(row: Mapping[str, Any]) -> str:
    threads = "" if (row["threads"], row["iterations"]) == (1, 1) else f", {row['threads']} x {row['iterations']}"
    return f"{row['player']}, {row['simulations']:,} simulations{threads}"


def _spans(row: Mapping[str, Any]) -> Iterable[Cell]:
    for span, label in SPANS.items():
        printed = f"{row[span]['mean']} ± {row[span]['sd']} s"
        yield Cell(_run(row), label, printed, _seconds(_run(row), span), SECONDS)


def _seconds(label: str, span: str) -> Callable[[Numbers], Sample | None]:
    def seconds(numbers: Numbers) -> Sample | None:
        run = next((run for run in numbers.study.get("runs", ()) if run["label"] == label), None)
        if run is None or run[span]["mean"] is None:
            return None
        return cells.known_sample(run[span]["moves"], run[span]["mean"], run[span]["interval"])

    return seconds


def figures() -> Sequence[Preset]:
    """The two figures."""
    return _woodcutter(25, "UCB_mod", (12, 5_000)), _woodcutter(26, "UCT_mod", (7, 3_000))


def times() -> Preset:
    """The four tables."""
    return _times()
