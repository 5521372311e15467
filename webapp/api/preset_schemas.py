"""Types of what is asked and answered about presets, entries of ladders and strategies."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Field, Schema

from webapp.api.job_schemas import JobOut
from webapp.api.schemas import Strict

# ---- presets


class ScaleOut(Schema):
    """A size in which a preset can be run."""

    id: str
    words: str
    kind: str = Field(description="What it starts: an experiment or a study")
    seconds: float = Field(description="Estimated time with all workers of the lab")


class PresetRow(Schema):
    """A published table or figure."""

    id: str
    title: str
    paper: str
    where: str
    game: str
    scales: list[ScaleOut]


class PresetOut(PresetRow):
    """A published table or figure, and how it is rebuilt."""

    question: str
    method: str
    notes: list[str] = Field(description="What differs here")
    specs: dict[str, dict[str, Any]] = Field(description="Scale -> the spec that it starts, but for the seed")


class Presets(Schema):
    """All of them."""

    presets: list[PresetRow]


class RunIn(Strict):
    """Which scale to run."""

    scale: str = Field(max_length=40)


class RunOut(Schema):
    """A run of a preset."""

    run: int
    scale: str
    kind: str
    number: int | None = Field(description="Of your experiment or study; null where it is somebody else's")
    status: str
    created_at: datetime
    is_own: bool
    page: str
    repeats: bool = Field(description="Whether an earlier run in the list has played the same matches")


class Runs(Schema):
    """Runs of a preset."""

    runs: list[RunOut]


class Started(Schema):
    """A run that was started, or one that is running already."""

    run: int
    is_new: bool
    kind: str
    number: int
    job: JobOut


# ---- ladders


class EntryIn(Strict):
    """An engine that enters a ladder."""

    entry: dict[str, Any] = Field(description="As ladder.entries of a spec has it: name, engine, options, budget")


class MoreIn(Strict):
    """More deals of a ladder."""

    deals: int = Field(
        ge=1, le=2**31, strict=True, description="Of each table, or of an engine on average, in all: more than before"
    )


# ---- strategies


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
