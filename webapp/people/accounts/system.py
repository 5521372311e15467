"""The account that owns what the lab starts by itself; nobody can sign in to it."""

from __future__ import annotations

from django.conf import settings

from webapp.people.accounts.models import User

NAME: str = settings.LAB_ACCOUNT


def system_account() -> User:
    """The account, made when it is first needed."""
    owner, is_new = User.objects.only("pk", "username").get_or_create(username=NAME)
    if is_new:
        owner.set_unusable_password()
        owner.save()
    return owner
