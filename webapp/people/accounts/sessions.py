"""Sessions in the database, as Django keeps them, read by a statement that is put together once."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from webapp.common.statements import Reading

READ = Reading(Session, "t.session_key = %s AND t.expire_date > %s")
BACKEND = "webapp.people.accounts.backends.AccountBackend"
BEFORE = "django.contrib.auth.backends.ModelBackend"
"""Named by sessions that began when the lab had no backend of its own: they go on."""


class SessionStore(db.SessionStore):
    """A session of Django's table."""

    def _get_session_from_db(self) -> Session | None:
        row = READ.first(self.session_key, timezone.now())
        if row is None:
            self._session_key = None
        return row

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        """Data of a session."""
        data: dict[str, Any] = super().decode(session_data)
        return data | {BACKEND_SESSION_KEY: BACKEND} if data.get(BACKEND_SESSION_KEY) == BEFORE else data
