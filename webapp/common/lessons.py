"""The rules of a game for players: what `games.lessons` says for some options, with its pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from games import lessons, registry, rule_sets
from games import options as option_tools
from games.lessons import Lessons, Term
from games.protocol import Game
from webapp.common.table_size import default_num_seats


@dataclass(frozen=True)
class Shown:
    """Lesson, or term with a text of its own, with its picture drawn."""

    id: str
    title: str
    text: str
    picture: SafeString


@dataclass(frozen=True)
class RulesSheet:
    """Sheet of rules. said: all but the pictures; terms: id of what explains a word of the board."""

    game: Game
    said: Lessons
    lessons: tuple[Shown, ...]
    glossary: tuple[Shown, ...]
    terms: Mapping[str, str]

    @property
    def terms_json(self) -> str:
        """The same for a script."""
        return json.dumps(self.terms)


def sheet(game: Game, options: Mapping[str, Any], num_seats: int) -> RulesSheet | None:
    """The rules by these options (JSON); None where the game has no lessons.

    Options of an older version that are no more count as their defaults.
    """
    if game.lessons is None:
        return None
    said = _said(game.id, option_tools.from_older_json(game.options, options), num_seats)
    glossary = tuple(_term(game, term) for term in said.glossary)
    shown = tuple(
        Shown(_id(one.id), one.title, one.text, _picture(one.picture, f"lesson-{one.id}-")) for one in said.lessons
    )
    terms = {word: _id(lesson) for word, lesson in said.terms.items()}
    return RulesSheet(game, said, shown, glossary, terms | {term.title.lower(): term.id for term in glossary})


def words(game: Game, options: Mapping[str, Any], num_seats: int) -> set[str]:
    """Words of the board that the lessons explain, in small letters."""
    if game.lessons is None:
        return set()
    said = _said(game.id, option_tools.from_older_json(game.options, options), num_seats)
    return {*said.terms, *(term.label.lower() for term in said.glossary)}


def usual_sheet(game: Game) -> RulesSheet | None:
    """The rules by the rule book, for as many as usually play."""
    return sheet(game, rule_sets.complete(game, rule_sets.RULE_BOOK), default_num_seats(game.traits))


@lru_cache(maxsize=32)
def _said(game_id: str, options: Any, num_seats: int) -> Lessons:
    """The lessons, made once, so that their pictures are drawn once."""
    game = registry.get(game_id)
    assert game.lessons is not None
    return game.lessons(game, options, num_seats)


def _term(game: Game, term: Term) -> Shown:
    name = term.label.lower().replace(" ", "-")
    picture = _picture(term.picture, f"term-{name}-") if term.picture else SafeString("")
    return Shown(_id(name), term.label, term.text, picture)


def _picture(draw: lessons.Draw, prefix: str) -> SafeString:
    return mark_safe(lessons.picture(draw, prefix))


def _id(name: str) -> str:
    return f"rule-{name}"
