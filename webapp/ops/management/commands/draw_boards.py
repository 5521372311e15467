"""`manage.py draw_boards`: the pictures of boards that the lobby and the start page show."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from webapp.common import board_pictures


class Command(BaseCommand):
    """Draw the picture of every game that has a stored match for it."""

    help = "Draw the pictures of boards anew, after a change in how a game's board looks."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the files, and name them."""
        for game_id in board_pictures.drawable():
            file = board_pictures.file(game_id)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(board_pictures.draw(game_id), encoding="utf-8")
            self.stdout.write(str(file))
