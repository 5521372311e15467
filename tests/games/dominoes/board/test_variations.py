"""What might be played from a position of dominoes, on its table."""

from __future__ import annotations

import re

import pytest

from games import registry, rng, variations
from games.dominoes import reading
from games.dominoes import state as layout
from games.protocol import State
from tests.games import walks

GAME = registry.get("dominoes")


@pytest.fixture
def state() -> State:
    """In the middle of a round, with more than one tile that may be laid."""
    return next(one for one in walks.turns("dominoes")[9:] if len(GAME.legal_actions(one)) > 2)


def marks(svg: str) -> list[tuple[str, str]]:
    return re.findall(r'<g class="dm-off" data-variation="(\d+)" data-from="(\d+)">', svg)


def test_a_position_is_drawn_as_the_seat_on_turn_sees_it(state: State) -> None:
    svg = variations.svg(GAME, state, [], prefix="p-")
    assert set(re.findall(r'id="p-tile-(\d)-', svg)) == {str(GAME.current_player(state))}, "other hands are closed"
    assert svg.count('id="p-laid-') == len(reading.row(state)) > 0
    assert 'data-narrow="' in svg


def test_every_tile_that_may_be_laid_lies_at_its_place(state: State) -> None:
    actions = GAME.legal_actions(state).tolist()
    svg = variations.svg(GAME, state, [[GAME.apply(state, action)] for action in actions])
    assert marks(svg) == [(str(k), "1") for k in range(len(actions))]
    drawn = re.findall(r'data-from="1">(.*?</g>.*?</g>.*?</g>)', svg)
    assert len(set(drawn)) == len(actions)


def test_a_line_shows_tile_after_tile_and_nothing_of_the_round_after(state: State) -> None:
    r, line, number = rng.new_stream(2, rng.ANALYSIS), [], int(state[layout.ROUND])
    here = state
    while len(line) < 40:
        while GAME.current_player(here) < 0:
            here = GAME.apply(here, GAME.sample_chance(here, r))
        here = GAME.apply(here, int(GAME.legal_actions(here)[0]))
        line.append(here)
    laid = [
        k
        for k, one in enumerate(line, start=1)
        if one[layout.ROUND] == number and reading.turns(one)[-1].tile is not None
    ]
    svg = variations.svg(GAME, state, [line])
    assert marks(svg) == [("0", str(k)) for k in laid]
    assert len(laid) < len(line)
