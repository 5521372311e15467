"""`manage.py workers`: the worker processes of all machines, and orders to them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from webapp.records import orders, worker_processes
from webapp.records.worker_models import WorkerProcess
from worker import code_version

ORDERS = {"drain": orders.Order.DRAIN, "restart": orders.Order.RESTART, "resume": orders.Order.NONE}


class Command(BaseCommand):
    """List the worker processes; have those of one machine, or all, drain, begin anew or go on."""

    help = "List worker processes, or give an order: drain, restart (one program after another), resume."

    def add_arguments(self, parser: CommandParser) -> None:
        """The order and whom it is for."""
        parser.add_argument("order", nargs="?", choices=ORDERS, help="none: list them")
        parser.add_argument("machine", nargs="?", default="", help="host name; without it all machines")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it."""
        if options["order"] is None:
            for row in worker_processes.living():
                self.stdout.write(_line(row))
            return
        number = orders.give(ORDERS[options["order"]], options["machine"])
        if not number:
            raise CommandError(f"no worker process lives on {options['machine'] or 'any machine'}")
        self.stdout.write(f"{options['order']}: {number} process{'es' if number > 1 else ''}")


def _line(row: WorkerProcess) -> str:
    state = "refused" if row.refusal else row.order or "works"
    speed = "speed unknown" if row.speed is None else f"speed {row.speed:.2f}"
    code = code_version.in_words(row.code, row.commit)
    return f"{row.name}\t{','.join(row.queues)}\t{state}\t{speed}\t{code}"
