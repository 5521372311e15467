from __future__ import annotations

import dataclasses

import psycopg
import pytest
from django.db import connection

from tests.records import samples, totals
from tests.records.experiments import make_experiment, target
from webapp.records import recorder, stored_matches
from webapp.records.models import Experiment, Match, Ply, Seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def experiment() -> Experiment:
    return make_experiment()


def write(experiment: Experiment, *records: samples.MatchRecord) -> int:
    connection.ensure_connection()
    return recorder.write(connection.connection, target(experiment), records)


def kept(experiment: Experiment) -> list[samples.MatchRecord]:
    order = ("arm_index", "deal", "rotation")
    return stored_matches.load_records(list(Match.objects.filter(experiment=experiment).order_by(*order)))


def test_everything_comes_back_as_it_was(experiment: Experiment) -> None:
    matches = [samples.match(0), samples.match(1, weighs=False), samples.failed(2), samples.match(3, num_plies=0)]
    assert write(experiment, *matches) == 4
    assert kept(experiment) == matches


def test_a_repeat_changes_nothing(experiment: Experiment) -> None:
    matches = [samples.match(ordinal) for ordinal in range(4)]
    write(experiment, *matches[:3])
    before, ids = totals.kept(experiment.pk), set(Match.objects.values_list("pk", flat=True))
    assert write(experiment, *matches[:3]) == 0
    assert totals.kept(experiment.pk) == before
    assert set(Match.objects.values_list("pk", flat=True)) == ids
    assert write(experiment, *matches) == 1
    assert kept(experiment) == matches


def test_the_same_match_twice_in_one_batch_counts_once(experiment: Experiment) -> None:
    assert write(experiment, samples.match(0), samples.match(0)) == 1
    assert totals.kept(experiment.pk)["num_plies", 0, 0, 0, -1][0] == 1


def test_a_match_recorded_first_is_not_replaced(experiment: Experiment) -> None:
    first, other = samples.match(0), samples.match(0, seed=2)
    write(experiment, first)
    write(experiment, other)
    assert kept(experiment) == [first]


def test_a_batch_is_written_whole_or_not_at_all(experiment: Experiment) -> None:
    good, bad = samples.match(0), dataclasses.replace(samples.match(1), deal_seed=2**70)
    with pytest.raises(psycopg.DataError):
        write(experiment, good, bad)
    assert not Match.objects.exists()
    assert not Ply.objects.exists()
    assert not totals.kept(experiment.pk)


@pytest.mark.parametrize("impossible", [{"playouts": -5}, {"legal_count": 2**40}, {"nodes": 2**64}, {"depth": -1}])
def test_an_impossible_number_fails_its_match_alone(experiment: Experiment, impossible: dict[str, int]) -> None:
    records = [samples.match(ordinal) for ordinal in range(4)]
    *plies, last = records[3].plies
    records[3] = dataclasses.replace(records[3], plies=(*plies, dataclasses.replace(last, **impossible)))
    assert write(experiment, *records) == 4
    assert kept(experiment)[:3] == records[:3]
    failed = Match.objects.get(status="failed")
    assert (failed.deal, failed.rotation, failed.failure["seat"], failed.failure["kind"]) == (1, 1, None, "exception")
    assert failed.failure["message"].startswith("an impossible number was to be recorded: ")


def test_playouts_are_counted_in_64_bits(experiment: Experiment) -> None:
    record = samples.match(0)
    *plies, last = record.plies
    record = dataclasses.replace(record, plies=(*plies, dataclasses.replace(last, playouts=2_500_000_000)))
    write(experiment, record)
    assert kept(experiment) == [record]


def test_plies_with_and_without_a_value_or_a_table(experiment: Experiment) -> None:
    record = samples.match(0)
    changes = [{"value": None}, {"info": None}, {}]
    plies = tuple(dataclasses.replace(ply, **changes[ply.ply % 3]) for ply in record.plies)
    records = [dataclasses.replace(record, plies=plies), samples.match(1)]
    write(experiment, *records)
    assert kept(experiment) == records


def test_a_failed_match_has_no_result(experiment: Experiment) -> None:
    write(experiment, samples.failed(1, seat=1, message="x" * 5000 + "\x00"))
    match = Match.objects.get()
    assert match.failure["seat"] == 1
    assert match.failure["message"] == "x" * recorder.MAX_MESSAGE
    rows = Seat.objects.order_by("seat").values_list(
        "lineup_index", "score", "margin", "rank", "result", "counts", "measures"
    )
    assert list(rows) == [(1, *[None] * 6), (0, *[None] * 6)]


def test_seats_know_configuration_and_margin(experiment: Experiment) -> None:
    record = samples.match(1)
    write(experiment, record)
    entries = experiment.arms.get().entries.order_by("lineup_index")
    configurations = [entry.configuration_id for entry in entries]
    seats = Seat.objects.order_by("seat")
    assert [seat.configuration_id for seat in seats] == [configurations[1], configurations[0]]
    difference = record.scores[0] - record.scores[1]
    assert [seat.margin for seat in seats] == [difference, -difference]
