"""The numbers of a run as JSON and back: sums alone, from which every figure and verdict follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.several import Estimates
from worker.presets.numbers import Numbers, SeatTally, Side, Together

DIGITS = 10
"""Significant digits of means and covariances."""


def to_json(numbers: Numbers) -> dict[str, Any]:
    """The numbers, JSON-ready: a short list for each side and seat, quantity, and set of pooled cells."""
    return {
        "sides": [[arm, sides] for arm, sides in sorted(numbers.sides.items())],
        "seats": [[*key, *_seat(tally)] for key, tally in sorted(numbers.seats.items())],
        "blocks": [
            [*side, name, *map(_short, _sums(row))]
            for side, rows in sorted(numbers.blocks.items())
            for name, row in rows.items()
        ],
        "together": {name: _together(found) for name, found in numbers.together.items()},
        "as_run": {name: _together(found) for name, found in numbers.as_run.items()},
        "study": dict(numbers.study),
    }


def from_json(data: Mapping[str, Any]) -> Numbers:
    """The numbers that `to_json` wrote."""
    blocks: dict[Side, dict[str, BlockMoments]] = {}
    for arm, side, name, *sums in data["blocks"]:
        blocks.setdefault((arm, side), {})[name] = BlockMoments(*sums)
    return Numbers(
        seats={(arm, side, seat): _tally(row) for arm, side, seat, *row in data["seats"]},
        blocks=blocks,
        study=data["study"],
        sides=dict(data["sides"]),
        together={name: _estimates(found) for name, found in data["together"].items()},
        as_run={name: _estimates(found) for name, found in data["as_run"].items()},
    )


def _seat(tally: SeatTally) -> Sequence[float | None]:
    scores = tally.scores
    sums = (tally.wins, tally.draws, tally.losses, scores.n, scores.total, scores.total_squares)
    return [*map(_short, sums), *(None if end is None else _short(end) for end in (tally.lowest, tally.highest))]


def _tally(row: Sequence[Any]) -> SeatTally:
    wins, draws, losses, n, total, squares, lowest, highest = row
    return SeatTally(wins, draws, losses, Moments(n, total, squares), lowest, highest)


def _sums(row: BlockMoments) -> tuple[float, ...]:
    return row.blocks, row.n, row.total, row.total_squares, row.cross, row.n_squares


def _together(found: Together) -> dict[str, Any]:
    """covariance: its lower triangle, row by row."""
    means = found.means
    triangle = [_rounded(row[: place + 1]) for place, row in enumerate(means.covariance)]
    return {
        "cells": list(found.cells),
        "values": _rounded(means.values),
        "sizes": _rounded(means.sizes),
        "deals": means.deals,
        "covariance": triangle,
    }


def _estimates(data: Mapping[str, Any]) -> Together:
    lower = np.zeros((len(data["cells"]),) * 2)
    for place, row in enumerate(data["covariance"]):
        lower[place, : place + 1] = row
    covariance = lower + np.tril(lower, -1).T
    means = Estimates(np.array(data["values"]), covariance, data["deals"], np.array(data["sizes"]))
    return Together(tuple(data["cells"]), means)


def _rounded(values: Any) -> list[float]:
    return [_short(float(f"{value:.{DIGITS}g}")) for value in values]


def _short(value: float) -> float:
    """A whole number without its point."""
    return int(value) if value == int(value) else value
