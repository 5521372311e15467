"""Did a commit make an engine stronger? Against another file, a revision of git, an engine of the lab."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from engines.own import sources
from engines.own.process import POOL
from tests.engines.own.playing import write
from worker.__main__ import main

FIRST, GREEDY = "return position.legal()[0]", 'return position.policy_action("gprd_plain")'


@pytest.fixture(autouse=True)
def _own_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine is allowed before or afterwards; their processes end."""
    monkeypatch.setenv(sources.VARIABLE, "")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder under git with an engine that was greedy, and takes the first action now."""
    folder = tmp_path / "engines"
    folder.mkdir()
    write(folder, "mine", GREEDY)
    commit(folder, "greedy")
    write(folder, "mine", FIRST)
    return folder


def commit(folder: Path, message: str) -> None:
    """Keep what is there."""
    who = ("-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", message)):
        subprocess.run(["git", "-C", str(folder), *words], check=True, timeout=60)


def stronger(capsys: pytest.CaptureFixture[str], engine: Path, against: Any, *further: str) -> tuple[int, Any, str]:
    """Exit status, what is printed, and what is said."""
    command = ["stronger", "--engine", str(engine), "--against", str(against), "--difference", "20"]
    status = main([*command, "--game", "kingdomino", *further])
    POOL.end_all()
    out, err = capsys.readouterr()
    return status, json.loads(out) if out else None, err


@pytest.mark.long
def test_a_commit_that_made_it_weaker_is_found(checkout: Path, capsys: Any, tmp_path: Path) -> None:
    out = tmp_path / "matches.jsonl"
    status, told, said = stronger(capsys, checkout / "mine.py", "HEAD", "--ask", "not-weaker", "--out", str(out))
    assert (status, told["verdict"], told["stop"]["reason"]) == (1, "weaker", "h0")
    head = subprocess.check_output(["git", "-C", str(checkout), "rev-parse", "HEAD"], text=True)[:10]
    assert told["against"].startswith(f"own:mine_{head}@")
    assert told["engine"] == sources.from_text(str(checkout / "mine.py")).id
    assert said.splitlines()[-1] == told["sentence"]
    assert told["sentence"].startswith(f"{told['engine']} is weaker than {told['against']}: ")
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(lines) == told["matches"]
    assert told["arms"][0]["places"][0]["wins"] < told["arms"][0]["places"][1]["wins"]


@pytest.mark.slow
def test_equal_ones_are_not_weaker_and_not_stronger(tmp_path: Path, capsys: Any) -> None:
    """The same moves in exchanged seats: every deal comes out even, so 30 tell."""
    mine, other = write(tmp_path, "mine", FIRST), write(tmp_path, "other", f"{FIRST}  # the same in other words")
    status, told, _ = stronger(capsys, mine, other, "--ask", "not-weaker", "--deals", "40")
    assert (status, told["verdict"], told["stop"]["deals"]) == (0, "not weaker", 30)
    assert told["arms"][0]["places"][0]["win_rate"] == told["arms"][0]["places"][1]["win_rate"]


@pytest.mark.slow
def test_questions_answers_and_exit_statuses(checkout: Path, tmp_path: Path, capsys: Any) -> None:
    mine, greedy = checkout / "mine.py", write(tmp_path, "mine", GREEDY)
    seat = json.dumps({"engine": "random"})
    for engine, against, further, expected in (
        (greedy, mine, (), (0, "stronger")),
        (mine, greedy, (), (1, "not stronger")),
        (greedy, seat, ("--processes", "2"), (0, "stronger")),
        (greedy, mine, ("--deals", "5"), (2, "undecided")),
    ):
        status, told, _ = stronger(capsys, engine, against, *further)
        assert (status, told["verdict"]) == expected


def test_the_same_code_is_not_played(checkout: Path, capsys: Any) -> None:
    commit(checkout, "first")
    for ask, status in (("not-weaker", 0), ("stronger", 1)):
        found = stronger(capsys, checkout / "mine.py", "HEAD", "--ask", ask)
        assert (found[0], found[1]["verdict"]) == (status, "the same code")


def test_what_cannot_be_tested_says_why(checkout: Path, tmp_path: Path, capsys: Any) -> None:
    mine, bad = checkout / "mine.py", tmp_path / "bad.json"
    new = write(checkout, "new", FIRST)
    bad.write_text("[]")
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    for engine, against, further, words in (
        (mine, "no-such-branch", (), "is no file, no folder, and no revision of the git"),
        (new, "HEAD", (), "new.py is not in revision HEAD"),
        (tmp_path / "absent.py", "HEAD", (), "is no Python file"),
        (mine, '{"engine": "nobody"}', (), "nobody"),
        (mine, "{", (), "--against is no JSON"),
        (mine, "HEAD", ("--spec", str(bad)), "it holds a list"),
        (mine, "HEAD", ("--spec", str(broken)), "broken.json is not JSON"),
        (mine, "HEAD", ("--difference", "-1"), "h1"),
    ):
        status, told, said = stronger(capsys, engine, against, *further)
        assert (status, told) == (3, None)
        assert words in said


@pytest.mark.parametrize(
    ("further", "words"),
    [
        (("--budgets", "{}"), "unrecognized arguments"),
        (("--budget", "{"), "'{' is not JSON"),
        (("--budget", "3"), "'3' is no JSON object"),
        (("--deals", "0"), "whole number"),
        ((), "required: --against"),
    ],
)
def test_a_wrong_command_line_is_not_taken_for_an_open_question(further: Any, words: str, capsys: Any) -> None:
    with pytest.raises(SystemExit) as end:
        main(["stronger", "--engine", "mine.py", *(("--against", "HEAD") if further else ()), *further])
    assert end.value.code == 3
    assert words in capsys.readouterr().err
    with pytest.raises(SystemExit) as end:
        main(["run"])
    assert end.value.code == 2


@pytest.mark.slow
def test_an_engine_that_fails_ends_the_test_at_once(checkout: Path, tmp_path: Path, capsys: Any) -> None:
    broken = write(tmp_path, "broken", "raise RuntimeError('out of ideas')")
    status, told, said = stronger(capsys, broken, checkout / "mine.py")
    assert (status, told) == (3, None)
    assert "out of ideas" in said
    assert f"error: {sources.from_text(str(broken)).id} failed on deal 0: exception" in said
