"""Types of what is answered about samples that were played again."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ninja import Field, Schema


class DifferenceOut(Schema):
    """The first difference of a match or piece."""

    match: int | None = Field(None, description="As the column match has it")
    piece: int | None = Field(None, description="Of a study")
    ply: int | None = None
    field: str = Field(description="What differs, such as action or digest")


class CheckOut(Schema):
    """A sample that was played again."""

    status: Literal["waiting", "claimed", "done", "failed"]
    asked_at: datetime
    ended_at: datetime | None
    size: int = Field(description="Matches, or pieces of a study")
    done: int
    words: str = Field(description="What came out, in a sentence")
    agrees: bool | None = Field(description="Null until it has ended, and where nothing could be compared")
    compared: int
    plies: int
    by_engines: int = Field(description="Matches that their engines decided again; others were gone through by actions")
    differing: int
    differences: list[DifferenceOut]
    walked_only: dict[str, int] = Field(description="Why engines were not asked again: reason, matches")
    older: dict[str, int] = Field(description="Not compared, since another version played them: reason, matches")
    refused: dict[str, int] = Field(description="Not compared for another reason: reason, matches")


class VerificationOut(Schema):
    """Samples of a result, the last first."""

    again_at: datetime | None = Field(description="When another can be asked for; null: now, or one is at work")
    checks: list[CheckOut]
