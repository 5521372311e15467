"""Beliefs of a seat about the tiles that it does not see, as pages show them: three ways to reckon.

Positions are states in which all hands are known; what is believed looks at the seat's own hand alone.
Plain kernels are quick enough for single positions, so that nothing is compiled for a page; deals are
weighed by the compiled ones, where they are (`is_ready`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from games import loader, readiness, rng
from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.dominoes.belief import beliefs, opponent_model
from games.dominoes.belief.beliefs import Belief
from games.protocol import Game, State

KINDS: Mapping[str, str] = {"paper": "The paper's", "exact": "Exact", "played": "By how others played"}
"""Ways to reckon, by id."""
EXPLAINED: Mapping[str, str] = {
    "paper": "tile by tile, from tiles held and passes (DominAI; in closed form, equal to its update turn by turn)",
    "exact": "all deals that agree with hands, tiles held and passes are equally likely; they are counted",
    "played": "deals weighed by how well they explain the tiles laid; how often each seat lays its heaviest tile on "
    "purpose, its level, is learnt in the round",
}
COMPILED_FOR = "pimc"
"""The engine that weighs deals as `played` does."""
MOST_DEALS = 1000
"""Most deals that are weighed; if more are possible, this many are drawn."""


@dataclass(frozen=True)
class SeatBelief:
    """Belief of a seat in a position.

    chances: float64[28, 4], of each tile to be with each seat; log_probability: of the true deal,
    natural; deals: that the seat cannot tell apart; effective: deals that carry the weight, where
    deals are weighed; levels: mean playing level of each seat then.
    """

    kind: str
    seat: int
    chances: Belief
    log_probability: float
    deals: int
    effective: float | None = None
    levels: Mapping[int, float] = field(default_factory=dict)


def has_hidden_hands(state: State) -> bool:
    """Whether there is anything to believe: a round is being played."""
    return reading.is_hidden(state) and int(state[layout.NUM_DEALT]) == layout.MAX_SEATS


def is_ready(game: Game, kind: str) -> bool:
    """Whether all that a way to reckon needs is there; if not, it is being made ready from now on."""
    if kind != "played":
        return True
    kernels = loader.rules(game.folder)
    needed = kernels, kernels.dealing, kernels.paper_belief, kernels.opponent_model
    return readiness.is_ready(game.id, COMPILED_FOR, *needed)


def infer_beliefs(game: Game, state: State, seat: int, kind: str) -> SeatBelief:
    """Infer what `seat` believes in a position with hidden hands. Raises KeyError for an unknown kind."""
    return _KINDS[kind](game, state, seat)


def _paper(game: Game, state: State, seat: int) -> SeatBelief:
    chances = np.zeros((tiles.NUM_TILES, layout.MAX_SEATS))
    _plain().paper_belief.paper(state, seat, chances)
    logs = [math.log(chances[tile, holder]) for tile, holder in holders(state).items() if holder != seat]
    return SeatBelief("paper", seat, chances, sum(logs), _count(state, seat))


def _exact(game: Game, state: State, seat: int) -> SeatBelief:
    deals = _count(state, seat)
    return SeatBelief("exact", seat, exact(state, seat), -math.log(deals), deals)


def exact(view: State, seat: int) -> Belief:
    """The exact chances by themselves; the hands of others need not be known."""
    dealing, chances = _plain().dealing, np.zeros((tiles.NUM_TILES, layout.MAX_SEATS))
    dealing.marginals(view, seat, np.zeros(dealing.WORK, np.int64), chances)
    return chances


def _played(game: Game, state: State, seat: int) -> SeatBelief:
    """Weighed deals; a deal's own probability is its weight among all, of which the sample tells the mean."""
    kernels, number = game.kernels(), _count(state, seat)
    deals = beliefs.all_deals(kernels, state, seat, MOST_DEALS)
    if deals is None:
        r = rng.new_stream(game.key(state) >> 1, rng.ANALYSIS, seat)
        deals = beliefs.sample(kernels, state, seat, MOST_DEALS, r)
    priors = np.tile(opponent_model.uniform_prior(), (layout.MAX_SEATS, 1))
    model = opponent_model.Model()
    truth = np.array([[int(state[layout.HAND + other]) for other in reading.SEATS]], np.int64)
    of_truth, logs = (opponent_model.likelihoods(kernels, state, seat, some, model) for some in (truth, deals))
    found = opponent_model.weighted_posterior(logs, deals, priors)
    share = float(_likelihood(of_truth, priors)[0] / _likelihood(logs, priors).mean())
    if found.is_mixed:
        share = (1.0 - opponent_model.MIXED) * share + opponent_model.MIXED
    means = {other: float(found.levels[other] @ opponent_model.GRID) for other in reading.SEATS if other != seat}
    return SeatBelief("played", seat, found.belief, math.log(share / number), number, found.effective, means)


def _likelihood(logs: NDArray[np.float64], priors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Likelihood of the tiles laid under each deal, over the levels that seats may have."""
    return np.asarray((np.exp(logs) * priors).sum(axis=2).prod(axis=1), np.float64)


_KINDS = {"paper": _paper, "exact": _exact, "played": _played}


def holders(state: State) -> dict[int, int]:
    """Holders of the tiles that are not on the table, where hands are known."""
    return {tile: seat for seat in reading.SEATS for tile in reading.hand(state, seat) or ()}


def position_of(states: Sequence[State], ply: int) -> int:
    """The ply whose position is meant: the one before, where ply `ply` ended a round and hands lie open."""
    if ply and (not has_hidden_hands(states[ply]) or states[ply][layout.ROUND] != states[ply - 1][layout.ROUND]):
        return ply - 1
    return ply


def round_of(states: Sequence[State], ply: int) -> range:
    """Plies after which the round of a position was being played, up to the last one played."""
    number = int(states[ply][layout.ROUND])
    same = [n for n, state in enumerate(states) if int(state[layout.ROUND]) == number and has_hidden_hands(state)]
    return range(same[0], same[-1] + 1) if same else range(ply, ply)


def _count(state: State, seat: int) -> int:
    dealing = _plain().dealing
    return int(dealing.count(state, seat, np.zeros(dealing.WORK, np.int64)))


@cache
def _plain() -> ModuleType:
    return loader.rules(Path(__file__).parent.parent, mode="plain")
