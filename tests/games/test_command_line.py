"""``python -m games``: JSON on stdout, exit status, bad arguments."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games import __main__ as command_line
from games import costs, data_files, registry
from games.costs import Costs
from games.loader import FRAME
from tests.games import walks
from tests.looping import looped

DEADLINE_S = 300


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setitem(registry.GAMES, "toy_secret", "games.toy.secret:SecretCards")


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any]:
    status = command_line.main([str(argument) for argument in arguments])
    return status, json.loads(capsys.readouterr().out)


def trace(game_id: str, seed: int = 1) -> dict[str, Any]:
    game = walks.game_of(game_id)
    seats = walks.usual_seats(game)
    match = {"options": {}, "seats": seats, "history": walks.history(game_id, seats, seed), "seed": seed}
    made: dict[str, Any] = game.trace(match)
    return made


def test_list_describes_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    status, games = run(capsys, "list")
    assert status == 0
    assert [game["id"] for game in games] == list(registry.ids())
    for game in games:
        assert set(game) == {"id", "version", "label", "traits", "options", "presets", "policies", "metrics"}
        assert game["policies"][0] == "random"


@pytest.mark.long
def test_the_module_runs_as_a_command() -> None:
    command = [sys.executable, "-m", "games", "list"]
    answer = subprocess.run(command, cwd=FRAME.parent, check=True, capture_output=True, text=True, timeout=DEADLINE_S)
    assert [game["id"] for game in json.loads(answer.stdout)] == [i for i in registry.ids() if i not in walks.TOYS]
    assert answer.stderr == ""


@looped("arguments", [[], ["play"], ["bench"], ["bench", "chess"], ["replay", "toy"]])
def test_arguments_that_make_no_command_exit_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        command_line.main(arguments)
    assert caught.value.code == 2
    assert "usage: python -m games" in capsys.readouterr().err


def test_traces_in_every_shape_of_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = [trace("toy", seed) for seed in (1, 2)]
    lines = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "a.jsonl").write_text(lines + "\n\n")
    (tmp_path / "b.json").write_text(json.dumps(rows))
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    status, answer = run(capsys, "replay", "toy", *sorted(tmp_path.iterdir()))
    assert status == 0
    assert answer == {"matches": 6, "plies": 6 * len(rows[0]["history"]), "mismatches": []}


@pytest.mark.parametrize("game_id", registry.ids())
def test_every_game_replays_its_own_trace(game_id: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps([trace(game_id)]))
    status, answer = run(capsys, "replay", game_id, file)
    assert status == 0
    assert answer["mismatches"] == []
    assert answer["plies"] >= len(walks.turns(game_id))


def test_mismatches_exit_with_1_and_do_not_end_the_replay(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good, wrong = trace("toy"), trace("toy")
    wrong["scores"][5] = [99, 99]
    no_trace: list[Any] = [{"format": "something else"}, 17, good | {"history": [99]}, good | {"options": {"cards": 1}}]
    file = tmp_path / "mixed.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in [wrong, *no_trace, good]))
    status, answer = run(capsys, "replay", "toy", file)
    assert status == 1
    assert answer["matches"] == 6
    assert [row["match"] for row in answer["mismatches"]] == [0, 1, 2, 3, 4]
    first, *others = answer["mismatches"]
    assert (first["file"], first["ply"], first["field"]) == ("mixed.jsonl", 5, "scores")
    assert {row["field"] for row in others} == {"trace"}
    assert "cards: must be between" in others[3]["got"]


@looped(
    "name, content, message",
    [
        ("bad.json", b"{not json", "JSONDecodeError"),
        ("bad.jsonl", b"\xff\xfe", "UnicodeDecodeError"),
        ("cut.gz", gzip.compress(b"[]" * 99, mtime=0)[:-9], "ValueError: cut.gz is not a whole gzip file"),
        ("no.gz", b"plain", "BadGzipFile"),
        (None, b"", "FileNotFoundError"),
    ],
)
def test_files_that_cannot_be_read_are_told(
    name: str | None, content: bytes, message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / (name or "absent.json")
    if name:
        file.write_bytes(content)
    status, answer = run(capsys, "replay", "toy", file)
    assert status == 1
    assert message in answer["error"]


@pytest.mark.long
@looped("game_id", walks.TOYS)
def test_bench_counts_complete_matches(game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, answer = run(capsys, "bench", game_id, "--seconds", "0.2")
    assert status == 0
    seats = walks.usual_seats(walks.game_of(game_id))
    assert (answer["game"], answer["policy"], answer["seats"]) == (game_id, "random", seats)
    assert answer["playouts"] > 0
    assert answer["playouts_per_s"] >= answer["wall_per_s"] * 0.99 > 0
    assert answer["plies_per_s"] > answer["playouts_per_s"]
    assert (answer["reference_per_s"] is None) == (game_id == "toy_secret"), "all but one have a slow reference"
    assert len(answer["mean_scores"]) == seats


@pytest.mark.long
def test_bench_means_are_those_of_the_matches(capsys: pytest.CaptureFixture[str]) -> None:
    _, answer = run(capsys, "bench", "toy", "--policy", "greedy", "--seconds", "0.1", "--seats", "3")
    # six cards of mean 3.5, two for each seat; a card's variance is 35 / 12
    error = (2 * 35 / 12 / answer["playouts"]) ** 0.5
    assert answer["mean_scores"] == pytest.approx([7.0] * 3, abs=5 * error + 0.005)


@looped(
    "arguments, message",
    [
        (["--policy", "timid"], "random, greedy, not 'timid'"),
        (["--seats", "9"], "not 9"),
        (["--seats", "1"], "not 1"),
        (["--seconds", "0"], "seconds must be above 0"),
        (["--seconds", "-1"], "seconds must be above 0"),
        (["--seconds", "nan"], "seconds must be above 0"),
    ],
)
def test_bad_bench_arguments_are_told(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, answer = run(capsys, "bench", "toy", *arguments)
    assert status == 1
    assert message in answer["error"]


@pytest.mark.long
def test_costs_are_measured_and_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(data_files, "path", lambda folder, name: tmp_path / f"{name}.json")
    toy = registry.get("toy")
    status, shown = run(capsys, "costs", "toy", "--seconds", "0.05")
    assert status == 0
    assert costs.load(toy.folder) is None
    # six cards: two seats may get each of five, and who draws the last one keeps it
    assert shown["plies"] == 6
    assert shown["legal_actions"] == 1.8
    assert 0 < shown["playout_s"] < 1e-3
    assert set(shown["policies"]) == set(toy.policies) - {"random"}
    kept = {key: shown[key] for key in ("action_s", "ply_s", "outcomes")}
    assert kept == {key: getattr(toy.costs, key) for key in kept}
    status, written = run(capsys, "costs", "toy", "--seconds", "0.05", "--write")
    assert costs.load(toy.folder) == Costs(**written)


def test_costs_within_no_time_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    status, answer = run(capsys, "costs", "toy", "--seconds", "0")
    assert status == 1
    assert "seconds must be above 0" in answer["error"]
