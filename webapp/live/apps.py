"""Matches in play listen to people who sign in."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class LiveConfig(AppConfig):
    """The app of matches in play."""

    name = "webapp.live"

    def ready(self) -> None:
        """A guest who signs in keeps the matches."""
        user_logged_in.connect(_signed_in, dispatch_uid="live.merging")


def _signed_in(**values: Any) -> None:
    from webapp.live import merging  # loads numpy, which no command should do only to start

    merging.signed_in(**values)
