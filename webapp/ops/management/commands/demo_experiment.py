"""`manage.py demo_experiment`: the experiment of the demo, on a lab that runs already."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from webapp.ops import demo


class Command(BaseCommand):
    """Make and share the experiment, print its address, follow it to its end."""

    help = "Make and share the demo's experiment on a running lab, and follow it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the number of matches."""
        parser.add_argument("--once", action="store_true", help="fewer matches")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit with 1 unless all matches were played and none failed."""
        experiment, address = demo.create(demo.DEALS_ONCE if options["once"] else demo.DEALS)
        self.stdout.write(f"watch it here: {address}")
        for line in demo.follow(experiment):
            self.stdout.write(line)
        for line in demo.summary(experiment):
            self.stdout.write(line)
        self.stdout.write(address)
        sys.exit(0 if demo.is_complete(experiment) else 1)
