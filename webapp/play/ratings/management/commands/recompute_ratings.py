"""``manage.py recompute_ratings [--game GAME]``: count all rated matches anew."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games import registry
from webapp.play.ratings import services


class Command(BaseCommand):
    """Count all rated matches anew, from who met whom and how it came out."""

    help = "Count all rated matches anew, from who met whom and how it came out."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--game", choices=registry.ids(), help="only this game")

    def handle(self, *args: Any, **options: Any) -> None:
        """Count, and say how many."""
        for game_id in [options["game"]] if options["game"] else registry.ids():
            self.stdout.write(f"{game_id}: {services.recompute(game_id)} rated matches")
