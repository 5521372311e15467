"""What was played, in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from games.protocol import Panel, Part, Step
from tests.webapp.live import tables
from webapp.live import acting, positions, seeing, telling
from webapp.live.models import LiveMatch

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice: Any, bob: Any) -> LiveMatch:
    return tables.open_match(alice, [tables.person(alice), tables.person(bob)], deal_seed=5)


def _said(match: LiveMatch) -> dict[str, str]:
    """By notation: the words of every legal action."""
    position = positions.at(match)
    return {
        position.game.notation(position.state, action): telling.told(position.game, position.state, action)
        for action in position.game.legal_actions(position.state).tolist()
    }


def test_words_tell_what_was_in_hand_and_every_part_that_somebody_chose(match: LiveMatch) -> None:
    said = _said(match)
    position = positions.at(match)
    held = position.game.panel(position.state, None).held_label
    assert all(words.startswith(f"{held}: column ") for words in said.values())
    assert len(set(said.values())) == len(said)
    with_meeple = {words for words in said.values() if ", meeple on the " in words}
    assert 0 < len(with_meeple) < len(said)
    assert not any("No meeple" in words for words in said.values())


def test_words_are_kept_with_the_ply_and_told_to_all(match: LiveMatch) -> None:
    position = positions.at(match)
    action = int(position.game.legal_actions(position.state)[0])
    words = telling.told(position.game, position.state, action)
    match = acting.play(match.pk, 0, 0, action)
    assert match.plies.get().words == words
    assert seeing.observe(match, ())["last"]["words"] == words


def test_words_of_a_reply_are_set_in_below_what_it_answers(match: LiveMatch) -> None:
    steps = (Step("play", "Play", "Play a card."), Step("discard", "Discard", "Discard a card.", is_reply=True))
    shown = {"panel": lambda state, seat: Panel("<svg/>", "Militia", "", ()), "steps": steps}

    def told(name: str) -> str:
        game: Any = SimpleNamespace(**shown, parts=lambda state, action: (Part(name, "Copper", "", "It", "does it"),))
        return telling.told(game, positions.at(match).state, 0)

    assert told("play") == "Militia: does it"
    assert told("discard") == f"{telling.SET_IN}Militia: does it"


def test_how_words_are_set_in_is_for_lists_alone(match: LiveMatch) -> None:
    match = acting.play(match.pk, 0, 0, int(positions.at(match).game.legal_actions(positions.at(match).state)[0]))
    match.plies.update(words=f"{telling.SET_IN}Militia: discards Copper")
    assert seeing.observe(match, ())["last"]["words"] == "Militia: discards Copper"
