"""Rules for players: few words, of the table; pictures of real positions, for whatever rules are played."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games import options as option_tools
from games import registry, rule_sets
from games.lesson_positions import position
from games.lessons import Lessons, picture
from games.protocol import Game

PAPERS = re.compile(
    r"\b(ply|plies|segments?|seats?|seat \d|out of scope|branching|literature|thesis|action space|utility)\b", re.I
)
"""Words of papers and of the code."""
MOST_LETTERS = 210


def _lessons(game: Game, name: str) -> Lessons:
    assert game.lessons is not None
    options: Any = option_tools.from_json(game.options, rule_sets.complete(game, name))
    return game.lessons(game, options, max(2, game.traits.min_seats))


@pytest.mark.parametrize("game_id", registry.ids())
def test_every_rule_set_is_said_short_and_in_words_of_the_table(game_id: str) -> None:
    game = registry.get(game_id)
    if game.lessons is None:
        assert game_id not in ("carcassonne", "kingdomino", "dominion", "dominoes")
        return
    for name in game.presets:
        said = _lessons(game, name)
        assert 4 <= len(said.lessons) <= 5
        assert said.points
        assert set(said.terms.values()) <= {lesson.id for lesson in said.lessons}
        texts = [said.lead, *said.notes, *(f"{one.title} {one.text}" for one in (*said.lessons,))]
        texts += [word for row in said.points for word in row]
        assert not [text for text in texts if PAPERS.search(text)], name
        assert max(map(len, texts)) <= MOST_LETTERS, name


@pytest.mark.parametrize("game_id", ["carcassonne", "kingdomino", "dominion", "dominoes"])
def test_pictures_are_drawn_once_and_have_ids_of_their_own(game_id: str) -> None:
    game = registry.get(game_id)
    said = _lessons(game, next(iter(game.presets)))
    ids: list[str] = []
    for lesson in said.lessons:
        drawn = picture(lesson.picture, f"{lesson.id}-")
        assert drawn is picture(lesson.picture, f"{lesson.id}-")
        assert drawn.startswith("<svg ")
        found = re.findall(r' id="([^"]+)"', drawn)
        assert all(one.startswith(f"{lesson.id}-") for one in found)
        ids += found
    assert len(ids) == len(set(ids))


def test_options_change_sentences() -> None:
    game = registry.get("carcassonne")
    book, first = _lessons(game, "Rule book"), _lessons(game, "First game")
    assert [lesson.id for lesson in book.lessons if lesson not in first.lessons][-1] == "field"
    assert any("no farmers" in note for note in first.notes)
    dominoes = registry.get("dominoes")
    assert "200 wins" in _lessons(dominoes, "Rule book").lead
    assert "100 against them loses" in _lessons(dominoes, "Paper").lead


def test_a_script_that_does_not_happen_is_named() -> None:
    game = registry.get("carcassonne")
    with pytest.raises(ValueError, match="'Z' does not happen here"):
        position(game, game.options(), 2, ["Z"])
