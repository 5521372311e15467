"""One face for the two implementations of the rules, so that a test can ask both the same.

A table takes moves in words: ``"U 1,0 90° road0"`` draws tile U and lays it at (1, 0), turned
by 90 degrees, with a meeple on segment road0.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from games import options as option_tools
from games import registry
from games.carcassonne import state as layout
from games.protocol import CHANCE, TERMINAL, Event
from tests.games.carcassonne import reference
from tests.games.carcassonne.reference import Move, Scored

NOTATION = re.compile(r"([A-X]) (-?\d+),(-?\d+) (0|90|180|270)°(?: ([a-z]+\d?))?")
Entry = tuple[str, int, tuple[int, ...], tuple[tuple[int, int], ...], tuple[int, ...]]


def parse(text: str) -> tuple[str, Move]:
    """Tile letter and move of an action's notation."""
    found = NOTATION.fullmatch(text)
    assert found, f"not a move: {text!r}"
    letter, x, y, degrees, segment = found.groups()
    return letter, (int(x), int(y), int(degrees) // 90, segment)


def spell(letter: str, move: Move) -> str:
    """Notation of a move."""
    x, y, rotation, segment = move
    return f"{letter} {x},{y} {90 * rotation}°" + (f" {segment}" if segment else "")


class Table:
    """What both tables share: playing a match from words."""

    def play(self, *words: str) -> None:
        """Draw and lay one tile after the other."""
        for text in words:
            letter, move = parse(text)
            assert self.draw(letter), f"{letter} fits nowhere"
            assert move in self.moves(), f"{text} is not legal"
            self.lay(move)


class ReferenceTable(Table):
    """The slow reference."""

    def __init__(self, seats: int = 2, **rules: str) -> None:
        self.match = reference.Match(seats, reference.Rules(**rules))
        self._final: list[Scored] = []

    def draw(self, letter: str) -> bool:
        """Draw a tile; False when it fits nowhere."""
        return self.match.draw(letter)

    def moves(self) -> set[Move]:
        """Legal moves with the drawn tile."""
        return set(self.match.legal_moves())

    def lay(self, move: Move) -> None:
        """Make a legal move; the match is scored at once when nothing else fits."""
        self.match.play(move)
        if not self.match.can_go_on():
            self._final = self.match.end()

    @property
    def over(self) -> bool:
        return self.match.ended

    @property
    def turn(self) -> int:
        return self.match.turn

    @property
    def points(self) -> list[int]:
        return list(self.match.points)

    @property
    def in_hand(self) -> list[int]:
        return list(self.match.in_hand)

    @property
    def projected(self) -> list[int]:
        return self.match.projected()

    @property
    def events(self) -> list[Entry]:
        """What the last ply scored; at the end also what was left unfinished."""
        return sorted(map(_entry_of_scored, self.match.events + self._final))

    @property
    def drawable(self) -> dict[str, float]:
        """Chance of each type that may be drawn next."""
        counts = {
            letter: count
            for letter, count in self.match.left.items()
            if self.match.rules.unplaceable == "discard" or self.match.fits_somewhere(letter)
        }
        return {letter: count / sum(counts.values()) for letter, count in counts.items()}

    @property
    def metrics(self) -> list[dict[str, float]]:
        return self.match.metrics()


class GameTable(Table):
    """The real game, through its face."""

    def __init__(self, seats: int = 2, **rules: str) -> None:
        self.game = registry.get("carcassonne")
        self.options = option_tools.from_json(self.game.options, rules)
        self.seats = seats
        self.state = self.game.initial_state(self.options, seats)
        self._actions: dict[Move, int] = {}

    def draw(self, letter: str) -> bool:
        """Draw a tile; False when it fits nowhere."""
        assert self.game.current_player(self.state) == CHANCE
        self.state = self.game.apply(self.state, self.outcome(letter))
        return self.game.current_player(self.state) != CHANCE

    def outcome(self, letter: str) -> int:
        """Number of the chance outcome that draws a tile."""
        return next(t for t in range(24) if self.game.outcome_notation(self.state, t) == letter)

    def moves(self) -> set[Move]:
        """Legal moves with the drawn tile, read from the notation of every legal action."""
        numbers = self.game.legal_actions(self.state)
        spelt = [parse(self.game.notation(self.state, int(number))) for number in numbers]
        self._actions = {move: int(number) for (_, move), number in zip(spelt, numbers, strict=True)}
        assert len(self._actions) == len(numbers), "two actions have the same notation"
        assert len({letter for letter, _ in spelt}) == 1
        return set(self._actions)

    def action(self, move: Move) -> int:
        """Number of a legal move."""
        self.moves()
        return self._actions[move]

    def lay(self, move: Move) -> None:
        """Make a legal move."""
        self.state = self.game.apply(self.state, self.action(move))
        self._actions = {}

    @property
    def over(self) -> bool:
        assert self.game.is_terminal(self.state) == (self.game.current_player(self.state) == TERMINAL)
        return self.game.is_terminal(self.state)

    @property
    def turn(self) -> int:
        return int(self.state[layout.PLAYER])

    @property
    def points(self) -> list[int]:
        return list(self.game.scores(self.state))

    @property
    def in_hand(self) -> list[int]:
        return [int(count) for count in self.state[layout.HAND : layout.HAND + self.seats]]

    @property
    def projected(self) -> list[int]:
        return list(self.game.projected_scores(self.state))

    @property
    def events(self) -> list[Entry]:
        return sorted(map(_entry_of_event, self.game.events(self.state)))

    @property
    def drawable(self) -> dict[str, float]:
        """Chance of each type that may be drawn next."""
        outcomes, chances = self.game.chance_outcomes(self.state)
        return {
            self.game.outcome_notation(self.state, int(outcome)): float(chance)
            for outcome, chance in zip(outcomes, chances, strict=True)
        }

    @property
    def metrics(self) -> list[dict[str, float]]:
        return [dict(values) for values in self.game.metrics(self.state)]


def _entry_of_scored(scored: Scored) -> Entry:
    return (scored.kind, scored.points, tuple(scored.winners), tuple(scored.tiles), tuple(scored.owners))


def _entry_of_event(event: Event) -> Entry:
    return (event.kind, event.points, tuple(event.seats), tuple(sorted(event.tiles)), tuple(sorted(event.returned)))


def standing(table: ReferenceTable | GameTable) -> dict[str, Any]:
    """Everything that can be compared between two tables after a ply."""
    return {
        "over": table.over,
        "turn": table.turn,
        "points": table.points,
        "in_hand": table.in_hand,
        "projected": table.projected,
        "events": table.events,
        "drawable": {} if table.over else {letter: round(p, 12) for letter, p in table.drawable.items()},
    }


def new_journal() -> np.ndarray:
    """An empty write journal with room for a ply (`games.journal`)."""
    journal = np.zeros(2 * layout.SIZE, np.int32)
    journal[0] = 1
    return journal
