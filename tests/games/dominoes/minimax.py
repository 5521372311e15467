"""Searches over hands from their definitions, through the face of the game: sharing no code with its kernels."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from games.dominoes import state as layout
from games.dominoes import tiles
from games.protocol import State
from tests.games.dominoes import reference, tables
from tests.games.dominoes.tables import GAME, Tables

RULES: dict[str, Any] = {"length": "round", "first_opener": "any"}
BLOCK_ENDS = ("at_once", "four_passes", "three_passes")
BLOCKS: tuple[dict[str, Any], ...] = (
    {},
    {"block_compare": "player", "block_tie": "nearest", "block_points": "all"},
    {"block_compare": "blocker", "block_tie": "blocker_wins", "block_points": "difference"},
)
"""Who wins a block, and what it is worth."""


def rounds(count: int, laid: int, seed: int = 1, **rules: Any) -> list[State]:
    """Positions of random rounds with so many tiles on the table, in which the seat on turn has a choice."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        table = Tables(RULES | rules, reference.random_hands(rng), rng.randrange(4))
        while table.slow.playing:
            tiles_laid = len(table.slow.row) // 2
            if tiles_laid == laid and len(table.slow.legal()) > 1:
                found.append(table.state)
            if tiles_laid == laid:
                break
            table.play(rng.choice(table.slow.legal()))
    return found


def reveal(state: State) -> State:
    """Have everybody know which numbers each seat lacks."""
    for seat in range(4):
        hand = tables.tiles_in(int(state[layout.HAND + seat]))
        state[layout.LACKS + seat] = 127 & ~sum(1 << n for n in {n for tile in hand for n in tile})
    return state


def are_certain(hands: Sequence[Sequence[reference.Tile]], seat: int) -> bool:
    """Whether the numbers that all lack tell a seat the hands of the three others."""
    others = [hand for k, hand in enumerate(hands) if k != seat]
    numbers = [{n for tile in hand for n in tile} for hand in others]
    return all(sum(set(tile) <= held for held in numbers) == 1 for hand in others for tile in hand)


def certain(count: int, seed: int = 1, sizes: Sequence[int] = (3, 2, 2, 2), **rules: Any) -> list[State]:
    """Ends of rounds in which everybody knows all hands and the seat on turn, the first of the sizes, chooses.

    How a round came to this does not matter to what follows.
    """
    rng, found = random.Random(seed), []
    while len(found) < count:
        left, player, ends = rng.sample(tiles.TILES, sum(sizes)), rng.randrange(4), (rng.randrange(7), rng.randrange(7))
        cut = [left[sum(sizes[:k]) : sum(sizes[: k + 1])] for k in range(4)]
        hands = cut[-player:] + cut[:-player]
        choices = sum(end in tile for tile in hands[player] for end in set(ends))
        if choices > 1 and are_certain(hands, player):
            found.append(reveal(tables.position(hands, ends, player, **(RULES | rules))))
    return found


def team_pips(state: State, team: int) -> int:
    """Pips that a team holds."""
    held = int(state[layout.HAND + team]) | int(state[layout.HAND + team + 2])
    return sum(int(tiles.PIPS[tile]) for tile in tiles.tile_indices(held))


def ahead(state: State, seat: int) -> int:
    """Pips of the others less those of the own team."""
    return team_pips(state, 1 - (seat & 1)) - team_pips(state, seat & 1)


def points(before: State, after: State, seat: int) -> int:
    """What a round has brought a seat's team more than the others."""
    gained = [int(after[layout.CREDIT + k]) - int(before[layout.CREDIT + k]) for k in range(2)]
    return gained[seat & 1] - gained[1 - (seat & 1)]


def pips_at_the_end(state: State, seat: int) -> int:
    """What a round that has ended is worth to a seat as the authors reckon: the losers' pips, or the difference."""
    held = [int(state[layout.LAST_HAND + k]) | int(state[layout.LAST_HAND + k + 2]) for k in range(2)]
    own, other = (sum(int(tiles.PIPS[tile]) for tile in tiles.tile_indices(held[k ^ (seat & 1)])) for k in range(2))
    if state[layout.KIND] == layout.BLOCK:
        return other - own
    return other if int(state[layout.WINNER]) - 1 == seat & 1 else -own


def value(root: State, state: State, seat: int, depth: int, by_pips: bool = False) -> int:
    """Value for a seat of a position `depth` turns deep: where the round ends by points, or pips; else by pips."""
    if state[layout.NUM_DEALT] == 0:
        return pips_at_the_end(state, seat) if by_pips else points(root, state, seat)
    if depth == 0:
        return points(root, state, seat) + ahead(state, seat)
    player = int(state[layout.PLAYER])
    found = [value(root, GAME.apply(state, int(action)), seat, depth - 1, by_pips) for action in legal(state)]
    return max(found) if (player ^ seat) & 1 == 0 else min(found)


def legal(state: State) -> list[int]:
    """Tiles that fit, and a pass only where there is none."""
    actions = [int(action) for action in GAME.legal_actions(state) if action <= layout.PASS]
    laid = [action for action in actions if action < layout.PASS]
    return laid or actions


def values(state: State, depth: int, by_pips: bool = False) -> list[int]:
    """Of every action in the game's order, and `depth` turns after it."""
    seat = int(state[layout.PLAYER])
    return [value(state, GAME.apply(state, action), seat, depth, by_pips) for action in legal(state)]


class Believed:
    """What Imperfect Minimax knows of a position: own hand, tiles by who may hold them, tiles to be laid."""

    def __init__(self, state: State) -> None:
        self.root = int(state[layout.PLAYER])
        self.own = set(tiles.tile_indices(int(state[layout.HAND + self.root])))
        self.hidden = set(tiles.tile_indices(int(state[layout.UNPLAYED]))) - self.own
        self.lacks = [int(state[layout.LACKS + seat]) for seat in range(4)]
        self.counts = [int(state[layout.COUNT + seat]) for seat in range(4)]
        self.block_end = int(state[layout.BLOCK_END])

    def chance(self, seat: int, tile: int) -> float:
        if seat == self.root or tile in self.own:
            return float(seat == self.root and tile in self.own)
        may = [
            other != self.root
            and not (self.lacks[other] >> tiles.FIRST[tile] & 1 or self.lacks[other] >> tiles.SECOND[tile] & 1)
            for other in range(4)
        ]
        if not may[seat]:
            return 0.0
        return self.counts[seat] / sum(count for count, one in zip(self.counts, may, strict=True) if one)

    def pips(self, seat: int) -> float:
        """Expected pips of a seat's team."""
        return sum(
            tiles.PIPS[tile] * self.chance(one, tile) for tile in self.own | self.hidden for one in (seat, seat ^ 2)
        )

    def value(self, seat: int, left: int, right: int, depth: int, passes: int = 0) -> float:
        """Algorithm 1, nothing pruned. passes: since the last tile."""
        after = (seat + 1) % 4
        if depth == 0:
            return self.pips(after) - self.pips(seat)
        found = []
        for tile in sorted(self.own | self.hidden):
            q = self.chance(seat, tile)
            for side, end in enumerate((left, right)):
                if q and end in tiles.TILES[tile] and not (side and left == right):
                    found.append(q * self.after(seat, tile, side, left, right, depth))
        if found:
            return max(found)
        if passes + 1 == (None, 4, 3)[self.block_end]:
            return self.pips(after) - self.pips(seat)
        return -self.value(after, left, right, depth - 1, passes + 1)

    def after(self, seat: int, tile: int, side: int, left: int, right: int, depth: int) -> float:
        """Value for a seat of a tile laid at an end and `depth` - 1 turns after it."""
        new = sum(tiles.TILES[tile]) - (right if side else left)
        ends = (left, new) if side else (new, right)
        held = self.own if tile in self.own else self.hidden
        held.remove(tile)
        self.counts[seat] -= 1
        after = (seat + 1) % 4
        if self.counts[seat] == 0:
            value = self.pips(after)
        elif not self.block_end and not any(end in tiles.TILES[one] for one in self.own | self.hidden for end in ends):
            value = self.pips(after) - self.pips(seat)
        else:
            value = -self.value(after, *ends, depth - 1)
        held.add(tile)
        self.counts[seat] += 1
        return value


def imperfect(state: State, depth: int) -> np.ndarray:
    """Value of each tile of the seat on turn by Imperfect Minimax, and `depth` turns after it."""
    seat, left, right = (int(state[word]) for word in (layout.PLAYER, layout.LEFT, layout.RIGHT))
    believed = Believed(state)
    return np.array([believed.after(seat, action >> 1, action & 1, left, right, depth + 1) for action in legal(state)])
