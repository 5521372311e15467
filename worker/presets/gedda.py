"""Gedda, Lagerkvist, Butler 2018: Monte Carlo players of Kingdomino against greedy ones. Tables I to III."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from worker.analysis.rates import Share
from worker.analysis.verdict import Sample
from worker.presets import cells, papers
from worker.presets.model import MARGIN, RATE, SCORE, Cell, Curve, Preset, Reason, Scale
from worker.presets.numbers import Numbers

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
    "full-greedy ones, from its published result files), divided by the factor that the scale names. In other rounds "
    "it made others, with full-greedy playouts 29 a second in round 1 and 351 in round 8; ours are the same in all."
)
FEWER = Reason(
    "Unless it runs as published a player has only a part of the paper's playouts, and plays the worse for it; and its "
    "number is that of round 4 throughout, where the paper's had many more in later rounds.",
    "docs/findings/papers.md: flat Monte Carlo at 0.1 and 0.5 s, with the count of round 4 and with counts by round.",
)
WARM_UP = (
    "Each experiment of the paper began in a fresh Java process: below a second a ply its players made fewer playouts "
    "than these rates say, so its left columns are weaker than ours."
)
ORDER = (
    "The player sits in the first seat of every match; who chooses first is drawn, so that no seat is better than"
    " another."
)
GREEDY = (
    "The published full-greedy player looks two placements ahead and throws its last placement away; ours does the "
    "same, which the paper's own words do not say."
)
LUCKY_FG = Reason(
    "The printed -9.0 comes from 200 games; 20,000 of ours and of the authors' program give about -10.4.",
    "The row FG of this table at any scale, which plays the same match.",
)


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


def playout_policy(name: str) -> dict[str, Any]:
    """Options of a playout policy of the paper."""
    return dict(_POLICIES[name])


def flat(policy: str, utility: str, playouts: int) -> dict[str, Any]:
    """MCE with a playout policy of the paper."""
    return {
        "engine": "flat_mc",
        "options": {**_POLICIES[policy], "utility": utility},
        "budget": {"playouts": playouts},
    }


def tree(policy: str, enhancement: Mapping[str, float], simulations: int) -> dict[str, Any]:
    """UCT with a playout policy of the paper, for wins, C = 0.6; of actions that win alike one that scores most.

    The order of the dominoes is drawn anew each time.
    """
    options = {"utility": "wdl", "scale": "unit", "c": C, "chance": "open_loop", "tie_break": "gain"}
    options |= {**_POLICIES[policy], **enhancement}
    return {"engine": "uct", "options": options, "budget": {"simulations": simulations}}


def preset(name: str, **values: Any) -> Preset:
    """A preset of this paper."""
    return Preset(id=name, paper=papers.paper("gedda-2018"), game=GAME, **values)


# ---- table I: domain knowledge


def against_random(arms: Mapping[str, Mapping[str, Any]]) -> dict[str, Scale]:
    """Policies against three random players: ten times as many matches as published, or as a minute holds."""
    each = " each" if len(arms) > 1 else ""
    sizes = {"quick": 10_000 if len(arms) == 1 else 4_800, "standard": 10_000, "published": 1_000}
    return {name: Scale(f"{deals:,} matches{each}", experiment(arms, "tr", deals)) for name, deals in sizes.items()}


def _table_1() -> Preset:
    result = papers.results()["kingdomino-table-1"]
    policies = {"TR": "tr", "GPRD": "gprd", "FG": "fg"}
    found: list[Cell] = []
    for arm, name in enumerate(policies):
        row = result.row(player=name)
        games = row["wins"] + row["draws"] + row["losses"]
        found.append(cells.wins(name, "Wins", Share(row["wins"], games), arm, RATE))
        found.append(_draws(name, Share(row["draws"], games), arm))

    return preset(
        "gedda-table-1",
        where="Table I",
        title="what is knowing the rules of thumb worth?",
        question="How often do a random, a greedily placing and a fully greedy player win against three random ones?",
        method="1,000 games each against three random players.",
        scales=against_random({name: player(policy) for name, policy in policies.items()}),
        cells=tuple(found),
        notes=(ORDER, GREEDY, "A win is the sole best score; equal points are a draw, as in the paper."),
    )


def _draws(group: str, printed: Share, arm: int) -> Cell:
    return Cell(group, "Draws", printed, lambda n: n.draws(arm, 0), RATE)


# ---- table II: what a playout is worth

SCORED_FOR = {"MCE-TR/WDL": "wdl", "MCE-TR/P": "own", "MCE-TR/R": "relative"}
TABLE_2_SECONDS = 5.0


def printed_score(row: Mapping[str, Any]) -> Sample | None:
    """A row of Table II."""
    half = row["ci95"] / 2
    return cells.known_sample(500, row["score"], [row["score"] - half, row["score"] + half])


def table_2_scales() -> dict[str, Scale]:
    """FG, and flat Monte Carlo for each utility, at the playouts of 5 s or a part of them."""

    def scale(factor: float, deals: int) -> dict[str, Any]:
        playouts = playouts_in("TR", TABLE_2_SECONDS, factor)
        arms = {name: flat("TR", utility, playouts) for name, utility in SCORED_FOR.items()}
        return experiment({"FG": player("fg"), **arms}, "fg", deals)

    return {
        "quick": Scale("120 matches each, a tenth of the playouts: 3,525 a ply", scale(10, 120)),
        "standard": Scale("500 matches each, a fifth of the playouts: 7,050 a ply", scale(5, 500)),
        "published": Scale("500 matches each, 35,250 playouts a ply", scale(1, 500)),
    }


def _table_2() -> Preset:
    result = papers.results()["kingdomino-table-2"]
    found = [
        Cell("Score", name, printed_score(result.row(player=name)), _score(arm), SCORE, FEWER if arm else None, arm=arm)
        for arm, name in enumerate(("FG", *SCORED_FOR))
    ]
    return preset(
        "gedda-table-2",
        where="Table II",
        title="should a playout count wins or points?",
        question="Which score do flat Monte Carlo players reach for wins, own points or a share of the points?",
        method="500 games each against three fully greedy players, 5 s a ply, random playouts.",
        scales=table_2_scales(),
        cells=tuple(found),
        notes=(
            BUDGETS,
            ORDER,
            "The half-widths printed in brackets are about twice those of the published result files; they are halved.",
        ),
    )


def _score(arm: int) -> Callable[[Numbers], Sample | None]:
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
"""Half-width of the printed means: "3.5 to 6.0, most near the lower end"."""


def _table_3(family: str) -> Preset:
    title, _ = FAMILIES[family]
    return by_time(
        family,
        f"gedda-table-3-{family}",
        where=f"Table III, {_ROWS[family].format('*')}",
        title=f"{title}, by time a ply",
        question=f"By how many points does {title} win or lose against three fully greedy players?",
    )


def by_time(family: str, name: str, **words: str) -> Preset:
    """The margins of one family of players by time a ply; words: where, title, question."""
    enhancement = FAMILIES[family][1]
    factor, part = (6, "a sixth") if family == "mce" else (12, "a twelfth")
    quick, quick_part, few = (10, "a tenth", 30) if family == "mce" else (12, "a twelfth", 20)
    names = [(_ROWS[family].format(policy), policy, column) for policy in RATES for column in COLUMNS]

    def scale(factor: float, deals: int) -> dict[str, Any]:
        arms: dict[str, Mapping[str, Any]] = {"FG": player("fg")}
        for name, policy, column in names:
            count = playouts_in(policy, float(column[:-1]), factor)
            one = flat(policy, "relative", count) if family == "mce" else tree(policy, enhancement, count)
            arms[f"{name}, {column[:-1]} s"] = one
        return experiment(arms, "fg", deals)

    return preset(
        name,
        **words,
        method="200 games for each player and each time a ply, against three fully greedy players.",
        scales={
            "quick": Scale(f"{few} matches for each cell, {quick_part} of the playouts", scale(quick, few)),
            "standard": Scale(f"200 matches for each cell, {part} of the playouts", scale(factor, 200)),
            "published": Scale("200 matches for each cell, all of the playouts", scale(1, 200)),
        },
        cells=tuple(_margins(family, names)),
        notes=(BUDGETS, WARM_UP, ORDER, *(TREE_NOTES if family != "mce" else ())),
        curve=Curve("Seconds a ply in the paper", "Margin, points", is_x_log=True, level="FG"),
    )


def _margins(family: str, names: Iterable[tuple[str, str, str]]) -> Iterable[Cell]:
    """The full greedy player, then (name, policy, column) of each arm after it."""
    yield Cell("FG", "any time", printed_margin("FG", "1.0s"), margin(0), MARGIN, LUCKY_FG)
    for arm, (name, _, column) in enumerate(names, start=1):
        why = REPEATED if (family, column) == ("uctb", "10.0s") else FEWER
        label, printed = f"{column[:-1]} s", printed_margin(name, column)
        yield Cell(name, label, printed, margin(arm), MARGIN, why, x=float(column[:-1]), arm=arm)


REPEATED = Reason(
    "The printed column of UCTB at 10 s repeats that of UCTW, digit for digit: a slip of the paper, it seems.",
    "Both printed columns stand in the two tables.",
)
TREE_NOTES = (
    "The paper does not say how its trees treat the draws; here statistics belong to sequences of actions, and the "
    "dominoes are drawn anew in every simulation.",
    "Of actions that win equally often the paper takes that with the greatest score increase; so do ours.",
)


def _printed(mean: float) -> Sample | None:
    return cells.known_sample(200, mean, [mean - TABLE_3_HALF_WIDTH, mean + TABLE_3_HALF_WIDTH])


def printed_margin(name: str, column: str) -> Sample | None:
    """A cell of Table III."""
    return _printed(papers.results()["kingdomino-table-3"].row(player=name)["margin"][column])


def margin(arm: int) -> Callable[[Numbers], Sample | None]:
    """Our margin of an arm's first place."""
    return lambda n: n.margin(arm, 0)


def tables() -> Sequence[Preset]:
    """The tables, in the paper's order."""
    return (_table_1(), _table_2(), *(_table_3(family) for family in FAMILIES))
