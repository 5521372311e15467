"""The tree of one player who buys: its nodes by turn (Jansen and Tollisen 2014, section 3.1).

Dominion without kingdom cards: below the root a node for each hand that may be drawn, below it one
for each card that its coins buy and one for buying nothing. The thesis built the tree; here equal
positions are looked at once, with the number of ways that lead to them (`buying_turns`), and piles
run out as in the rules. The parameter is `turns`. The first piece counts two turns; every other one
is a position after them with all that follows. Whatever grows without end is text in rows and results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from games import options as option_tools
from games.options import option
from games.protocol import Game
from worker.fields import Field
from worker.studies import buying_turns, form
from worker.studies.protocol import StudySpec

FIRST = 2
"""Turns of the first piece: after them the deck is empty, and few positions differ."""
MAX_TURNS = 10
SECONDS = (0.01, 0.01, 0.02, 0.04, 0.1, 0.3, 1.0, 5.0, 11.0, 35.0)
"""CPU seconds of all pieces, by turns (of one core of 2026)."""


@dataclass(frozen=True)
class Options:
    """Fields of the form."""

    turns: int = option(8, "Turns", "The thesis counted six.", minimum=1, maximum=MAX_TURNS)


class BuyingTree:
    """Nodes of the tree by turn; see `worker.studies.protocol.StudyKind`."""

    id = "buying_tree"
    version = "1"
    label = "Buying tree"
    summary = "How many nodes the tree of one player's turns has, exactly, beside the printed numbers."
    row_fields: Mapping[str, Field] = {
        "first": Field("Turn of the first numbers.", unit="turns"),
        "draws": Field("By turn: nodes of draws, exact numbers.", "json", "nodes"),
        "buys": Field("By turn: nodes of buys, exact numbers.", "json", "nodes"),
        "positions": Field("Positions that were told apart.", unit="positions"),
    }
    options = Options
    games = ("dominion",)

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in the default. Raises SpecError naming the place."""
        form.refuse_others(game, self.games, "cards to buy")
        return option_tools.to_json(form.read_options(Options, parameters))

    def num_pieces(self, study: StudySpec) -> int:
        """The first turns, and each position after them where there are more."""
        return 1 if study.parameters["turns"] <= FIRST else 1 + len(_after_first())

    def seconds(self, study: StudySpec) -> float:
        """Measured."""
        return SECONDS[study.parameters["turns"] - 1]

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Count the first turns, or what follows one position."""
        turns = int(study.parameters["turns"])
        if index == 0:
            return _row(1, _counted({buying_turns.start(): 1}, min(turns, FIRST))[0])
        return _row(FIRST + 1, _counted(dict([_after_first()[index - 1]]), turns - FIRST)[0])

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Result by turn, as far as every piece of it is known: new nodes, and all of the tree so far."""
        by_turn, total = [], 1
        for turn in range(1, int(study.parameters["turns"]) + 1):
            pieces = [0] if turn <= FIRST else range(1, self.num_pieces(study))
            if any(piece not in rows for piece in pieces):
                break
            here = [_at(rows[piece], turn) for piece in pieces]
            draws, buys = sum(draws for draws, _ in here), sum(buys for _, buys in here)
            before, total = total, total + draws + buys
            factor = total / before if turn > 1 else None
            by_turn.append(
                {"turn": turn, "draws": str(draws), "buys": str(buys), "nodes": str(total), "factor": factor}
            )
        return {"turns": study.parameters["turns"], "by_turn": by_turn, "first_turn": first_turn()}


def first_turn() -> list[dict[str, Any]]:
    """The first turn whole, the richest hand first: each with its coins, and what they buy besides nothing."""
    start = buying_turns.start()
    owned = start >> buying_turns.DECK_BITS
    return [
        {
            "hand": buying_turns.count_cards(zone),
            "coins": coins,
            "buys": [name for one in buying_turns.affordable(coins, owned) for name in buying_turns.count_cards(one)],
        }
        for zone, coins in reversed(buying_turns.hands(owned))
    ]


def _counted(
    ways: buying_turns.Ways, turns: int
) -> tuple[list[buying_turns.Turn], Mapping[buying_turns.Position, int]]:
    """Play some turns from some positions; return where they end."""
    found = []
    for _ in range(turns):
        turn, ways = buying_turns.turn(ways)
        found.append(turn)
    return found, ways


@cache
def _after_first() -> tuple[tuple[buying_turns.Position, int], ...]:
    """The positions after the first turns with their ways, in the order of their numbers."""
    return tuple(sorted(_counted({buying_turns.start(): 1}, FIRST)[1].items()))


def _row(first: int, turns: Sequence[buying_turns.Turn]) -> dict[str, Any]:
    """first: turn of the first numbers."""
    return {
        "first": first,
        "draws": [str(turn.draws) for turn in turns],
        "buys": [str(turn.buys) for turn in turns],
        "positions": sum(turn.positions for turn in turns),
    }


def _at(row: Mapping[str, Any], turn: int) -> tuple[int, int]:
    """Draws and buys of one turn."""
    place = turn - row["first"]
    return int(row["draws"][place]), int(row["buys"][place])
