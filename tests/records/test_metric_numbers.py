from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from django.db import connection

from games import registry
from tests.records import metrics, samples
from tests.records.experiments import make_experiment, target
from webapp.records import metric_numbers, recorder
from webapp.records.metric_numbers import Names
from webapp.records.models import Experiment, MetricNames, Seat


def written(experiment: Experiment, *rows: dict[str, Any]) -> list[Seat]:
    """Seats with these metrics, two a match, by match and seat."""
    first = experiment.matches.count()
    records = [
        dataclasses.replace(samples.match(first + i, num_plies=0), metrics=(rows[2 * i], rows[2 * i + 1]))
        for i in range(len(rows) // 2)
    ]
    connection.ensure_connection()
    recorder.write(connection.connection, target(experiment), records)
    return list(Seat.objects.filter(match__experiment=experiment).order_by("match_id", "seat"))[2 * first :]


@pytest.mark.django_db
def test_numbers_of_every_kind_come_back_and_each_name_keeps_its_place() -> None:
    made = make_experiment()
    whole = {"a": 3, "b": -32768, "c": 0}
    assert metrics.of_all(written(made, whole, {"a": 32767})) == [whole, {"a": 32767}]
    assert metric_numbers.of_game("carcassonne") == Names(("a", "b", "c"))
    part = {"a": 0.25, "d": 32768, "e": float("inf"), "f": 7}
    later = written(made, part, {"c": 1})
    assert metric_numbers.of_game("carcassonne") == Names(("a", "b", "c", "e", "f"), ("a", "d"))
    assert metrics.of_all(later) == [{"a": 0.25, "d": 32768.0, "f": 7}, {"c": 1}]
    assert metrics.of(made.matches.earliest("pk").seats.get(seat=1)) == {"a": 32767}, "old places hold"
    assert Seat.objects.filter(metrics__isnull=False).count() == 0


@pytest.mark.django_db
def test_sql_reads_both_forms_and_rewriting_changes_no_number() -> None:
    made = make_experiment()
    seats = written(made, {"a": 1, "b": 2.5}, {"a": 2, "b": 3}, {"a": 0.5}, {"b": 1})
    wanted = metrics.of_all(seats)
    for seat in seats[1:]:
        metrics.put(seat, metrics.of(seat))
    MetricNames.objects.update(counts=["z"], measures=["b"])  # "a" is not known of numbers yet

    def read() -> list[tuple[Any, ...]]:
        relation = metric_numbers.of_game("carcassonne").relation(["a", "b", "none"], "s").as_string()
        with connection.cursor() as cursor:
            cursor.execute(
                f"select x.* from records_seat s cross join lateral {relation} as x order by s.match_id, s.seat"
            )
            return list(cursor.fetchall())

    assert read()[1:] == [(2, 3, None), (0.5, None, None), (None, 1, None)]
    assert [metric_numbers.rewrite(2), metric_numbers.rewrite(2), metric_numbers.rewrite(2)] == [2, 1, 0]
    assert metrics.of_all(Seat.objects.order_by("match_id", "seat"))[1:] == wanted[1:]
    assert read()[1:] == [(2, 3, None), (0.5, None, None), (None, 1, None)]


def test_every_name_of_a_game_fits_its_column() -> None:
    field: Any = MetricNames._meta.get_field("counts")
    for game in registry.ids():
        assert all(len(metric.id) <= field.base_field.max_length for metric in registry.get(game).metric_table)
