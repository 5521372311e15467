"""Positions for lessons: set up by a short list of draws and actions, and drawn by the board of the game."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from games.lessons import Draw
from games.protocol import CHANCE, Game, State


def position(game: Game, options: Any, num_seats: int, script: Iterable[str | int]) -> State:
    """The position after draws and actions, each in notation, or as its number.

    Raises ValueError naming an entry that does not happen there.
    """
    state = game.initial_state(options, num_seats)
    for entry in script:
        state = game.apply(state, entry if isinstance(entry, int) else _meant(game, state, entry))
    return state


def _meant(game: Game, state: State, entry: str) -> int:
    if game.current_player(state) == CHANCE:
        known = {game.outcome_notation(state, int(outcome)): int(outcome) for outcome in game.chance_outcomes(state)[0]}
    else:
        known = {game.notation(state, int(action)): int(action) for action in game.legal_actions(state)}
    if entry not in known:
        raise ValueError(f"{entry!r} does not happen here: {', '.join(sorted(known))}")
    return known[entry]


Box = tuple[float, float, float, float]
_ROOT = re.compile(r"<svg [^>]*>")
_SIZES = re.compile(r' (viewBox|width|height|data-[a-z]+)="[^"]*"')


def crop(svg: str, box: Box) -> str:
    """A drawing's part: left, top, width, height in its own units."""
    root = _ROOT.match(svg)
    assert root is not None, "a drawing is one SVG element"
    plain = _SIZES.sub("", root[0]).removesuffix(">")
    shown = " ".join(f"{value:g}" for value in box)
    return f'{plain} viewBox="{shown}">{svg[root.end() :]}'


def of_board(game: Game, state: State, box: Box, *, seat: int | None = None) -> Draw:
    """A part of the board at a position, as it is in play."""
    return lambda prefix: crop(game.play_svg(state, seat=seat, theme="page", prefix=prefix), box)
