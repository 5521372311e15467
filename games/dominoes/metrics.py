"""Metrics of a dominoes match: from the score sheet, tallies, and the last round's turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from types import ModuleType
from typing import NamedTuple

import numpy as np

from games.dominoes import reading, tiles
from games.dominoes import state as layout
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
    work, chances = np.zeros(kernels.dealing.WORK, np.int64), np.zeros((tiles.NUM_TILES, layout.MAX_SEATS))
    held = np.zeros((int(state[layout.NUM_TURNS]), len(Held._fields)))
    kernels.past_beliefs.look_back(state.copy(), work, chances, held)
    movers = state[layout.LOG : layout.LOG + len(held)] >> layout.LOG_SEAT & 3
    return tuple(tuple(Held(*row) for row in held[movers == seat].tolist()) for seat in reading.SEATS)


def of_match(kernels: ModuleType, state: State) -> tuple[Mapping[str, float], ...]:
    """Per seat: every metric of a finished match, by id."""
    lines = reading.sheet(state)
    teams = [_Team(state, lines, team) for team in range(layout.NUM_TEAMS)]
    ended = _of_ends(lines) | {"turns": sum([line.turns for line in lines])}
    held = beliefs(kernels, state)
    return tuple(
        ended
        | teams[seat & 1].won
        | _of_seat(lines, seat)
        | teams[seat & 1].opened
        | {"opened_margin": _opened_margin(lines, seat)}
        | teams[seat & 1].points
        | _of_tallies(state, seat)
        | teams[seat & 1].by_round
        | _of_beliefs(held[seat])
        for seat in reading.SEATS
    )


class _Team:
    """Metrics that partners have in common. won: rounds; opened: rounds by opener; by_round: scores, of a match."""

    def __init__(self, state: State, lines: Sequence[Line], team: int) -> None:
        winners = [line.winner for line in lines]
        won = [line for line in lines if line.winner == team]
        openers = [line.opener & 1 for line in lines]
        opened_won = [line.opener & 1 for line in won]
        kinds = [line.kind for line in won]
        self.won: dict[str, float] = {
            **{f"won_{kind}": kinds.count(kind) for kind in _ENDS},
            "rounds_won": len(won),
            "rounds_lost": winners.count(1 - team),
            "rounds_void": winners.count(None),
            "dominai_won": [is_counted_by_dominai(line, team) for line in lines].count(True),
        }
        self.opened: dict[str, float] = {
            "team_opened": openers.count(team),
            "others_opened": openers.count(1 - team),
            "team_opened_won": opened_won.count(team),
            "others_opened_won": opened_won.count(1 - team),
        }
        self.points = _of_points(lines, team, is_for_winners=bool(state[layout.DIRECTION]))
        self.by_round = _of_rounds(state, lines, team)


def _of_ends(lines: Sequence[Line]) -> dict[str, float]:
    """Ends of rounds, the same for every seat."""
    kinds = [line.kind for line in lines]
    values: dict[str, float] = {f"ended_{kind}": kinds.count(kind) for kind in _ENDS}
    return {"rounds": len(lines)} | values


def _of_rounds(state: State, lines: Sequence[Line], team: int) -> dict[str, float]:
    """Score after each round, in a match of several."""
    if state[layout.LENGTH]:
        return {}
    gains = (line.credit(team) if state[layout.DIRECTION] else -line.credit(1 - team) for line in lines[:MAX_ROUNDS])
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


def _of_seat(lines: Sequence[Line], seat: int) -> dict[str, float]:
    team = seat & 1
    ended = [line for line in lines if line.seat == seat]
    blocked = [line.winner for line in ended if line.kind == "block"]
    opened = [line.winner for line in lines if line.opener == seat]
    return {
        "went_out": [line.kind for line in ended].count("out"),
        "blocked": len(blocked),
        "blocked_won": blocked.count(team),
        "opened": len(opened),
        "opened_won": opened.count(team),
    }


def _opened_margin(lines: Sequence[Line], seat: int) -> int:
    team = seat & 1
    return sum([line.credit(team) - line.credit(1 - team) for line in lines if line.opener == seat])


def _of_points(lines: Sequence[Line], team: int, is_for_winners: bool) -> dict[str, float]:
    """Points of a team, cause by cause: points for it, or against it and then below zero."""
    team, sign = (team, 1) if is_for_winners else (1 - team, -1)
    won = [line for line in lines if line.winner == team]
    values: dict[str, float] = {
        f"points_{kind}": sign * sum([line.points for line in won if line.kind == kind]) for kind in _ENDS
    }
    return values | {"points_bonus": sign * sum([line.bonuses[team] for line in lines])}


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
