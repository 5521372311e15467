"""``{% load projects %}``: ``{% projects_of job %}`` names the projects in which a job stands, for its owner."""

from __future__ import annotations

from typing import Any

from django import template

from webapp.lab.projects import selectors
from webapp.records.job import Job

register = template.Library()


@register.inclusion_tag("projects/_of_job.html")
def projects_of(job: Job) -> dict[str, Any]:
    """The projects of a job, and the way to put it into one."""
    return {"job": job, "projects": selectors.holding(job)}
