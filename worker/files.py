"""Records as JSON lines, one match a line, and their metrics as rows, in the order given.

Without times the same spec gives the same bytes, on any machine and number of processes.
"""

from __future__ import annotations

import csv
import dataclasses
import json
import math
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from games import registry as game_registry
from worker.fields import Field
from worker.records import MatchRecord
from worker.spec import ExperimentSpec

_TIMES = ("elapsed_s", "cpu_s")


def match_line(spec: ExperimentSpec, record: MatchRecord, *, times: bool = False) -> dict[str, Any]:
    """One match as a JSON object; lists are in seat order."""
    arm = spec.arms[record.arm]
    row = dataclasses.asdict(record)
    lineup, results, plies = row.pop("lineup"), row.pop("results"), row.pop("plies")
    line = {
        "arm": row.pop("arm"),
        "arm_name": arm.name,
        "deal": row.pop("deal"),
        "rotation": row.pop("rotation"),
        "status": row.pop("status"),
        "seats": [
            {"seat": seat, "place": place, "engine": arm.seats[place].engine} for seat, place in enumerate(lineup)
        ],
        "scores": row.pop("scores"),
        "ranks": row.pop("ranks"),
        "result": results,
        "metrics": row.pop("metrics"),
        **row,
    }
    if spec.record != "matches":
        line["plies"] = plies
    return line if times else _without_times(line)


def _without_times(line: dict[str, Any]) -> dict[str, Any]:
    rows = [line, *line.get("plies", ())]
    for row in rows:
        for key in _TIMES:
            del row[key]
    return line


METRIC_FIELDS = {
    "arm": Field("Line-up that played, counted from 0 in the order of the spec."),
    "deal": Field("Deal, counted from 0: all luck of the game. All arms meet the same deals."),
    "rotation": Field("Seating of the line-up on this deal, counted from 0."),
    "seat": Field("Place at the table, counted from 0; seat 0 moves first where the rules say so."),
    "place": Field("Place in the line-up of who sits there, counted from 0."),
    "metric": Field("Id of the metric, which is a column of the table matches.", "string"),
    "group": Field("What the metric is one of, e.g. “coins by turn”.", "string"),
    "case": Field("Which one within the group: a turn, a card; empty where it is alone.", "string"),
    "value": Field("Its value at this seat, in the unit of the metric.", "double"),
}
"""Columns of the long table of metrics, as the exports of the lab have them."""


def metric_rows(spec: ExperimentSpec, record: MatchRecord) -> Iterator[tuple[int | float | str, ...]]:
    """The metrics of a match, a row for each number that a seat has, in the order of METRIC_FIELDS."""
    table = game_registry.get(spec.game).metric_table
    for seat, (place, values) in enumerate(zip(record.lineup, record.metrics, strict=False)):
        where = (record.arm, record.deal, record.rotation, seat, place)
        for metric in table:
            if (value := values.get(metric.id)) is not None and math.isfinite(value):
                yield (*where, metric.id, metric.group, metric.kind, value)


class MetricRecorder:
    """Writes the metrics of every match as rows to an open text file: CSV, or JSON lines."""

    def __init__(self, spec: ExperimentSpec, file: TextIO, *, is_csv: bool) -> None:
        self._spec = spec
        self._file = file
        self._csv = csv.writer(file, lineterminator="\n") if is_csv else None
        if self._csv is not None:
            self._csv.writerow(METRIC_FIELDS)

    def write(self, records: Iterable[MatchRecord]) -> None:
        """Append the rows of the records, in the order given."""
        for row in (row for record in records for row in metric_rows(self._spec, record)):
            if self._csv is not None:
                self._csv.writerow(row)
            else:
                line = dict(zip(METRIC_FIELDS, row, strict=True))
                self._file.write(json.dumps(line, separators=(",", ":"), allow_nan=False) + "\n")


class JsonLinesRecorder:
    """Writes every match as one line to an open text file."""

    def __init__(self, spec: ExperimentSpec, file: TextIO, *, times: bool = False) -> None:
        self._spec = spec
        self._file = file
        self._times = times

    def write(self, records: Iterable[MatchRecord]) -> None:
        """Append the records, in the order given."""
        for record in records:
            line = match_line(self._spec, record, times=self._times)
            self._file.write(json.dumps(line, separators=(",", ":"), allow_nan=False) + "\n")
