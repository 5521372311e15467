import dataclasses

import pytest

from tests.webapp.lab.presets.runs import run
from tests.webapp.lab.results import factory
from webapp.lab.presets import numbers
from worker.presets import registry
from worker.presets.numbers import DRAWS, MARGIN, WINS, Collector, Quantity

pytestmark = pytest.mark.django_db


def test_the_database_sums_up_what_the_records_hold(alice):
    known = registry.get("heyden-figures-6.1-6.2")
    made = run(alice, deals=2, preset=known.id)
    records = [factory.record(made.experiment, 0, ordinal) for ordinal in range(4)]
    cities = sorted(record.metrics[record.lineup.index(0)]["placed_city"] for record in records)
    assert cities[0] < cities[-1]
    preset = dataclasses.replace(
        known, quantities=(*known.quantities, Quantity("most", ("placed_city",), reaches=cities[-1]))
    )
    collector = Collector(preset.quantities)
    collector.write(records)
    expected = collector.numbers()
    found = numbers.numbers(preset, made)
    assert found.seats == expected.seats
    assert found.blocks == expected.blocks
    assert found.wins(0, 0) == expected.wins(0, 0)
    assert found.draws(0, 0) == expected.draws(0, 0)
    assert found.margin(0, 0) == expected.margin(0, 0)
    assert found.share(0, 0, "most") == expected.share(0, 0, "most")
    assert 0 < found.share(0, 0, "most").value < 1
    assert set(found.blocks[0, 0]) == {WINS, DRAWS, MARGIN, *(quantity.id for quantity in preset.quantities)}


def test_nothing_played_is_no_number(alice):
    preset = registry.get("heyden-table-6.1")
    found = numbers.numbers(preset, run(alice, played=False))
    assert found.seats == {}
    assert found.wins(0, 0) is None
