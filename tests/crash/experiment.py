"""The experiment that the crash tests disturb."""

from __future__ import annotations

from typing import Any

from tests.crash.lab import Lab

Records = dict[str, list[tuple[Any, ...]]]

THINKS = {"engine": "flat_mc", "options": {}, "budget": {"playouts_per_action": 4}}
RANDOM = {"engine": "random", "options": {}, "budget": {}}
SPEC = {
    "version": 1,
    "game": "carcassonne",
    "seats": 2,
    "arms": [{"name": "thinks", "seats": [THINKS, RANDOM]}, {"name": "random", "seats": [RANDOM, RANDOM]}],
    "deals": 6,
    "seed": 11,
}
PIECES = [(0, 0, 5), (1, 0, 12), (0, 5, 4), (0, 9, 3)]
NUM_MATCHES = 24
BEGUN = 3
"""So many matches are recorded when something is killed."""


def begun(lab: Lab) -> int:
    """An experiment in the middle: some matches recorded, a chunk being played."""
    experiment = lab.create(SPEC, PIECES)
    lab.wait(
        lambda: lab.num_matches(experiment) >= BEGUN and lab.playing(), f"experiment {experiment} to be in the middle"
    )
    assert lab.num_matches(experiment) < NUM_MATCHES
    return experiment
