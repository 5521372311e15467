"""The whole lab killed in the middle of an experiment, and started again."""

from __future__ import annotations

import sys

import pytest

from tests.crash.experiment import NUM_MATCHES, PIECES, RANDOM, SPEC, STEP
from tests.crash.lab import Lab

KNOWN = {"engine": "flat_mc", "options": {}, "budget": {"playouts_per_action": 8}}
"""What the workers of `up` know, too."""
ARMS = [{"name": "thinks", "seats": [KNOWN, RANDOM]}, {"name": "exchanged", "seats": [RANDOM, KNOWN]}]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs the kernel's parent-death signal and /proc")
def test_a_killed_supervisor() -> None:
    with Lab() as lab:
        lab.start_supervisor(workers=2)
        undisturbed, experiment = (lab.create(SPEC | {"arms": ARMS}, PIECES) for _ in range(2))
        lab.wait_finished(undisturbed)
        lab.wait(lambda: lab.num_matches(experiment) >= STEP and lab.playing(), "the experiment to be in the middle")
        assert lab.num_matches(experiment) < NUM_MATCHES
        assert len(lab.children()) >= 5
        lab.kill("supervisor")
        lab.wait(lambda: not lab.children(), "all processes to end")
        lab.start_supervisor(workers=2)
        lab.wait_finished(experiment)
        assert lab.records(experiment) == lab.records(undisturbed)
        assert lab.rows("select max(deaths) from records_chunk where experiment_id = %s", experiment) == [(0,)]
