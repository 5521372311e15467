import dataclasses
from statistics import mean

import pytest

from tests.webapp.lab.presets.runs import run
from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM
from webapp.lab.presets import numbers
from webapp.records.models import Seat
from worker import spec as specs
from worker.presets import registry
from worker.presets.numbers import DRAWS, MARGIN, SCORE, WINS, Collector, Quantity

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("line_up", "seatings", "sides"), [((FLAT, RANDOM), 2, {0, 1}), ((FLAT, FLAT), 1, {0})], ids=["two", "itself"]
)
def test_the_database_sums_up_what_the_records_hold(alice, line_up, seatings, sides):
    known = registry.get("heyden-figures-6.1-6.2")
    made = run(alice, deals=2, preset=known.id, line_up=line_up)
    records = [factory.record(made.experiment, 0, ordinal) for ordinal in range(2 * seatings)]
    assert len(records) == made.experiment.num_matches
    cities = sorted(record.metrics[record.lineup.index(0)]["placed_city"] for record in records)
    assert cities[0] < cities[-1]
    preset = dataclasses.replace(
        known, quantities=(*known.quantities, Quantity("most", ("placed_city",), reaches=cities[-1]))
    )
    collector = Collector(preset.quantities, specs.from_json(made.experiment.spec))
    collector.write(records)
    expected = collector.numbers()
    found = numbers.numbers(preset, made)
    assert found.seats == expected.seats
    assert found.blocks == expected.blocks
    assert found.wins(0, 0) == expected.wins(0, 0)
    assert found.wins(0, 1) == expected.wins(0, 1)
    assert found.draws(0, 0) == expected.draws(0, 0)
    assert found.margin(0, 0) == expected.margin(0, 0)
    assert found.share(0, 0, "most") == expected.share(0, 0, "most")
    assert 0 < found.share(0, 0, "most").value < 1
    assert {side for _, side in found.blocks} == sides
    assert set(found.blocks[0, 0]) == {WINS, DRAWS, SCORE, MARGIN, *(quantity.id for quantity in preset.quantities)}


def test_an_engine_that_meets_itself_wins_what_it_does_not_draw_half(alice):
    made = run(alice, deals=3, line_up=(FLAT, FLAT))
    found = numbers.numbers(registry.get("heyden-table-6.1"), made)
    rows = list(Seat.objects.filter(experiment=made.experiment))
    assert len(rows) == 6, "a match of each deal"
    for place in (0, 1):
        wins, draws = found.wins(0, place), found.draws(0, place)
        assert (wins.successes, wins.trials) == (sum(row.result == "win" for row in rows), 6)
        assert wins.value == pytest.approx((1 - draws.value) / 2)
        assert found.margin(0, place).value == 0
        assert found.score(0, place).value == pytest.approx(mean(row.score for row in rows))


def test_a_deal_in_part_is_in_no_number(alice):
    made = run(alice, deals=3, played=False)
    factory.write(made.experiment, [factory.record(made.experiment, 0, ordinal) for ordinal in (0, 1, 2, 5)])
    found = numbers.numbers(registry.get("heyden-table-6.1"), made)
    rows = list(Seat.objects.filter(experiment=made.experiment, deal=0, lineup_index=0))
    assert found.tally(0, 0).matches == len(rows) == 2
    assert found.blocks[0, 0][WINS].blocks == 1
    assert found.score(0, 0).value == pytest.approx(mean(row.score for row in rows))


def test_matches_without_a_later_metric_are_in_no_mean_of_it(alice):
    made = run(alice, deals=3)
    Seat.objects.filter(experiment=made.experiment, deal=1).update(counts=[], measures=[])
    later = (Quantity("placed", ("placed_city",)), Quantity("never", ("no_such_metric",)))
    preset = dataclasses.replace(registry.get("heyden-table-6.1"), quantities=later)
    found = numbers.numbers(preset, made)
    assert (found.blocks[0, 0]["placed"].blocks, found.blocks[0, 0]["placed"].n) == (2, 4)
    assert found.blocks[0, 0][WINS].n == 6
    assert found.quantity(0, 0, "never") is None


def test_nothing_played_is_no_number(alice):
    preset = registry.get("heyden-table-6.1")
    found = numbers.numbers(preset, run(alice, played=False))
    assert found.seats == {}
    assert found.wins(0, 0) is None
