"""Ratings listen to matches that are over."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """The app of ratings."""

    name = "webapp.play.ratings"

    def ready(self) -> None:
        """A rated match counts as soon as it is over."""
        from webapp.table.live import signals

        signals.over.connect(_over, dispatch_uid="ratings.over")


def _over(match: Any, **_: Any) -> None:
    from webapp.play.ratings import services  # loads numpy, which no command should do only to start

    services.over(match)
