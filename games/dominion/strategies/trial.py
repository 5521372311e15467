"""Tries a strategy out: some hundred matches of two seats against another player, in a moment.

These matches are no experiment: nothing is kept of them, and they are cut at `MAX_TURNS` turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import rng
from games.dominion import cards, reading
from games.dominion import state as layout
from games.dominion.strategies import encoding, form
from games.protocol import Game, State
from games.strategies import Data

MAX_TURNS = 100
MAX_MATCHES = 5_000
PROVINCES, PILES, LIMIT = "the Province pile", "three other piles", "the limit of turns"
"""Ways in which a match may end."""


@dataclass(frozen=True)
class Count:
    """Matches won, drawn and lost."""

    wins: int
    draws: int
    losses: int

    @property
    def matches(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Trial:
    """Result of a trial. Pairs are (the strategy's, the other's).

    by_seat: of matches in which the strategy began, and the rest; pairs: of the two matches of equal
    luck, by how many of them the strategy won: none, one, both; points: at the end, means;
    curve: mean points after each turn that at least half of the matches had; own_defeats: matches
    that the strategy ended by a card of its own, and lost; uses: by list, how often a match each
    rule decided.
    """

    by_seat: tuple[Count, Count]
    pairs: tuple[int, int, int]
    points: tuple[float, float]
    turns: float
    curve: tuple[tuple[float, float], ...]
    ends: dict[str, int]
    own_defeats: int
    uses: dict[str, tuple[float, ...]]

    @property
    def total(self) -> Count:
        """All matches."""
        first, second = self.by_seat
        return Count(first.wins + second.wins, first.draws + second.draws, first.losses + second.losses)


@dataclass
class _Player:
    """Someone at the table, as kernels take them."""

    code: NDArray[np.int64]
    policy: int
    tally: NDArray[np.int64]


def _player(game: Game, who: Data | str) -> _Player:
    tally = np.zeros(encoding.MAX_TALLY, np.int64)
    if isinstance(who, str):
        policies = list(game.kernels().policies.NAMES)
        nothing = form.check_strategy({"version": form.VERSION, "name": who, "buy": [{"card": form.NOTHING}]})
        return _Player(encoding.code(nothing), policies.index(who), tally)
    return _Player(encoding.code(who), encoding.STRATEGY, tally)


def play(game: Game, options: Any, strategy: Data, other: Data | str, matches: int, seed: int) -> Trial:
    """Play matches in which both begin in turn; the same arguments give the same ones.

    other: a checked strategy, or the name of a policy. Raises ValueError for an unknown policy or
    for too many matches, OptionError for options that do not go together.
    """
    if not 2 <= matches <= MAX_MATCHES or matches % 2:
        raise ValueError(f"matches must be an even number up to {MAX_MATCHES}, not {matches}")
    own, opposing = _player(game, strategy), _player(game, other)
    module, rules = encoding.kernels(game), game.kernels()
    start = game.initial_state(replace(options, turn_limit=min(options.turn_limit, MAX_TURNS)), 2)
    buffer, j = np.zeros(rules.MAX_ACTIONS, np.int32), np.ones(1, np.int32)
    ends = []
    for number in range(matches):
        pair = (own, opposing) if number % 2 == 0 else (opposing, own)
        state, r = start.copy(), rng.new_stream(seed, rng.ANALYSIS, number // 2)
        codes, tallies = (pair[0].code, pair[1].code), (pair[0].tally, pair[1].tally)
        module.play(state, codes, (pair[0].policy, pair[1].policy), tallies, r, buffer, j)
        ends.append(state)
    return _summed(game, strategy, ends, own.tally)


def _summed(game: Game, strategy: Data, ends: Sequence[State], tally: NDArray[np.int64]) -> Trial:
    """The trial that these final states are; the strategy had seat 0 in every other one."""
    counted: list[Counter[str]] = [Counter(), Counter()]
    reasons: Counter[str] = Counter()
    points = np.zeros(2)
    won = np.zeros(len(ends) // 2, np.int64)
    defeats, turns = 0, 0
    for number, state in enumerate(ends):
        seat = number % 2
        places, scores = game.ranks(state), game.scores(state)
        result = "draws" if places[0] == places[1] else "wins" if places[seat] == 1 else "losses"
        counted[seat][result] += 1
        won[number // 2] += result == "wins"
        ended = _end(state)
        reasons[ended] += 1
        defeats += int(result == "losses" and ended != LIMIT and state[layout.TURN] == seat)
        points += (scores[seat], scores[1 - seat])
        turns += int(state[reading.seat_at(int(state[layout.TURN])) + layout.TURNS])
    by_seat = tuple(Count(count["wins"], count["draws"], count["losses"]) for count in counted)
    return Trial(
        by_seat=(by_seat[0], by_seat[1]),
        pairs=(int(np.sum(won == 0)), int(np.sum(won == 1)), int(np.sum(won == 2))),
        points=(float(points[0]) / len(ends), float(points[1]) / len(ends)),
        turns=turns / len(ends),
        curve=_curve(ends),
        ends={words: reasons[words] for words in (PROVINCES, PILES, LIMIT) if reasons[words]},
        own_defeats=defeats,
        uses=_uses(strategy, tally, len(ends)),
    )


def _uses(strategy: Data, tally: NDArray[np.int64], matches: int) -> dict[str, tuple[float, ...]]:
    found, first = {}, 0
    for name in form.LISTS:
        last = first + len(strategy[name])
        found[name] = tuple((tally[first:last] / matches).tolist())
        first = last
    return found


def _end(state: State) -> str:
    if reading.supply(state)[cards.by_name()["Province"].number] == 0:
        return PROVINCES
    return PILES if state[layout.NUM_EMPTY] >= 3 else LIMIT


def _points_by_turn(state: State, seat: int) -> NDArray[np.int32]:
    """After each turn of a seat that the state tells of."""
    at = reading.seat_at(seat)
    first = at + layout.BY_TURN
    words = state[first : first + min(int(state[at + layout.TURNS]), layout.MAX_TURNS)]
    return (words >> layout.TURN_POINTS & 1023) - layout.POINTS_OFFSET


def _curve(ends: Sequence[State]) -> tuple[tuple[float, float], ...]:
    """Mean points by turn, while half of the matches go on."""
    sums = np.zeros((layout.MAX_TURNS, 2))
    alive = np.zeros(layout.MAX_TURNS, np.int64)
    for number, state in enumerate(ends):
        mine, theirs = (_points_by_turn(state, seat) for seat in (number % 2, 1 - number % 2))
        n = min(len(mine), len(theirs))
        sums[:n, 0] += mine[:n]
        sums[:n, 1] += theirs[:n]
        alive[:n] += 1
    long = alive * 2 >= len(ends)
    return tuple((float(a), float(b)) for a, b in sums[long] / alive[long][:, None])
