"""Accounts by name and password, as Django has them; who is signed in is read by a statement put together once."""

from __future__ import annotations

from django.contrib.auth.backends import ModelBackend

from webapp.common.statements import Reading
from webapp.people.accounts.models import User

READ = Reading(User, "t.id = %s")


class AccountBackend(ModelBackend):
    """Django's backend."""

    def get_user(self, user_id: int) -> User | None:
        """The account with this id; None where there is none, or it may not sign in any more."""
        user = READ.first(user_id)
        return user if user is not None and self.user_can_authenticate(user) else None
