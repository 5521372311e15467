"""Gedda, Lagerkvist, Butler 2018: Monte Carlo players of Kingdomino against greedy ones. Tables I to III."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from worker.analysis.rates import Share
from worker.analysis.verdict import Sample
from worker.presets import cells, gedda_runs, papers
from worker.presets.gedda_players import (
    FLAT_PROGRAM,
    GAME,
    RATES,
    TREE_PROGRAM,
    as_programmed,
    counts,
    experiment,
    flat,
    player,
    playouts_in,
    tree,
)
from worker.presets.model import MARGIN, RATE, SCORE, AsRun, Cell, Curve, Preset, Reason, Scale
from worker.presets.numbers import Numbers

COLUMNS = ("0.1s", "0.2s", "0.3s", "0.5s", "1.0s", "2.0s", "4.0s", "6.0s", "8.0s", "10.0s")
PROGRAMMED = ("0.1s", "0.2s", "0.5s", "1.0s", "10.0s")
"""Columns that are played as programmed, too: with all ten an experiment would have too many arms."""
W = 0.1
BUDGETS = (
    "The paper gives a ply seconds. Here it gets the playouts that the authors' program made in that time, at its rate "
    "in round 4 (7,050 a second with random playouts, 219 with player-greedy, 217 with epsilon-greedy and 54 with "
    "full-greedy ones, from its published result files), divided by the factor that the scale names. In other rounds "
    "it made others, with full-greedy playouts 29 a second in round 1 and 351 in round 8; ours are the same in all."
)
FEWER = Reason(
    "Unless it runs as published a player has only a part of the paper's playouts, and plays the worse for it; and its "
    "number is that of round 4 throughout, where the paper's had many more in later rounds.",
    "docs/findings/papers.md: MCE-TR/WDL with a tenth, two fifths and all of its playouts; flat Monte Carlo at 0.1 "
    "and 0.5 s with a constant count and with counts by round.",
)
LOTS = Reason(
    "The program draws the action of each playout by lot, so some have few; as described they are shared evenly.",
    "The column beside it, which draws them.",
)
LISTED = Reason(
    "The program tries new actions in the order of a list, with one draw in each node.",
    "The column beside it, which plays it so.",
)
BY_FILE = (
    "The paper gives a ply seconds. Here both columns have the playouts that the authors' own result file of the cell "
    "holds, round by round: UCT with full-greedy playouts at 0.1 s 1 in round 1, 4 in round 4 and 140 in round 10. "
    "From round 11 on a tree gets no more than flat Monte Carlo made: the rest of its up to 19 million went through "
    "ends of the match that it held already."
)
LEFT_OUT = (
    "As their program ran there are figures for 0.1, 0.2, 0.5, 1 and 10 s. Those for 0.3, 2, 4, 6 and 8 s are not "
    "built: an experiment has at most 64 arms, and of Table III 41 are the method as described; the five times chosen "
    "lie on both sides of every other."
)
WARM_UP = (
    "Each match of the paper began in a fresh Java process, which was slow in its first rounds: at 0.1 s a tree there "
    "had a tenth of its later speed. The counts by round have it in them."
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


PICTURE = (
    "The figure is a picture. Published here is what the authors' result files hold, which they put on the web with "
    "their program."
)


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
    """FG, and flat Monte Carlo for each utility, at the playouts of 5 s or a part of them; then as programmed."""

    def scale(factor: float, deals: int) -> dict[str, Any]:
        playouts, by_round = playouts_in("TR", TABLE_2_SECONDS, factor), counts("TR", TABLE_2_SECONDS / factor)
        arms = {name: flat("TR", utility, playouts) for name, utility in SCORED_FOR.items()}
        as_run = {f"{name}, as programmed": as_programmed(one, by_round) for name, one in arms.items()}
        return experiment({"FG": player("fg"), **arms, **as_run}, "fg", deals)

    return {
        "quick": Scale("120 matches each, a tenth of the playouts: 3,525 a ply", scale(10, 120)),
        "standard": Scale("250 matches each, a fifth of the playouts: 7,050 a ply", scale(5, 250)),
        "published": Scale("500 matches each, 35,250 playouts a ply", scale(1, 500)),
    }


def table_2_program(arm: int) -> int | None:
    """Arm with the player of another one as programmed; None for FG, which searches nothing."""
    return arm + len(SCORED_FOR) if arm else None


def _table_2() -> Preset:
    result = papers.results()["kingdomino-table-2"]
    found = []
    for arm, name in enumerate(("FG", *SCORED_FOR)):
        why, ran = FEWER if arm else None, table_2_program(arm)
        as_run = None if ran is None else AsRun(_score(ran), ran)
        printed = printed_score(result.row(player=name))
        found.append(Cell("Score", name, printed, _score(arm), SCORE, why, arm=arm, as_run=as_run))
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
            TABLE_2_AS_PROGRAMMED,
            ORDER,
            "The half-widths printed in brackets are about twice those of the published result files; they are halved.",
        ),
        program=FLAT_PROGRAM,
    )


TABLE_2_AS_PROGRAMMED = (
    "As their program ran: the same part of the playouts of 5 s, but as many in each round as the program made there."
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
    """The margins of one family of players by time a ply; words: where, title, question.

    Arms: FG; as described, policy by policy; as programmed, time by time. Smaller scales leave long times out.
    """
    is_flat = family == "mce"
    described = [(policy, column) for policy in RATES for column in COLUMNS]
    ran = [(policy, column) for column in PROGRAMMED for policy in RATES]

    def scale(deals: int, columns: Sequence[str]) -> Scale:
        arms: list[tuple[int, str, Mapping[str, Any]]] = [(0, "FG", player("fg"))]
        for number, (policy, column) in enumerate((*described, *ran), start=1):
            called = f"{_ROWS[family].format(policy)}, {column[:-1]} s"
            one = _player(family, policy, column)
            if number > len(described):
                called, one = f"{called}, as programmed", as_programmed(one)
            if column in columns:
                arms.append((number, called, one))
        at = "" if columns == COLUMNS else f" at {', '.join(column[:-1] for column in columns)} s"
        spec = experiment({called: one for _, called, one in arms}, "fg", deals)
        return Scale(f"{deals} matches for each cell{at}", spec, tuple(number for number, _, _ in arms))

    return preset(
        name,
        **words,
        method="200 games for each player and each time a ply, against three fully greedy players.",
        scales={
            "quick": scale(40, PROGRAMMED[:3]),
            "standard": scale(80, PROGRAMMED[:4]),
            "published": scale(200, COLUMNS),
        },
        cells=tuple(_margins(family, described, ran)),
        notes=(BY_FILE, LEFT_OUT, WARM_UP, ORDER, *(() if is_flat else TREE_NOTES), SPREAD),
        curve=Curve("Seconds a ply in the paper", "Margin, points", is_x_log=True, level="FG"),
        program=FLAT_PROGRAM if is_flat else TREE_PROGRAM,
    )


def _player(family: str, policy: str, column: str) -> dict[str, Any]:
    """A player of Table III as described, with the playouts of its result file."""
    one = flat(policy, "relative", 1) if family == "mce" else tree(policy, FAMILIES[family][1], 1)
    by_round = gedda_runs.playouts(_run(family, policy), float(column[:-1]))
    return one | {"budget": dict.fromkeys(one["budget"], by_round)}


def _run(family: str, policy: str) -> str:
    """The name of a player among the result files."""
    return f"{family.upper()}-{policy}"


def _margins(family: str, described: Sequence[tuple[str, str]], ran: Sequence[tuple[str, str]]) -> Iterable[Cell]:
    """The full greedy player, then each cell as described and as programmed: (policy, column) of their arms."""
    yield Cell("FG", "any time", printed_margin("FG", "1.0s"), margin(0), MARGIN, LUCKY_FG)
    for arm, (policy, column) in enumerate(described, start=1):
        name, again = _ROWS[family].format(policy), 1 + len(described)
        why = LOTS if family == "mce" else LISTED
        why = REPEATED if (family, column) == ("uctb", "10.0s") else why
        label, as_run = f"{column[:-1]} s", None
        if (policy, column) in ran:
            again += ran.index((policy, column))
            as_run = AsRun(margin(again), again)
        printed = printed_margin(name, column)
        yield Cell(name, label, printed, margin(arm), MARGIN, why, x=float(column[:-1]), arm=arm, as_run=as_run)


SPREAD = (
    "The error of a printed margin is that of the games in its result file; the half-widths printed in brackets are "
    "about twice as large."
)
REPEATED = Reason(
    "The printed column of UCTB at 10 s repeats that of UCTW, digit for digit: a slip of the paper. Its result files "
    "have -3.3 with random playouts, -6.3 with player-greedy, 0.6 with epsilon-greedy and 3.1 with full-greedy ones.",
    "worker/presets/data/gedda_runs.json, UCTB at 10 s.",
)
TREE_NOTES = (
    "The paper does not say how its trees treat the draws; here statistics belong to sequences of actions, and the "
    "dominoes are drawn anew in every simulation.",
    "Of actions that win equally often the paper takes that with the greatest score increase; so do ours.",
)


def printed_margin(name: str, column: str) -> Sample:
    """A cell of Table III, with the spread of its result file."""
    mean = float(papers.results()["kingdomino-table-3"].row(player=name)["margin"][column])
    found = gedda_runs.margin_of_fg() if name == "FG" else gedda_runs.margin(name.partition("/")[0], float(column[:-1]))
    return Sample(found.n, mean, found.deviation)


def margin(arm: int) -> Callable[[Numbers], Sample | None]:
    """Our margin of an arm's first place."""
    return lambda n: n.margin(arm, 0)


def tables() -> Sequence[Preset]:
    """The tables, in the paper's order."""
    return (_table_1(), _table_2(), *(_table_3(family) for family in FAMILIES))
