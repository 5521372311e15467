"""What Kingdomino's learned value knows of a position, by the undecorated kernels."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engines import registry
from engines.protocol import Budget
from games import rng
from games.kingdomino import state as layout
from games.kingdomino.dominoes import TERRAINS
from games.protocol import CHANCE
from games.values import loading
from tests.games.kingdomino import reference, tables
from tests.games.kingdomino.tables import GAME, Tables

KERNELS = loading.load(GAME.value, GAME.folder, False, "plain")
NAMES = KERNELS.F


def features(state: Any, seat: int) -> dict[str, float]:
    """Features by name; those of a terrain behind its name."""
    out = np.full(KERNELS.ROOM, 1e6)  # nothing may be left as it was
    with np.errstate(over="ignore"):  # sets of squares are shifted out of their 64 bits
        KERNELS.features(state, seat, out)
    of_terrain = len(NAMES.TERRAIN)
    found = {
        f"{terrain}: {name}": out[of_terrain * t + i]
        for t, terrain in enumerate(TERRAINS)
        for i, name in enumerate(NAMES.TERRAIN)
    }
    found |= dict(zip(NAMES.KINGDOM, out[NAMES.SHAPE :], strict=False))
    assert len(found) == NAMES.NUM_FEATURES
    assert max(found.values()) < 1e6
    return found


def match(seats: int, seed: int) -> Iterator[Tables]:
    """The positions of a random match, its end last."""
    rng = random.Random(seed)
    table = tables.sit_down(rng, seats)
    while not GAME.is_terminal(table.state):
        yield table
        table.play(rng.choice(sorted(table.moves(), key=str)))
    yield table


def choices_to_come(slow: reference.Match, seat: int) -> int:
    """Dominoes that a seat will still choose."""
    rows = slow.num_rows - slow.round
    if rows < 0 or slow.over:
        return 0
    return sum(owner == seat for _, owner in slow.waiting) + rows * slow.num_kings // slow.seats


def squares_to_come(slow: reference.Match, seat: int, terrain: str) -> float:
    """Squares of a terrain that a seat gets on average if all that is to come were dealt by lot."""
    if slow.round > slow.num_rows or slow.over:
        return 0.0
    of_row = sum(owner == seat for _, owner in slow.waiting)
    of_deck = choices_to_come(slow, seat) - of_row

    def squares(numbers: list[int]) -> int:
        return sum(face[0] == terrain for number in numbers for face in reference.DOMINOES[number])

    found = of_row * squares(slow.free) / len(slow.free)
    return found + (of_deck * squares(slow.deck) / len(slow.deck) if slow.deck else 0.0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_draft_is_as_the_reference_has_it(seats: int) -> None:
    for ply, table in enumerate(match(seats, seed=seats)):
        if ply % 5 and not GAME.is_terminal(table.state):
            continue
        for seat in range(seats):
            found = features(table.state, seat)
            slow = table.slow
            assert found["dominoes to come"] == choices_to_come(slow, seat)
            for terrain in TERRAINS:
                wanted = squares_to_come(slow, seat, terrain)
                assert found[f"{terrain}: squares to come"] == pytest.approx(wanted)
            places = [
                slow.row.index(number) for number, owner in slow.claims.items() if number in slow.row and owner == seat
            ]
            assert found["places of the seat's kings in the row"] == sum(places)
            crowns = [
                sum(crowns for kingdom in slow.kingdoms for of, _, crowns in kingdom.areas() if of == terrain)
                - sum(crowns for of, _, crowns in slow.kingdoms[seat].areas() if of == terrain)
                for terrain in TERRAINS
            ]
            others = [found[f"{terrain}: crowns of another seat"] for terrain in TERRAINS]
            assert others == pytest.approx([number / (seats - 1) for number in crowns])


@pytest.mark.parametrize("seats", [2, 4])
def test_kingdoms_at_the_end_are_as_the_reference_has_them(seats: int) -> None:
    for seed in range(3):
        *_, table = match(seats, seed)
        for seat, kingdom in enumerate(table.slow.kingdoms):
            found, areas = features(table.state, seat), kingdom.areas()
            assert found["points of areas"] == sum(squares * crowns for _, squares, crowns in areas)
            for terrain in TERRAINS:
                points = sum(squares * crowns for of, squares, crowns in areas if of == terrain)
                assert found[f"{terrain}: points"] == points
            keeps = all(max(abs(x), abs(y)) <= 2 for x, y in kingdom.faces)
            assert found["keeps to the middle"] == keeps
            if keeps:
                assert found["empty squares"] == 24 - sum(squares for _, squares, _ in areas)
            assert found["full"] == (found["empty squares"] == 0)


def test_dominoes_in_hand_are_laid_before_a_kingdom_is_described() -> None:
    met = 0
    for table in match(2, seed=5):
        slow = table.slow
        if slow.round not in (3, 4) or len(slow.waiting) != 4:
            continue
        for seat, kingdom in enumerate(slow.kingdoms):
            found, discarded = features(table.state, seat), table.state[layout.KINGDOMS + layout.DISCARDS]
            if found["keeps to the middle"] and not discarded and not found["discarded"]:
                laid = sum(squares for _, squares, _ in kingdom.areas())
                assert found["empty squares"] == 24 - laid - 2 * 2  # both of its kings stand on a domino
                met += 1
    assert met


def test_a_match_that_is_over_is_worth_its_points() -> None:
    *_, table = match(3, seed=1)
    out = np.zeros(KERNELS.ROOM)
    KERNELS.value(table.state, GAME.value.weights("learned"), out)
    assert out[:3].tolist() == table.slow.scores


def test_the_learned_set_expects_more_of_a_better_kingdom() -> None:
    weights, r = GAME.value.weights("learned"), rng.new_stream(8, rng.ANALYSIS)
    informed, play = registry.make("scripted", {"policy": "informed"}), GAME.kernels()
    state = GAME.initial_state(GAME.options(), 4)
    while not GAME.is_terminal(state):
        seat = GAME.current_player(state)
        if seat == CHANCE:
            state = GAME.apply(state, GAME.sample_chance(state, r))
        elif seat == 0:
            state = GAME.apply(state, informed.choose(GAME, state, seat, Budget(), r).action)
        else:
            actions = GAME.legal_actions(state)
            state = GAME.apply(state, int(actions[rng.below(r, len(actions))]))
        if play.current_player(state) >= 0 and state[layout.ROUND] == 8:
            break
    out = np.zeros(KERNELS.ROOM)
    with np.errstate(over="ignore"):
        KERNELS.value(state, weights, out)
    assert out[0] > 10 + max(out[1:4])  # informed play ends some 35 points above random play
