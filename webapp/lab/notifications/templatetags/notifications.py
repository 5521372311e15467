"""``{% load notifications %}``: ``{% bell user %}`` for every page, ``{% tell_me job %}`` for that of a job."""

from __future__ import annotations

from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser
from django.template import RequestContext

from webapp.lab.jobs.briefs import OVER
from webapp.lab.jobs.selectors import url
from webapp.lab.notifications import selectors, services
from webapp.lab.notifications.models import JobWish
from webapp.people.accounts.models import User
from webapp.records.job import Job

register = template.Library()


@register.inclusion_tag("notifications/_bell.html")
def bell(person: User | AnonymousUser) -> dict[str, Any]:
    """What somebody has not looked at yet; nothing for who is not signed in."""
    return {"bell": selectors.bell(person) if isinstance(person, User) else None}


@register.inclusion_tag("notifications/_tell_me.html", takes_context=True)
def tell_me(context: RequestContext, job: Job) -> dict[str, Any]:
    """Whether the owner is told when a job is over, and the button that changes it.

    Once it is over its page shows nothing more: who sees that has looked at its end.
    """
    if job.status in OVER:
        services.mark_job_seen(job)
        return {}
    named = JobWish.objects.of(job).first()
    return {
        "url": f"{url(job)}tell/",
        "is_named": named is not None,
        "is_wanted": named.is_wanted if named is not None else services.is_usual(job),
        "least_s": services.wishes_of(context["request"].user).least_s,
        "csrf_token": context.get("csrf_token"),
    }
