"""Options that several searches have, declared once: what a playout is worth, who plays it, what is explored."""

from __future__ import annotations

from typing import Any

from games.options import option


def utility(default: str, label: str) -> Any:
    """Option: the utility that every seat maximises."""
    return option(
        default,
        label,
        "The margin in points; 1 for a win, 0 for a draw, -1 for a loss; own points as a share of own and opponents'; "
        "own points alone; 1 for a win, else 0; or that and a hundredth of the margin. Partners do not count as "
        "opponents.",
        choices=(
            ("difference", "score difference"),
            ("wdl", "win, draw or loss"),
            ("relative", "share of the points"),
            ("own", "own score"),
            ("win", "win alone"),
            ("win_difference", "win, and a hundredth of the difference"),
        ),
    )


def opponent() -> Any:
    """Option: the opponents whose points count against a seat."""
    return option(
        "best",
        "Opponents' score",
        "With more than two seats: the best other seat, or all others together.",
        choices=(("best", "best other seat"), ("total", "sum of all others")),
    )


def policy() -> Any:
    """Option: the policy that plays on."""
    return option(
        "random", "Playout policy", "A policy of the game that plays every seat in playouts.", names="policies"
    )


def epsilon() -> Any:
    """Option: how often playouts leave their policy."""
    return option(
        0.0,
        "Random share of playouts",
        "Probability that a playout takes a random action instead of the policy's.",
        minimum=0.0,
        maximum=1.0,
    )


NO_VALUE = "none"


def value(help_text: str) -> Any:
    """Option: a learned value of the game, by the name of its weights."""
    return option(NO_VALUE, "Learned value", help_text, choices=((NO_VALUE, "none"),), names="values")


def playout_plies() -> Any:
    """Option: when a playout stops."""
    return option(
        0,
        "Playout length",
        "Plies after which a playout stops and counts the points as if the match ended there, or those expected by a "
        "learned value; 0 plays to the end, or, with a learned value, plays none.",
        minimum=0,
        maximum=1000,
    )


def plies_of(options: Any) -> int:
    """Plies of a playout as kernels take them: -1 for those that go to the end. options: with or without the two."""
    plies: int = getattr(options, "playout_plies", 0)
    return plies if plies or getattr(options, "value", NO_VALUE) != NO_VALUE else -1


def plies_played(options: Any) -> int:
    """Plies of a playout for estimates: 0 for those that go to the end, and one where there are none."""
    plies = plies_of(options)
    return 0 if plies < 0 else max(1, plies)


def forced() -> Any:
    """Whether actions that cost nothing are searched."""
    return option(
        "",
        "Free actions",
        "Some games have actions that cost nothing, such as a card in Dominion that gives its action back. The first "
        "of them can be taken without a search.",
        choices=(
            ("", "searched like others"),
            ("search", "taken at once"),
            ("playouts", "taken at once, in playouts too"),
        ),
    )


FORCED = ("", "search", "playouts")
"""Choices in the order of what kernels count."""


def peek() -> Any:
    """Whether the search is given the true state."""
    return option(
        False,
        "Sees hidden information",
        "The search knows what the others hide, as in some published programs. Otherwise every simulation draws what "
        "the seat cannot know at random.",
    )


# ---------------------------------------------------------------- selection
def selection() -> Any:
    """The formula of the bandit."""
    return option(
        "ucb1",
        "Selection formula",
        "UCB1-tuned explores actions of small variance less. The logarithm of the quotient hardly returns to poor "
        "actions. A draw from a normal belief about its mean, C times as wide, is as Thompson sampling does, which "
        "has beta beliefs about wins.",
        choices=(
            ("ucb1", "UCB1"),
            ("ucb1_tuned", "UCB1-tuned"),
            ("modified", "logarithm of the quotient"),
            ("normal", "draws from normal beliefs"),
        ),
        former={"thompson": "normal"},
    )


SELECTIONS = ("ucb1", "ucb1_tuned", "modified", "normal")
"""Formulas in the order of kinds in `search/selection.py`."""


def dynamic_c() -> Any:
    """Whether the exploration constant is one."""
    return option(
        "",
        "C while it searches",
        "Decaying: C divided by the square root of an action's visits. Variance: C times the variance of its "
        "utilities on the unit scale.",
        choices=(("", "constant"), ("time", "decays with visits"), ("variance", "follows the variance")),
    )


DYNAMICS = ("", "time", "variance")
"""Choices in the order of kinds in `search/selection.py`."""


def c_least() -> Any:
    """Lower bound of a changing C."""
    return option(0.01, "Least C", "Where C changes: never below this.", minimum=0.0, maximum=1000.0)


def c_most() -> Any:
    """Upper bound of a changing C."""
    return option(0.25, "Greatest C", "Where C changes: never above this.", minimum=0.0, maximum=1000.0)


def ties(in_tree: bool = False) -> Any:
    """Option: the choice among equal children; in a tree also by the points of their positions."""
    return option(
        "first",
        "Equal in selection",
        "Which of several actions with the same value in the formula is followed."
        + (" Most points: of the seat that decides, if the match ended there; of several by lot." if in_tree else ""),
        choices=(("first", "first"), ("last", "last"), *((("points", "most points"),) if in_tree else ())),
    )


def min_visits(default: int) -> Any:
    """Visits before the formula decides."""
    return option(
        default,
        "Minimum visits",
        "Number of tries of every action at the root before the formula decides.",
        minimum=0,
        maximum=100_000,
    )


def final(default: str) -> Any:
    """Option: the choice of the action to play."""
    return option(
        default,
        "Final choice",
        "How the action to play is chosen at the root.",
        choices=(("mean", "best mean"), ("visits", "most visits")),
    )


MAX_TREES = 64
"""Trees of one decision at most."""


def trees() -> Any:
    """Root parallelisation."""
    return option(
        1,
        "Trees",
        "Number of independent trees that share the simulations evenly. Their statistics at the root are added up.",
        minimum=1,
        maximum=MAX_TREES,
    )
