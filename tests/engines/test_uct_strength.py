"""How strong UCT is; each spec can be run by itself: ``python -m worker run tests/engines/specs/NAME.json``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.loader import FRAME

SPECS = Path(__file__).parent / "specs"
DEADLINE_S = 3600


def run(name: str, matches: int) -> dict[str, Any]:
    """The first place's row of a spec run from the command line on half of the processors."""
    processes = max(1, (os.cpu_count() or 2) // 2)
    command = [sys.executable, "-m", "worker", "run", str(SPECS / f"{name}.json"), "--processes", str(processes)]
    answer = subprocess.run(command, cwd=FRAME.parent, check=True, capture_output=True, text=True, timeout=DEADLINE_S)
    summary = json.loads(answer.stdout)
    assert (summary["matches"], summary["failed"]) == (matches, 0)
    row: dict[str, Any] = summary["arms"][0]["places"][0]
    return row


@pytest.mark.slow
def test_five_hundred_simulations_crush_random() -> None:
    row = run("uct_against_random", 20)
    # seen: 20 wins by 75 points on average, with a standard deviation of 16 and so an error of 3.6
    assert row["wins"] >= 19
    assert abs(row["mean_margin"] - 75) < 4 * 3.6


@pytest.mark.slow
def test_a_tree_beats_flat_monte_carlo_with_as_many_playouts() -> None:
    """Heyden 2009, table 6.2: 74 % of the matches for C = 3."""
    row = run("uct_against_flat", 100)
    # seen: 81 wins by 17.5 points; four standard deviations below a true rate of 81 % are 65 wins
    assert row["wins"] >= 65
    assert row["margin_interval"][0] > 5


@pytest.mark.slow
def test_informed_playouts_beat_the_best_of_the_thesis_at_equal_time() -> None:
    """The thesis has Star2.5 ahead of UCT, 70 to 27 (Heyden 2009, table 6.8)."""
    row = run("uct_informed_against_star25", 200)
    # seen: 153 wins, 6 draws, 41 losses, margin 16.4 with an error of 1.5; five errors below are 9
    assert row["wins"] >= 120
    assert row["mean_margin"] > 9
