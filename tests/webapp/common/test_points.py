"""Points as people read them."""

from __future__ import annotations

import pytest

from games import registry, rule_sets
from webapp.common import points


@pytest.mark.parametrize(
    ("score", "is_against", "words"),
    [
        (1204, False, "1\N{THIN SPACE}204"),
        (-3, False, "\N{MINUS SIGN}3"),
        (-47, True, "47 against"),
        (0, True, "0 against"),
    ],
)
def test_points_against_a_side_have_no_minus(score: int, is_against: bool, words: str) -> None:
    assert (
        points.points_words(score, is_against=is_against).replace("\N{NARROW NO-BREAK SPACE}", "\N{THIN SPACE}")
        == words
    )


def test_a_move_brings_points_or_points_against() -> None:
    assert points.gain_words(4, is_against=False) == "+4"
    assert points.gain_words(-14, is_against=True) == "14 against"


def test_only_the_paper_s_dominoes_count_against_somebody() -> None:
    rules = [(game_id, name) for game_id in registry.ids() for name in registry.get(game_id).presets]
    against = [
        (game_id, name)
        for game_id, name in rules
        if points.are_against(game_id, rule_sets.complete(registry.get(game_id), name))
    ]
    assert against == [("dominoes", "Paper"), ("dominoes", "Paper: single rounds")]
