"""Options of UCT, with the papers that they come from."""

from __future__ import annotations

from dataclasses import dataclass

from games.options import option

UNIT_POINTS = 100.0
"""A margin of d points is worth 0.5 + d / (2 * UNIT_POINTS) on the unit scale (beyond it at larger margins)."""
MAX_TREES = 64


@dataclass(frozen=True)
class UCTOptions:
    """Selection, playouts, chance and the final choice.

    The exploration constant C weighs against utilities, so it scales with them. The thesis'
    C = 3 on its own scale is, on the unit scale, 3 / 200 = 0.015 for score differences (two
    hundred points to the unit) and 3 / 2 = 1.5 for win, draw or loss (-1 .. 1 to 0 .. 1).
    """

    c: float = option(
        3.0,
        "Exploration constant C",
        "How far a rarely tried action is preferred. In utilities: 3 on the points scale is 0.015 on the unit "
        "scale for score differences, and 1.5 for win, draw or loss.",
        minimum=0.0,
        maximum=1000.0,
    )
    utility: str = option(
        "difference",
        "Utility of a simulation",
        "What every seat maximises: its margin in points, winning, its share of its own and its opponents' points, "
        "or its points.",
        choices=(
            ("difference", "score difference"),
            ("wdl", "win, draw or loss"),
            ("relative", "share of the points"),
            ("own", "own score"),
        ),
    )
    scale: str = option(
        "points",
        "Scale of utilities",
        "Points: the margin or points themselves, or 1, 0, -1. Unit: 0.5 + margin / 200, points / 100, or 1, 0.5, 0. "
        "A share lies between 0 and 1 on both.",
        choices=(("points", "points, as in the thesis"), ("unit", "unit interval")),
    )
    opponent: str = option(
        "best",
        "Opponents' score",
        "With more than two seats: the best other seat, or all others together.",
        choices=(("best", "best other seat"), ("total", "sum of all others")),
    )
    policy: str = option(
        "random", "Playout policy", "A policy of the game that plays every seat in playouts.", names="policies"
    )
    epsilon: float = option(
        0.0,
        "Random share of playouts",
        "Probability that a playout takes a random action instead of the policy's.",
        minimum=0.0,
        maximum=1.0,
    )
    playout_plies: int = option(
        0,
        "Playout length",
        "Plies after which a playout stops and counts the points as if the match ended there; 0 plays to the end.",
        minimum=0,
        maximum=1000,
    )
    chance: str = option(
        "explicit",
        "Chance",
        "Explicit: a node per outcome, drawn with the true frequencies. Open loop: statistics of action "
        "sequences alone. Sampled: each node draws once and keeps it. Fixed: all that is still to be drawn comes in "
        "one order for the whole tree, as if it were known; several trees then see several orders.",
        choices=(
            ("explicit", "explicit nodes"),
            ("open_loop", "open loop"),
            ("sampled", "one draw per node"),
            ("fixed", "one draw per tree"),
        ),
    )
    selection: str = option(
        "ucb1",
        "Selection formula",
        "UCB1, or UCB1-tuned, which explores actions of small variance less.",
        choices=(("ucb1", "UCB1"), ("ucb1_tuned", "UCB1-tuned")),
    )
    bias: float = option(
        0.0,
        "Progressive bias",
        "Weight of W H / (n + 1), H being the points an action adds to the margin if the match ended after it.",
        minimum=0.0,
        maximum=1000.0,
    )
    win_bias: float = option(
        0.0,
        "Progressive win bias",
        "Weight of W H / (n (1 - mean) + 1): as the progressive bias, but fading with losses only.",
        minimum=0.0,
        maximum=1000.0,
    )
    min_visits: int = option(
        0,
        "Minimum visits",
        "Every action at the root is tried so often before the formula decides.",
        minimum=0,
        maximum=100_000,
    )
    first_play: str = option(
        "all",
        "First play",
        "Every child once first, or an unvisited child counts as tried once with the mean of the others.",
        choices=(("all", "every child once first"), ("parent", "mean of the parent")),
    )
    first_play_reduction: float = option(
        0.0,
        "First-play reduction",
        "Subtracted from that mean, in utilities.",
        minimum=-1000.0,
        maximum=1000.0,
    )
    rave: float = option(
        0.0,
        "RAVE equivalence",
        "Visits at which an action's own mean and its mean as a later move after the same draw weigh the same; 0: off. "
        "What was drawn before the search is not known, so it works below the root.",
        minimum=0.0,
        maximum=1_000_000.0,
    )
    mast: float = option(
        0.0,
        "MAST temperature",
        "Playouts draw moves with weight exp(mean of the move / temperature), in utilities; 0: off.",
        minimum=0.0,
        maximum=1000.0,
    )
    widening: float = option(
        0.0,
        "Progressive widening",
        "At most coefficient * visits ^ exponent children of a node, the most promising first; 0: no limit.",
        minimum=0.0,
        maximum=1000.0,
    )
    widening_exponent: float = option(
        0.5, "Widening exponent", "How fast progressive widening admits children.", minimum=0.0, maximum=1.0
    )
    final: str = option(
        "mean",
        "Final choice",
        "The action with the best mean (the thesis) or with the most visits.",
        choices=(("mean", "best mean"), ("visits", "most visits")),
    )
    tie_break: str = option(
        "lot",
        "Equal actions",
        "Of actions that are equal in this: one by lot, or one of those that add most to the own points at once "
        "(Gedda, Lagerkvist and Butler's trees, which count wins alone).",
        choices=(("lot", "by lot"), ("gain", "most points at once")),
    )
    trees: int = option(
        1,
        "Trees",
        "Independent trees that share the simulations evenly; their statistics at the root are added up.",
        minimum=1,
        maximum=MAX_TREES,
    )
