"""What campaigns have done inside of a lab, by `tests.crash.process`."""

from __future__ import annotations

from typing import Any


def people(number: int) -> list[str]:
    """Make so many accounts, and return a session of each, as a browser that has signed in holds it."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from webapp.people.accounts.models import User

    sessions = []
    for index in range(number):
        user = User.objects.create(username=f"player-{index:03d}")
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        sessions.append(str(session.session_key))
    return sessions


def batch(owner: str, spec: dict[str, Any]) -> int:
    """Start an experiment of this person by the service that the form calls; return its id."""
    from webapp.lab.experiments import services
    from webapp.people.accounts.models import User
    from worker.spec import from_json

    person, _ = User.objects.get_or_create(username=owner)
    return services.create(person, f"Batch of {owner}", from_json(spec)).pk


COMMANDS = {"people": people, "batch": batch}
