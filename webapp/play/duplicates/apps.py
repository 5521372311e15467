"""The app of duplicate matches."""

from django.apps import AppConfig


class DuplicatesConfig(AppConfig):
    """Its name."""

    name = "webapp.play.duplicates"
