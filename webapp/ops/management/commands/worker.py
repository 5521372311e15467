"""`manage.py worker`: workers for a lab on another machine."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from webapp.ops import arguments, worker_stack
from worker.recorder import ANALYSIS, BATCH, QUEUES


class Command(BaseCommand):
    """Start workers for the lab that DATABASE_URL and REDIS_URL name; look after them until Ctrl-C."""

    help = "Work for a lab on another machine, which DATABASE_URL and REDIS_URL name. Ctrl-C stops it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Number of processes, and what they do."""
        arguments.add_workers(parser)
        parser.add_argument(
            "--queues",
            type=_queues,
            default=[BATCH, ANALYSIS],
            help=f"what to work for, of {','.join(QUEUES)}: all processes for the first, one for each other",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Work, and exit with its code."""
        sys.exit(worker_stack.serve(options["workers"], options["queues"]))


def _queues(text: str) -> list[str]:
    found = list(dict.fromkeys(text.split(",")))
    if unknown := [name for name in found if name not in QUEUES]:
        raise argparse.ArgumentTypeError(f"there is no queue {unknown[0]!r}; there are {', '.join(QUEUES)}")
    return found
