"""`manage.py up`: the whole lab from one command."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from webapp.ops import arguments, stack, static_files


class Command(BaseCommand):
    """Start Postgres, Valkey, workers and pages; look after them until Ctrl-C."""

    help = "Run the whole lab: Postgres, Valkey, workers and pages. Ctrl-C stops it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Host, port and number of workers."""
        arguments.add(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Become the supervisor."""
        stack.become(stack.Plan(arguments.options(options), static_files.fingerprint()))
