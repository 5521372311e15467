from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.crash.experiment import NUM_MATCHES, PIECES, SPEC, STUDY, Records, Rows, finish_study
from tests.crash.lab import Lab


@pytest.fixture(scope="session")
def alone() -> Iterator[tuple[Lab, int, int]]:
    """A lab, and the experiment and the study that its one worker is given before anything happens."""
    with Lab(is_in_haste=True) as running:
        running.start_worker(1)  # it begins beside all that follows
        running.start_servers()
        running.start_sweeper()
        experiment, study = running.create(SPEC, PIECES), running.create_study(STUDY)
        running.wait_finished(experiment)
        finish_study(running, study)
        yield running, experiment, study


@pytest.fixture(scope="session")
def lab(alone: tuple[Lab, int, int]) -> Lab:
    """One lab for all crash tests; each test says which workers it needs."""
    return alone[0]


@pytest.fixture
def held(lab: Lab) -> Iterator[Lab]:
    """The lab, where a test may hold what is played."""
    yield lab
    lab.let_go()


@pytest.fixture(scope="session")
def undisturbed(alone: tuple[Lab, int, int]) -> Records:
    """What one worker records when nothing happens."""
    lab, experiment, _ = alone
    records = lab.records(experiment)
    assert len(records["matches"]) == NUM_MATCHES
    assert {row[5] for row in records["matches"]} == {"finished"}
    assert len(records["plies"]) == sum(row[6] for row in records["matches"])
    return records


@pytest.fixture(scope="session")
def undisturbed_study(alone: tuple[Lab, int, int]) -> Rows:
    """What one worker leaves of the study when nothing happens."""
    lab, _, study = alone
    found = finish_study(lab, study)
    assert [row[1] for row in found] == ["done"] * len(found)
    return found
