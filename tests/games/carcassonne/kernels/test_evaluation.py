"""The static evaluation against flood fill on the slow table, and by hand."""

from __future__ import annotations

import itertools
import random
from types import ModuleType

import numpy as np
import pytest

from games import registry
from games.carcassonne import state as layout
from games.carcassonne import weights as terms
from tests.games.carcassonne.recorded import FILES, matches
from tests.games.carcassonne.reference import Feature, Match
from tests.games.carcassonne.tables import GameTable, ReferenceTable, spell
from tests.games.carcassonne.test_reference import ALL_RULES
from tests.looping import looped

FINAL = (100.0, 10.0, 10.0, 1.25, -40.0)
ODD = (7.0, -3.0, 11.0, 2.5, -13.0)
"""Weights that no two terms share: a term in the wrong place shows."""


@pytest.fixture(scope="module")
def kernels() -> ModuleType:
    return registry.get("carcassonne").kernels()


def evaluate(kernels: ModuleType, state: np.ndarray, weights: tuple[float, ...]) -> list[float]:
    """Totals of the seats by the kernel, which must leave the state and absent seats alone."""
    out, before = np.full(kernels.MAX_SEATS, 123.5), state.tobytes()
    kernels.evaluation.evaluate(state, np.array(weights), out)
    seats = int(kernels.num_seats(state))
    assert state.tobytes() == before
    assert out[seats:].tolist() == [123.5] * (len(out) - seats)
    return [float(total) for total in out[:seats]]


def unfinished_points(match: Match, feature: Feature, city_tile: float) -> float:
    """Points of an unfinished feature, a tile of a city worth `city_tile`."""
    if feature.kind != "city":
        return match.value(feature)
    return match.value(feature) + (city_tile - 1) * len(feature.places)


def slow_totals(match: Match, weights: tuple[float, ...]) -> list[float]:
    """The same by flood fill from every meeple."""
    score, meeples, unfinished, city_tile, poor_field = weights
    totals = [score * points for points in match.points]
    if match.ended:
        return totals
    for seat, in_hand in enumerate(match.in_hand):
        totals[seat] += meeples * in_hand
    for feature in {found.nodes: found for found in map(match.feature, match.meeples)}.values():
        for seat in feature.winners:
            totals[seat] += unfinished * unfinished_points(match, feature, city_tile)
        if feature.kind == "field" and match.value(feature) < 3 * 3:
            for owner in feature.owners:
                totals[owner] += poor_field
    return totals


@looped("seats", [2, 3, 4, 5])
@looped("rules", ALL_RULES)
def test_evaluation_of_a_random_match_agrees_with_flood_fill(
    kernels: ModuleType, seats: int, rules: dict[str, str]
) -> None:
    game, slow, rng = GameTable(seats, **rules), ReferenceTable(seats, **rules), random.Random(seats)
    seen: set[str] = set()
    for number in itertools.count(1):
        letter = rng.choice([letter for letter in slow.match.left if slow.match.fits_somewhere(letter)])
        assert game.draw(letter) == slow.draw(letter)
        moves = sorted(slow.moves(), key=str)
        claims = [move for move in moves if move[3]] or moves
        game_move = rng.choice(claims if rng.random() < 0.8 else moves)
        game.lay(game_move)
        slow.lay(game_move)
        for weights in (FINAL, ODD) if slow.over or number % 3 == 0 else ():
            totals = evaluate(kernels, game.state, weights)
            assert totals == pytest.approx(slow_totals(slow.match, weights)), f"after {game_move}"
        seen |= {feature.kind for feature in map(slow.match.feature, slow.match.meeples)}
        if slow.over:
            break
    assert seen == {"city", "road", "monastery", "field"}
    assert totals == [ODD[0] * points for points in slow.points]


def after(*words: str, seats: int = 2) -> GameTable:
    """The real game after some moves."""
    table = GameTable(seats)
    table.play(*words)
    return table


def test_a_road_and_a_meeple_less_in_hand(kernels: ModuleType) -> None:
    """Seat 0 holds the road of the start tile and a U: two tiles; seat 1 has all its meeples."""
    table = after("U 1,0 90° road0")
    assert evaluate(kernels, table.state, FINAL) == [10 * 6 + 10 * 2, 10 * 7]


def test_an_unfinished_city_counts_a_quarter_more_a_tile(kernels: ModuleType) -> None:
    """Seat 1 holds one tile of a city: a point if the match ended, 1.25 here."""
    table = after("U 1,0 90°", "E 1,-1 270° city0")
    assert table.projected == [0, 1]
    assert evaluate(kernels, table.state, FINAL) == [10 * 7, 10 * 6 + 10 * 1.25]


def test_a_field_beside_too_few_finished_cities_is_poor_for_each_meeple(kernels: ModuleType) -> None:
    table = after("U 1,0 90° field0")
    assert evaluate(kernels, table.state, FINAL) == [10 * 6 - 40, 10 * 7]


def test_exchanged_seats_exchange_their_totals(kernels: ModuleType) -> None:
    """So the value of a two-seat position for a seat is minus that for the other."""
    table, mirror, rng = GameTable(), GameTable(), random.Random(8)
    mirror.state[layout.PLAYER] = 1
    while not table.over:
        letter = rng.choice(sorted(table.drawable))
        assert table.draw(letter) == mirror.draw(letter)
        move = rng.choice(sorted(table.moves(), key=str))
        table.lay(move)
        mirror.lay(move)
        assert evaluate(kernels, table.state, ODD) == evaluate(kernels, mirror.state, ODD)[::-1]


def test_evaluation_of_a_good_match_agrees_with_flood_fill(kernels: ModuleType) -> None:
    """Strong seats stand on fields beside three finished cities and more, which random ones rarely do."""
    game, slow, rich = GameTable(), ReferenceTable(), 0
    trace = next(trace for trace in matches(FILES[1]) if trace["players"] == 2)
    for ply in trace["plies"]:
        for table in (game, slow):
            assert [table.draw(letter) for letter in ply["vain"]] == [False] * len(ply["vain"])
            table.play(spell(ply["tile"], (ply["x"], ply["y"], ply["rot"], ply["meeple"])))
        assert evaluate(kernels, game.state, ODD) == pytest.approx(slow_totals(slow.match, ODD))
        fields = [found for found in map(slow.match.feature, slow.match.meeples) if found.kind == "field"]
        rich += any(slow.match.value(field) >= 9 for field in fields) and not slow.over
    assert rich


def test_each_named_set_has_the_kernel_terms(kernels: ModuleType) -> None:
    assert kernels.evaluation.WEIGHTS == terms.WEIGHTS
    assert all(tuple(weights) == terms.WEIGHTS for weights in registry.get("carcassonne").evaluations.values())
    assert tuple(terms.SETS["final"].values()) == FINAL
    assert tuple(terms.SETS["intuitive"].values()) == (100.0, 1.0, 10.0, 1.0, -50.0)
