"""Note how a chore went that the lab does not run itself."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from webapp.lab.watch import reports


class Command(BaseCommand):
    """Notes the end of a backup that another program made: a bad end is an alarm, a good one its all-clear."""

    help = "Note how a chore went: a bad end is an alarm. For backups that another program makes."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("name", choices=[reports.BACKUP])
        parser.add_argument("outcome", choices=["ok", "failed"])
        parser.add_argument("sentence", nargs="?", default="", help="what went wrong, or what was done")

    def handle(self, *args: Any, **options: Any) -> None:
        """Note it."""
        reports.note(options["name"], is_ok=options["outcome"] == "ok", sentence=options["sentence"])
