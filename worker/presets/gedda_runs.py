"""What the authors' result files hold of Gedda, Lagerkvist, Butler 2018: ``data/gedda_runs.json``.

A row is a file of experiments/runs of github.com/mgedda/kdom-ai: the mean margin of its games and their standard
deviation, and of Table III the playouts of a ply by round (the median game's playouts a second times the seconds,
one at least). The files were found by their margins, which agree with the printed ones.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from worker.analysis.verdict import Sample

FILE = Path(__file__).parent / "data" / "gedda_runs.json"
EXHAUSTED = 11
"""Round from which on a tree of the program holds most ends of the match, and makes up to millions of simulations."""


@cache
def _data() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(FILE.read_bytes())
    return found


def _row(player: str, seconds: float) -> Mapping[str, Any]:
    rows = (row for row in _data()["table_3"] if row["player"] == player and row["seconds"] == seconds)
    return next(iter(rows))


def playouts(player: str, seconds: float) -> dict[str, Any]:
    """Playouts of a ply by round of a player of Table III ("UCT-FG"), as a budget has them.

    From round 11 on a tree gets no more than flat Monte Carlo made in the time: the rest went through ends of the
    match that it held already (docs/findings/papers.md).
    """
    counts = list(_row(player, seconds)["playouts"])
    flat = _row(f"MCE-{player.partition('-')[2]}", seconds)["playouts"]
    late = [min(pair) for pair in zip(counts[EXHAUSTED - 1 :], flat[EXHAUSTED - 1 :], strict=True)]
    return {"by": "round", "counts": [*counts[: EXHAUSTED - 1], *late]}


def margin(player: str, seconds: float) -> Sample:
    """Mean margin of a player of Table III in its file."""
    return _sample(_row(player, seconds))


def margin_of_fg() -> Sample:
    """Mean margin of the full greedy player of Table III in its file."""
    return _sample(_data()["fg"])


def point(player: str, seconds: float, option: str, value: float) -> Sample:
    """Mean margin at one point of figure 7 (option "c") or 8 ("win_bias"). Raises KeyError where there is none."""
    for row in _data()["figures"]:
        if (row["player"], row["seconds"], row.get(option)) == (player, seconds, value):
            return _sample(row)
    raise KeyError(f"{player} has no point at {seconds} s with {option} = {value}")


def _sample(row: Mapping[str, Any]) -> Sample:
    return Sample(int(row["games"]), float(row["margin"]), float(row["deviation"]))
