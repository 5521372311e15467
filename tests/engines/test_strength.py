"""How strong the engines are, in matches with both seats played by each side on every deal.

The specs in ``specs/`` are Heyden's comparison (2009, section 4.2) at 20 playouts per legal
action; each can be run by itself: ``python -m worker run tests/engines/specs/NAME.json``.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games import registry as game_registry
from games.loader import FRAME
from worker import batch
from worker.report import Report
from worker.spec import from_json

SPECS = Path(__file__).parent / "specs"
DEADLINE_S = 3600
Seat = dict[str, Any]

RANDOM: Seat = {"engine": "random"}
GREEDY: Seat = {"engine": "scripted", "options": {"policy": "greedy"}}
SEARCH: Seat = {"engine": "flat_mc", "budget": {"playouts_per_action": 20}}


def play(game: str, seats: list[Seat], deals: int) -> dict[str, Any]:
    """The first place's row of the summary."""
    arms = [{"name": "one arm", "seats": seats}]
    data = {"version": 1, "game": game, "seats": 2, "arms": arms, "deals": deals, "seed": 5, "record": "matches"}
    spec = from_json(data)
    report = Report(spec)
    for records in batch.play(spec, 1):
        report.write(records)
    assert report.failed == 0
    row: dict[str, Any] = report.to_json()["arms"][0]["places"][0]
    return row


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game_registry.GAMES, "toy", "games.toy.game:Cards")


@pytest.mark.long
@pytest.mark.usefixtures("toys")
def test_keeping_and_searching_beat_random_in_the_game_of_cards() -> None:
    # Six cards of mean 3.5. In the first seat an engine that keeps everything has its 3 and half of
    # the other's 2 free ones, the last one is the other's: 4 to 2. In the second: 4.5 to 1.5.
    expected = ((4 - 2) + (4.5 - 1.5)) / 2 * 3.5
    for engine in (GREEDY, SEARCH):
        row = play("toy", [engine, RANDOM], 100)
        low, high = row["margin_interval"]
        # the 95 % interval reaches two standard errors to either side: allow five
        assert abs(row["mean_margin"] - expected) < 2.5 * (high - low) / 2
        assert low > 0


def test_greedy_beats_random_in_carcassonne() -> None:
    row = play("carcassonne", [GREEDY, RANDOM], 20)
    # seen: 40 wins of 40; a true rate of 80 % would give 36 or more with chance 8 %
    assert row["wins"] >= 36
    assert row["margin_interval"][0] > 10


def test_flat_monte_carlo_beats_random_in_carcassonne() -> None:
    row = play("carcassonne", [SEARCH, RANDOM], 1)
    assert row["wins"] == 2
    # over 100 matches the own score is 90 on average with a standard deviation of 16: 4 standard errors
    assert abs(row["mean_score"] - 90) < 4 * 16 / math.sqrt(2)


@cache
def run(name: str, matches: int = 100) -> dict[str, dict[str, Any]]:
    """By arm, the first place's row of a spec run from the command line on half of the processors."""
    processes = max(1, (os.cpu_count() or 2) // 2)
    command = [sys.executable, "-m", "worker", "run", str(SPECS / f"{name}.json"), "--processes", str(processes)]
    answer = subprocess.run(command, cwd=FRAME.parent, check=True, capture_output=True, text=True, timeout=DEADLINE_S)
    summary = json.loads(answer.stdout)
    assert (summary["matches"], summary["failed"]) == (matches, 0)
    return {arm["name"]: arm["places"][0] for arm in summary["arms"]}


@pytest.mark.slow
def test_score_difference_at_twenty_playouts_an_action_crushes_random() -> None:
    (row,) = run("difference_against_random").values()
    assert row["wins"] >= 95
    assert 70 <= row["mean_score"] <= 92


@pytest.mark.slow
def test_win_draw_or_loss_beats_random_with_few_points() -> None:
    (row,) = run("wdl_against_random").values()
    assert row["wins"] >= 95
    assert 24 <= row["mean_score"] <= 38


@pytest.mark.slow
def test_score_difference_beats_win_draw_or_loss() -> None:
    (row,) = run("difference_against_wdl").values()
    # 172 of 200 matches over two seeds were won: fewer than 75 of 100 has a chance below 1 %
    assert row["wins"] >= 75
    assert row["margin_interval"][0] > 20


@pytest.mark.slow
def test_expectimax_crushes_random_at_depth_1_and_2() -> None:
    for row in run("expectimax_against_random", 80).values():
        # 200 of 200 longer matches were won; their margin was 78 or more, with a deviation of 16
        assert row["wins"] >= 39
        assert row["mean_margin"] > 78 - 4 * 16 / math.sqrt(40)


@pytest.mark.slow
def test_expectimax_beats_greedy_at_depth_1_and_2() -> None:
    rows = run("expectimax_against_greedy", 80)
    # over 100 matches: margins of 21.4 and 26.2 with deviations of 23 and 21, 84 and 89 wins
    for name, margin, deviation in (("depth 1", 21.4, 23), ("depth 2", 26.2, 21)):
        assert abs(rows[name]["mean_margin"] - margin) < 4 * deviation / math.sqrt(40)
        assert rows[name]["margin_interval"][0] > 0
        # fewer than 28 of 40 have a chance below 1 % where 84 % are won
        assert rows[name]["wins"] >= 28
