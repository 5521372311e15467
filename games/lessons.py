"""Lessons: the rules of a game in a few pictures, sentences and one table of points, for players.

A game's ``lessons.py`` says them for the options that a match plays. Pictures are real positions, set up by a short
list of draws and actions and drawn by the game's own board; each is drawn once (`picture`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

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


@lru_cache(maxsize=128)
def picture(draw: Draw, prefix: str) -> str:
    """The picture, drawn once. A game keeps its lessons, so that this is asked for the same ones again."""
    return draw(prefix)
