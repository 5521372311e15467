"""Totals of small batches wait, are read all the same, and are merged once."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.db import connection

from tests.records import samples, totals
from tests.records.experiments import make_experiment, target
from webapp.records import rebuild, recorder, waiting_summaries
from webapp.records.models import Experiment, Summary, WaitingSummary

pytestmark = pytest.mark.django_db


def write(experiment: Experiment, first: int, number: int = 4, shard: int = 0) -> None:
    connection.ensure_connection()
    batch = [samples.match(first + i, num_plies=3) for i in range(number)]
    assert recorder.write(connection.connection, target(experiment, shard=shard), batch) == number


def at_once(experiment: Experiment, number: int, monkeypatch: pytest.MonkeyPatch) -> dict[Any, Any]:
    """What all matches come to where nothing waits."""
    with monkeypatch.context() as changed:
        changed.setattr(waiting_summaries, "FEW", 0)
        write(experiment, 0, number)
    return totals.kept(experiment.pk)


def alike(found: dict[Any, Any], wanted: dict[Any, Any]) -> bool:
    """Sums of fractions differ in their last bits with the order of additions."""
    return found.keys() == wanted.keys() and all(
        found[key][0] == n and found[key][3] == cells and found[key][1:3] == pytest.approx((total, squares), rel=1e-12)
        for key, (n, total, squares, cells) in wanted.items()
    )


def test_few_matches_wait_and_are_read_and_many_are_merged_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made, other = make_experiment(), make_experiment()
    write(made, 0)
    write(made, 4)
    assert [row.matches for row in WaitingSummary.objects.all()] == [4, 4]
    assert sum(row.plies for row in WaitingSummary.objects.all()) == 24
    assert not Summary.objects.exists()
    assert alike(totals.kept(made.pk), at_once(other, 8, monkeypatch))
    assert Summary.objects.filter(experiment=other).exists()
    by_ply = waiting_summaries.rows(made.pk, ["score"], by_ply=True, arm=0)
    assert [total.ply for total in by_ply] == sorted(total.ply for total in by_ply)
    assert sum(total.n for total in by_ply) == 8 * 3 * 2
    assert {total.n for total in waiting_summaries.rows(made.pk, ["margin"])} == {2}
    assert waiting_summaries.rows(made.pk, ["margin"], arm=1) == []


@pytest.mark.parametrize("bound", [{"MERGE_MATCHES": 12}, {"MERGE_S": -1.0}])
def test_by_time_or_size_all_are_merged(bound: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    made, other = make_experiment(), make_experiment()
    write(made, 0)
    write(made, 4)
    write(made, 12, shard=1)
    for name, value in bound.items():
        monkeypatch.setattr(waiting_summaries, name, value)
    write(made, 8)
    assert [row.shard for row in WaitingSummary.objects.all()] == [1]
    assert alike(totals.kept(made.pk), at_once(other, 16, monkeypatch))


def test_the_sweeper_merges_what_nothing_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_experiment()
    write(made, 0)
    before = totals.kept(made.pk)
    assert waiting_summaries.sweep() == 0
    monkeypatch.setattr(waiting_summaries, "LEFT_S", -1.0)
    assert [waiting_summaries.sweep(), waiting_summaries.sweep()] == [1, 0]
    assert not WaitingSummary.objects.exists()
    assert alike(totals.kept(made.pk), before)


@pytest.mark.django_db(transaction=True)
def test_a_merge_that_breaks_off_or_meets_another_counts_nothing_twice() -> None:
    made = make_experiment()
    write(made, 0)
    write(made, 4)
    before = totals.kept(made.pk)
    with psycopg.connect(_address()) as broken, broken.cursor() as cursor:
        waiting_summaries.merge(cursor, made.pk, 0)
        assert cursor.execute("select count(*) from records_summary").fetchone() != (0,)
        with connection.cursor() as wrapper:  # beside it: what it holds is left to it
            waiting_summaries.merge(wrapper.cursor, made.pk, 0)
        broken.rollback()
    assert totals.kept(made.pk) == before
    assert WaitingSummary.objects.count() == 2


def _address() -> str:
    found = connection.settings_dict
    return psycopg.conninfo.make_conninfo(
        "", **{"dbname": found["NAME"], "user": found["USER"], "host": found["HOST"], "port": found["PORT"] or None}
    )


def test_a_rebuild_takes_what_waits_with_it() -> None:
    made = make_experiment()
    write(made, 0)
    before = totals.kept(made.pk)
    assert rebuild.rebuild(made.pk) == 4
    assert not WaitingSummary.objects.exists()
    assert alike(totals.kept(made.pk), before)
