"""Complexity: branching, game tree, state space, and other games (Heyden 2009, chapter 3)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from engines import registry as engine_registry
from games import registry as game_registry
from webapp.common import amounts
from webapp.common.formats import THIN, count, interval_text, num_matches, number, plural, power
from webapp.lab.results.charts.figure import Column
from webapp.lab.studies.presentations import complexity_figures
from webapp.lab.studies.presentations.complexity_figures import BOUND
from webapp.lab.studies.presentations.section import Fact, Section, Table
from webapp.records.models import Study

TREE_NOTES = (
    "Thesis' way: the mean number of actions to the power of the number of plies, and for chance one kind of tile "
    "fewer every three plies.",
    "Typical match: the mean over matches of the sum of logarithms along the match. Mean product: the logarithm of "
    "the mean over matches of the product of legal actions and of what could be drawn. Both follow the paths that "
    "this player and the true frequencies of tiles take, so neither counts the leaves of the tree without bias: that "
    "would need the chance of each path (Knuth 1975).",
    "Leaves, sampled: random paths, each counted by the inverse of its chance (Knuth's estimator, without bias), in "
    "populations that keep heavy paths and drop light ones. The heaviest paths are rarely met, so a few populations "
    f"mostly lie below the truth; more paths raise them. The bound of 95{THIN}% holds whatever their spread.",
)
STATE_NOTES = (
    "Boards: sets of tiles that can lie round the start tile, each tile with its cell and rotation, whatever the "
    "order in which they came; sampled without bias by random boards, each divided by the boards that it can come "
    "from. Boards that differ only in which equal tile was the start count apart.",
    "With meeples: each board times the ways in which at most one meeple stands on each open feature, at most seven "
    "of a seat. Features shared by several meeples and scores are left out, and not every such placement need be "
    "reachable: an order of magnitude, no bound.",
    "Shapes: polyominoes, the bound of the thesis. Its 5·10⁴⁰ is the sum of free ones (an eighth of the fixed ones); "
    "a mirrored map is another position to the rules, and the start tile fixes how a board is turned.",
)


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """Branching, and the sampled sizes."""
    parts = []
    branching, leaves, boards = result["branching"], _bound(result["tree"]["leaves"]), _boards_bound(result)
    if branching["mean"] is not None:
        parts.append(f"{number(branching['mean'])} legal actions on average")
    if leaves is not None:
        parts.append(f"at least {power(leaves)} different matches")
    if boards is not None:
        parts.append(f"at least {power(boards)} different boards")
    return f"{_game(study)} has {_joined(parts)}." if parts else ""


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """The four numbers of chapter 3."""
    found, branching = [], result["branching"]
    leaves, boards = _bound(result["tree"]["leaves"]), _boards_bound(result)
    if branching["mean"] is not None:
        small = f"{interval_text(branching['interval'])}, {num_matches([branching['matches']])}"
        found.append(Fact("Legal actions a ply", number(branching["mean"]), small))
        found.append(Fact("Most legal actions", count(branching["maximum"]), f"most often {branching['mode']}"))
    if leaves is not None:
        found.append(Fact("Game tree, at least", power(leaves), f"leaves, with 95{THIN}% confidence"))
    if boards is not None:
        found.append(Fact("State space, at least", power(boards), f"boards without meeples, with 95{THIN}% confidence"))
    return found


def _bound(sampled: Mapping[str, Any]) -> float | None:
    """The lower bound of a sampled number."""
    bound: float | None = sampled["at_least"]
    return bound


def _boards_bound(result: Mapping[str, Any]) -> float | None:
    return _bound(result["states"]["boards"]) if result["states"] else None


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """Branching, tree, states, other games."""
    player = result["player"]
    who = engine_registry.get(player["engine"]).label
    budget = ", ".join(f"{key.replace('_', ' ')} {amounts.text(value)}" for key, value in player["budget"].items())
    found = [
        Section(
            "Branching",
            [f"Legal actions in matches that {who}{f' ({budget})' if budget else ''} plays in every seat."],
            [complexity_figures.by_ply(result["branching"]), complexity_figures.frequencies(result["branching"])],
        ),
        Section("Game tree", tables=[_tree(result)], notes=TREE_NOTES),
    ]
    if result["states"] is not None:
        found.append(
            Section(
                "State space",
                figures=[complexity_figures.states(result)],
                tables=[_totals(result), _shapes(result)],
                notes=STATE_NOTES,
            )
        )
    found.append(Section("Other games", figures=[complexity_figures.games(result)]))
    return found


def _game(study: Study) -> str:
    return game_registry.get(study.game).label


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _sampled(found: Mapping[str, Any]) -> str:
    """The bound of a sampled number, in words."""
    return "" if found["at_least"] is None else f"at least {power(found['at_least'])}"


def _powers(interval: Sequence[float] | None) -> str:
    return "" if interval is None else f"{power(interval[0])} to {power(interval[1])}"


# ---- game tree
def _tree(result: Mapping[str, Any]) -> Table:
    """The size of the tree, by each method."""
    tree, rows = result["tree"], []
    if result["published"]:
        published = result["published"]
        rows.append(["Thesis", power(published["moves"]), power(published["chance"]), power(published["tree"]), ""])
    if tree["thesis"]:
        own = tree["thesis"]
        rows.append(["Thesis' way, our matches", power(own["moves"]), power(own["chance"]), power(own["total"]), ""])
    if tree["typical"]:
        own = {key: tree["typical"][key] for key in ("moves", "chance", "total")}
        rows.append(["Typical match", *(power(own[key]["mean"]) for key in own), _powers(own["total"]["interval"])])
        rows.append(["Mean product", "", "", power(tree["path"]), ""])
    size = plural(tree["populations"], "population", "populations")
    rows.append([f"Leaves, sampled ({size})", "", "", power(tree["leaves"]["mean"]), _sampled(tree["leaves"])])
    return Table(
        "Leaves of the game tree",
        [Column("How", False), *map(Column, ("Actions", "Chance", "Together", f"95{THIN}%"))],
        rows,
    )


def _totals(result: Mapping[str, Any]) -> Table:
    """One line for each way of counting states."""
    states, shapes = result["states"], result["shapes"]
    return Table(
        "State space",
        [Column("What is counted", False), Column("All numbers of tiles"), Column(BOUND)],
        [
            ["Shapes: free polyominoes, the thesis' bound", power(shapes["free"]), ""],
            ["Shapes: fixed polyominoes", power(shapes["fixed"]), ""],
            ["Boards, sampled", power(states["boards"]["mean"]), power(states["boards"]["at_least"])],
            ["Boards with meeples, sampled", power(states["meeples"]["mean"]), power(states["meeples"]["at_least"])],
        ],
    )


def _shapes(result: Mapping[str, Any]) -> Table:
    """Table 3.1 of the thesis, with what is known exactly today."""
    rows = [row for row in result["shapes"]["rows"] if row["n"] >= 46]
    return Table(
        "Polyominoes of 46 to 72 squares (table 3.1)",
        [Column("Squares", False), *map(Column, ("Free, about", "Fixed, approximation", "Fixed, exact"))],
        [
            [
                count(row["n"]),
                power(math.log10(row["free"])),
                power(math.log10(row["approximation"])),
                count(int(row["exact"])) if row["exact"] else "not known",
            ]
            for row in rows
        ],
        "Free: an eighth of the exact number up to 56 squares, of the approximation beyond, as the thesis has it.",
    )
