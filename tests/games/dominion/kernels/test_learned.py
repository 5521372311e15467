"""The policy `learned`: its choices by a slow reckoning from the file of weights, ends of matches, and its strength."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games import rng as streams
from games.dominion import cards, learned_weights, reading
from games.dominion import state as layout
from games.protocol import State
from tests.games.dominion.kernels.test_policies import buying, chosen, duel
from tests.games.dominion.tables import GAME, arranged, play
from tests.looping import looped

ROWS = dict(zip((card.name for card in cards.table()), learned_weights.table(), strict=True))
PILES = cards.pile_sizes("official")


def left(state: State, name: str) -> float:
    """Share of a pile that is left in a match of two."""
    return float(reading.count_by_name(reading.supply(state))[name] / PILES[1, cards.by_name()[name].number])


def appeal(state: State, name: str) -> float:
    """What a card appeals to the seat on turn, fact by fact as `learned_weights.GAIN` lists them."""
    seat = int(state[layout.TURN])
    at, own = reading.seat_at(seat), reading.count_by_name(reading.owned_cards(state, seat))
    points = GAME.scores(state)
    gone = 1 - left(state, "Province")
    late = max(0.0, gone - 0.5)
    needs = sum(n * (1 - cards.by_name()[card].gives.get("actions", 0)) for card, n in own.items() if is_action(card))
    lead = min(1.0, max(-1.0, (points[seat] - points[1 - seat]) / 10))
    facts = (1, own.get(name, 0), gone, late, state[at + layout.TURNS] / 20, needs / 4, left(state, "Curse"))
    row: Any = ROWS[name][: learned_weights.PLAY_AT]
    return float(row @ np.array([*facts, sum(own.values()) / 20, lead * late, own.get("Gardens", 0) / 2]))


def is_action(name: str) -> bool:
    return "Action" in cards.by_name()[name].types


def is_last(state: State, name: str) -> bool:
    """Whether the match ends with the gain of a card, or anyhow with the turn."""
    supply = reading.count_by_name(reading.supply(state))
    empty = int(state[layout.NUM_EMPTY])
    is_ending = empty >= 3 or supply["Province"] == 0
    return is_ending or (supply[name] == 1 and (name == "Province" or empty == 2))


def test_what_it_buys_is_what_appeals_most() -> None:
    rules, buffer, j = GAME.kernels(), np.zeros(layout.MAX_ACTIONS, np.int32), np.zeros(1, np.int32)
    compared = 0
    for number in range(6):
        state, r = GAME.initial_state(GAME.options(), 2), streams.new_stream(number, streams.ANALYSIS)
        rules.settle(state, r, j)
        while state[layout.PLAYER] >= 0:
            action = int(GAME.policy("learned")(GAME.policies.index("learned"), state, r, buffer, j))
            given = [cards.name(int(a)) for a in GAME.legal_actions(state) if a < layout.NUM_CARDS]
            if state[layout.KIND] == layout.BUY and not any(is_last(state, name) for name in given):
                worth = {name: appeal(state, name) for name in given}
                best = max(worth, key=worth.__getitem__)
                own = 0.0 if action == layout.END else worth[cards.name(action)]
                assert own == pytest.approx(max(0.0, worth[best]), abs=1e-9)
                compared += 1
            rules.apply(state, action, j)
            rules.settle(state, r, j)
    assert compared > 100


@looped(
    "coins, owned, left, empty, card, wins",
    [
        (8, {"Duchy": 1}, {"Province": 1}, 0, "Province", True),
        (8, {"Curse": 9}, {"Province": 1}, 0, "Province", False),
        (2, {"Duchy": 1}, {"Estate": 1}, 2, "Estate", True),
        (2, {"Curse": 9}, {"Estate": 1}, 2, "Estate", False),
    ],
)
def test_a_match_is_ended_where_that_wins_and_never_where_it_loses(
    coins: int, owned: dict[str, int], left: dict[str, int], empty: int, card: str, wins: bool
) -> None:
    state = buying(coins, owned=owned, **left)
    state[layout.NUM_EMPTY] = empty
    assert (chosen(state, "learned") == f"buy {card}") == wins


def test_remodel_takes_what_is_worth_least_for_most() -> None:
    state = arranged([{"Remodel": 1, "Curse": 1, "Gold": 1, "Province": 1}, {"Copper": 1}], [{"Copper": 7}] * 2)
    assert chosen(state, "learned") == "play Remodel"
    assert "Province" not in chosen(play(state, "Remodel"), "learned")


def test_it_beats_double_witch() -> None:
    # 0.83 in 4,000 matches; of 200 the share is off by four standard errors with 0.72
    assert sum(duel("learned", "double_witch", 200, 1)) / 2 > 0.72


def test_weights_are_read_as_they_were_written(tmp_path: Any) -> None:
    file = tmp_path / "learned.json"
    file.write_text(learned_weights.as_json(learned_weights.table()))
    assert file.read_bytes() == learned_weights.FILE.read_bytes()
    assert (learned_weights.table(file) == learned_weights.table()).all()
