"""A list of jobs of one kind: what is asked for, in three tabs, a page of rows with their answers on common axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import QueryDict
from django.urls import reverse

from webapp.lab.jobs import bars, briefs, filters, selectors, waiting
from webapp.lab.jobs.bars import Axes, ShownBrief
from webapp.lab.jobs.filters import Asked, Chip, Choices
from webapp.lab.jobs.kind import JobKind
from webapp.lab.jobs.shared import pages
from webapp.lab.jobs.waiting import Wait
from webapp.people.accounts.models import User

PER_PAGE = 25


@dataclass(frozen=True)
class Listing:
    """What the page of a list shows.

    briefs: by number, None where the row asks for its own; links: pages of other people's jobs that its reader may
    open; elsewhere: tabs in which something fits, where nothing does here: name, label, how many.
    """

    tab: str
    tabs: Mapping[str, tuple[str, int]]
    asked: Asked
    choices: Choices
    chips: Sequence[Chip]
    page: Page[Any]
    waits: Mapping[int, Wait]
    briefs: Mapping[int, ShownBrief | None]
    axes: Axes
    links: Mapping[int, str]
    elsewhere: Sequence[tuple[str, str, int]]

    @property
    def address(self) -> str:
        """The query of this list, without the page."""
        return "&".join(filter(None, (f"tab={self.tab}", self.asked.query)))

    @property
    def of_tabs(self) -> str:
        """What goes along to another tab."""
        return self.asked.but(state="").query


def listing(kind: JobKind, query: QueryDict, reader: User) -> Listing:
    """The list that an address asks for; what it cannot ask for is left out."""
    asked = filters.read(query, reader)
    asked = asked if kind.with_engine else asked.but(engine="")
    rows = filters.base(kind, asked, reader)
    found = filters.narrowed(rows, kind, asked)
    tabs = selectors.tabs(found)
    chosen = query.get("tab", "")
    tab = chosen if chosen in tabs else selectors.first_filled(tabs)
    shown = kind.with_counts(filters.of_state(selectors.in_tab(found, tab), asked, tab))
    page = Paginator(shown, PER_PAGE).get_page(query.get("page"))
    listed = list(page)
    others = [job for job in listed if job.owner_id != reader.pk]
    shared = pages(others)
    answered = [job for job in listed if job not in others or (job.word, job.pk) in shared]
    axes = bars.axes_of(map(briefs.last_effect, answered))
    offered = filters.choices(rows, kind, asked, tab)
    return Listing(
        tab=tab,
        tabs=tabs,
        asked=asked,
        choices=offered,
        chips=offered.chips(asked, tab),
        page=page,
        waits=waiting.of_jobs(listed),
        briefs={job.pk: axes.show(briefs.stored(job)) for job in answered},
        axes=axes,
        links={job.pk: shared.get((job.word, job.pk)) or _in_administration(job) for job in others},
        elsewhere=[] if listed else [(name, *row) for name, row in tabs.items() if row[1] and name != tab],
    )


def _in_administration(job: Any) -> str:
    return reverse(f"admin:{job._meta.app_label}_{job._meta.model_name}_change", args=[job.pk])
