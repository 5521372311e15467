"""Job: an experiment or a study, with a title, an owner, a state, a spec.

What a kind does in its own way (how far one is, what goes with it) is in `webapp.lab.jobs`.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any, Self, TypeVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q, QuerySet

from worker import code_version


class Job(models.Model):
    """Work of one owner that workers do bit by bit; each kind of it is a table of its own."""

    class Status(models.TextChoices):
        RUNNING = "running"  # waits for a worker, or is being worked on
        PAUSED = "paused"
        STOPPED = "stopped"
        FINISHED = "finished"  # nothing is left to do; some of it may have failed

    owner_id: int  # each kind has its own foreign key
    title = models.CharField(max_length=200)
    game = models.CharField(max_length=40)
    spec = models.JSONField()
    status = models.CharField(max_length=12, choices=Status, default=Status.RUNNING)
    priority = models.SmallIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    served_at = models.DateTimeField(null=True)  # work of it was last claimed: the least lately served goes first
    archived_at = models.DateTimeField(null=True)
    was_shared = models.BooleanField(default=False)  # stays true after a link is withdrawn
    submission = models.UUIDField(null=True, unique=True)  # one per shown form: a double click makes one job
    notice = models.TextField(blank=True)  # why the lab stopped it by itself
    brief = models.JSONField(null=True)  # its result in short once it is over, see webapp.lab.jobs.briefs
    code = models.CharField(max_length=64, blank=True)  # of the code that made it (worker.code_version)
    notes = models.TextField(blank=True)  # its owner's, in Markdown: see webapp.lab.jobs.description
    shows_notes = models.BooleanField(default=False)  # on the shared page
    tags = ArrayField(models.CharField(max_length=30), default=list, blank=True)
    edited_at = models.DateTimeField(null=True)  # title, notes or tags were last changed

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.title

    @classmethod
    def make_once(
        cls, submission: uuid.UUID | None, content: Sequence[Any], values: dict[str, Any]
    ) -> tuple[Self, bool]:
        """Make the job of a form, and say whether it is new: the same form sent again gives that of the first time.

        submission: number of the shown form, None where there was none. content: what makes another job of a form
        that was changed in between. values: fields of the job.
        """
        rows, values = cls._default_manager, {"code": code_version.content_hash(), **values}
        if submission is None:
            return rows.create(**values), True
        key = uuid.uuid5(submission, json.dumps(content, sort_keys=True))
        return rows.get_or_create(submission=key, defaults=values)

    @property
    def field(self) -> str:
        """Name of the foreign keys that lead to it, e.g. "experiment"."""
        return str(self._meta.model_name)

    @property
    def word(self) -> str:
        """Its kind in a word: the same, unless a table holds several kinds."""
        return self.field


M = TypeVar("M", bound=models.Model)


def job_fields(model: type[models.Model]) -> list[str]:
    """Names of the foreign keys that lead from a model to jobs."""
    targets = ((field.name, field.related_model) for field in model._meta.fields if field.is_relation)
    return [name for name, target in targets if isinstance(target, type) and issubclass(target, Job)]


class JobQuerySet(models.QuerySet[M]):
    """Rows that belong to one job each."""

    def of(self, job: Job) -> Self:
        """Rows of this job."""
        return self.filter(**{job.field: job})

    def of_any(self, jobs: list[Job]) -> Self:
        """Rows of one of these jobs."""
        return self.filter(reduce(or_, (Q(**{job.field: job}) for job in jobs), Q(pk__in=[])))

    def of_those_in(self, rows: QuerySet[Any]) -> Self:
        """Rows whose job has one of `rows`, which belong to jobs, too."""
        given = {f: rows.filter(**{f"{f}__isnull": False}).values(f) for f in job_fields(self.model)}
        return self.filter(reduce(or_, (Q(**{f"{f}__in": jobs}) for f, jobs in given.items())))

    def with_jobs(self) -> Self:
        """The rows, with their jobs read at once."""
        return self.select_related(*job_fields(self.model))

    def where_job(self, **values: Any) -> Self:
        """Rows whose job has these values."""
        return self.filter(
            reduce(or_, (Q(**{f"{f}__{name}": v for name, v in values.items()}) for f in job_fields(self.model)))
        )


class OfOneJob(models.Model):
    """A row that belongs to one job. It has a nullable foreign key to each kind of job, and one of them is set."""

    objects = JobQuerySet.as_manager()

    class Meta:
        abstract = True

    @property
    def job_key(self) -> tuple[str, int]:
        """Field and number of its job (`Job.field` and its key), without reading it."""
        keys = ((name, getattr(self, f"{name}_id")) for name in job_fields(type(self)))
        return next((name, pk) for name, pk in keys if pk is not None)

    @property
    def job(self) -> Job:
        """The job."""
        job: Job = getattr(self, self.job_key[0])
        return job
