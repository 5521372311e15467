"""The rules written a second time, slowly, in plain Python: shares no code with the kernels."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field


@dataclass
class Match:
    """The cards that nobody has, and those of each seat; `drawn` is what the seat on turn hands out."""

    seats: int
    cards: int = 6
    player: int = 0
    drawn: int | None = None
    undrawn: set[int] = field(default_factory=set)
    hands: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.undrawn = set(range(1, self.cards + 1))
        self.hands = [[] for _ in range(self.seats)]

    @property
    def is_over(self) -> bool:
        return self.drawn is None and not self.undrawn

    def legal_moves(self) -> list[int]:
        """Seats that may get the drawn card; the last card is kept."""
        if self.drawn is None:
            return []
        return list(range(self.seats)) if self.undrawn else [self.player]

    def draw(self, card: int) -> None:
        assert self.drawn is None
        self.undrawn.remove(card)
        self.drawn = card

    def give(self, seat: int) -> None:
        assert seat in self.legal_moves()
        assert self.drawn is not None
        self.hands[seat].append(self.drawn)
        self.drawn = None
        self.player = (self.player + 1) % self.seats

    @property
    def scores(self) -> list[int]:
        return [sum(hand) for hand in self.hands]


def random_match(rng: random.Random, seats: int = 2) -> Match:
    """A match of seats that choose at random."""
    match = Match(seats)
    while not match.is_over:
        match.draw(rng.choice(sorted(match.undrawn)))
        match.give(rng.choice(match.legal_moves()))
    return match


def rate(seconds: float) -> float:
    """Random matches per second of CPU time."""
    rng, begun, matches = random.Random(1), time.thread_time(), 0
    while (spent := time.thread_time() - begun) < seconds or not matches:
        random_match(rng)
        matches += 1
    return matches / spent
