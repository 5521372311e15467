"""How strong searches over hands are at dominoes: ``python -m worker run tests/engines/specs/NAME.json``.

Rounds; each deal is played in four seatings, so both teams hold the same hands. Of a seating and the
one that gives the teams the same hands the other way round, four rounds a deal.
"""

from __future__ import annotations

import pytest

from tests.engines.test_uct_strength import run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rounds", "least", "most"),
    [
        ("dominoes_greedy_against_random", 20_000, 0.518, 0.542),
        ("dominoes_oracle_against_greedy", 4_000, 0.816, 0.872),
        ("dominoes_pimc_against_greedy", 2_000, 0.60, 0.73),
    ],
)
def test_players_are_as_strong_as_they_are_known_to_be(name: str, rounds: int, least: float, most: float) -> None:
    row = run(name, rounds)
    assert least < row["wins"] / rounds < most


@pytest.mark.slow
def test_one_tree_with_inference_beats_pimc_at_its_time() -> None:
    row = run("dominoes_tree_against_pimc", 2_000)
    # as below, with half the deals: an error of some 2 points
    assert (row["wins"] - row["losses"]) / 2_000 > 0.0


@pytest.mark.slow
def test_playouts_with_inference_beat_pimc_at_its_time() -> None:
    row = run("dominoes_playouts_against_pimc", 4_000)
    # each deal in four seatings: the share of rounds won less that lost has an error of some 1.5 points
    assert (row["wins"] - row["losses"]) / 4_000 > 0.04
