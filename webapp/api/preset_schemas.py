"""Types of what is asked and answered about presets."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Field, Schema

from webapp.api.job_schemas import JobOut
from webapp.api.schemas import Strict


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
