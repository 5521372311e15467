"""Types of what is asked and answered about experiments, ladders and studies."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Field, Schema
from pydantic import StringConstraints

from webapp.api.game_field import GameField
from webapp.api.schemas import NO_NUL, Strict
from webapp.api.shapes import shaped_like
from webapp.lab.jobs import description
from webapp.lab.jobs.briefs import Brief, Effect
from webapp.lab.jobs.plan import Plan

Text = Annotated[str, StringConstraints(max_length=200, pattern=NO_NUL)]
"""A line that people typed."""
Notes = Annotated[str, StringConstraints(max_length=description.MAX_NOTES, pattern=NO_NUL)]
Tag = Annotated[str, StringConstraints(max_length=200, pattern=NO_NUL)]


class JobFilters(Schema):
    """Which jobs of a list are looked for; all of what is given has to fit."""

    which: Literal["", "running", "finished", "archived"] = Field(
        "", description="The tab of the list on its page; by default all that are not archived"
    )
    q: Text = Field("", description="Words, each in title, notes or tags, or a number")
    game: GameField = Field("", description="Id of a game")
    engine: Text = Field("", description="Id of an engine that plays in it; not of studies")
    status: Literal["", "running", "paused", "stopped", "finished"] = ""
    tag: Text = ""


class DescriptionIn(Strict):
    """What is said of a job; what is left out stays as it is."""

    title: Text | None = None
    notes: Notes | None = Field(None, description="Markdown")
    shows_notes: bool | None = Field(None, description="Whether the shared page has the notes")
    tags: list[Tag] | None = Field(None, description="Kept in small letters, each once", max_length=100)
    edition: str | None = Field(
        None, max_length=40, description="The one that you have seen: 409 where another is kept by now"
    )


class JobIn(Strict):
    """Something to start, by its spec."""

    spec: dict[str, Any] = Field(description="As spec.json of a page has it, or worker/spec documents it")
    title: Text = Field("", description="Empty: named after what plays, or what is studied")
    confirm: str = Field(
        "", max_length=80, description="confirm of the dry run, where that is not empty: it is very large"
    )
    origin: Text = Field(
        "",
        description="Of an experiment that runs another again: the number of that one, if it is yours, or the slug of "
        "its shared page. Both pages then name each other, and are pooled",
    )
    same_matches: bool = Field(
        False, description="With origin: play its very matches again, with its seed, which is no new evidence"
    )


@shaped_like(Plan)
class PlanOut(Schema):
    """What it would take. Estimates hold within a factor of three."""

    spec: dict[str, Any] = Field(description="The spec as it would be kept, complete")
    units: int = Field(description="Matches, or pieces of a study, at most")
    cpu_s: float = Field(description="CPU seconds of all of them")
    seconds: float = Field(description="Seconds until it is done, with all workers of the lab to itself")
    workers: int
    rows: int | None = Field(description="Rows that are kept; null where it is not estimated")
    bytes: int | None
    may_end_early: bool = Field(description="Whether a stop rule may end it before")
    over: str = Field(description="The quota that refuses it, as a sentence; empty where none does")
    confirm: str = Field(description="Not empty: so large that a start has to repeat this")


@shaped_like(Effect)
class EffectOut(Schema):
    """A difference with its interval."""


@shaped_like(Brief)
class BriefOut(Schema):
    """What came out, in a few words."""


class WaitOut(Schema):
    """What it waits for."""

    why: str = Field(description="In a word, such as paused, quota, disk, turn")
    words: str
    advice: str


class ShareOut(Schema):
    """Where anybody can see it, without an account."""

    slug: str
    page: str
    result: str = Field(description="All numbers as JSON")


class JobRow(Schema):
    """An experiment, ladder or study in a list."""

    number: int
    kind: str = Field(description="experiment, ladder or study")
    title: str
    game: str
    status: str = Field(description="running, paused, stopped or finished; a running one may wait for its turn")
    version: str = Field(description="Another one whenever there is news")
    total: int = Field(description="Matches or pieces that are planned")
    ended: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    is_archived: bool
    tags: list[str]
    brief: BriefOut | None = Field(description="Null until it is over")
    waits_for: WaitOut | None


class JobOut(JobRow):
    """An experiment, ladder or study, and how far it is."""

    failed: int = Field(description="Of those that ended")
    workers: int = Field(description="Processes that are at it now")
    per_minute: float | None = Field(description="Matches or pieces a minute, lately; null where that says nothing")
    left_s: tuple[float, float, float] | None = Field(description="Seconds left at that rate: low, middle, high")
    notice: str = Field(description="Why the lab stopped it by itself; else empty")
    notes: str = Field(description="Markdown; yours alone, unless shows_notes")
    shows_notes: bool
    edition: str = Field(description="Another one after each change of title, notes or tags")
    share: ShareOut | None
    page: str = Field(description="Address of its page")
    origin: int | None = Field(description="Of an experiment: the one that it runs again, if you may see that")
    same_matches: int | None = Field(description="The one whose very matches it plays again, if you may see that")


class JobList(Schema):
    """A page of a list, newest first."""

    jobs: list[JobRow]
    next: int | None = Field(description="offset of the next page; null on the last")


class BoundOut(Schema):
    """One bound of an account."""

    name: str = Field(description="running, cpu_hours, rows, bytes or api_calls")
    label: str
    used: float
    limit: float
    about: str


class Account(Schema):
    """The account that a token speaks for, and what it may have."""

    user: str
    scopes: list[str]
    token: str = Field(description="Its label and first characters")
    quotas: list[BoundOut] = Field(description="Those that have a limit")
    requests_per_minute: int


class ChartRow(Schema):
    """A chart."""

    id: str
    title: str


class Charts(Schema):
    """Charts of an experiment, ladder or study."""

    charts: list[ChartRow]


class Rows(Schema):
    """Rows of an export as JSON."""

    rows: list[dict[str, Any]]
    next: int | None = Field(description="after of the next page; null on the last")


# ---- ladders


class EntryIn(Strict):
    """An engine that enters a ladder."""

    entry: dict[str, Any] = Field(description="As ladder.entries of a spec has it: name, engine, options, budget")


class MoreIn(Strict):
    """More deals of a ladder."""

    deals: int = Field(
        ge=1, le=2**31, strict=True, description="Of each table, or of an engine on average, in all: more than before"
    )
