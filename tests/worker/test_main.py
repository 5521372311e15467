import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from worker.__main__ import main

ROOT = Path(__file__).parents[2]


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a spec file and gives its path as text."""

    def to_file(data):
        path = tmp_path / "spec.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data))
        return str(path)

    return to_file


def test_run_prints_the_summary_and_writes_the_matches(dice, write, tmp_path, capsys):
    out = tmp_path / "matches.jsonl"
    assert main(["run", write(dice(("taker", "dicer"), ("dicer", "weigher"))), "--out", str(out)]) == 0
    printed = capsys.readouterr()
    summary = json.loads(printed.out)
    assert (summary["matches"], summary["failed"], len(summary["arms"])) == (16, 0, 2)
    assert summary["arms"][0]["places"][0]["wins"] > 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(line["arm"], line["deal"], line["rotation"]) for line in lines] == [
        (arm, deal, rotation) for arm in range(2) for deal in range(4) for rotation in range(2)
    ]
    wins = sum(
        line["result"][seat["seat"]] == "win" for line in lines[:8] for seat in line["seats"] if not seat["place"]
    )
    assert wins == summary["arms"][0]["places"][0]["wins"]
    assert "16 matches in" in printed.err


def test_matches_and_metrics_are_written_in_one_run(write, tmp_path, capsys):
    arm = {"name": "A", "seats": [{"engine": "random"}] * 2}
    spec = {"version": 1, "game": "kingdomino", "seats": 2, "arms": [arm], "deals": 1, "seed": 1, "record": "matches"}
    out, metrics = tmp_path / "matches.jsonl", tmp_path / "metrics.csv"
    assert main(["run", write(spec), "--out", str(out), "--metrics", str(metrics)]) == 0
    found = [len(json.loads(line)["metrics"][0]) for line in out.read_text().splitlines()]
    head, *rows = metrics.read_text().splitlines()
    assert head == "arm,deal,rotation,seat,place,metric,group,case,value"
    assert len(rows) == 2 * sum(found) > 0


def test_the_same_spec_gives_the_same_bytes(dice, write, tmp_path, capsys):
    spec, outputs = write(dice(("dicer", "weigher"), record="full")), []
    for name in ("a", "b"):
        out = tmp_path / name
        main(["run", spec, "--out", str(out)])
        outputs.append((out.read_bytes(), capsys.readouterr().out))
    assert outputs[0] == outputs[1]


def test_a_rule_ends_the_run_and_the_summary_says_where(dice, write, tmp_path, capsys):
    """Who takes all of the die beats who takes nothing: 30 deals tell, and those of the last chunk beyond count not."""
    out = tmp_path / "matches.jsonl"
    rule = {"rule": "sprt", "on": "margin", "h0": 0, "h1": 5}
    assert main(["run", write(dice(("taker", "peeker"), deals=500, stop=rule)), "--out", str(out)]) == 0
    printed = capsys.readouterr()
    summary = json.loads(printed.out)
    assert summary["stop"] == {"deals": 30, "dropped": {}, "reason": "h1", "arm": None, "by": "llr"}
    assert len(out.read_text().splitlines()) == summary["matches"]
    assert 60 <= summary["matches"] < 200
    (arm,) = summary["arms"]
    assert (arm["places"][0]["matches"], arm["places"][0]["deals"]) == (60, 30)
    assert arm["left_out"] == summary["matches"] - 60
    assert summary["arms"][0]["places"][0]["wins"] == 60
    assert f"{summary['matches']} matches in" in printed.err
    assert main(["run", write(dice(("taker", "peeker")))]) == 0
    assert "stop" not in json.loads(capsys.readouterr().out)


def test_failed_matches_give_exit_code_one_and_the_rest_is_played(dice, write, capsys):
    assert main(["run", write(dice(("taker", "raiser")))]) == 1
    summary = json.loads(capsys.readouterr().out)
    assert summary["failed"] == summary["matches"] == 8


def test_a_bad_spec_names_its_field(dice, write, capsys):
    assert main(["run", write(dice(deals=0))]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: deals: must be a whole number")


def test_a_file_that_is_not_json_is_refused(write, capsys, subtests):
    for text in ["", "{", "[" * 100_000, "\x00"]:
        with subtests.test(text=text):
            assert main(["run", write(text)]) == 2
            assert "is not JSON" in capsys.readouterr().err


def test_a_file_that_is_not_text_is_refused(tmp_path, capsys):
    path = tmp_path / "spec.json"
    path.write_bytes(b"\xff\xfe{}")
    assert main(["run", str(path)]) == 2
    assert "is not JSON" in capsys.readouterr().err


def test_a_missing_file_is_named(capsys):
    assert main(["run", "nowhere.json"]) == 2
    assert capsys.readouterr().err == "error: nowhere.json: No such file or directory\n"


def test_a_folder_cannot_be_written(dice, write, tmp_path, capsys):
    assert main(["run", write(dice()), "--out", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_a_spec_can_come_from_standard_input(dice, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(dice())))
    assert main(["run", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 8


def test_an_interruption_is_not_a_traceback(dice, write, capsys):
    assert main(["run", write(dice(("quitter", "taker")))]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_a_bad_number_of_processes_is_refused(write, capsys, subtests):
    for number in ["0", "-1", "two", "1.5", "99999"]:
        with subtests.test(number=number):
            with pytest.raises(SystemExit) as stopped:
                main(["run", "spec.json", "--processes", number])
            assert stopped.value.code == 2
            assert "is not a whole number from 1 to 1024" in capsys.readouterr().err


RANDOM, SEARCH = {"engine": "random"}, {"engine": "flat_mc", "budget": {"playouts_per_action": 1}}
CARCASSONNE = {
    "version": 1,
    "game": "carcassonne",
    "seats": 2,
    "arms": [
        {"name": name, "seats": seats}
        for name, seats in (("rr", [RANDOM, RANDOM]), ("sr", [SEARCH, RANDOM]), ("ss", [SEARCH, SEARCH]))
    ],
    "deals": 3,
    "seed": 20,
    "record": "full",
}


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same_bytes(write, tmp_path):
    spec, outputs = write(CARCASSONNE), []
    for processes in (1, 2, 3):
        out = tmp_path / f"{processes}.jsonl"
        command = [sys.executable, "-m", "worker", "run", spec, "--out", str(out), "--processes", str(processes)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        outputs.append((out.read_bytes(), done.stdout))
    assert outputs[0] == outputs[1] == outputs[2]
    assert outputs[0][0].count(b"\n") == 12  # three deals, of equal engines once, of others both ways


@pytest.mark.long
def test_the_command_line_loads_neither_web_nor_queue_nor_compiler():
    code = "import sys, worker.__main__; print(*{name.split('.')[0] for name in sys.modules})"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert not {"django", "celery", "redis", "psycopg", "numba"} & set(done.stdout.split())
