"""Types of what is asked and answered about strategies."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Field, Schema

from webapp.api.schemas import Strict


class StrategyIn(Strict):
    """A strategy to keep."""

    strategy: dict[str, Any] = Field(description="As the JSON file of the editor has it")


class StrategyRow(Schema):
    """A strategy of yours."""

    number: int
    game: str
    name: str
    created_at: datetime
    changed_at: datetime


class StrategyOut(StrategyRow):
    """A strategy of yours with its rules."""

    strategy: dict[str, Any]
    page: str


class Strategies(Schema):
    """All of yours by name."""

    strategies: list[StrategyRow]


class TrialIn(Strict):
    """Matches to try a strategy out, of which nothing is kept."""

    strategy: dict[str, Any] = Field(description="As the JSON file of the editor has it")
    against: str = Field(
        "example:double_witch",
        max_length=80,
        description="example:KEY, mine:NUMBER (a strategy of yours) or policy:NAME (a scripted player)",
    )
    kingdom: str = Field("thesis", max_length=40, description="thesis, another name, random, or cards: those listed")
    cards: list[str] = Field([], max_length=20, description="Kingdom cards by name, where kingdom is cards")
    matches: int = Field(200, description="200 or 2000")


class CountOut(Schema):
    """Matches won, drawn and lost."""

    wins: int
    draws: int
    losses: int


class TrialOut(Schema):
    """What came of a trial. Pairs of numbers are of the strategy and of the other."""

    name: str
    against: str
    matches: int
    win_rate: float
    interval: tuple[float, float] = Field(description="95 %, of the win rate; two matches of equal luck are its unit")
    by_seat: list[CountOut] = Field(description="Where it began, and where the other did")
    pairs: tuple[int, int, int] = Field(description="Of two matches of equal luck it won none, one, both")
    points: tuple[float, float]
    turns: float
    curve: list[tuple[float, float]] = Field(description="Mean points after each turn")
    ends: dict[str, int]
    own_defeats: int = Field(description="Matches that it ended by a card of its own, and lost")
    uses: dict[str, list[float]] = Field(description="By list, how often a match each rule decided")
    warnings: list[str]
    idle: str = Field(description="Rules that never decided anything")
