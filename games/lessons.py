"""Lessons: the rules of a game in a few pictures, sentences and one table of points, for players.

A game's ``lessons.py`` says them for the options that a match plays. Pictures are real positions, set up by a short
list of draws and actions and drawn by the game's own board; each is drawn once (`picture`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.protocol import Game, State

CHANCE = -1
"""As `games.protocol.CHANCE`, which imports from here."""

Draw = Callable[[str], str]
"""A picture as SVG, every id behind a prefix."""


@dataclass(frozen=True)
class Lesson:
    """Lesson of one picture and one sentence or two. id: words of the board link to it (`Lessons.terms`)."""

    id: str
    title: str
    text: str
    picture: Draw


@dataclass(frozen=True)
class Term:
    """Term of the game with what it means: a card with its text."""

    label: str
    text: str
    picture: Draw | None = None


@dataclass(frozen=True)
class Lessons:
    """Lessons of a match. lead: the game in a sentence.

    head, points: a table of points, the first column in words; notes: what else one has to know; terms: lesson by
    word of the board, in small letters: a supply, an aid, a kind of points, something that is said; glossary_title,
    glossary: words that have a text of their own.
    """

    lead: str
    lessons: tuple[Lesson, ...]
    head: tuple[str, ...] = ()
    points: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()
    terms: Mapping[str, str] = field(default_factory=dict)
    glossary_title: str = ""
    glossary: tuple[Term, ...] = ()


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


@lru_cache(maxsize=128)
def picture(draw: Draw, prefix: str) -> str:
    """The picture, drawn once. A game keeps its lessons, so that this is asked for the same ones again."""
    return draw(prefix)
