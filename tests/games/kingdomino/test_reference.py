"""Random matches on the real game and on the slow reference agree ply by ply."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from games.kingdomino import dominoes, reading
from tests.games.kingdomino import reference
from tests.games.kingdomino.tables import GAME, Tables, sit_down, standing
from tests.looping import looped

VARIANTS: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"middle": "bbox"}),
    (4, {}),
    (2, {"size": 7}),
    (2, {"size": 7, "middle": "full", "harmony": "nodiscard"}),
    (4, {"must_place": False, "middle": "off", "harmony": "nodiscard"}),
    (3, {"must_place": False, "harmony": "off"}),
    (3, {"three_seats": "48", "middle": "book", "ties": "official"}),
]


def play_both(rng: random.Random, seats: int, rules: Mapping[str, Any]) -> Tables:
    """A random match, compared after every ply."""
    tables = sit_down(rng, seats, **rules)
    while True:
        seen, wanted = standing(tables)
        assert seen == wanted
        if tables.slow.over:
            return tables
        moves = sorted(wanted["moves"], key=str)
        # among placements that stretch the kingdom, limits and the board's seams are met sooner
        move = rng.choice(moves)
        tables.play(move)


@pytest.mark.long
@looped("seats, rules", VARIANTS)
def test_random_match_agrees(seats: int, rules: dict[str, Any]) -> None:
    play_both(random.Random(seats), seats, rules)


@pytest.mark.slow
@looped("seed", range(60))
def test_many_random_matches_agree(seed: int) -> None:
    seats, rules = VARIANTS[seed % len(VARIANTS)]
    play_both(random.Random(1000 + seed), seats, rules)


@pytest.mark.long
def test_stretched_duels_agree() -> None:
    """Kingdoms that grow along one line meet the limit of seven at both sides at once."""
    rng = random.Random(7)
    for _ in range(3):
        tables = sit_down(rng, 2, size=7)
        while not tables.slow.over:
            seen, wanted = standing(tables)
            assert seen == wanted
            tables.play(max(wanted["moves"], key=lambda move: (_reach(move), rng.random())))


def _reach(move: reference.Move) -> int:
    return max((abs(x) for x, _ in move[0]), default=0) if move[0] else -1


def test_the_tables_of_dominoes_agree() -> None:
    tables = dominoes.load()
    for number, faces in reference.DOMINOES.items():
        ours = [
            (dominoes.TERRAINS[int(tables.terrain[2 * number - 2 + end])], int(tables.crowns[2 * number - 2 + end]))
            for end in (0, 1)
        ]
        assert sorted(ours) == sorted(faces), number


@pytest.mark.long
@looped("seats, rules", [(4, {}), (3, {"three_seats": "48", "middle": "book"})])
def test_what_can_be_looked_back_at_is_what_was_there(seats: int, rules: dict[str, Any]) -> None:
    """Scores after each round, legal actions a ply and who chose first, as metrics give them."""
    rng = random.Random(3)
    tables = sit_down(rng, seats, **rules)
    scores: dict[int, list[int]] = {}
    actions: dict[tuple[int, int], int] = {}
    first = [0] * seats
    while not tables.slow.over:
        if tables.slow.row and not tables.slow.claims:
            first[tables.slow.player] += 1
        actions[tables.slow.round, tables.slow.player] = len(tables.slow.legal_moves())
        round_ = tables.slow.round
        tables.play(rng.choice(tables.slow.legal_moves()))
        scores[round_] = tables.slow.scores
    for seat, values in enumerate(GAME.metrics(tables.state)):
        for round_ in range(1, 14):
            assert values[f"score_round_{round_}"] == scores[round_][seat]
            assert values[f"actions_round_{round_}"] == actions[round_, seat]
        found = tables.slow.kingdoms[seat].areas()
        for terrain in dominoes.TERRAINS:
            own = [(size, crowns) for kind, size, crowns in found if kind == terrain]
            assert values[f"points_{terrain}"] == sum(size * crowns for size, crowns in own)
            assert values[f"squares_{terrain}"] == sum(size for size, _ in own)
            assert values[f"areas_{terrain}"] == len(own)
        assert values["discards"] == tables.slow.kingdoms[seat].discards
        assert values["first_choices"] == first[seat]


@pytest.mark.slow  # perft and stored traces hold it to other programs
@pytest.mark.long
def test_random_scores_lie_in_the_known_band() -> None:
    """Uniformly random seats average 22.6 points (100,000 matches of an independent program)."""
    totals = [sum(reference.random_match(random.Random(seed)).scores) / 4 for seed in range(30)]
    error = np.std(totals, ddof=1) / np.sqrt(len(totals))
    assert abs(np.mean(totals) - 22.6) < 3 * error


@pytest.mark.long
def test_no_kingdom_is_ever_wider_than_its_limit() -> None:
    rng = random.Random(11)
    for seats, rules in VARIANTS:
        tables = sit_down(rng, seats, **rules)
        while not tables.slow.over:
            tables.play(rng.choice(tables.slow.legal_moves()))
            for seat in range(seats):
                west, east, north, south = reading.bounds(tables.state, seat)
                assert max(east - west, south - north) < tables.slow.rules.size


def test_rate_counts_whole_matches() -> None:
    assert reference.rate(0.01) > 0
