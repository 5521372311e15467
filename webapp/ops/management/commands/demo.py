"""`manage.py demo`: the whole lab with a small real experiment to watch."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from webapp.ops import arguments, stack, static_files


class Command(BaseCommand):
    """Run the lab as `up` does, make and share an experiment, print its address."""

    help = "Run the whole lab and a small shared experiment. Ctrl-C stops it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Host, port, number of workers, and whether to end by itself."""
        arguments.add(parser)
        parser.add_argument("--once", action="store_true", help="fewer matches, and stop when they are played")

    def handle(self, *args: Any, **options: Any) -> None:
        """Become the supervisor."""
        stack.become(stack.Plan(arguments.options(options), static_files.fingerprint(), True, options["once"]))
