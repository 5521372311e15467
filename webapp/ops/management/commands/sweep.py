"""Look after what nobody does, every few seconds."""

from __future__ import annotations

import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from webapp.lab.notifications import mails
from webapp.lab.watch import watcher
from webapp.ops.sweeper import PERIOD_S, Sweeper
from webapp.sharing.snapshots import maker


class Command(BaseCommand):
    """Runs until it is told to stop (SIGTERM, SIGINT), with the watch, the maker of snapshots and the mails beside."""

    help = "Wake workers for what waits, put up again what dead workers left, end the waiting for absent players."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--period", type=float, default=PERIOD_S, help="seconds between two looks")

    def handle(self, *args: Any, **options: Any) -> None:
        """Sweep until a signal comes."""
        ended = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: ended.set())
        watcher.start(ended)
        maker.start(ended)
        mails.start(ended)
        Sweeper().run(ended, options["period"])
