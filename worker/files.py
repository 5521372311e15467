"""Records as JSON lines, one match a line, and their metrics as rows, in the order given.

Without times the same spec gives the same bytes, on any machine and number of processes.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from games import registry as game_registry
from worker.fields import Field
from worker.records import MatchRecord, PlyRecord
from worker.spec import ExperimentSpec
from worker.whole_matches.plies import PlyColumns

_TIMES = ("elapsed_s", "cpu_s")


def match_line(spec: ExperimentSpec, record: MatchRecord, *, times: bool = False) -> dict[str, Any]:
    """One match as a JSON object; lists are in seat order."""
    line = _without_plies(spec, record, times)
    if spec.record != "matches":
        line["plies"] = _plies(record.plies, times)
    return line


def lines(spec: ExperimentSpec, records: Iterable[MatchRecord], *, times: bool = False) -> str:
    """Matches as lines of a file: the JSON of `match_line` each, quickly where plies come by column."""
    texts = []
    for record in records:
        if isinstance(record.plies, PlyColumns):
            opened = _text(_without_plies(spec, record, times)).removesuffix("}")
            texts.append(f'{opened},"plies":[{",".join(_of_columns(record.plies, times))}]}}\n')
        else:
            texts.append(_text(match_line(spec, record, times=times)) + "\n")
    return "".join(texts)


_text = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


_quoted = lru_cache(1 << 16)(json.dumps)
"""A notation in quotes; matches share most of them."""


def _of_columns(plies: PlyColumns, times: bool) -> Iterable[str]:
    """Plies by column, each as its JSON: one format for all of them, in which stands what is the same in each."""
    places = ",".join(["%d"] * plies.scores.shape[1])
    seconds = f',"elapsed_s":{_text(plies.elapsed_s)},"cpu_s":{_text(plies.cpu_s)}' if times else ""
    noted = ",".join(f"{json.dumps(name)}:[{places}]" for name in plies.notes)
    info = f'{{"after":{{{noted}}}}}' if noted else "null"
    line = (
        f'{{"ply":%d,"seat":%d,"action":%d,"notation":%s,"legal_count":%d,"scores":[{places}],"value":null,'
        f'"playouts":0,"nodes":0,"depth":0{seconds},"digest":%d,"info":{info}}}'
    )
    return map(line.__mod__, plies.rows(_quoted))


def _without_plies(spec: ExperimentSpec, record: MatchRecord, times: bool) -> dict[str, Any]:
    arm = spec.arms[record.arm]
    return {
        "arm": record.arm,
        "arm_name": arm.name,
        "deal": record.deal,
        "rotation": record.rotation,
        "status": record.status,
        "seats": [
            {"seat": seat, "place": place, "engine": arm.seats[place].engine}
            for seat, place in enumerate(record.lineup)
        ],
        "scores": record.scores,
        "ranks": record.ranks,
        "result": record.results,
        "metrics": list(record.metrics),
        "seed": record.seed,
        "deal_seed": record.deal_seed,
        "num_plies": record.num_plies,
        "digest": record.digest,
        **({name: getattr(record, name) for name in _TIMES} if times else {}),
        "versions": record.versions,
        "failure": record.failure and dataclasses.asdict(record.failure),
    }


def _plies(plies: Sequence[PlyRecord], times: bool) -> list[dict[str, Any]]:
    rows = map(dataclasses.asdict, plies)
    return list(rows if times else map(_without_times, rows))


def _without_times(row: dict[str, Any]) -> dict[str, Any]:
    for key in _TIMES:
        del row[key]
    return row


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


CSV_HEAD = ",".join(METRIC_FIELDS) + "\n"


def metric_lines(spec: ExperimentSpec, records: Iterable[MatchRecord], *, is_csv: bool) -> str:
    """The metrics of matches as lines of a file, a number of a seat each: CSV below `CSV_HEAD`, or JSON."""
    rows = (row for record in records for row in metric_rows(spec, record))
    if is_csv:
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows(rows)
        return file.getvalue()
    return "".join(_text(dict(zip(METRIC_FIELDS, row, strict=True))) + "\n" for row in rows)
