"""Metrics of a dominoes match: from the score sheet, tallies, and the last round's turns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from types import ModuleType
from typing import NamedTuple

import numpy as np

from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.dominoes.belief import beliefs as belief
from games.dominoes.reading import Line
from games.protocol import Metric, State

_ENDS = {"out": "Going out", "block": "Block", "foul": "Foul", "doubles": "Four doubles"}
_POINTS = _ENDS | {"bonus": "Bonuses"}

MAX_ROUNDS = 20
"""Rounds whose scores are told one by one."""
MAX_TURNS = 8
"""Own turns of a round that beliefs are told of one by one."""
_BELIEFS = {"belief": "Exact posterior", "belief_paper": "The paper's"}


def _beliefs_by_turn() -> list[Metric]:
    return [
        Metric(
            f"{name}_turn_{turn}",
            f"Log-probability of the true deal before own turn {turn} of the last round, {label.lower()}",
            "nats",
            f"belief by own turn: {label}",
            str(turn),
        )
        for name, label in _BELIEFS.items()
        for turn in range(1, MAX_TURNS + 1)
    ]


TABLE = (
    Metric("rounds", "Rounds", "rounds", "length"),
    Metric("turns", "Turns, passes included", "turns", "length"),
    *(
        Metric(f"ended_{kind}", f"Rounds ended: {label.lower()}", "rounds", "how it ended", label)
        for kind, label in _ENDS.items()
    ),
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
    Metric("dominai_won", "Rounds won as the DominAI program counts", "rounds", "rounds"),
    Metric("went_out", "Rounds ended by going out oneself", "rounds", "rounds"),
    Metric("blocked", "Rounds blocked by a tile of one's own", "rounds", "rounds"),
    Metric("blocked_won", "Of these, won", "rounds", "rounds"),
    Metric("opened", "Rounds opened", "rounds", "opening"),
    Metric("opened_won", "Rounds opened and won", "rounds", "opening"),
    Metric("opened_margin", "Points won less points lost in rounds opened", "points", "opening"),
    Metric("team_opened", "Rounds opened by one's own team", "rounds", "rounds by opener", "Own team"),
    Metric("others_opened", "Rounds opened by the other team", "rounds", "rounds by opener", "Other team"),
    Metric("team_opened_won", "Of those opened by one's own team, won", "rounds", "rounds won by opener", "Own team"),
    Metric("others_opened_won", "Of those of the other team, won", "rounds", "rounds won by opener", "Other team"),
    Metric("passes", "Passes", "passes", "passes", "Own"),
    Metric("forced", "Passes of opponents after a tile of one's own", "passes", "passes", "Forced on opponents"),
    Metric(
        "forced_partner", "Passes of the partner after a tile of one's own", "passes", "passes", "Forced on the partner"
    ),
    *(
        Metric(f"pips_tile_{n}", f"Pips laid a round with the own tile number {n}", "pips", "pips by own tile", str(n))
        for n in range(1, tiles.HAND_SIZE + 1)
    ),
    *(
        Metric(f"score_round_{k}", f"Score after round {k}", "points", "score by round", str(k))
        for k in range(1, MAX_ROUNDS + 1)
    ),
    *(
        Metric(
            name,
            f"Log-probability of the true deal before own turns of the last round, mean, {label.lower()}",
            "nats",
            "belief",
            label,
        )
        for name, label in _BELIEFS.items()
    ),
    *_beliefs_by_turn(),
)
LATER = (
    *("rounds", "turns", "ended_*", "team_opened*", "others_opened*", "score_round_*"),
    *("belief_paper", "belief_turn_*", "belief_paper_turn_*", "dominai_won"),
)
"""Metrics that matches were recorded without at first (`Game.later_metrics`)."""


class Held(NamedTuple):
    """Log-probabilities that the belief of a seat on turn gave the true deal."""

    exact: float
    paper: float


def beliefs(kernels: ModuleType, state: State) -> tuple[tuple[Held, ...], ...]:
    """Per seat: what it believed of the true deal before each of its turns of the round.

    state: the last round of it has ended. Deals are counted as if passing were enforced where it is, and
    all are alike likely to the exact posterior, so it gives each 1 / number. The paper's belief gives a
    deal the product of its chances for every hidden tile.
    """
    before = state.copy()
    for seat in reading.SEATS:
        before[layout.COUNT + seat] = tiles.HAND_SIZE
        before[layout.LACKS + seat] = 0
    laid = [turn for turn in reading.turns(state) if turn.tile is not None]
    for turn in laid:
        before[layout.HAND + turn.seat] |= 1 << (turn.tile or 0)
    before[layout.UNPLAYED] = tiles.ALL
    work, chances = np.zeros(kernels.dealing.WORK, np.int64), np.zeros((tiles.NUM_TILES, layout.MAX_SEATS))
    found: list[list[Held]] = [[] for _ in reading.SEATS]
    for turn in reading.turns(state):
        exact = -math.log(kernels.dealing.count(before, turn.seat, work))
        kernels.paper_belief.paper(before, turn.seat, chances)
        found[turn.seat].append(Held(exact, belief.log_product(before, chances)))
        if turn.tile is not None:
            before[layout.HAND + turn.seat] &= ~(1 << turn.tile)
            before[layout.COUNT + turn.seat] -= 1
            before[layout.UNPLAYED] &= ~(1 << turn.tile)
        elif turn.action == layout.PASS and turn.ends is not None:
            before[layout.LACKS + turn.seat] |= 1 << turn.ends[0] | 1 << turn.ends[1]
    return tuple(map(tuple, found))


def of_match(kernels: ModuleType, state: State) -> tuple[Mapping[str, float], ...]:
    """Per seat: every metric of a finished match, by id."""
    lines = reading.sheet(state)
    is_for_winners = bool(state[layout.DIRECTION])
    rows = [
        _of_lines(lines, seat) | _of_points(lines, seat, is_for_winners) | _of_tallies(state, seat)
        for seat in reading.SEATS
    ]
    ended = _of_ends(lines) | {"turns": sum(line.turns for line in lines)}
    held = beliefs(kernels, state)
    return tuple(
        ended | row | _of_rounds(state, lines, seat) | _of_beliefs(held[seat]) for seat, row in enumerate(rows)
    )


def _of_ends(lines: Sequence[Line]) -> dict[str, float]:
    """Ends of rounds, the same for every seat."""
    values: dict[str, float] = {f"ended_{kind}": sum(line.kind == kind for line in lines) for kind in _ENDS}
    return {"rounds": len(lines)} | values


def _of_rounds(state: State, lines: Sequence[Line], seat: int) -> dict[str, float]:
    """Score after each round, in a match of several."""
    if state[layout.LENGTH]:
        return {}
    gains = (
        line.credit(seat & 1) if state[layout.DIRECTION] else -line.credit(1 - (seat & 1))
        for line in lines[:MAX_ROUNDS]
    )
    return {f"score_round_{k}": float(score) for k, score in enumerate(accumulate(gains), start=1)}


def _of_beliefs(held: Sequence[Held]) -> dict[str, float]:
    """Nothing for a seat that had no turn."""
    values: dict[str, float] = {}
    for name, numbers in (("belief", [one.exact for one in held]), ("belief_paper", [one.paper for one in held])):
        values |= {f"{name}_turn_{k}": number for k, number in enumerate(numbers[:MAX_TURNS], start=1)}
        if numbers:
            values[name] = sum(numbers) / len(numbers)
    return values


def is_counted_by_dominai(line: Line, team: int) -> bool:
    """Whether the DominAI paper's program counts a round as won by a team: it went out, or it held fewer pips.

    The latter even where an opponent had gone out, so a round may be won by both. Pips alone decide a block.
    """
    went_out = line.kind == "out" and line.seat & 1 == team
    own, other = (line.pips[k] + line.pips[k + 2] for k in (team, 1 - team))
    return went_out or own < other


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
        "dominai_won": sum(is_counted_by_dominai(line, team) for line in lines),
        "went_out": sum(line.kind == "out" and line.seat == seat for line in lines),
        "blocked": len(blocked),
        "blocked_won": sum(line.winner == team for line in blocked),
        "opened": len(opened),
        "opened_won": sum(line.winner == team for line in opened),
        "team_opened": sum(line.opener & 1 == team for line in lines),
        "others_opened": sum(line.opener & 1 != team for line in lines),
        "team_opened_won": sum(line.opener & 1 == team for line in won),
        "others_opened_won": sum(line.opener & 1 != team for line in won),
        "opened_margin": sum(line.credit(team) - line.credit(1 - team) for line in opened),
    }


def _of_points(lines: Sequence[Line], seat: int, is_for_winners: bool) -> dict[str, float]:
    """Points of a seat, cause by cause: points for its team, or against it and then below zero."""
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
