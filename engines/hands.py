"""Searches over hidden hands, where a game has them (`game.searching`): what its engines share.

Options that several of them offer are declared here once; each engine says what it does with them.
Those without a budget are bounded all the same: a search that takes too many turns is made less deep
by the game, in a second or so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.driver import Clock
from engines.protocol import Decision, Table
from games.options import option
from games.protocol import Game, State

REPLICATION = "As the authors' program does, to repeat its results."


def searching(game: Game) -> Any:
    """The game's module of searches over hands, None where it has none."""
    return getattr(game, "searching", None)


def many_worlds(game: Game) -> Any:
    """The game's module of decisions over many worlds; there where `searching` is."""
    return getattr(game, "many_worlds", None)


def refusal(game: Game) -> str | None:
    """Say that a game has no hands to search."""
    return None if searching(game) else f"{game.label} has no search over the hands of partners and opponents."


def check(game: Game, view: State, seat: int) -> None:
    """Raises ValueError where a seat is not on turn, or the game has no such search."""
    if (said := refusal(game)) is not None:
        raise ValueError(said)
    if game.current_player(view) != seat:
        raise ValueError(f"seat {seat} is not on turn")


def alpha() -> Any:
    """The first number of the paper's depth."""
    return option(
        5.0,
        "Alpha",
        "Turns searched: alpha times 2 to the power of beta times a fourth of the turns played, rounded down twice; "
        "fewer where these would take millions of positions.",
        minimum=1.0,
        maximum=20.0,
    )


def beta() -> Any:
    """The second one. The authors' file names give its inverse: "a5_b3" is beta 1/3."""
    return option(1 / 3, "Beta", "How fast the depth grows: doubled every 4 / beta turns.", minimum=0.0, maximum=6.0)


def evaluation() -> Any:
    """What a position is worth where a search ends."""
    return option(
        "pips",
        "Evaluation",
        "Where the search ends: pips that the others hold less own pips; with a bonus for tiles laid; or a value "
        "fitted to self-play.",
        choices=(("pips", "pips"), ("pips_tiles", "pips and tiles laid"), ("fitted", "fitted value")),
    )


def tile_worth() -> Any:
    """What goes with pips_tiles."""
    return option(1, "Points a tile", "For every tile laid more than the others.", minimum=0, maximum=50)


def payoff(default: str) -> Any:
    """What the end of a round is worth."""
    return option(
        default,
        "A round's end",
        "Pips as the paper's program reckons: those of the losers, and the difference in a block. Points of the rules. "
        "Or what these points do for winning the match.",
        choices=(("authors", "pips, as in the paper"), ("points", "points of the rules"), ("match", "the match")),
    )


def decision(clock: Clock, actions: NDArray[np.int32], found: Any, *, bounds: bool) -> Decision:
    """The first action of the best value, after a search without samples (`searching.Found` of the game).

    bounds: whether only the best value is exact, and those that follow a better one are bounds.
    """
    values = found.values
    best = int(values.argmax())
    is_bound = None
    if bounds:
        before = np.maximum.accumulate(np.concatenate(([-np.inf], values[:-1])))
        is_bound = values <= before
    table = Table(actions, values, found.visits, np.full(len(actions), np.nan), is_bound)
    # so many turns deep with its own; 0: to the end of the round
    depth = found.depth + 1
    return Decision(int(actions[best]), float(values[best]), table, 0, found.nodes, depth, clock.elapsed_s, clock.cpu_s)
