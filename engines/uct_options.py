"""Options of UCT, with the papers that they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from engines import playing_options
from games.options import Value, option


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
    utility: str = playing_options.utility("difference", "Utility of a simulation")
    scale: str = option(
        "points",
        "Scale of utilities",
        "Points: the margin or points themselves, or 1, 0, -1. Unit: 0.5 + margin / 200, points / 100, or 1, 0.5, 0. "
        "A share lies between 0 and 1 on both.",
        choices=(("points", "points, as in the thesis"), ("unit", "unit interval")),
    )
    opponent: str = playing_options.opponent()
    policy: str = playing_options.policy()
    epsilon: float = playing_options.epsilon()
    playout_plies: int = playing_options.playout_plies()
    value: str = playing_options.value(
        "What a playout counts that stops early: the points that were learned from self-play to be expected there. "
        "Progressive biases and widening weigh actions by it, too."
    )
    chance: str = option(
        "explicit",
        "Chance",
        "Explicit: a node per outcome, drawn with the true frequencies. Open loop: statistics of action "
        "sequences alone; with hidden information these are information sets. "
        "Sampled: each node draws once and keeps it. Fixed: all that is still to be drawn comes in "
        "one order for the whole tree, as if it were known; several trees then see several orders.",
        choices=(
            ("explicit", "explicit nodes"),
            ("open_loop", "open loop"),
            ("sampled", "one draw per node"),
            ("fixed", "one draw per tree"),
        ),
    )
    selection: str = playing_options.selection()
    dynamic_c: str = playing_options.dynamic_c()
    c_least: float = playing_options.c_least()
    c_most: float = playing_options.c_most()
    bias: float = option(
        0.0,
        "Progressive bias",
        "Weight of the points that an action adds to the margin if the match ended after it; its visits plus one "
        "divide them.",
        minimum=0.0,
        maximum=1000.0,
    )
    win_bias: float = option(
        0.0,
        "Progressive win bias",
        "Weight as of the progressive bias, but fading with losses only: the visits in the divisor are multiplied by "
        "one minus the mean.",
        minimum=0.0,
        maximum=1000.0,
    )
    min_visits: int = playing_options.min_visits(0)
    first_play: str = option(
        "all",
        "First play",
        "How unvisited children are valued. Mean of their siblings: as if tried once with the mean of those that were. "
        "The first-play urgency of Gelly and Wang (2006) is a fixed value instead.",
        choices=(("all", "every child once first"), ("siblings", "mean of their siblings")),
        former={"parent": "siblings"},
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
        "Playouts draw each move with a weight that is the exponential of its mean divided by this temperature, in "
        "utilities; 0: off. Moves are told apart by the draw before them, and one that was never made counts as even: "
        "Finnsson and Björnsson (2008) do neither.",
        minimum=0.0,
        maximum=1000.0,
    )
    history: float = option(
        0.0,
        "Progressive history",
        "Weight of the mean that the move has wherever it was made; it fades as the progressive win bias does "
        "(Nijssen, Winands 2010).",
        minimum=0.0,
        maximum=1000.0,
    )
    seeding: float = option(
        0.0,
        "Seeding of the policy's action",
        "Visits of the best possible result with which one action of a position begins: the one that its first "
        "playout took, or, at the root, the one that the policy would take.",
        minimum=0.0,
        maximum=1000.0,
    )
    widening: float = option(
        0.0,
        "Progressive widening",
        "A node has at most this coefficient times its visits to the power of the exponent as children, the most "
        "promising first; 0: no limit.",
        minimum=0.0,
        maximum=1000.0,
    )
    widening_exponent: float = option(
        0.5, "Widening exponent", "How fast progressive widening admits children.", minimum=0.0, maximum=1.0
    )
    order: str = option(
        "lot",
        "Order of first visits",
        "Order in which actions without a visit are tried.",
        choices=(("lot", "random"), ("listed", "as listed"), ("reversed", "as listed, last one first")),
    )
    listing: str = option(
        "none",
        "Listing",
        "Where actions are tried as listed: by the rules' own list, or by one of the game's move orders. Kingdomino "
        "lists placements and within them choices; choices_first the other way round, as the program of Gedda, "
        "Lagerkvist and Butler does.",
        choices=(("none", "as the rules list them"),),
        names="orderings",
    )
    ties: str = playing_options.ties(in_tree=True)
    propagation: str = option(
        "all",
        "Whose positions learn",
        "Positions that a simulation counts for: all on its way, or only those of the seat that reached its last one "
        "(the modified UCT of Jansen and Tollisen 2014). The others are further readings of that text: those of the "
        "seat that decides; all, by the utility of that seat; a visit for all, but the utility for those of the last "
        "seat alone.",
        choices=(
            ("all", "everybody's"),
            ("leaf", "those of the last seat"),
            ("own", "those of the seat that decides"),
            ("as_own", "everybody's, by the deciding seat's utility"),
            ("counted", "visits for all, utility for the last seat's"),
        ),
    )
    parent_visits: str = option(
        "most",
        "Visits of the parent",
        "N in the formula where only some positions learn and actions are listed once: the more of its own visits and "
        "those of its children, all simulations that passed through it, or its own visits alone.",
        choices=(("most", "the more of own and children's"), ("passed", "all that passed"), ("own", "its own")),
    )
    final: str = playing_options.final("mean")
    tie_break: str = option(
        "lot",
        "Equal actions",
        "How one of several equally good actions is chosen. Most points at once: as in the trees of Gedda, Lagerkvist "
        "and Butler, which count wins alone.",
        choices=(("lot", "at random"), ("gain", "most points at once")),
    )
    trees: int = playing_options.trees()
    forced: str = playing_options.forced()
    peek: bool = playing_options.peek()

    WITH_HIDDEN_INFORMATION: ClassVar[Mapping[str, Value]] = {"chance": "open_loop"}
    """Other defaults in a game that hides something: a node per outcome would show what others draw."""
