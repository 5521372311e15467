"""Headings of lists of moves: rounds and turns, in order, in the games that have them."""

from __future__ import annotations

import pytest

from games import chapters, registry
from tests.games import walks


@pytest.mark.parametrize(("game", "word"), [("dominoes", "Round"), ("dominion", "Turn"), ("kingdomino", "Round")])
def test_headings_count_from_one(game: str, word: str) -> None:
    face = registry.get(game)
    states = [state for state in walks.settled(game) if not face.is_terminal(state)]
    told = list(dict.fromkeys(chapters.heading(face, state) for state in states))
    assert told == [f"{word} {n + 1}" for n in range(len(told))]
    assert len(told) > 2


def test_other_games_have_none() -> None:
    face = registry.get("carcassonne")
    assert chapters.heading(face, walks.turns("carcassonne", 2)[5]) == ""
