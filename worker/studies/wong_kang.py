"""The numbers of Wong and Kang (*Simulating Kingdomino*) beside those counted here.

On plain boards they sum over one start cell of each class of rotations and take the sum four
times, which counts a castle in the centre four times instead of once. By Kingdomino's rule they sum
over three start cells and take the sum once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from worker.counting.board import start_classes, symmetry_maps

DATA = Path(__file__).parent / "data" / "wong_kang.json"
FOUR_TIMES = 4

Cells = Sequence[Mapping[str, Any]]
"""Start cells of a result: column and row (from 1, None: none or anywhere), counts (None: not known yet), best."""


@cache
def printed_numbers() -> list[dict[str, Any]]:
    """Numbers that the report prints: board, rule, name of the count, number, how it is read here, the correct one."""
    rows: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))["numbers"]
    return rows


def compare_numbers(rule: str, width: int, height: int, cells: Cells) -> list[dict[str, Any]]:
    """Printed numbers of this board and rule, what their reading gives in this study, and the correct ones.

    Numbers are text. as_read: None where the study lacks a start cell that it needs, or has not
    counted it yet.
    """
    asked = [
        row for row in printed_numbers() if row["rule"] == rule and [row["width"], row["height"]] == [width, height]
    ]
    names = ("what", "printed", "reading", "correct", "correct_is")
    return [{name: row[name] for name in names} | {"as_read": _as_read(row, cells)} for row in asked]


def _as_read(row: Mapping[str, Any], cells: Cells) -> str | None:
    """The number as the report reckons it."""
    width, height = row["width"], row["height"]
    classes = [] if row["way"] == "plain" else start_classes(width, height)
    found = {(cell["row"] - 1) * width + cell["column"] - 1: cell for cell in cells if cell["column"]}
    if any(cell["counts"] is None for cell in cells) or not all(one.cell in found for one in classes):
        return None
    if row["way"] == "plain":
        return str(cells[0]["counts"][row["count"]])
    if row["way"] == "best":
        return str(max(cell["best"]["points"] for cell in cells))
    counts = {cell: int(one["counts"][row["count"]]) for cell, one in found.items()}
    if row["way"] == "once":
        return str(sum(counts[one.cell] for one in classes))
    rotations = start_classes(width, height, reflect=False)
    return str(FOUR_TIMES * sum(counts[_first_of(one.cell, width, height)] for one in rotations))


def _first_of(cell: int, width: int, height: int) -> int:
    """The first cell that rotations and reflections carry a cell into."""
    images = (image(cell % width, cell // width) for image in symmetry_maps(width, height))
    return min(y * width + x for x, y in images)
