"""Deliver the webhooks of agents."""

from __future__ import annotations

import asyncio
import signal
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from webapp.table.hooks.deliverer import PERIOD_S, Deliverer


class Command(BaseCommand):
    """Runs until it is told to stop (SIGTERM, SIGINT)."""

    help = "Deliver notices to the webhooks of agents; repeat those that a receiver does not answer."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--period", type=float, default=PERIOD_S, help="seconds between two looks")

    def handle(self, *args: Any, **options: Any) -> None:
        """Deliver until a signal comes."""
        asyncio.run(_until_told(options["period"]))


async def _until_told(period_s: float) -> None:
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    await Deliverer(settings.LAB_HOOK_HOSTS, period_s).run(ended)
