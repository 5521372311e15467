"""Notebooks do what they say, on few matches."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from engines.own import sources
from engines.own.process import POOL
from meeple_client import Lab
from meeple_client.chart import MEDIA_TYPE
from tests.examples import running


@pytest.mark.parametrize("path", running.paths(), ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_output(path: Path) -> None:
    found = json.loads(path.read_text(encoding="utf-8"))
    assert (found["nbformat"], found["cells"][0]["cell_type"]) == (4, "markdown")
    code = [cell for cell in found["cells"] if cell["cell_type"] == "code"]
    assert [cell for cell in code if cell["outputs"] or cell["execution_count"]] == []
    assert [cell["metadata"].get("tags", []) for cell in code].count([running.PARAMETERS]) == 1
    assert max(len(line) for cell in code for line in "".join(cell["source"]).splitlines()) <= 120
    assert len({cell["id"] for cell in found["cells"]}) == len(found["cells"])


def figures(names: dict[str, Any]) -> list[Any]:
    """The figures that a notebook has drawn."""
    return [shown[MEDIA_TYPE] for shown in names["drawn"] if isinstance(shown, dict) and MEDIA_TYPE in shown]


@pytest.mark.long
def test_a_first_experiment_and_where_its_points_come_from(
    lab: Lab, token: str, worker: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {"LAB_URL": lab.transport.url, "LAB_TOKEN": token, "FOLDER": str(tmp_path), "DEALS": 6}
    first = running.run("first_experiment", given)
    said = capsys.readouterr().out
    assert first["result"].sentence in said
    assert f"of {given['DEALS']} deals at most" in said
    assert "they agree" in said or "they differ" in said
    assert len(figures(first)) == 2
    assert all(figure["data"] for figure in figures(first))
    assert {row["status"] for row in lab.request("GET", "/experiments")["jobs"]} == {"finished"}
    scores = running.run("feature_scores", {"EXPORT": str(first["path"])})
    assert len(figures(scores)) == 1
    assert len(set(scores["table"]["match"].to_pylist())) == 2 * first["ruling"]["deals"]
    assert scores["total"] == pytest.approx(scores["by_feature"])


@pytest.mark.slow
def test_an_own_engine_in_a_sequential_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sources.VARIABLE, "")
    found = running.run("own_engine", {"FOLDER": str(tmp_path), "DEALS": 4, "PLAYOUTS": 1})
    POOL.end_all()
    assert next(row for row in found["drawn"] if isinstance(row, dict) and "games" in row)["mismatches"] == 0
    assert (found["looks"].ruling.deals, found["ours"]["matches"], found["report"].failed) == (4, 8, 0)
    (figure,) = figures(found)
    assert [len(line["y"]) for line in figure["data"]] == [4, 4, 4]


@pytest.mark.slow
def test_a_first_experiment_from_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lab is started by the notebook itself, and ends with it."""
    for place in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        place.chmod(0o755)  # Postgres may run as another user
    monkeypatch.setenv("LAB_DATA", str(tmp_path / "data"))
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    first = running.run("first_experiment", {"FOLDER": str(tmp_path), "DEALS": 300})
    assert first["ruling"]["reason"] in ("h1", "h0", "planned")
    assert first["started"].poll() is not None
    assert not subprocess.run(["pgrep", "-f", str(tmp_path / "data")], capture_output=True, check=False).stdout
