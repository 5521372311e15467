"""Types of what is asked and answered about projects."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Field, Schema
from pydantic import StringConstraints

from webapp.api.job_schemas import BriefOut, Text
from webapp.api.schemas import NO_NUL, Strict
from webapp.lab.projects import report

Kind = Literal["experiment", "ladder", "study"]
Words = Annotated[str, StringConstraints(max_length=report.MAX_TEXT, pattern=NO_NUL)]


class TextIn(Strict):
    """A text of a report."""

    text: Words = Field(description="Markdown")


class ResultIn(Strict):
    """A result in a report: one of your jobs."""

    kind: Kind
    number: int = Field(ge=1, lt=2**63)


class ProjectIn(Strict):
    """A report to make."""

    title: Text
    blocks: list[TextIn | ResultIn] = Field([], description="Texts and results, in order", max_length=report.MAX_BLOCKS)


class ProjectChange(Strict):
    """What is to change of a report; what is left out stays as it is."""

    title: Text | None = None
    blocks: list[TextIn | ResultIn] | None = Field(
        None, description="The whole report anew, in order", max_length=report.MAX_BLOCKS
    )
    edition: int | None = Field(
        None, ge=1, lt=2**31, description="The one that you have seen: 409 where another is kept by now"
    )


class ShareIn(Strict):
    """What becomes public with a project."""

    results: list[ResultIn] = Field(
        [], description="Results of it that get an address of their own", max_length=report.MAX_BLOCKS
    )


class ProjectRow(Schema):
    """A project in a list."""

    number: int
    title: str
    results: int
    created_at: datetime
    changed_at: datetime
    page: str = Field(description="Address of its page")
    shared_page: str = Field(description="Where anybody can see it; empty where nobody else can")


class BlockOut(Schema):
    """A text, or a result. Of a job that was deleted only the title is left, and page is empty."""

    text: str = ""
    kind: str = ""
    number: int = 0
    title: str = ""
    status: str = ""
    brief: BriefOut | None = Field(None, description="Null until it is over, and of texts")
    page: str = ""
    shared_page: str = ""


class ProjectOut(ProjectRow):
    """A project with its report."""

    edition: int = Field(description="One more with each change")
    blocks: list[BlockOut]


class ProjectList(Schema):
    """A page of a list, last changed first."""

    projects: list[ProjectRow]
    next: int | None = Field(description="offset of the next page; null on the last")
