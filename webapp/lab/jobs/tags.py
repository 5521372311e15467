"""Reading: the tags that a person has given, over jobs of every kind."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import Count, F, Func, QuerySet

from webapp.lab.jobs import registry
from webapp.people.accounts.models import User

MOST = 20
"""Tags that a list offers, the most frequent ones."""


def counted(jobs: QuerySet[Any], most: int = MOST) -> list[tuple[str, int]]:
    """Tags of jobs with how many have each, most frequent first."""
    each = jobs.order_by().annotate(tag=Func(F("tags"), function="unnest")).values("tag")
    return list(each.annotate(n=Count("pk")).order_by("-n", "tag").values_list("tag", "n")[:most])


def of_owner(owner: User, most: int = MOST) -> list[str]:
    """Tags that somebody has given to jobs of any kind, most frequent first."""
    found = Counter[str]()
    for kind in map(registry.get, registry.KINDS):
        found.update(dict(counted(kind.jobs.filter(owner=owner), most=10 * most)))
    return sorted(found, key=lambda tag: (-found[tag], tag))[:most]
