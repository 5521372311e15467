"""The whole lab killed in the middle of an experiment, and started again."""

from __future__ import annotations

import sys

import pytest

from tests.crash.experiment import Records, begun
from tests.crash.lab import Lab


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs the kernel's parent-death signal and /proc")
def test_a_killed_supervisor(undisturbed: Records) -> None:
    with Lab() as lab:
        lab.start_supervisor(workers=2)
        experiment = begun(lab)
        assert len(lab.children()) >= 5
        lab.kill("supervisor")
        lab.wait(lambda: not lab.children(), "all processes to end")
        lab.start_supervisor(workers=2)
        lab.wait_finished(experiment)
        assert lab.records(experiment) == undisturbed
        assert lab.rows("select max(deaths) from records_chunk where experiment_id = %s", experiment) == [(0,)]
