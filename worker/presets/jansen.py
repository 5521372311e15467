"""Jansen and Tollisen 2014, An AI for Dominion: what all of the thesis' experiments share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engines import named_engines
from worker.analysis.rates import Share
from worker.presets import papers
from worker.presets.model import RATE, Cell, Preset, Program, Reason, Scale
from worker.presets.numbers import Numbers
from worker.presets.papers import Result

GAME = "dominion"
SEED = 2014
LONG, SHORT = 999, 40
"""Most turns of each seat: in section 4, and where parameters were tried."""
SIMULATIONS = 100_000
VARIANTS: Mapping[str, str] = {name: name.lower() for name in ("UCB_orig", "UCB_mod", "UCT_orig", "UCT_mod")}
"""The thesis' players -> named configurations: 10,000 simulations, and 100,000 for those with the modified formula."""
MAIN: Mapping[str, int] = {"UCB_orig": 10_000, "UCB_mod": SIMULATIONS, "UCT_orig": 10_000, "UCT_mod": SIMULATIONS}
SCORING: Mapping[str, str] = {"W/L": "win", "Win+Diff": "win_difference"}

FEWER = Reason(
    "Unless it runs as published a player has only a part of the thesis' simulations, and plays the worse for it, the "
    "modified formula most of all.",
    "Tables 10, 12, 20 and 22 play numbers of simulations one by one.",
)
PEEK = (
    "As in the thesis the players know the opponent's hand; draws are sampled. Piles have the thesis' sizes: 44 "
    "Copper, 30 Silver and 20 Gold."
)
CUT = (
    "Where the thesis tries parameters, matches and playouts end after 40 turns of each player. Playouts from an early "
    "turn often last longer, so this is no small change."
)
LAST = (
    "Of equally good children the thesis' program takes the one added last, which it calls a flaw; ours takes the "
    "first. With Pure Win/Loss equal children are common."
)
LAST_OF_EQUALS: Mapping[str, Any] = {"ties": "last"}
PROGRAM = Program(
    "Of equally good children it takes the one that was added last, in the tree and for the move.",
    "The thesis says so, and calls it a flaw of its program.",
    "Where children are often equal, with few simulations or for the win alone, the order in which moves are listed "
    "decides as much as the formula does.",
    is_certain=True,
)
TIES = "A win is more points, or as many in fewer turns; a tie counts as no win, as in the thesis."


def preset(name: str, **values: Any) -> Preset:
    """A preset of this thesis."""
    return Preset(id=name, paper=papers.paper("jansen-2014"), game=GAME, **values)


def player(policy: str) -> dict[str, Any]:
    """A seat that follows a policy."""
    return {"engine": "scripted", "options": {"policy": policy}, "budget": {}}


def variant(name: str, simulations: int, trees: int = 1, **options: Any) -> dict[str, Any]:
    """A seat of one of the four; options: what differs from its named configuration.

    simulations: of each tree, as the thesis counts them.
    """
    known = named_engines.get(VARIANTS[name])
    changed = {**known.options, **options} | ({"trees": trees} if trees > 1 else {})
    return {"engine": known.engine, "options": changed, "budget": {"simulations": simulations * trees}}


def playouts(epsilon_percent: float | None, mppaf: bool = True) -> dict[str, Any]:
    """Options of the heuristic greedy playouts, with a random share or none; mppaf: also where the player decides."""
    policy = "greedy" if mppaf else "greedy_dearest"
    forced = {} if mppaf else {"forced": ""}
    return {"policy": policy, "epsilon": (epsilon_percent or 0) / 100, **forced}


def experiment(
    arms: Mapping[str, Sequence[Mapping[str, Any]]], deals: int, turns: int = LONG, **changes: Any
) -> dict[str, Any]:
    """A spec with seats that rotate; changes: of the spec or, under "options", of the match's."""
    options = {"sizes": "thesis", "turn_limit": turns, **changes.pop("options", {})}
    return {
        "version": 1,
        "game": GAME,
        "options": options,
        "seats": len(next(iter(arms.values()))),
        "arms": [{"name": name, "seats": [dict(place) for place in places]} for name, places in arms.items()],
        "deals": deals,
        "rotation": "all",
        "seed": SEED,
        **changes,
    }


def share(row: Mapping[str, Any]) -> Share:
    """The wins of a printed row; its ties are no wins."""
    return Share(row["wins"], row["wins"] + row["losses"] + row["ties"])


def by_start(
    result: Result, sides: tuple[str, str], arm: int, prefix: str = "", reason: Reason | None = FEWER
) -> list[Cell]:
    """Wins of two players in all, then by who starts, of a table with a row for each starting player.

    Place 0 of the arm's line-up is the first of `sides`.
    """
    rows = [result.row(starting_player=side) for side in sides]
    won = [(share(row), Share(row["losses"], share(row).trials)) for row in rows]  # of who starts, of the other
    totals = [_both(won[0][0], won[1][1]), _both(won[0][1], won[1][0])]
    found = [
        Cell(f"{prefix}In all", f"{side} wins", totals[place], wins(arm, place), RATE, reason)
        for place, side in enumerate(sides)
    ]
    for first, starter in enumerate(sides):
        for place, side in enumerate(sides):
            seat = 0 if place == first else 1
            printed = won[first][seat]
            group, ours = f"{prefix}{starter} starts", wins(arm, place, seat)
            found.append(Cell(group, f"{side} wins", printed, ours, RATE, reason, seatings=2))
    return found


def _both(one: Share, other: Share) -> Share:
    return Share(one.successes + other.successes, one.trials + other.trials)


def wins(arm: int, place: int, seat: int | None = None) -> Callable[[Numbers], Share | None]:
    """Our wins of a place of an arm, in one seat or in all."""

    def ours(numbers: Numbers) -> Share | None:
        return numbers.wins(arm, place, seat)

    return ours


def part(simulations: int, factor: int) -> int:
    """Simulations divided by the factor of a scale."""
    return max(1, simulations // factor)


def scales(quick: Scale, standard: Scale, as_published: Scale) -> dict[str, Scale]:
    """The three sizes."""
    return {"quick": quick, "standard": standard, "published": as_published}
