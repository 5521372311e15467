from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.crash.experiment import NUM_MATCHES, PIECES, SPEC, Records
from tests.crash.lab import Lab


@pytest.fixture(scope="session")
def lab() -> Iterator[Lab]:
    """One lab for all crash tests; each test says which workers it needs."""
    with Lab() as running:
        running.start_servers()
        yield running


@pytest.fixture(scope="session")
def undisturbed(lab: Lab) -> Records:
    """What one worker records when nothing happens."""
    lab.need(1)
    experiment = lab.create(SPEC, PIECES)
    lab.wait_finished(experiment)
    records = lab.records(experiment)
    assert len(records["matches"]) == NUM_MATCHES
    assert {row[5] for row in records["matches"]} == {"finished"}
    assert len(records["plies"]) == sum(row[6] for row in records["matches"])
    return records
