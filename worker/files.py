"""Records as JSON lines: one match a line, in the order given.

Without times the same spec gives the same bytes, on any machine and number of processes.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import Any, TextIO

from worker.records import MatchRecord
from worker.spec import ExperimentSpec

_TIMES = ("elapsed_s", "cpu_s")


def match_line(spec: ExperimentSpec, record: MatchRecord, *, times: bool = False) -> dict[str, Any]:
    """One match as a JSON object; lists are in seat order."""
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
    if spec.record != "matches":
        line["plies"] = [dataclasses.asdict(ply) for ply in record.plies]
    return line if times else _without_times(line)


def _without_times(line: dict[str, Any]) -> dict[str, Any]:
    rows = [line, *line.get("plies", ())]
    for row in rows:
        for key in _TIMES:
            del row[key]
    return line


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
