from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from pyarrow import parquet

from webapp.lab.results.files import FORMATS
from webapp.lab.studies import exports
from webapp.records.models import Study, StudyPiece

pytestmark = pytest.mark.django_db(transaction=True)
ROW = {
    "whole": 3,
    "real": 0.5,
    "text": 'a "quoted", one;\nwith é',
    "flag": True,
    "list": [1, {"a": 2}],
    "status": "mine",
    "sometimes": None,
    "huge": 2**70,
    "50 %": 1,
}


def read(study: Study, format_id: str, chosen: exports.Span | None = None) -> list[dict[str, Any]]:
    data = b"".join(exports.stream(study, exports.TABLE, format_id, chosen))
    if format_id == "csv":
        return list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    if format_id == "jsonl":
        return [json.loads(line) for line in data.decode().splitlines()]
    return parquet.read_table(io.BytesIO(data)).to_pylist()


@pytest.fixture
def study(alice: Any, make: Callable[..., Study]) -> Study:
    """Two rows of every kind of value, a failed piece, and one that waits."""
    made = make(alice, 3, pieces=4, raises_at=2)
    StudyPiece.objects.filter(index__lt=2).update(row=ROW)
    StudyPiece.objects.filter(index=1).update(row=ROW | {"sometimes": 7, "whole": 4.0})
    return made


@pytest.mark.parametrize("format_id", FORMATS)
def test_every_piece_that_ended_is_a_line(study: Study, format_id: str) -> None:
    rows = read(study, format_id)
    assert [int(row["piece"]) for row in rows] == [0, 1, 2]
    assert [row["status"] for row in rows] == ["done", "done", "failed"]
    assert rows[2]["failure"] == "ZeroDivisionError: a kind's fault"
    assert [row["text"] for row in rows[:2]] == [ROW["text"]] * 2
    assert [row["row_status"] for row in rows[:2]] == ["mine"] * 2
    assert not rows[2]["text"]
    first, following = exports.span_after(study, None, 2)
    rest, end = exports.span_after(study, following, 2)
    assert (following, end) == (1, None)
    assert [*read(study, format_id, first), *read(study, format_id, rest)] == rows, "a part is of so many pieces"


def test_parquet_and_json_lines_keep_the_kinds_of_values(study: Study) -> None:
    row = read(study, "jsonl")[0]
    assert {key: row[key] for key in ROW if key != "status"} == {k: v for k, v in ROW.items() if k != "status"}
    first, second, _ = read(study, "parquet")
    assert (first["whole"], second["whole"], first["real"], first["flag"]) == (3, 4, 0.5, True)
    assert (first["sometimes"], second["sometimes"], first["50 %"]) == (None, 7, 1)
    assert json.loads(first["list"]) == ROW["list"]
    assert first["huge"] == pytest.approx(2.0**70)


def test_whole_numbers_have_no_decimal_point(study: Study) -> None:
    assert [row["whole"] for row in read(study, "csv")] == ["3", "4", ""]


def test_a_study_without_rows_gives_an_empty_file(alice: Any, make: Callable[..., Study]) -> None:
    assert read(make(alice), "csv") == []
    assert read(make(alice), "parquet") == []
