"""Kinds of jobs, imported on first use."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from webapp.lab.jobs.kind import JobKind
from webapp.records.job import Job

KINDS = {
    "experiment": "webapp.lab.experiments.kind:EXPERIMENTS",
    "ladder": "webapp.lab.ladders.kind:LADDERS",
    "study": "webapp.lab.studies.kind:STUDIES",
}
"""Word of a kind (`Job.word`) -> where it is declared."""


@cache
def get(word: str) -> JobKind:
    """The kind of this word."""
    module, _, name = KINDS[word].partition(":")
    kind: JobKind = getattr(import_module(module), name)
    return kind


def of(job: Job) -> JobKind:
    """The kind of a job."""
    return get(job.word)
