"""How strong Flat Monte Carlo's options make it: ``python -m worker run tests/engines/specs/NAME.json``."""

from __future__ import annotations

import pytest

from tests.engines.test_uct_strength import run


@pytest.mark.slow
def test_halving_with_informed_playouts_beats_the_best_of_the_paper_at_equal_time() -> None:
    """One against three MCE-FG/R (Gedda, Lagerkvist, Butler 2018, table III), 0.05 s of CPU time a ply each."""
    row = run("halving_against_mce", 60)
    # four equal players win 15 of 60 and have a margin of some -9 to the best other seat, with an error of 2
    assert row["wins"] >= 16
    assert row["mean_margin"] > -5
