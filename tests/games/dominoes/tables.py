"""A match on the real game and on the slow reference at once, and rounds set up by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from games.dominoes import reading, tiles
from games.dominoes import state as layout
from games.protocol import State
from tests.games import walks
from tests.games.dominoes import reference
from tests.games.dominoes.reference import Match, Rules, Tile

GAME = walks.game_of("dominoes")


def set_of(hand: Sequence[Tile]) -> int:
    """A set of tiles as the game writes it."""
    return sum(1 << tiles.INDEX[tile] for tile in hand)


def tiles_in(number: int) -> list[Tile]:
    """The tiles of a set."""
    return [tiles.TILES[index] for index in tiles.tile_indices(number)]


def move_of(action: int) -> Any:
    """An action as the reference spells it."""
    if action < layout.PASS:
        return tiles.TILES[action >> 1], "LR"[action & 1]
    if action == layout.PASS:
        return "PASS"
    return "PARTNER" if action == layout.HAND_OVER else ("CALL", action - layout.CALL)


def action_of(move: Any) -> int:
    """A move of the reference as an action."""
    if move in ("PASS", "PARTNER"):
        return layout.PASS if move == "PASS" else layout.HAND_OVER
    if move[0] == "CALL":
        return layout.CALL + move[1]
    return 2 * tiles.INDEX[move[0]] + "LR".index(move[1])


class Tables:
    """Both, kept in step. rules: options that differ from the defaults."""

    def __init__(self, rules: dict[str, Any], hands: list[list[Tile]], opener: int = 0) -> None:
        self.state: State = GAME.initial_state(GAME.options(**rules), 4)
        self.slow = Match(Rules(**rules), opener)
        if self.state[layout.TO_DRAW]:
            self.state = GAME.apply(self.state, opener)
        self.deal(hands)

    def deal(self, hands: list[list[Tile]]) -> None:
        """Deal a round."""
        self.slow.deal(hands)
        for hand in hands[:3]:
            self.state = GAME.apply(self.state, set_of(hand))

    def play(self, move: Any) -> None:
        """Play a move of the reference."""
        self.slow.play(move)
        self.state = GAME.apply(self.state, action_of(move))

    def lay(self, *moves: Any) -> None:
        """Play moves written shortly: a tile (the left end first where it fits), or as the reference does."""
        for move in moves:
            spelt = move
            if isinstance(move, tuple) and isinstance(move[0], int):
                spelt = next(one for one in self.slow.legal() if one[0] == move)
            self.play(spelt)


def standing(tables: Tables) -> tuple[dict[str, Any], dict[str, Any]]:
    """The same facts of both: found, wanted."""
    state, slow = tables.state, tables.slow
    player = GAME.current_player(state)
    found = {
        "playing": player >= 0,
        "over": GAME.is_terminal(state),
        "scores": list(GAME.scores(state)),
        "hands": [tiles_in(int(state[layout.HAND + seat])) for seat in range(4)],
    }
    wanted = {
        "playing": slow.playing,
        "over": slow.over,
        "scores": slow.scores,
        "hands": slow.hands,
    }
    if slow.playing:
        row = [end for laid in reading.row(state) for end in (laid.left, laid.right)]
        found |= {"round": int(state[layout.ROUND]), "opener": int(state[layout.OPENER])}
        wanted |= {"round": slow.round, "opener": slow.opener}
        found |= {
            "player": player,
            "row": row,
            "legal": sorted(map(move_of, GAME.legal_actions(state).tolist()), key=str),
        }
        wanted |= {"player": slow.player, "row": slow.row, "legal": sorted(slow.legal(), key=str)}
    elif slow.round:
        line = reading.sheet(state)[-1]
        found |= {"kind": line.kind, "winner": line.winner, "ender": line.seat, "bonuses": list(line.bonuses)}
        wanted |= {"kind": slow.kind, "winner": slow.winner, "ender": slow.ender, "bonuses": slow.bonus}
    return found, wanted


def play_both(rng: random.Random, rules: dict[str, Any], pass_share: float = 0.0) -> Tables:
    """A random match, compared after every ply. pass_share: how often a seat passes where it may."""
    tables = Tables(rules, reference.random_hands(rng), rng.randrange(4))
    while True:
        found, wanted = standing(tables)
        assert found == wanted
        if tables.slow.over:
            return tables
        if not tables.slow.playing:
            tables.deal(reference.random_hands(rng))
            continue
        moves = sorted(tables.slow.legal(), key=str)
        usual = [move for move in moves if move == "PASS" or move[0] != "CALL" or rng.random() < pass_share / 4]
        tables.play("PASS" if "PASS" in moves and rng.random() < pass_share else rng.choice(usual))


def position(hands: Sequence[Sequence[Tile]], ends: tuple[int, int], player: int, **options: Any) -> State:
    """The end of round 1, opened by seat 0: these hands are left, all other tiles lie on the table."""
    state = GAME.initial_state(GAME.options(**options), 4)
    state[layout.TO_DRAW] = 0
    state[layout.PLAYER], state[layout.NUM_DEALT], state[layout.ROUND] = player, 4, 1
    state[layout.LEFT], state[layout.RIGHT] = ends
    for seat, hand in enumerate(hands):
        state[layout.HAND + seat], state[layout.COUNT + seat] = set_of(list(hand)), len(hand)
    state[layout.UNPLAYED] = sum(set_of(list(hand)) for hand in hands)
    state[layout.NUM_LAID] = 28 - sum(map(len, hands))
    return state


def after(state: State, *moves: Any) -> State:
    """The state after moves spelt as the reference does."""
    for move in moves:
        state = GAME.apply(state, action_of(move))
    return state
