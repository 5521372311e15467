"""A hint: the best three actions of a seat with what they are worth, how sure that is, and why."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines import registry as engine_registry
from games import rng
from games.protocol import Game, IllegalActionError, State
from worker.action_values import action_playouts, best_actions, reasons
from worker.action_values.best_actions import Effort, ScoredAction, Tick
from worker.analysis.moments import Moments

SHOWN = 3
EFFORT = Effort(playouts=3_000, seconds=2.0)
ONLY, FIRST, EQUAL = (
    "the only legal move",
    "leads further than the others shown",
    "not certainly ahead of the others shown",
)
"""Reasons where nothing else can be said."""
LOOKED_AT = 64
"""Playouts of an action whose ends are looked at for reasons."""
SEARCHED, CHOSEN = 0.1, 0.7
"""Shares of the work, as progress counts it, done after the search that puts actions forward, and after the choice."""
CHOICE = 2 / 3
"""Share of the playouts and their time that chooses the actions; the rest says what these are worth."""


@dataclass(frozen=True)
class Ends:
    """Some ends of the match, by playout: metrics of the seat, and points of the best other side."""

    metrics: Sequence[Mapping[str, float]]
    others: NDArray[np.float64]


def advice(game: Game, view: State, seat: int, seed: int, effort: Effort, tick: Tick) -> dict[str, Any]:
    """The hint as pages keep it, JSON-ready; nothing in it rests on more than the seat's view.

    Keys: rows (best first: action, notation, mean, half of its 95 % interval or None, playouts,
    reason; all by playouts that did not choose these three, though they put them in order), num_legal,
    by (who plays the playouts), search (the level that put actions forward, or empty). Raises
    ValueError where the seat is not on turn.
    """
    if game.current_player(view) != seat:
        raise ValueError(f"seat {seat} is not on turn")
    playouts = action_playouts.playouts_of(game.id)
    tick(0.0)
    actions = best_actions.proposals(game, view, seat, seed)
    level = best_actions.searcher(game)
    chosen = best_actions.best(
        playouts, view, seat, actions, seed, _part(effort, CHOICE), SHOWN, _between(tick, SEARCHED, CHOSEN)
    )
    shown, fresh = [one.action for one in chosen], rng.mix(seed, 1)
    best = best_actions.value_actions(
        playouts, view, seat, shown, fresh, _part(effort, 1 - CHOICE), _between(tick, CHOSEN, 1.0)
    )
    ends = [_ends(game, view, seat, one.action, fresh) for one in best]
    return {
        "rows": [_row(game, view, seat, best, ends, rank) for rank in range(len(best))],
        "num_legal": len(game.legal_actions(view)),
        "by": playouts.label,
        "search": level.label if level else "",
    }


def prepare(game: Game) -> None:
    """Have all that a hint calls compiled and loaded."""
    action_playouts.playouts_of(game.id)
    level = best_actions.searcher(game)
    if level is not None:
        engine_registry.make(level.engine, level.options).prepare(game)


def _part(effort: Effort, share: float) -> Effort:
    return Effort(round(share * effort.playouts), None if effort.seconds is None else share * effort.seconds)


def _between(tick: Tick, low: float, high: float) -> Tick:
    """Progress of a part of the work as progress of all of it."""
    return lambda done: tick(low + (high - low) * done)


def _row(game: Game, view: State, seat: int, best: list[ScoredAction], ends: list[Ends], rank: int) -> dict[str, Any]:
    one = best[rank]
    interval = Moments.of(one.margins).interval()
    return {
        "action": one.action,
        "notation": game.notation(view, one.action),
        "mean": one.mean,
        "half": (interval.high - interval.low) / 2 if interval else None,
        "playouts": len(one.margins),
        "reason": reasons.line(
            ONLY if len(game.legal_actions(view)) == 1 else "",
            _at_once(game, view, seat, one.action),
            *_in_the_end(game, ends, rank),
            otherwise=_place(best, rank),
        ),
    }


def _in_the_end(game: Game, ends: list[Ends], rank: int) -> list[str]:
    """Reasons for an action that the ends of matches give, against the others shown."""
    own, rest = ends[rank], [row for k, row in enumerate(ends) if k != rank]
    if not rest:
        return []
    looks = reasons.claims(game)
    taken = np.mean([row.others for row in rest], axis=0) - own.others
    return [
        reasons.in_the_end(game, own.metrics, [row.metrics for row in rest], looks),
        reasons.against(taken, looks),
    ]


def _place(best: list[ScoredAction], rank: int) -> str:
    """Words on how far an action is behind the first, or on whether the first is surely ahead of all others shown."""
    looks = max(1, math.comb(len(best), 2))  # any of them might have come first
    behind = [reasons.surely(best[0].less(other), looks) for other in best[1:]]
    if not rank:
        return FIRST if all(behind) else EQUAL
    sure = behind[rank - 1]
    return f"{sure.mean:.1f} ±{sure.half:.1f} behind the first" if sure else "not clearly worse than the first"


def _at_once(game: Game, view: State, seat: int, action: int) -> str:
    """Said of the seat's own view; empty where the rules need more than that to go on."""
    try:
        return reasons.at_once(game, view, game.apply(view, action), seat)
    except IllegalActionError:
        return ""


def _ends(game: Game, view: State, seat: int, action: int, seed: int) -> Ends:
    """Ends of matches after an action: the first of those that it was weighed by."""
    playouts, metrics, others = action_playouts.playouts_of(game.id), [], np.empty(LOOKED_AT)
    for number in range(LOOKED_AT):
        own = playouts.margins(playouts.world(view, seed, number), action, seed, number)[seat]
        others[number] = game.scores(playouts.last)[seat] - own
        metrics.append(game.metrics(playouts.last)[seat])
    return Ends(metrics, others)
