"""What dashboards count in a dominoes match: from the score sheet, tallies, and the last round's turns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import ModuleType

import numpy as np

from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.dominoes.reading import Line
from games.protocol import Metric, State

_ENDS = {"out": "Going out", "block": "Block", "foul": "Foul", "doubles": "Four doubles"}
_POINTS = _ENDS | {"bonus": "Bonuses"}

TABLE = (
    *(
        Metric(f"won_{kind}", f"Rounds won: {label.lower()}", "rounds", "rounds won", label)
        for kind, label in _ENDS.items()
    ),
    Metric("rounds_won", "Rounds won", "rounds", "rounds"),
    Metric("rounds_lost", "Rounds lost", "rounds", "rounds"),
    Metric("rounds_void", "Rounds without a winner", "rounds", "rounds"),
    *(
        Metric(f"points_{kind}", f"Points: {label.lower()}", "points", "points", label)
        for kind, label in _POINTS.items()
    ),
    Metric("went_out", "Rounds ended by going out oneself", "rounds", "rounds"),
    Metric("blocked", "Rounds blocked by the own tile", "rounds", "rounds"),
    Metric("blocked_won", "Of these, won", "rounds", "rounds"),
    Metric("opened", "Rounds opened", "rounds", "opening"),
    Metric("opened_won", "Rounds opened and won", "rounds", "opening"),
    Metric("opened_margin", "Points won less points lost in rounds opened", "points", "opening"),
    Metric("passes", "Passes", "passes", "passes", "Own"),
    Metric("forced", "Passes of opponents after the own tile", "passes", "passes", "Forced on opponents"),
    Metric("forced_partner", "Passes of the partner after the own tile", "passes", "passes", "Forced on the partner"),
    *(
        Metric(f"pips_tile_{n}", f"Pips laid a round with the own tile number {n}", "pips", "pips by own tile", str(n))
        for n in range(1, tiles.HAND_SIZE + 1)
    ),
    Metric(
        "belief",
        "Log-probability of the true deal before own turns of the last round, mean",
        "nats",
        "belief",
    ),
)


def beliefs(kernels: ModuleType, state: State) -> tuple[float | None, ...]:
    """Per seat: mean log-probability that the exact posterior gives the true deal, before its turns of the round.

    state: the last round of it has ended. None for a seat that had no turn. Deals are counted as if
    passing were enforced where it is, and all are alike likely, so the probability is 1 / number.
    """
    before = state.copy()
    for seat in reading.SEATS:
        before[layout.COUNT + seat] = tiles.HAND_SIZE
        before[layout.LACKS + seat] = 0
    laid = [turn for turn in reading.turns(state) if turn.tile is not None]
    for turn in laid:
        before[layout.HAND + turn.seat] |= 1 << (turn.tile or 0)
    before[layout.UNPLAYED] = tiles.ALL
    work = np.zeros(kernels.dealing.WORK, np.int64)
    found: list[list[float]] = [[] for _ in reading.SEATS]
    for turn in reading.turns(state):
        found[turn.seat].append(-math.log(kernels.dealing.count(before, turn.seat, work)))
        if turn.tile is not None:
            before[layout.HAND + turn.seat] &= ~(1 << turn.tile)
            before[layout.COUNT + turn.seat] -= 1
            before[layout.UNPLAYED] &= ~(1 << turn.tile)
        elif turn.action == layout.PASS and turn.ends is not None:
            before[layout.LACKS + turn.seat] |= 1 << turn.ends[0] | 1 << turn.ends[1]
    return tuple(sum(values) / len(values) if values else None for values in found)


def of_match(kernels: ModuleType, state: State) -> tuple[Mapping[str, float], ...]:
    """Per seat: every metric of a finished match, by id."""
    lines = reading.sheet(state)
    is_for_winners = bool(state[layout.DIRECTION])
    rows = [
        _of_lines(lines, seat) | _of_points(lines, seat, is_for_winners) | _of_tallies(state, seat)
        for seat in reading.SEATS
    ]
    held = beliefs(kernels, state)
    if None not in held:
        for values, belief in zip(rows, held, strict=True):
            values["belief"] = float(belief or 0.0)
    return tuple(rows)


def _of_lines(lines: Sequence[Line], seat: int) -> dict[str, float]:
    team = seat & 1
    won = [line for line in lines if line.winner == team]
    opened = [line for line in lines if line.opener == seat]
    blocked = [line for line in lines if line.kind == "block" and line.seat == seat]
    values: dict[str, float] = {f"won_{kind}": sum(line.kind == kind for line in won) for kind in _ENDS}
    return values | {
        "rounds_won": len(won),
        "rounds_lost": sum(line.winner == 1 - team for line in lines),
        "rounds_void": sum(line.winner is None for line in lines),
        "went_out": sum(line.kind == "out" and line.seat == seat for line in lines),
        "blocked": len(blocked),
        "blocked_won": sum(line.winner == team for line in blocked),
        "opened": len(opened),
        "opened_won": sum(line.winner == team for line in opened),
        "opened_margin": sum(line.credit(team) - line.credit(1 - team) for line in opened),
    }


def _of_points(lines: Sequence[Line], seat: int, is_for_winners: bool) -> dict[str, float]:
    """What brought a seat's score, cause by cause: points for its team, or against it and then below zero."""
    team, sign = (seat & 1, 1) if is_for_winners else (1 - (seat & 1), -1)
    won = [line for line in lines if line.winner == team]
    values: dict[str, float] = {
        f"points_{kind}": sign * sum(line.points for line in won if line.kind == kind) for kind in _ENDS
    }
    return values | {"points_bonus": sign * sum(line.bonuses[team] for line in lines)}


def _of_tallies(state: State, seat: int) -> dict[str, float]:
    values: dict[str, float] = {
        "passes": int(state[layout.PASSED + seat]),
        "forced": int(state[layout.FORCED + seat]),
        "forced_partner": int(state[layout.FORCED_PARTNER + seat]),
    }
    for n in range(tiles.HAND_SIZE):
        pips = int(state[layout.TILE_PIPS + tiles.HAND_SIZE * seat + n])
        values[f"pips_tile_{n + 1}"] = pips / int(state[layout.ROUND])
    return values
