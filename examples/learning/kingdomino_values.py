#!/usr/bin/env python3
"""Learns Kingdomino for two from nothing but matches against itself, and then beats the greedy player.

    .venv/bin/python examples/learning/kingdomino_values.py

Approximate policy iteration with linear values. A player looks at where it lays its domino and where the one that it
chooses would lie best, and takes what promises the most points at the end: a weighted sum of facts of that kingdom,
with weights of their own for each round. It begins with the weight 1 for points made, so as a greedy player. A
generation of matches says how many points such kingdoms came to; least squares over the last generations give the
next weights (Bertsekas and Tsitsiklis 1996, section 6.2). At last it meets the game's greedy player, on every deal
in both seats. NumPy and numba are all it needs; the same seed gives the same figures.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path

import numpy as np
from numba import njit

sys.path.insert(0, str(Path(__file__).parents[2]))

from games import registry, rng
from games.kingdomino import dominoes
from games.kingdomino.state import (
    CHOICES,
    CLAIM,
    CROWNED,
    DISCARDS,
    EAST,
    KINGDOM,
    KINGDOMS,
    LIMIT,
    MAX_KINGS,
    NORTH,
    NOTHING,
    NOWHERE,
    NUM_DOMINOES,
    NUM_OFFERED,
    NUM_TERRAINS,
    PLAYER,
    POOL,
    ROUND,
    ROW,
    SOUTH,
    WEST,
)
from worker.environments.batch import BatchedEnvironment

R = registry.get("kingdomino").kernels()
T = dominoes.load()
TERRAIN_OF, CROWNS_OF = T.terrain, T.crowns
SPLITS = 3  # facts by terrain
FACTS = 9 + SPLITS * NUM_TERRAINS
ROUNDS, PLIES = 7, 28
KEPT = 4  # placements that are looked at further
REMEMBERED = 4  # generations that weights are fitted to
NO_JOURNAL = np.ones(1, np.int32)


@njit(cache=False, nogil=True)
def left_to_come(s, left):
    """Squares and crowns by terrain among what is on offer or still to be drawn, to left float64[2, 6]."""
    left[:] = 0.0
    for domino in range(NUM_DOMINOES):
        is_drawn = (s[POOL + domino // 24] >> (domino % 24)) & 1 == 0
        for place in range(MAX_KINGS):
            if s[ROW + place] == domino + 1 and s[CLAIM + place] == 0:
                is_drawn = False
        if not is_drawn:
            for end in range(2):
                left[0, TERRAIN_OF[2 * domino + end]] += 1
                left[1, TERRAIN_OF[2 * domino + end]] += CROWNS_OF[2 * domino + end]


@njit(cache=False, nogil=True)
def facts(s, seat, left, out):
    """What a kingdom is and may become, to out float64[FACTS]."""
    out[:] = 0.0
    k = KINGDOMS + KINGDOM * seat
    occupied = R.board.occupied(s, seat)
    west, east, north, south = s[k + WEST], s[k + EAST], s[k + NORTH], s[k + SOUTH]
    empty = R.within(np.int64(s[LIMIT]), west, east, north, south) & ~occupied
    one = R.squares(s, k + CROWNED)
    two, three = R.squares(s, k + CROWNED + 2), R.squares(s, k + CROWNED + 4)
    out[0] = 1.0
    out[1] = R.scoring.area_points(s, k)
    out[2] = R.middle_points(s, k, seat)
    out[3] = R.harmony_points(s, k, seat)
    out[4] = s[k + DISCARDS]
    out[5] = R.count(empty & ~R.beside(empty))  # squares that no domino can cover
    out[6] = (east - west + 1) * (south - north + 1) - R.count(occupied)
    for terrain in range(NUM_TERRAINS):
        land = R.squares(s, k + 2 * terrain)
        rest = land
        best_crowns, best_size, most = 0, 0, 0.0
        while rest != R.NONE:
            area = R.area_of(rest & (~rest + R.ONE), land)
            rest &= ~area
            size, room = R.count(area), R.count(R.beside(area) & empty)
            crowns = R.count(area & one) + R.count(area & two) + R.count(area & three)
            out[7] += crowns * room
            out[8] += size * (crowns == 0)
            if room and size + crowns > most:
                best_size, best_crowns, most = size, crowns, size + crowns
        at = 9 + SPLITS * terrain
        out[at] = best_size * left[1, terrain]
        out[at + 1] = best_crowns * left[0, terrain]
        out[at + 2] = R.count(land)


@njit(cache=False, nogil=True)
def lay_best(s, seat, domino, weights, left, board, out, scratch):
    """Value of the kingdom with a domino laid where it promises most; its facts to out."""
    sets = R.placements(s, seat, domino)
    best = -1e9
    for direction in range(4):
        squares = sets[direction]
        while squares != R.NONE:
            square = R.bits.lowest_bit(squares)
            squares &= squares - R.ONE
            board[:] = s
            R.placing.place(board, seat, domino, 4 * np.int64(square) + direction, NO_JOURNAL)
            facts(board, seat, left, scratch)
            value = scratch @ weights
            if value > best:
                best = value
                out[:] = scratch
    if best == -1e9:
        facts(s, seat, left, out)
        out[4] += 1
        best = out @ weights
    return best


@njit(cache=False, nogil=True)
def lay_first(s, seat, placement, board):
    """The position in which what the seat has to lay now is laid, or discarded; to board."""
    board[:] = s
    domino = R.to_place(s)
    if domino >= 0 and placement == NOWHERE:
        board[KINGDOMS + KINGDOM * seat + DISCARDS] += 1
    elif domino >= 0:
        R.placing.place(board, seat, domino, placement, NO_JOURNAL)


@njit(cache=False, nogil=True)
def best_placements(s, seat, legal, weights, left, board, scratch, found):
    """The placements that promise most alone, to found int64[KEPT], at its end; return how many."""
    values = np.full(KEPT, -1e9)
    last, n = -1, 0
    for action in legal:
        placement = np.int64(action) // CHOICES
        if placement == last:
            continue
        last = placement
        lay_first(s, seat, placement, board)
        facts(board, seat, left, scratch)
        value = scratch @ weights
        n += 1
        if value > values[0]:
            i = 0
            while i + 1 < KEPT and value > values[i + 1]:
                values[i], found[i] = values[i + 1], found[i + 1]
                i += 1
            values[i], found[i] = value, placement
    return min(n, KEPT)


@njit(cache=False, nogil=True)
def choose(s, legal, weights, out):
    """The action of the seat on turn by weights float64[FACTS]; the facts of the kingdom that it aims at to out."""
    seat = np.int64(s[PLAYER])
    board, after = np.empty_like(s), np.empty_like(s)
    left, scratch, aim = np.empty((2, NUM_TERRAINS)), np.empty(FACTS), np.empty(FACTS)
    found = np.zeros(KEPT, np.int64)
    left_to_come(s, left)
    n = best_placements(s, seat, legal, weights, left, board, scratch, found)
    best, chosen = -1e9, np.int64(legal[0])
    for i in range(KEPT - n, KEPT):
        lay_first(s, seat, found[i], after)
        for choice in range(CHOICES):
            if choice == NOTHING:
                if s[NUM_OFFERED]:
                    continue
                facts(after, seat, left, aim)
                value = aim @ weights
            elif choice >= s[NUM_OFFERED] or s[CLAIM + choice]:
                continue
            else:
                value = lay_best(after, seat, np.int64(s[ROW + choice]) - 1, weights, left, board, aim, scratch)
            if value > best:
                best, chosen = value, found[i] * CHOICES + choice
                out[:] = aim
    return chosen


@njit(cache=False, nogil=True)
def choose_all(states, legal, num_legal, weights, curious, r, actions, facts_of, rounds):
    """An action for every match; the facts aimed at to facts_of [n, FACTS]. curious: share of actions by chance."""
    for i in range(len(actions)):
        rounds[i] = states[i, ROUND] - 1
        options = legal[i, : num_legal[i]]
        actions[i] = choose(states[i], options, weights[rounds[i]], facts_of[i])
        if R.rng.uniform(r) < curious:
            actions[i] = options[R.rng.below(r, np.int64(num_legal[i]))]
            facts_of[i, 0] = 0.0  # not what was aimed at


class Player:
    """Weights by round, float64[ROUNDS, FACTS], and the arrays of a batch of decisions."""

    def __init__(self, num_matches: int) -> None:
        self.weights = np.zeros((ROUNDS, FACTS))
        self.weights[:, 1:4] = 1.0  # points made: a greedy player
        self.actions, self.rounds = np.zeros(num_matches, np.int64), np.zeros(num_matches, np.int64)
        self.facts = np.zeros((num_matches, FACTS))

    def choose(self, batch: BatchedEnvironment, curious: float, r: np.ndarray) -> np.ndarray:
        """The actions of the seats on turn."""
        given = (batch.states, batch.legal, batch.num_legal, self.weights, curious, r)
        choose_all(*given, self.actions, self.facts, self.rounds)
        return self.actions


def generation(player: Player, num_matches: int, seed: int, curious: float) -> tuple[np.ndarray, ...]:
    """Matches against itself: (facts aimed at, round, final points of the seat) of every decision."""
    batch = BatchedEnvironment("kingdomino", num_matches, reward="score", observes=False, seed=seed)
    r, points = rng.new_stream(seed, rng.SEARCH), batch_points(batch)
    noted = []
    for _ in range(PLIES):
        seats = batch.players.copy()
        actions = player.choose(batch, curious, r)
        noted.append((player.facts.copy(), player.rounds.copy(), seats))
        batch.step(actions)
        points += batch.rewards
    finals = [points[np.arange(num_matches), seats] for _, _, seats in noted]
    return np.concatenate([row[0] for row in noted]), np.concatenate([row[1] for row in noted]), np.concatenate(finals)


def batch_points(batch: BatchedEnvironment) -> np.ndarray:
    """Points of every seat before the first ply, float64[n, seats]: rewards add to them."""
    game = batch.setup.game
    return np.array([game.scores(state) for state in batch.states], float)


def fit(player: Player, seen: list[tuple[np.ndarray, ...]], ridge: float = 10.0) -> None:
    """Weights of each round by least squares of the final points on the facts; `ridge` draws them to those before."""
    facts_of, rounds, finals = (np.concatenate(column) for column in zip(*seen, strict=True))
    for number in range(ROUNDS):
        is_used = (rounds == number) & (facts_of[:, 0] == 1)
        x, y = facts_of[is_used], finals[is_used]
        scale = x.std(axis=0) + 1e-6
        scale[0] = 1.0
        scaled = x / scale
        before = player.weights[number] * scale
        step = np.linalg.solve(scaled.T @ scaled + ridge * np.eye(FACTS), scaled.T @ (y - scaled @ before))
        player.weights[number] = (before + step) / scale


def duel(player: Player, opponent: str, num_deals: int, seed: int) -> tuple[float, float, float]:
    """Share of wins (half a draw each) with the half width of its 95 % interval, and the mean margin in points.

    Every deal is played in both seats: chance draws kings and dominoes alike, whatever is played.
    """
    wins, margins = np.zeros((2, num_deals)), np.zeros((2, num_deals))
    for seat in range(2):
        policies = [opponent, opponent]
        policies[seat] = None
        batch = BatchedEnvironment(
            "kingdomino", num_deals, reward="margin", policies=policies, observes=False, seed=seed
        )
        r = rng.new_stream(seed, rng.SEARCH)
        for _ in range(PLIES // 2):
            batch.step(player.choose(batch, 0.0, r))
        assert batch.is_over.all()
        margins[seat] = batch.rewards[:, seat]
        wins[seat] = (1 + np.sign(margins[seat])) / 2
    by_deal = wins.mean(axis=0)
    return by_deal.mean(), 1.96 * by_deal.std(ddof=1) / math.sqrt(num_deals), margins.mean()


def main() -> None:
    """Train, and say after each generation how the player does."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--generations", type=int, default=8)
    parser.add_argument("--matches", type=int, default=1000, help="of a generation")
    parser.add_argument("--deals", type=int, default=1000, help="of the duel at the end, each in both seats")
    parser.add_argument("--opponent", default="fg_plain", help="policy of the game that it meets at the end")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    began = time.process_time()
    player, seen = Player(arguments.matches), []
    for number in range(arguments.generations):
        seed = arguments.seed * 1_000_003 + number * arguments.matches
        seen = [*seen[1 - REMEMBERED :], generation(player, arguments.matches, seed, curious=0.05)]
        fit(player, seen)
        print(f"generation {number + 1}: {seen[-1][2].mean():.1f} points a seat, {time.process_time() - began:.0f} s")
    judge = Player(arguments.deals)
    judge.weights = player.weights
    share, half, margin = duel(judge, arguments.opponent, arguments.deals, seed=2**40 + arguments.seed)
    print(
        f"against {arguments.opponent}: {100 * share:.1f} % [{100 * (share - half):.1f}, {100 * (share + half):.1f}] "
        f"won over {arguments.deals} deals in both seats, {margin:+.1f} points; {time.process_time() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
