"""Permissions: owner-only unless shared, and a stranger learns not even that a thing exists.

A page of something private answers 404 to everybody but its owner, signed in or not; what
is public has an address of its own (``/r/<slug>/``).
"""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Model, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

M = TypeVar("M", bound=Model)


def filter_owned(queryset: QuerySet[M], user: AbstractBaseUser | AnonymousUser, *, owner: str = "owner") -> QuerySet[M]:
    """Rows of `queryset` that belong to `user`; none for a guest.

    owner: lookup that leads from a row to its owner, e.g. ``experiment__owner``.
    """
    return queryset.filter(**{owner: user.pk}) if user.is_authenticated else queryset.none()


def get_owned(
    queryset: QuerySet[M], user: AbstractBaseUser | AnonymousUser, *, owner: str = "owner", **lookup: Any
) -> M:
    """The one row that `lookup` names, if it belongs to `user`. Raises Http404."""
    if not user.is_authenticated:
        raise Http404("no such page, or not yours")
    return get_object_or_404(filter_owned(queryset, user, owner=owner), **lookup)
