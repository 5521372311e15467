"""Pictures of boards: drawn by the games as they are now."""

from __future__ import annotations

import pytest

from games import registry
from webapp.common import board_pictures


def test_every_game_has_a_picture():
    assert board_pictures.drawable() == list(registry.ids())


@pytest.mark.parametrize("game_id", registry.ids())
def test_a_picture_is_what_the_game_draws_of_its_stored_match(game_id):
    drawn = board_pictures.draw(game_id)
    kept = board_pictures.file(game_id).read_text(encoding="utf-8")
    assert kept == drawn, "the drawing has changed: run `manage.py draw_boards` and look at the pictures"
