"""Matches in play listen to people who sign in."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class LiveConfig(AppConfig):
    """The app of matches in play."""

    name = "webapp.live"

    def ready(self) -> None:
        """A guest who signs in keeps the matches."""
        from webapp.live import merging  # models are there only now

        user_logged_in.connect(merging.signed_in, dispatch_uid="live.merging")
