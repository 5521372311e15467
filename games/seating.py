"""A whole match drawn from the place of a seat, by games whose tables lie otherwise for each (`board/seated.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from games.protocol import Game, State


def is_seated(game: Game) -> bool:
    """Whether a table of this game lies otherwise for each of its seats."""
    return (game.folder / "board" / "seated.py").exists()


def replay_svg(
    game: Game, states: Sequence[State], seat: int | None, *, ply: int | None = None, prefix: str = ""
) -> str:
    """`Game.replay_svg` with `seat` in front, as at its table; as for anybody where it is None, or all see the same."""
    if seat is None or not is_seated(game):
        return game.replay_svg(states, ply=ply, prefix=prefix)
    drawing = import_module(f"{type(game).__module__.rpartition('.')[0]}.board.seated")
    return str(drawing.svg(game, states, seat, ply=ply, prefix=prefix))
