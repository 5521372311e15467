"""What the client does with a lab: all of it over the wire."""

from __future__ import annotations

import csv
import json
import re
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow.csv as arrow_csv
import pyarrow.parquet as parquet
import pytest

from meeple_client import Chart, Job, Lab, LabError, ProblemError, ProgressBar, WaitTimeoutError, chart, export
from meeple_client.__main__ import main
from tests.webapp.specs import spec
from webapp.api.examples import DOMINION, LADDER, STUDY
from webapp.records.models import Experiment
from webapp.settings import BASE_DIR

pytestmark = pytest.mark.long
STRATEGY = dict(DOMINION.strategies.examples["double_witch"])


@pytest.fixture
def job(lab: Lab, worker: None) -> Job:
    """An experiment of six matches that is over."""
    return lab.submit(spec(), title="Six").wait(progress=False)


def test_an_experiment_is_planned_started_once_steered_and_deleted(lab: Lab) -> None:
    plan = lab.plan(spec())
    assert (plan.units, plan.refusal, plan.confirm, plan.may_end_early) == (6, "", "", False)
    made = lab.submit(spec(), title="Six", idempotency_key="mine")
    again = lab.submit(spec(), title="Six", idempotency_key="mine")
    assert (again.number, Experiment.objects.count(), again.title) == (made.number, 1, "Six")
    assert (made.pause().status, made.resume().status, made.stop().status) == ("paused", "running", "stopped")
    assert made.spec() == plan.spec
    assert [one.number for one in lab.jobs(which="finished")] == [made.number]
    made.delete()
    with pytest.raises(ProblemError) as gone:
        made.refresh()
    assert (gone.value.kind, gone.value.status) == ("not-found", 404)
    kinds = [lab.submit(one["spec"]).stop().kind for one in (LADDER, STUDY)]
    assert kinds == ["ladder", "study"]


def test_what_is_refused_is_a_sentence_and_names_the_place(lab: Lab, site: str) -> None:
    with pytest.raises(ProblemError, match=r"body\.spec\.deals") as refused:
        lab.submit(spec(deals=0))
    assert (refused.value.kind, refused.value.errors[0]["place"]) == ("invalid", "body.spec.deals")
    with pytest.raises(ProblemError, match="Send the header Authorization"):
        Lab(site).account()
    with pytest.raises(ValueError, match="is no address of a lab"):
        Lab("lab.example.org")
    waiting = lab.submit(spec())
    with pytest.raises(WaitTimeoutError, match="is not over after 0 s; it goes on"):
        waiting.wait(progress=False, timeout_s=0)
    with pytest.raises(ProblemError, match="Stop the experiment"):
        waiting.delete()


def check_chart(job: Job) -> None:
    """A chart is a figure in the colours of the page."""
    assert job.charts()["win-rate"] == "Win rate"
    found = job.chart("win-rate")
    text = json.dumps(found._repr_mimebundle_()[chart.MEDIA_TYPE])
    assert '"@' not in text
    assert chart.PALETTE["seat-0"] in text
    assert [row["Matches"] for row in found.rows] == ["6", "6"]
    assert Chart({"data": [{"fillcolor": "@seat-1/.5"}]}).figure["data"] == [{"fillcolor": "rgba(199,83,0,.5)"}]
    template = json.loads((BASE_DIR / "static" / "js" / "plotly-template.json").read_text())
    assert chart.PALETTE.items() <= template["light"]["palette"].items()


def test_it_is_followed_to_its_end_and_its_numbers_are_those_of_the_page(job: Job, lab: Lab, tmp_path: Path) -> None:
    drawn = StringIO()
    job.wait(progress=ProgressBar(drawn))
    assert drawn.getvalue() == f"experiment {job.number} {'█' * 28} 6 of 6, finished\n"
    result = job.result()
    assert (result.status, result["game"], result["matches"]["finished"]) == ("finished", "carcassonne", 6)
    assert result.sentence == result["answer"]["sentence"] != ""
    check_chart(job)
    share = job.share()
    with Lab(lab.transport.url) as stranger:
        for address in (share.page, share.result, share.slug):
            assert {**stranger.shared(address), "as_of": 0} == {**result, "as_of": 0}
    assert job.shared == share == lab.experiment(job.number).shared
    job.unshare()
    assert job.shared is None
    with pytest.raises(ProblemError, match="was withdrawn"):
        lab.shared(share.slug)


def test_matches_come_in_parts_and_a_broken_export_goes_on(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = job.matches()
    monkeypatch.setattr(export, "MATCHES_A_PART", 2)
    assert job.matches().equals(whole)
    assert whole.num_rows == 12
    call, calls = job.transport.call, []

    def breaking(*request: Any, **further: Any) -> Any:
        calls.append(further.get("query"))
        if len(calls) == 2:
            raise LabError("the line is cut")
        return call(*request, **further)

    for kind in ("csv", "parquet", "jsonl"):
        path = tmp_path / f"matches.{kind}"
        calls.clear()
        with monkeypatch.context() as patch:
            patch.setattr(job.transport, "call", breaking)
            with pytest.raises(LabError, match="is cut"):
                job.export(path)
        assert not path.exists()
        job.export(path)
        assert list(tmp_path.glob("*.parts")) == []
    assert parquet.read_table(tmp_path / "matches.parquet").equals(whole)
    assert arrow_csv.read_csv(tmp_path / "matches.csv").num_rows == 12
    lines = [json.loads(line) for line in (tmp_path / "matches.jsonl").read_text().splitlines()]
    assert [line["match"] for line in lines] == whole["match"].to_pylist()
    with pytest.raises(LabError, match=r"ends in none of \.csv, \.jsonl, \.parquet"):
        job.export(tmp_path / "matches.xls")
    (tmp_path / "other.csv.parts").mkdir()
    (tmp_path / "other.csv.parts" / "of").write_text("another lab")
    job.export(tmp_path / "other.csv")
    (tmp_path / "other.csv.parts").mkdir()
    (tmp_path / "other.csv.parts" / "of").write_text("another lab")
    (tmp_path / "other.csv.parts" / "last.part").write_text("a row")
    with pytest.raises(LabError, match="holds parts of another lab"):
        job.export(tmp_path / "other.csv")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for call_without in (job.matches, lambda: job.export(tmp_path / "again.parquet")):
        with pytest.raises(LabError, match="pip install pyarrow"):
            call_without()
    monkeypatch.setattr(export, "MATCHES_A_PART", 20)
    assert job.export(tmp_path / "one.parquet").exists()


def test_presets_and_strategies(lab: Lab) -> None:
    kept = lab.keep_strategy(STRATEGY)
    assert [row["number"] for row in lab.strategies()] == [kept["number"]]
    changed = lab.keep_strategy(STRATEGY | {"name": "Other"}, kept["number"])
    assert lab.strategy(kept["number"]) == changed
    assert changed["strategy"]["name"] == "Other"
    lab.delete_strategy(kept["number"])
    assert lab.strategies() == []
    (first, *_) = lab.presets("dominion")
    assert lab.preset(first["id"])["specs"].keys() == {scale["id"] for scale in first["scales"]}
    run = lab.run_preset(first["id"])
    assert (run.is_new, run.job.status) == (True, "running")
    assert (lab.run_preset(first["id"]).number, run.comparison()["rows"] != []) == (run.number, True)
    run.job.stop()
    assert {game["id"] for game in lab.games()} >= {"carcassonne", "dominion"}
    assert lab.account()["user"] == "alice"


def test_the_command_line_does_the_same(
    job: Job,
    lab: Lab,
    token: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, file = tmp_path / "spec.json", tmp_path / "matches.csv"
    path.write_text(json.dumps(spec()))
    monkeypatch.setenv("LAB_TOKEN", token)
    monkeypatch.setenv("LAB_URL", lab.transport.url)
    assert main(["submit", str(path), "--dry-run"]) == 0
    assert json.loads(capsys.readouterr().out)["units"] == 6
    assert main(["submit", str(path), "--key", "once", "--watch"]) == 0
    said = capsys.readouterr()
    number = int(said.err.splitlines()[1].rstrip("/").rpartition("/")[2])
    assert said.out.strip() == lab.experiment(number).result().sentence
    assert main(["watch", str(number)]) == main(["result", f"experiment/{number}"]) == 0
    assert main(["export", str(number), str(file)]) == 0
    assert len(list(csv.DictReader(file.open(newline="")))) == 12
    path.write_text("{")
    assert main(["submit", str(path)]) == 2
    assert "is not JSON" in capsys.readouterr().err
    assert main(["watch", "999999"]) == 2
    assert "error: " in capsys.readouterr().err
    monkeypatch.delenv("LAB_TOKEN")
    assert main(["watch", "1"]) == 2
    assert "set LAB_TOKEN to a token" in capsys.readouterr().err


def test_the_guide_does_what_it_says(
    lab: Lab,
    token: str,
    worker: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (text,) = re.findall(r"```python\n(.*?)```", (BASE_DIR / "docs" / "scripting.md").read_text(), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"token": token, "spec": spec()}
    exec(text.replace("https://lab.example.org", lab.transport.url), names)
    assert capsys.readouterr().out.strip() == f"{names['job'].result().sentence} {names['job'].shared.page}"
    assert names["matches"].num_rows == len((tmp_path / "matches.csv").read_text().splitlines()) - 1
