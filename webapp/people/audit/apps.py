"""The audit listens to the log of the administration."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_save


class AuditConfig(AppConfig):
    """The app of what staff have done."""

    name = "webapp.people.audit"

    def ready(self) -> None:
        """Keep what the administration logs."""
        from django.contrib.admin.models import LogEntry

        from webapp.people.audit import services

        post_save.connect(services.keep, sender=LogEntry, dispatch_uid="audit.keep")
