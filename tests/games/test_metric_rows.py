"""Metrics by column are the mappings that people read, and the table that is recorded."""

import pickle

import numpy as np

from games.metric_rows import MetricColumns, MetricRows
from webapp.records.metric_table import MetricTable

NAN = float("nan")
COLUMNS = MetricColumns(("turns", "coins_mean", "duchies", "never"), frozenset({"coins_mean"}))
ROWS = MetricRows(COLUMNS, np.array([[13.0, 2.0, NAN, NAN], [12.0, 2.5, -0.0, NAN]]))


def test_a_seat_has_whole_numbers_and_fractions_and_nothing_that_is_no_number() -> None:
    assert repr(list(ROWS)) == "[{'turns': 13, 'coins_mean': 2.0}, {'turns': 12, 'coins_mean': 2.5, 'duchies': 0}]"
    assert ROWS[1]["duchies"] == 0
    assert list(ROWS[:1]) == [ROWS[0]]


def test_rows_are_equal_to_what_they_read_as() -> None:
    assert tuple(ROWS) == ROWS == pickle.loads(pickle.dumps(ROWS))
    assert (ROWS[0],) != ROWS


def test_matches_make_the_same_table_by_column_and_by_name() -> None:
    other = MetricRows(COLUMNS, np.array([[9.0, 1.25, 4.0, NAN]]))
    table, by_name = MetricTable.of_matches([ROWS, other]), MetricTable.of([*ROWS, *other])
    assert table.names == by_name.names == ("turns", "coins_mean", "duchies")
    assert np.array_equal(table.values, by_name.values, equal_nan=True)
    mixed = MetricTable.of_matches([ROWS, list(other)])
    assert (mixed.names, MetricTable.of_matches([]).names) == (table.names, ())
    assert np.array_equal(mixed.values, table.values, equal_nan=True)
