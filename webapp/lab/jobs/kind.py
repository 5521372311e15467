"""Kinds of jobs: the things that each does in its own way; all else is the same for all kinds.

A kind is a `JobKind` with a line in `webapp.lab.jobs.registry`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet
from django.http import HttpResponse, HttpResponseBase, QueryDict

from webapp.common.requests import HtmxRequest
from webapp.lab.jobs.briefs import Brief
from webapp.lab.jobs.plan import Plan
from webapp.lab.jobs.power import Power
from webapp.lab.jobs.progress import Progress
from webapp.people.accounts.models import User
from webapp.records.job import Job
from webapp.records.models import Match, Study


@dataclass(frozen=True)
class Words:
    """The words of pages for the parts of a job."""

    unit: str  # what ends bit by bit, "match"
    units: str
    row: str  # what is kept of it
    rows: str
    done: str  # a unit is "played" or "done"
    along: str  # "4 matches{along} will be deleted"
    held: str  # what becomes of what is being done, after a pause
    working: str  # what its workers are at

    @property
    def count_units(self) -> str:
        """Both words for what the filter `plural` writes after a number."""
        return f"{self.unit},{self.units}"

    @property
    def count_rows(self) -> str:
        """The same for what is kept."""
        return f"{self.row},{self.rows}"


@dataclass(frozen=True)
class Part:
    """A page about one side of a job, e.g. its settings, below the address of the job.

    context: of the template, made from the job, its progress, its address and what was asked.
    is_followed: whether the page shows the progress, too. is_list: whether a script asks for the
    template without its page; finish: what is left to do on the answer then.
    """

    label: str
    template: str
    context: Callable[[Any, Progress, str, QueryDict], dict[str, Any]]
    is_followed: bool = False
    is_list: bool = False
    finish: Callable[[HtmxRequest, HttpResponse, dict[str, Any]], HttpResponse] = lambda _, response, __: response


@dataclass(frozen=True)
class Absence:
    """Agents for which a job waits. since: last word of them, None where there was none; are_busy: they play others."""

    names: Sequence[str]
    since: datetime | None
    are_busy: bool = False


@dataclass(frozen=True)
class JobKind:
    """One kind of job. `data` is a JSON spec, `base` the address of a job's page, the owner's or the public one."""

    model: type[Job]
    plural: str  # many of them in a word, also the namespace of their addresses
    words: Words
    parts: Mapping[str, Part]
    # ---- making and steering
    start: Callable[
        [User, str, Any, UUID | None], Job
    ]  # owner, title ("": one is made), data, submission; raises SpecError
    seconds: Callable[[Any, Power], float]  # estimated wall time of a spec with these workers; raises SpecError
    plan: Callable[[User, Any], Plan]  # what data would take, checked as by `start`; raises SpecError
    progress: Callable[[Any], Progress]
    claims: type[
        Model
    ]  # rows that workers claim, `status` "claimed" and `worker`, with a foreign key named as the kind
    wake: Callable[[Any], None]  # tells who works on it that there is work, once this is committed
    deletions: Sequence[Callable[[Any], None]]
    """Steps that remove what belongs to a locked job, each committed by itself; after the last nobody sees it."""
    with_counts: Callable[[QuerySet[Any]], QuerySet[Any]]  # jobs with `ended` of `total`, and what else the list shows
    brief: Callable[[Any], Brief]  # what came out so far, as a row of the list shows it
    # ---- templates
    listing: str
    page: Callable[[Any], str]  # of one job
    head: str
    tabs: str
    result: str  # the result alone
    shared_page: str  # the public page
    failures: str  # where they are listed, below `base`
    # ---- contexts and answers
    context: Callable[[Any], dict[str, Any]]  # of all pages of one job
    page_context: Callable[[Any, Progress, str, QueryDict], dict[str, Any]]  # of its page besides
    result_context: Callable[[Any, str], dict[str, Any]]  # of the result alone
    spec_text: Callable[[Mapping[str, Any]], str]  # a stored spec as JSON that people read
    chart_json: Callable[[HtmxRequest, Any, str], HttpResponse]  # a figure; 304 while nothing new is known
    chart_page: Callable[[HtmxRequest, Any, str, str], HttpResponse]  # with its table, below `base`
    export: Callable[[HtmxRequest, Any, str, str, str], HttpResponseBase]  # rows: table, format, name of the file
    stream: Callable[[Any, str, str, Any, str], Any]
    """Rows as a `results.files.Download`: table, format, a `Span` of them or None, who reads; raises KeyError."""
    span_after: Callable[[Any, int | None, int | None], tuple[Any, int | None]]
    """A `Span` after a number, of so many, and after what the next begins."""
    numbers: Callable[[Any], dict[str, Any]]  # every number of its page, as JSON; raises SpecError for an old spec
    cards: Callable[[Any, str], Sequence[Any]]  # its charts below `base`, each a `results.dashboard.Card`
    # ---- where a kind differs
    start_again: Callable[[User, str, Any, Any], Job] | None = None  # as `start`, with the job that it runs again
    shares_failures: bool = True  # on public pages, too
    owner_context: Callable[[Any], dict[str, Any]] = lambda _: {}  # of the owner's pages besides
    rows: Callable[[QuerySet[Any]], QuerySet[Any]] = lambda jobs: jobs  # those of its table that are of this kind
    only_listed: Callable[[QuerySet[Any]], QuerySet[Any]] = lambda jobs: jobs  # those that lists show
    engines: Callable[[QuerySet[Any]], Sequence[tuple[str, str]]] | None = None  # that play in jobs: id and label
    with_engine: Callable[[QuerySet[Any], str], QuerySet[Any]] | None = None  # those in which one plays
    refusal: Callable[[Any], str] = lambda _: ""  # why one that is over and was never shared cannot be deleted now
    only_match: Callable[[Any], Match | None] = lambda _: None  # the played match that stands for the whole job
    match_of: Callable[[Any], Match | None] = lambda _: None  # what it is about: as secret as the deal of this match
    queue: Callable[[Any], str] = lambda _: Study.Queue.BATCH  # whose workers do it
    absence: Callable[[Any], Absence | None] = lambda _: None  # of agents that it waits for
    is_over: Callable[[Any, Progress], bool] = lambda _, __: False  # whether its page becomes another one

    @property
    def jobs(self) -> QuerySet[Any]:
        """All jobs of the kind."""
        return self.rows(self.model._default_manager.all())
