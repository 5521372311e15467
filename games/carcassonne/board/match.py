"""Boards of positions and of whole matches, read from their states."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from games.carcassonne import reading
from games.carcassonne.board import render
from games.protocol import State


def svg(kernels: ModuleType, state: State, *, seat: int | None, theme: str, width: int) -> str:
    """The board with the last placement marked; the same for every seat."""
    rows = [render.Tile(*tile) for tile in reading.laid_tiles(kernels, state)]
    return render.board_svg(render.Picture(rows, len(rows) - 1 if len(rows) > 1 else None), width=width, theme=theme)


def replay_svg(
    kernels: ModuleType, states: Sequence[State], *, seat: int | None, ply: int | None, theme: str, prefix: str
) -> str:
    """The match of which these are the states after 0, 1, ... plies (attributes: `render.replay_svg`)."""
    placed, home = reading.whole_match(kernels, states)
    return render.replay_svg([render.Tile(*tile) for tile in placed], home, ply=ply, theme=theme, prefix=prefix)
