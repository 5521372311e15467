"""Pictures of real boards, one a game: a position of a stored match, drawn once by the game's own drawing.

The match stands in `games/GAME/stored/picture.json`, the picture in `static/img/boards/GAME.svg`, so pages
show it without compiling anything. `manage.py draw_boards` draws anew after a change of a game's drawing.
"""

from __future__ import annotations

import re
from collections import deque
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from games import data_files
from games import registry as game_registry
from games.protocol import Game
from worker.course import replay

NAME, FORMAT = "picture", "picture-1"
WIDTH = 480
_ROOT = re.compile(r"<svg [^>]*>")
_BOX = re.compile(r' (viewBox|width|height)="[^"]*"')


def name(game_id: str) -> str:
    """Name of a game's picture among static files, whether there is one or not."""
    return f"img/boards/{game_id}.svg"


def file(game_id: str) -> Path:
    """Place of a game's picture among the static files."""
    return Path(settings.STATICFILES_DIRS[0]) / name(game_id)


@cache
def has_picture(game_id: str) -> bool:
    """Whether the game has a picture."""
    return file(game_id).is_file()


def stored(game: Game) -> dict[str, Any] | None:
    """Return the stored match of a game (options, seats, seed, actions), the part of its board that is shown
    and a sentence about the game.

    None where the game has none.
    """
    return data_files.read(game.folder, NAME, FORMAT)


@cache
def about(game_id: str) -> str:
    """One sentence about the game for somebody who does not know it; empty where nobody wrote one."""
    match = stored(game_registry.get(game_id))
    return str(match["about"]) if match else ""


def drawable() -> list[str]:
    """Ids of the games that have a stored match for their picture."""
    return [game_id for game_id in game_registry.ids() if stored(game_registry.get(game_id)) is not None]


def draw(game_id: str) -> str:
    """Draw a game's picture as SVG. Raises IllegalActionError where the stored match no longer fits the rules."""
    game = game_registry.get(game_id)
    match = stored(game)
    assert match is not None, f"{game_id} has no stored match"
    courses = replay(game_id, match["options"], match["seats"], match["deal_seed"], match["actions"])
    (course,) = deque(courses, maxlen=1)
    drawn = game.svg(course.state, theme="light")
    left, top, width, height = match["box"]
    root = _ROOT.match(drawn)
    assert root is not None, "a drawing is one SVG element"
    plain = _BOX.sub("", root[0]).removesuffix(">")
    box = f'viewBox="{left} {top} {width} {height}" width="{WIDTH}" height="{WIDTH * height / width:g}"'
    return f"{plain} {box}>{drawn[root.end() :]}\n"
