from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import counting
from worker.__main__ import main


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "spec.json"


def write(path: Path, data: Any) -> str:
    path.write_text(json.dumps(data))
    return str(path)


def test_the_result_is_printed_and_the_rows_are_written(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = path.with_name("rows.jsonl")
    assert main(["study", write(path, counting.spec(pieces=4)), "--out", str(out)]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found["result"] == {"sum": 14, "numbers": 4}
    assert (found["pieces"], found["done"], found["failures"]) == (4, 4, [])
    assert found["spec"]["parameters"]["pieces"] == 4
    assert found["versions"]["counting"] == "4"
    assert [json.loads(line)["row"]["square"] for line in out.read_text().splitlines()] == [0, 1, 4, 9]
    assert "4 pieces in" in printed.err


def test_a_failed_piece_gives_exit_code_one_and_the_rest_is_done(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", write(path, counting.spec(raises_at=2))]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["failures"] == [{"piece": 2, "message": "ZeroDivisionError: a kind's fault"}]
    assert found["result"]["numbers"] == 2


def test_a_bad_spec_names_its_field(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", write(path, counting.spec(pieces="many"))]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: parameters.pieces: must be a whole number")
