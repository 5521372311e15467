"""Campaigns with ``--slow``: each takes many minutes, and the machine should have nothing else to do."""

from __future__ import annotations

import pytest

from tests.campaigns import kills, people

pytestmark = pytest.mark.slow


def test_a_hundred_people_beside_two_batches() -> None:
    assert people.faults(people.run(number=100, seconds=300.0)) == []


def test_twenty_kills_of_each_kind_of_process() -> None:
    assert kills.faults(kills.run(kills=20)) == []
