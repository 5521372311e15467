"""`manage.py serve`: the web processes alone, where Postgres, the queue and the workers run elsewhere."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from webapp.ops import arguments, programs


class Command(BaseCommand):
    """Become the pages' server."""

    help = "Serve the pages, with as many processes as there are cores."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Host, port and number of processes."""
        arguments.add(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Be replaced by the server; never returns."""
        given = arguments.options(options)
        command = programs.web(given, given.port).command()
        os.execv(command[0], command)
