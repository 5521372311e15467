"""Matches in play listen to people who sign in, experiments with agents to matches that are over."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class LiveConfig(AppConfig):
    """The app of matches in play."""

    name = "webapp.table.live"

    def ready(self) -> None:
        """A guest who signs in keeps the matches; an ended match of an experiment makes room for the next."""
        from webapp.table.live import signals

        user_logged_in.connect(_signed_in, dispatch_uid="live.guest_matches")
        signals.over.connect(_over, dispatch_uid="live.experiments")


def _signed_in(**values: Any) -> None:
    from webapp.table.live import guest_matches  # loads numpy, which no command should do only to start

    guest_matches.signed_in(**values)


def _over(match: Any, **_: Any) -> None:
    from webapp.table.live import experiment_matches  # loads numpy, too

    experiment_matches.match_over(match)
