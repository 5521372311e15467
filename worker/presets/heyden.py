"""Heyden 2009: the experiments of chapter 6 that are matches. Searches and sizes: `heyden_studies`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from worker.analysis.verdict import Sample
from worker.presets import cells, heyden_future, heyden_studies, heyden_trees, papers
from worker.presets.cells import Side
from worker.presets.heyden_players import (
    BUDGETS,
    CLOCK,
    DEPTH,
    PLAYOUTS,
    SIMULATIONS,
    SPREAD,
    TIES,
    experiment,
    flat,
    preset,
    seat,
    star,
    uct,
)
from worker.presets.model import CLAIM, Cell, Claim, Preset, Program, Reason, Scale
from worker.presets.numbers import Quantity

KINDS = (("city", "city"), ("road", "road"), ("monastery", "monastery"), ("field", "field"))
HALF = Claim(0.5, 1.0, "wins more")

# ---- table 6.1: score difference against win, draw or loss

DULL = Reason(
    "The thesis finds its MCo hardly better than a random player, which scores about 18 here too. No number of "
    "playouts brings a correct MCo so low, nor does the choice among equals; means cut to whole numbers do. A "
    "stronger MCo costs MC some wins.",
    "The column beside it; numbers of playouts and choices among equals: docs/findings/papers.md.",
)
WHOLE = Program(
    "Both players compare means cut to whole numbers, as a program has them that divides a sum by a count in whole "
    "numbers.",
    "Its source is not public. Of what was tried this alone brings MCo to the printed level, so it was chosen to fit; "
    "that the thesis' program divided so is open: docs/findings/papers.md.",
    "A mean of wins, draws and losses (1, 0, -1) cut to a whole number is nearly always 0, one of points hardly minds: "
    "the two utilities are not compared on equal terms.",
    is_fitted=True,
)


def _table_61() -> Preset:
    def scale(budget: Mapping[str, Any], deals: int) -> dict[str, Any]:
        described = [flat(budget), flat(budget, "wdl")]
        whole = [flat(budget, means="whole"), flat(budget, "wdl", means="whole")]
        name = "Score difference against win, draw or loss"
        return experiment({name: described, f"{name}, whole means": whole}, deals)

    result = papers.results()["heyden-table-6.1"]
    return preset(
        "heyden-table-6.1",
        where="Table 6.1",
        title="what is a Monte Carlo playout worth?",
        question="Does flat Monte Carlo play better for the score difference (MC) or for the win alone (MCo)?",
        method="100 games, 6 minutes a player and game; each player starts 50 of them.",
        scales={
            "quick": Scale("160 matches either way, 250 playouts a ply", scale(PLAYOUTS, 80)),
            "standard": Scale("400 matches either way, 250 playouts a ply", scale(PLAYOUTS, 200)),
            "published": Scale("100 matches either way, 360 s a player and match", scale(CLOCK, 50)),
        },
        cells=cells.versus(result, (Side("mc", "MC", "MC", DULL), Side("mco", "MCo", "MCo", DULL)), as_run=1),
        notes=(BUDGETS, SPREAD, TIES),
        program=WHOLE,
    )


# ---- table 6.5: the weights of the evaluation

VARIANTS: Mapping[str, Mapping[str, float]] = {
    "meeple in hand 1 instead of 10": {"weight_meeples": 1.0},
    "unfinished city tile 1 instead of 1.25": {"weight_unfinished_city": 1.0},
    "meeple on a poor field -50 instead of -40": {"weight_poor_field": -50.0},
    "unfinished features 5 instead of 10": {"weight_unfinished": 5.0},
}


def _table_65() -> Preset:
    def scale(budget: Mapping[str, Any], deals: int, **options: Any) -> dict[str, Any]:
        final = star(budget, evaluation="final", **options)
        arms = {"Final against intuitive weights": [final, star(budget, evaluation="intuitive", **options)]}
        for name, weights in VARIANTS.items():
            arms[f"Final against {name}"] = [final, star(budget, evaluation="own", **weights, **options)]
        return experiment(arms, deals)

    names = ("the intuitive set", *VARIANTS)
    return preset(
        "heyden-table-6.5",
        where="Table 6.5",
        title="the weights of the evaluation",
        question="Do the final weights beat the intuitive ones, and each of them its neighbour?",
        method=(
            "Tuned by play: sets of weights competed, and the strongest became the final ones. Printed are the "
            "intuitive and the final set, not the games between them."
        ),
        scales={
            "quick": Scale("22 matches for each rival, Star2.5 to depth 2", scale(DEPTH, 11)),
            "standard": Scale("100 matches for each rival, Star2.5 to depth 2", scale(DEPTH, 50)),
            "published": Scale(
                "100 matches for each rival, Star2.5 deepening, 360 s a player and match",
                scale(CLOCK, 50, deepening=True),
            ),
        },
        cells=tuple(
            cells.wins("Wins of the final weights against", name, HALF, arm, CLAIM) for arm, name in enumerate(names)
        ),
        notes=(
            "Judged is the claim that the final weights win more than half: equivalent where our whole 99 % interval "
            "lies above one half, differs where it lies below.",
            "Draws count for neither side, so one half is a little harder to reach than it looks.",
            "How many games the thesis played, and at which depth, it does not say; the rivals but the first are ours.",
        ),
    )


# ---- table 6.8: the best of each kind


def _arm_68(simulations: Mapping[str, Any], search: Mapping[str, Any], deepening: bool) -> list[dict[str, Any]]:
    return [uct(simulations), star(search, deepening=deepening)]


def _scales_68() -> dict[str, Scale]:
    def scale(simulations: Mapping[str, Any], search: Mapping[str, Any], deals: int) -> dict[str, Any]:
        arm = _arm_68(simulations, search, deepening="depth" not in search)
        return experiment({"MCTS against Star2.5": arm}, deals)

    return {
        "quick": Scale("200 matches, 250 simulations a ply against depth 2", scale(SIMULATIONS, DEPTH, 100)),
        "standard": Scale("400 matches, 250 simulations a ply against depth 2", scale(SIMULATIONS, DEPTH, 200)),
        "published": Scale("100 matches, 360 s a player and match, deepening", scale(CLOCK, CLOCK, 50)),
    }


UNEQUAL = (
    "Star2.5 searches to depth 2 at quick and standard scale; in 10 s the thesis' got that far at every ply and to "
    "depth 3 at some. The count of simulations is an estimate as well, so either player may be weaker or stronger here."
)


def _table_68() -> Preset:
    reason = Reason(
        "How the two compare depends on what each makes of its time. At quick and standard scale counts stand for it, "
        "by our estimate; as published both search further than in 2009, and not by the same factor."
    )
    result = papers.results()["heyden-table-6.8"]
    return preset(
        "heyden-table-6.8",
        where="Table 6.8",
        title="tree search against Star2.5",
        question="Which is stronger, the best Monte Carlo player (MCTS, C = 3) or the best expectimax (Star2.5)?",
        method=(
            "100 games, 6 minutes a player and game, probing factor 5, bounds that move with the score; each player "
            "starts 50 of them."
        ),
        scales=_scales_68(),
        cells=cells.versus(
            result, (Side("mcts", "MCTS", "MCTS", reason), Side("star25", "Star2.5", "Star2.5", reason))
        ),
        notes=(
            BUDGETS,
            UNEQUAL,
            SPREAD,
            TIES,
            "A later paper (2020) found tree search ahead of Star2.5, unlike the thesis.",
        ),
    )


# ---- figures 6.1 to 6.4, 6.7, 6.8: points per feature and meeples

TALLIES = cells.features(KINDS)
PICTURES = (
    "The thesis shows these figures as pictures. Numbers stand here where its text gives them; words such as "
    "“nearly 9” are shown and not judged."
)
INVOLVED = "Points are per feature that gave the player points; those lost to others, worth 0, are not counted."


def _feature_cells(
    players: Sequence[tuple[str, tuple[int, int], Mapping[str, Any]]], games: int = 100
) -> tuple[Cell, ...]:
    """Cells of a pair of figures. players: (name, (arm, place), figures of the text by quantity)."""
    found = []
    for name, where, figures in players:
        for counted in TALLIES:
            figure = figures.get(counted.id)
            shown = Sample(games, float(figure)) if isinstance(figure, int | float) else figure
            found.append(cells.quantity(name, _label(counted), shown, where, counted))
    return tuple(found)


def _label(counted: Quantity) -> str:
    kind = dict(KINDS).get(counted.id.partition("_")[2], "")
    if counted.id.startswith("points"):
        return f"points per {kind}"
    return f"meeples on {kind}" if kind else "meeples in all"


def _text(player: str, **names: str) -> dict[str, Any]:
    """Figures of the text of one player, by quantity; names: quantity -> its name in the published row."""
    row = papers.results()["heyden-meeples-mc"].row(player=player)
    return {name: row[key] for name, key in names.items()}


def _figures_61() -> Preset:
    def scale(budget: Mapping[str, Any], deals: int) -> dict[str, Any]:
        random = seat("random", {})
        arms = {"MC against MCo": [flat(budget), flat(budget, "wdl")], "Random against itself": [random, random]}
        return experiment(arms, deals)

    mc = _text(
        "MC",
        placed="meeples",
        points_monastery="cloister_points",
        points_field="field_points",
        placed_road="road_meeples",
        placed_field="field_meeples",
    )
    chance = _text("random", placed_field="field_meeples")
    return preset(
        "heyden-figures-6.1-6.2",
        where="Figures 6.1 and 6.2",
        title="features and meeples of flat Monte Carlo",
        question="How much do features pay, and where do meeples go, for MC, MCo and the random player?",
        method="Means over the 100 games of Table 6.1, 6 minutes a player and game, beside a random player.",
        scales={
            "quick": Scale("300 matches, half as many of random, 250 playouts a ply", scale(PLAYOUTS, 150)),
            "standard": Scale("800 matches, half as many of random, 250 playouts a ply", scale(PLAYOUTS, 400)),
            "published": Scale("100 matches, half as many of random, 360 s a player and match", scale(CLOCK, 50)),
        },
        cells=_feature_cells((("MC", (0, 0), mc), ("MCo", (0, 1), {}), ("Random", (1, 0), chance))),
        notes=(PICTURES, INVOLVED, BUDGETS, SPREAD, "Whom the random player of the thesis met is not said."),
        quantities=TALLIES,
    )


def _figures_63() -> Preset:
    def scale(budget: Mapping[str, Any], deals: int) -> dict[str, Any]:
        return experiment({"MCTS against MCTSo": [uct(budget), uct(budget, "wdl")]}, deals)

    tree = _text("MCTS", placed="meeples", points_monastery="cloister_points")
    return preset(
        "heyden-figures-6.3-6.4",
        where="Figures 6.3 and 6.4",
        title="features and meeples of tree search",
        question="How much do features pay, and where do meeples go, for MCTS and MCTSo?",
        method="Means over the 100 games of Table 6.3, 6 minutes a player and game.",
        scales={
            "quick": Scale("270 matches, 250 simulations a ply", scale(SIMULATIONS, 135)),
            "standard": Scale("400 matches, 250 simulations a ply", scale(SIMULATIONS, 200)),
            "published": Scale("100 matches, 360 s a player and match", scale(CLOCK, 50)),
        },
        cells=_feature_cells((("MCTS", (0, 0), tree), ("MCTSo", (0, 1), {}))),
        notes=(PICTURES, INVOLVED, BUDGETS, SPREAD),
        quantities=TALLIES,
    )


def _figures_67() -> Preset:
    star = _text("Star2.5", placed_field="field_meeples")
    return preset(
        "heyden-figures-6.7-6.8",
        where="Figures 6.7 and 6.8",
        title="features and meeples of Star2.5",
        question="How much do features pay, and where do meeples go, for MCTS and Star2.5?",
        method="Means over the 100 games of Table 6.8, 6 minutes a player and game.",
        scales=_scales_68(),
        cells=_feature_cells((("MCTS", (0, 0), {}), ("Star2.5", (0, 1), star))),
        notes=(PICTURES, INVOLVED, BUDGETS, UNEQUAL, SPREAD),
        quantities=TALLIES,
    )


def presets() -> tuple[Preset, ...]:
    """All presets of the thesis, in its order."""
    return (
        *heyden_studies.sizes(),
        _table_61(),
        _figures_61(),
        *heyden_trees.presets(),
        _figures_63(),
        heyden_studies.orders(),
        _table_65(),
        *heyden_studies.searches(),
        _table_68(),
        _figures_67(),
        *heyden_future.presets(),
    )
