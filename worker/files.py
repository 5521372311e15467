"""Records as JSON lines: one match a line, in the order given.

Without times the same spec gives the same bytes, on any machine and number of processes.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TextIO

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


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


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
    row = dataclasses.asdict(dataclasses.replace(record, plies=()))
    lineup, results = row.pop("lineup"), row.pop("results")
    del row["plies"]
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
    return line if times else _without_times(line)


def _plies(plies: Sequence[PlyRecord], times: bool) -> list[dict[str, Any]]:
    rows = map(dataclasses.asdict, plies)
    return list(rows if times else map(_without_times, rows))


def _without_times(row: dict[str, Any]) -> dict[str, Any]:
    for key in _TIMES:
        del row[key]
    return row


class JsonLinesRecorder:
    """Writes every match as one line to an open text file."""

    def __init__(self, spec: ExperimentSpec, file: TextIO, *, times: bool = False) -> None:
        self._spec = spec
        self._file = file
        self._times = times

    def write(self, records: Iterable[MatchRecord]) -> None:
        """Append the records, in the order given."""
        self._file.write(lines(self._spec, records, times=self._times))
