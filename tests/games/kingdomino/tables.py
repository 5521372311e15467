"""The real game and the slow reference at one table: the same luck, the same moves, what is compared."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from typing import Any

from games import registry
from games.kingdomino import reading
from games.kingdomino import state as layout
from games.kingdomino.reading import Move as Spelt
from games.protocol import CHANCE, State
from tests.games.kingdomino import reference

GAME: Any = registry.get("kingdomino")


@dataclass
class Tables:
    """Both at the same position. Dominoes and kings are drawn from the reference's luck."""

    slow: reference.Match
    state: State
    draws: list[int]

    def settle(self) -> None:
        """Let chance happen in the real game."""
        while GAME.current_player(self.state) == CHANCE:
            self.state = GAME.apply(self.state, self.draws.pop(0))

    def moves(self) -> dict[reference.Move, int]:
        """Legal moves of the real game: as the reference spells them -> action."""
        found = {}
        for action in GAME.legal_actions(self.state).tolist():
            spelt = reading.move(self.state, action)
            found[(spelt.squares, spelt.chosen)] = action
        return found

    def play(self, move: reference.Move) -> None:
        """The same move in both."""
        self.state = GAME.apply(self.state, reading.action(self.state, Spelt(*move)))
        self.slow.play(move)
        self.settle()


def sit_down(rng: random.Random, seats: int = 4, **rules: Any) -> Tables:
    """A new match in both; rules as `reference.Rules`."""
    chosen = reference.Rules(**rules)
    slow = reference.shuffled_match(rng, seats, chosen)
    deck = [*slow.row, *slow.deck]
    options = GAME.options(**{**asdict(chosen), "size": str(chosen.size)})
    draws = [layout.KING + seat for seat in slow.kings] + [number - 1 for number in deck]
    tables = Tables(slow, GAME.initial_state(options, seats), draws)
    tables.settle()
    return tables


def standing(tables: Tables) -> tuple[dict[str, Any], dict[str, Any]]:
    """What both say of a position: the real game's view, the reference's."""
    state, slow = tables.state, tables.slow
    kingdoms = [
        {(square.x, square.y): (square.terrain, square.crowns) for square in reading.kingdom(state, seat)}
        for seat in range(slow.seats)
    ]
    seen = {
        "over": GAME.is_terminal(state),
        "player": None if GAME.is_terminal(state) else GAME.current_player(state),
        "domino": reading.to_place(state),
        "row": reading.offered_dominoes(state),
        "kingdoms": kingdoms,
        "scores": list(GAME.scores(state)),
        "projected": list(GAME.projected_scores(state)),
        "ranks": list(GAME.ranks(state)) if GAME.is_terminal(state) else None,
        "aside": [number for number, _, _ in reading.left_aside(state)],
        "left": set(reading.undrawn_dominoes(state)),
        "moves": set(tables.moves()),
    }
    wanted = {
        "over": slow.over,
        "player": None if slow.over else slow.player,
        "domino": None if slow.over else slow.domino,
        "row": slow.row,
        "kingdoms": [kingdom.faces for kingdom in slow.kingdoms],
        "scores": slow.scores,
        "projected": slow.projected,
        "ranks": slow.ranks if slow.over else None,
        "aside": slow.aside,
        "left": set(slow.deck),
        "moves": set() if slow.over else set(slow.legal_moves()),
    }
    return seen, wanted
