"""Send a trial alarm."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from webapp.lab.watch import notices
from webapp.lab.watch.notices import Notice


class Command(BaseCommand):
    """Sends a notice as an alarm would be sent, by each way that the settings name."""

    help = "Send a trial alarm to LAB_OPERATOR_MAIL and LAB_OPERATOR_HOOK."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Send it, and say what came of it."""
        if not notices.has_way():
            raise CommandError("Nobody is told: set LAB_OPERATOR_MAIL or LAB_OPERATOR_HOOK.")
        if problems := notices.send(Notice("trial", "trial", "This is a trial alarm: nothing is wrong.")):
            raise CommandError("; ".join(problems))
        self.stdout.write("A trial alarm was sent.")
