"""Plays one match of Carcassonne between random players, by kernels: ``python -m tests.bench.first_match``."""

from __future__ import annotations

from games import garbage
from worker import schedule
from worker import spec as specs
from worker.runner import play_match

SEAT = {"engine": "scripted", "options": {"policy": "random"}, "budget": {}}
ARM = {"name": "random", "seats": [SEAT, SEAT]}
SPEC = {"version": 1, "game": "carcassonne", "seats": 2, "arms": [ARM], "deals": 1, "seed": 7}

if __name__ == "__main__":
    garbage.collect_seldom()
    record = play_match(next(schedule.match_specs(specs.from_json(SPEC), 0, 0, 1)))
    assert record.failure is None
