"""What was played, in words."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from games.panels import Panel
from games.protocol import Game, Part, State, Step
from tests.webapp.table.live import tables
from webapp.common.reply_actions import is_reply
from webapp.table.live import action_words, observations, ply_writer, position_cache
from webapp.table.live.models import LiveMatch

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice: Any, bob: Any) -> LiveMatch:
    return tables.open_match(alice, [tables.person(alice), tables.person(bob)], deal_seed=5)


def _said(match: LiveMatch, describe: Callable[[Game, State, int], str]) -> dict[str, str]:
    """By notation: the words of every legal action."""
    position = position_cache.position_at(match)
    return {
        position.game.notation(position.state, action): describe(position.game, position.state, action)
        for action in position.game.legal_actions(position.state).tolist()
    }


@pytest.mark.long
def test_words_tell_what_was_in_hand_and_every_part_that_somebody_chose(match: LiveMatch) -> None:
    said = _said(match, action_words.spell_action)
    position = position_cache.position_at(match)
    held = position.game.panel(position.state, None).held_label
    assert all(words.startswith(f"{held}: column ") for words in said.values())
    assert len(set(said.values())) == len(said)
    with_meeple = {words for words in said.values() if ", meeple on the " in words}
    assert 0 < len(with_meeple) < len(said)
    assert not any("No meeple" in words for words in said.values())


def test_a_list_has_few_words_without_coordinates(match: LiveMatch) -> None:
    position = position_cache.position_at(match)
    held = position.game.panel(position.state, None).held_label
    said = _said(match, action_words.describe_action)
    for words in said.values():
        assert words.startswith(f"{held}: ")
        assert len(words.removeprefix(f"{held}: ").split()) <= 6
        assert not any(letter.isdigit() for letter in words)
    for words in _said(match, action_words.suggest_action).values():
        assert ":" not in words, "the tile is in hand: it need not be told"


def test_two_actions_of_like_words_are_told_apart_without_coordinates(match: LiveMatch) -> None:
    position = position_cache.position_at(match)
    said = _said(match, action_words.describe_action)
    alike = [[text for text in said if said[text] == words] for words in set(said.values())]
    pairs = [(first, other) for first, *others in alike for other in others]
    assert pairs
    ends = set()
    for pair in pairs:
        one, other = action_words.describe_pair(position.game, position.state, pair)
        assert other.startswith(f"{one}, "), "told apart"
        ends.add(other.removeprefix(f"{one}, "))
    assert {"elsewhere", "turned another way"} <= ends
    assert not any("column" in end for end in ends)


def test_words_are_kept_with_the_ply_and_told_to_all(match: LiveMatch) -> None:
    position = position_cache.position_at(match)
    action = int(position.game.legal_actions(position.state)[0])
    words = action_words.describe_action(position.game, position.state, action)
    match = ply_writer.play(match.pk, 0, 0, action)
    assert match.plies.get().words == words
    assert observations.observe(match, ()).last.words == words


def test_replies_are_told_like_other_actions_and_marked(match: LiveMatch) -> None:
    steps = (Step("play", "Play", "Play a card."), Step("discard", "Discard", "Discard a card.", is_reply=True))
    shown = {"panel": lambda state, seat: Panel("<svg/>", "Militia", "", ()), "steps": steps}
    state = position_cache.position_at(match).state

    def told(name: str) -> tuple[str, bool]:
        game: Any = SimpleNamespace(
            **shown, short_words=None, parts=lambda state, action: (Part(name, "Copper", "", "It", "does it"),)
        )
        return action_words.describe_action(game, state, 0), is_reply(game, state, 0)

    assert told("play") == ("Militia: does it", False)
    assert told("discard") == ("Militia: does it", True)
