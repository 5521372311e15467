"""Sums over the deals on which a level was measured, for estimates with the deal as their unit."""

from __future__ import annotations

from engines.levels import Measurement
from worker.analysis.moments import BlockMoments, Moments

DRAW = 0.5
"""Points of a draw; a win has 1."""


def wins(measured: Measurement) -> BlockMoments:
    """Matches that the weaker level won, a block for each deal."""
    return _blocks(measured, 0.0)


def losses(measured: Measurement) -> BlockMoments:
    """Matches that the weaker level lost, a block for each deal."""
    return BlockMoments.of(
        Moments(measured.matches_per_deal, measured.matches_per_deal - wins - draws)
        for wins, draws, count in measured.deals
        for _ in range(count)
    )


def points(measured: Measurement) -> BlockMoments:
    """Points of the weaker level, a block for each deal."""
    return _blocks(measured, DRAW)


def _blocks(measured: Measurement, draw: float) -> BlockMoments:
    return BlockMoments.of(
        Moments(measured.matches_per_deal, wins + draw * draws)
        for wins, draws, count in measured.deals
        for _ in range(count)
    )
