"""A position with what might be played from it, drawn by games that can (`Game.variations`).

A *variation* is the states after 1, 2, ... plies from the position. What a game draws of them
is off until a script chooses a variation and a number of plies n:

* ``data-variation="3 7"`` marks what belongs to these variations alone; it is shown while one
  of them is chosen, from n = ``data-from`` on and before n = ``data-to`` where it has one;
* ``data-gone="3:2 7:1"`` marks a piece of the position that leaves it: in variation 3 after two
  plies, in variation 7 after one.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.protocol import Game, State


def svg(game: Game, state: State, variations: Sequence[Sequence[State]], *, prefix: str = "") -> str:
    """One SVG of the position and all variations; of the position alone where the game draws no more.

    Its colours are those of the page round it; prefix: begins every id.
    """
    if game.variations is None:
        return game.replay_svg([state], ply=0, prefix=prefix)
    return game.variations.svg(game, state, variations, prefix=prefix)


def drawn_svg(game: Game, state: State, *, prefix: str = "") -> str:
    """A small picture of what the seat on turn has drawn; empty where there is none."""
    return game.variations.drawn_svg(game, state, prefix=prefix) if game.variations else ""
