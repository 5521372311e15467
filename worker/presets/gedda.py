"""Gedda, Lagerkvist, Butler 2018: Monte Carlo players of Kingdomino against greedy ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from worker.analysis.verdict import Sample, Share
from worker.presets import cells, published
from worker.presets.model import MARGIN, RATE, SCORE, Cell, Preset, Scale

GAME = "kingdomino"
SEED = 2018
SEATS = 4

RATES: Mapping[str, float] = {"TR": 7050, "PG": 219, "eG": 217, "FG": 54}
"""Playouts a second of the authors' program in round 4, from its published result files."""
COLUMNS = ("0.1s", "0.2s", "0.3s", "0.5s", "1.0s", "2.0s", "4.0s", "6.0s", "8.0s", "10.0s")
EPSILON, C, W = 0.75, 0.6, 0.1
BUDGETS = (
    "The paper gives a ply seconds. Here it gets the playouts that the authors' program made in that time, at its rate "
    "in round 4 (7,050 a second with random playouts, 219 with player-greedy, 217 with epsilon-greedy and 54 with "
    "full-greedy ones, from its published result files), divided by the factor that the scale names."
)
WARM_UP = (
    "Each experiment of the paper began in a fresh Java process: below a second a ply its players made fewer playouts "
    "than these rates say, so its left columns are weaker than ours."
)
ORDER = "The player sits in seat 0 of every match; who chooses first is drawn, so that no seat is better than another."
GREEDY = (
    "The published full-greedy player looks two placements ahead and throws its last placement away; ours does the "
    "same, which the paper's own words do not say."
)
LUCKY_FG = "The printed -9.0 comes from 200 games; 20,000 of ours and of the authors' program give about -10.4."


def player(policy: str) -> dict[str, Any]:
    """A seat that follows a policy."""
    return {"engine": "scripted", "options": {"policy": policy}, "budget": {}}


def experiment(arms: Mapping[str, Mapping[str, Any]], opponent: str, deals: int) -> dict[str, Any]:
    """A spec: each player in seat 0, against three opponents that follow a policy."""
    others = [player(opponent)] * (SEATS - 1)
    return {
        "version": 1,
        "game": GAME,
        "seats": SEATS,
        "arms": [{"name": name, "seats": [dict(first), *others]} for name, first in arms.items()],
        "deals": deals,
        "rotation": "none",
        "seed": SEED,
    }


def playouts_in(policy: str, seconds: float, factor: float) -> int:
    """Playouts that the authors' program made in this time, divided by a factor; at least one."""
    return max(1, round(RATES[policy] * seconds / factor))


_POLICIES: Mapping[str, Mapping[str, Any]] = {
    "TR": {"policy": "tr"},
    "FG": {"policy": "fg"},
    "PG": {"policy": "pg"},
    "eG": {"policy": "fg", "epsilon": EPSILON},
}


def flat(policy: str, utility: str, playouts: int) -> dict[str, Any]:
    """MCE with a playout policy of the paper."""
    return {
        "engine": "flat_mc",
        "options": {**_POLICIES[policy], "utility": utility},
        "budget": {"playouts": playouts},
    }


def tree(policy: str, enhancement: Mapping[str, float], simulations: int) -> dict[str, Any]:
    """UCT with a playout policy of the paper, for wins, C = 0.6; the order of the dominoes is drawn anew each time."""
    options = {**_POLICIES[policy], "utility": "wdl", "scale": "unit", "c": C, "chance": "open_loop", **enhancement}
    return {"engine": "uct", "options": options, "budget": {"simulations": simulations}}


def _preset(name: str, **values: Any) -> Preset:
    return Preset(id=name, paper=published.paper("gedda-2018"), game=GAME, **values)


# ---- table I: domain knowledge


def _table_1() -> Preset:
    result = published.results()["kingdomino-table-1"]
    policies = {"TR": "tr", "GPRD": "gprd", "FG": "fg"}
    found: list[Cell] = []
    for arm, name in enumerate(policies):
        row = result.row(player=name)
        games = row["wins"] + row["draws"] + row["losses"]
        found.append(cells.wins(name, "Wins", Share(row["wins"], games), arm, RATE))
        found.append(_draws(name, Share(row["draws"], games), arm))

    def scale(deals: int) -> dict[str, Any]:
        return experiment({name: player(policy) for name, policy in policies.items()}, "tr", deals)

    return _preset(
        "gedda-table-1",
        where="Table I",
        title="what is knowing the rules of thumb worth?",
        question="How often do a random, a greedily placing and a fully greedy player win against three random ones?",
        method="1,000 games each against three random players.",
        scales={
            "quick": Scale("1,000 matches each", scale(1000)),
            "standard": Scale("10,000 matches each", scale(10_000)),
            "published": Scale("1,000 matches each", scale(1000)),
        },
        cells=tuple(found),
        notes=(ORDER, GREEDY, "A win is the sole best score; equal points are a draw, as in the paper."),
    )


def _draws(group: str, printed: Share, arm: int) -> Cell:
    return Cell(group, "Draws", printed, lambda n: n.draws(arm, 0), RATE)


# ---- table II: what a playout is worth

SCORED_FOR = {"MCE-TR/WDL": "wdl", "MCE-TR/P": "own", "MCE-TR/R": "relative"}
TABLE_2_SECONDS = 5.0


def _table_2() -> Preset:
    result = published.results()["kingdomino-table-2"]
    found = []
    for arm, name in enumerate(("FG", *SCORED_FOR)):
        row = result.row(player=name)
        half = row["ci95"] / 2
        printed = cells.known(500, row["score"], [row["score"] - half, row["score"] + half])
        found.append(Cell("Score", name, printed, _score(arm), SCORE))

    def scale(factor: float, deals: int) -> dict[str, Any]:
        playouts = playouts_in("TR", TABLE_2_SECONDS, factor)
        arms = {name: flat("TR", utility, playouts) for name, utility in SCORED_FOR.items()}
        return experiment({"FG": player("fg"), **arms}, "fg", deals)

    return _preset(
        "gedda-table-2",
        where="Table II",
        title="should a playout count wins or points?",
        question="Which score do flat Monte Carlo players reach for wins, own points or a share of the points?",
        method="500 games each against three fully greedy players, 5 s a ply, random playouts.",
        scales={
            "quick": Scale("40 matches each, a tenth of the playouts: 3,525 a ply", scale(10, 40)),
            "standard": Scale("500 matches each, a fifth of the playouts: 7,050 a ply", scale(5, 500)),
            "published": Scale("500 matches each, 35,250 playouts a ply", scale(1, 500)),
        },
        cells=tuple(found),
        notes=(
            BUDGETS,
            ORDER,
            "The half-widths printed in brackets are about twice those of the published result files; they are halved.",
        ),
    )


def _score(arm: int) -> Any:
    return lambda n: n.score(arm, 0)


# ---- table III: all players, at ten budgets each

FAMILIES: Mapping[str, tuple[str, Mapping[str, float]]] = {
    "mce": ("flat Monte Carlo", {}),
    "uct": ("tree search", {}),
    "uctb": ("tree search with progressive bias", {"bias": W}),
    "uctw": ("tree search with progressive win bias", {"win_bias": W}),
}
_ROWS = {"mce": "MCE-{}/R", "uct": "UCT-{}", "uctb": "UCTB-{}", "uctw": "UCTW-{}"}
TABLE_3_HALF_WIDTH = 4.0
"""Of the printed means: "3.5 to 6.0, most near the lower end"."""


def _table_3(family: str) -> Preset:
    title, enhancement = FAMILIES[family]
    factor, words = (6, "a sixth") if family == "mce" else (12, "a twelfth")
    result = published.results()["kingdomino-table-3"]
    names = [(_ROWS[family].format(policy), policy, column) for policy in RATES for column in COLUMNS]

    def scale(factor: float, deals: int) -> dict[str, Any]:
        arms: dict[str, Mapping[str, Any]] = {"FG": player("fg")}
        for name, policy, column in names:
            count = playouts_in(policy, float(column[:-1]), factor)
            one = flat(policy, "relative", count) if family == "mce" else tree(policy, enhancement, count)
            arms[f"{name}, {column[:-1]} s"] = one
        return experiment(arms, "fg", deals)

    return _preset(
        f"gedda-table-3-{family}",
        where=f"Table III, {_ROWS[family].format('*')}",
        title=f"{title}, by time a ply",
        question=f"By how many points does {title} win or lose against three fully greedy players?",
        method="200 games for each player and each time a ply, against three fully greedy players.",
        scales={
            "quick": Scale("20 matches for each cell, a tenth of the playouts", scale(10, 20)),
            "standard": Scale(f"200 matches for each cell, {words} of the playouts", scale(factor, 200)),
            "published": Scale("200 matches for each cell, all of the playouts", scale(1, 200)),
        },
        cells=(
            Cell("FG", "any time", _printed(result.row(player="FG")["margin"]["1.0s"]), _margin(0), MARGIN, LUCKY_FG),
            *(
                Cell(
                    name, f"{column[:-1]} s", _printed(result.row(player=name)["margin"][column]), _margin(arm), MARGIN
                )
                for arm, (name, _, column) in enumerate(names, start=1)
            ),
        ),
        notes=(BUDGETS, WARM_UP, ORDER, *(_TREE_NOTES if family != "mce" else ())),
    )


_TREE_NOTES = (
    "The paper does not say how its trees treat the draws; here statistics belong to sequences of actions, and the "
    "dominoes are drawn anew in every simulation.",
    "Among moves of equal win rate the paper takes that with the greatest score increase, ours one by lot.",
)


def _printed(mean: float) -> Sample | None:
    return cells.known(200, mean, [mean - TABLE_3_HALF_WIDTH, mean + TABLE_3_HALF_WIDTH])


def _margin(arm: int) -> Any:
    return lambda n: n.margin(arm, 0)


def presets() -> Sequence[Preset]:
    """All of them, in the paper's order."""
    return (_table_1(), _table_2(), *(_table_3(family) for family in FAMILIES))
