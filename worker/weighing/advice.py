"""A hint: the best three actions of a seat with what they are worth, how sure that is, and why."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games import rng
from games.protocol import Game, IllegalActionError, State
from worker.analysis.moments import Moments
from worker.weighing import choosing, playing, reasons
from worker.weighing.choosing import Effort, Tick, Weighed

SHOWN = 3
EFFORT = Effort(playouts=3_000, seconds=2.0)
FIRST, NEXT = "leads further than anything else looked at", "the next best of those looked at"
ONLY = "the only legal move"
"""Reasons where nothing else can be said."""
LOOKED_AT = 16
"""Playouts of an action whose ends are looked at for reasons."""
SEARCHED, CHOSEN = 0.1, 0.7
"""Of the work, as progress counts it, how much is done after the search that puts actions forward, and the choice."""
CHOICE = 2 / 3
"""Of the playouts and their time, what chooses the actions; the rest says what these are worth."""


@dataclass(frozen=True)
class Ends:
    """Means over some ends of the match: metrics of the seat, and points of the best other side."""

    metrics: Mapping[str, float]
    others: float


def advice(game: Game, view: State, seat: int, seed: int, effort: Effort, tick: Tick) -> dict[str, Any]:
    """The hint as pages keep it, JSON-ready; nothing in it rests on more than the seat's view.

    Keys: rows (best first: action, notation, mean, half of its 95 % interval or None, playouts,
    behind: what the first is better by, by playouts on the same luck, or None for the first;
    reason; all by playouts that did not choose these three, though they put them in order), num_legal,
    by (who plays the playouts), search (the level that put actions forward, or empty). Raises
    ValueError where the seat is not on turn.
    """
    if game.current_player(view) != seat:
        raise ValueError(f"seat {seat} is not on turn")
    playouts = playing.of(game.id)
    tick(0.0)
    actions = choosing.proposals(game, view, seat, seed)
    level = choosing.searcher(game)
    chosen = choosing.best(
        playouts, view, seat, actions, seed, _part(effort, CHOICE), SHOWN, _between(tick, SEARCHED, CHOSEN)
    )
    shown, fresh = [one.action for one in chosen], rng.mix(seed, 1)
    best = choosing.valued(playouts, view, seat, shown, fresh, _part(effort, 1 - CHOICE), _between(tick, CHOSEN, 1.0))
    ends = [_ends(game, view, seat, one.action, fresh) for one in best]
    return {
        "rows": [_row(game, view, seat, best, ends, rank) for rank in range(len(best))],
        "num_legal": len(game.legal_actions(view)),
        "by": playouts.label,
        "search": level.label if level else "",
    }


def _part(effort: Effort, share: float) -> Effort:
    return Effort(round(share * effort.playouts), None if effort.seconds is None else share * effort.seconds)


def _between(tick: Tick, low: float, high: float) -> Tick:
    """Progress of a part of the work as progress of all of it."""
    return lambda done: tick(low + (high - low) * done)


def _row(game: Game, view: State, seat: int, best: list[Weighed], ends: list[Ends], rank: int) -> dict[str, Any]:
    one = best[rank]
    interval = Moments.of(one.margins).interval()
    rest = [row for k, row in enumerate(ends) if k != rank]
    is_only = len(game.legal_actions(view)) == 1
    taken = sum(row.others for row in rest) / len(rest) - ends[rank].others if rest else 0.0
    return {
        "action": one.action,
        "notation": game.notation(view, one.action),
        "mean": one.mean,
        "half": (interval.high - interval.low) / 2 if interval else None,
        "playouts": len(one.margins),
        "behind": float(best[0].less(one).mean()) if rank else None,
        "reason": reasons.line(
            ONLY if is_only else "",
            _at_once(game, view, seat, one.action),
            reasons.in_the_end(game, ends[rank].metrics, [row.metrics for row in rest]),
            reasons.against(taken),
            otherwise=NEXT if rank else FIRST,
        ),
    }


def _at_once(game: Game, view: State, seat: int, action: int) -> str:
    """Said of the seat's own view; empty where the rules need more than that to go on."""
    try:
        return reasons.at_once(game, view, game.apply(view, action), seat)
    except IllegalActionError:
        return ""


def _ends(game: Game, view: State, seat: int, action: int, seed: int) -> Ends:
    """How matches end after an action: the first of those that it was weighed by."""
    playouts, totals, others = playing.of(game.id), defaultdict[str, float](float), 0.0
    for number in range(LOOKED_AT):
        own = playouts.margins(playouts.world(view, seed, number), action, seed, number)[seat]
        others += game.scores(playouts.last)[seat] - own
        for name, value in game.metrics(playouts.last)[seat].items():
            totals[name] += value if math.isfinite(value) else 0.0
    return Ends({name: total / LOOKED_AT for name, total in totals.items()}, others / LOOKED_AT)
