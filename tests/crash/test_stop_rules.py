"""Whatever is killed while an experiment under a stop rule runs, it ends as a run without a server ends."""

from __future__ import annotations

from typing import Any

import pytest

from engines import registry
from tests.crash.engines import Waits
from tests.crash.experiment import RANDOM, THINKS, WAITS
from tests.crash.lab import Lab
from worker import batch
from worker import spec as specs
from worker.looks import RecordLooks

SCRIPTED = {"engine": "scripted", "options": {}, "budget": {}}
SPEC: dict[str, Any] = {
    "version": 1,
    "game": "carcassonne",
    "seats": 2,
    "arms": [
        {"name": name, "seats": [engine, WAITS]}
        for name, engine in (("scripted", SCRIPTED), ("random", RANDOM), ("thinks", THINKS))
    ],
    "deals": 24,
    "seed": 5,
    "record": "matches",
    "stop": {"rule": "best_of", "on": "margin"},
}
DEALS = 2
"""Deals of a chunk."""


def go_on(lab: Lab, experiment: int) -> None:
    """Let further matches be recorded, until more are being played."""
    to_be = lab.num_matches(experiment) + 8
    lab.give(9)
    lab.wait(lambda: lab.num_matches(experiment) >= to_be, "further matches")
    lab.wait(lab.playing, "a match that is being played")


@pytest.mark.slow  # tests/records/test_looks.py lets workers die at less cost
def test_killed_workers_change_nothing_of_an_end(held: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.ENGINES, Waits.id, f"{Waits.__module__}:{Waits.__name__}")
    checked = specs.from_json(SPEC)
    looks = RecordLooks(checked)
    alone = sum(map(len, batch.play(checked, looks=looks)))
    assert looks.ruling.dropped, "an arm is worse"
    assert looks.ruling.deals is not None

    held.need(2)
    held.hold()
    chunks = [(arm, first, 2 * DEALS) for first in range(0, 48, 2 * DEALS) for arm in range(3)]
    experiment = held.create(specs.to_json(checked), chunks)
    for killed in ("worker", "postgres", "worker"):
        go_on(held, experiment)
        held.kill(killed)
        if killed == "worker":
            held.start_worker(2)
        else:
            held.start_server(killed)
    held.let_go()
    held.wait_finished(experiment)
    ((outcome,),) = held.rows("select outcome from records_experiment where id = %s", experiment)
    assert outcome == looks.ruling.to_json()
    ((failed,),) = held.rows(
        "select count(*) from records_match where experiment_id = %s and status <> 'finished'", experiment
    )
    assert failed == 0
    until = {arm: looks.ruling.dropped.get(arm, looks.ruling.deals) for arm in range(3)}
    for arm, deals in until.items():
        query = "select count(*) from records_match where experiment_id = %s and arm_index = %s and deal < %s"
        assert held.rows(query, experiment, arm, deals) == [(2 * deals,)]
    assert held.num_matches(experiment) < 144
    assert alone < 144
