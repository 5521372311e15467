"""``python -m engines``: JSON on stdout, exit status, bad arguments."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engines import __main__ as command_line
from engines import bench, registry, warm_up
from games import readiness
from games import registry as game_registry
from games.loader import FRAME
from tests.engines import deciding
from tests.games import walks
from tests.looping import looped

DEADLINE_S = 300


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game_registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setitem(game_registry.GAMES, "toy_secret", "games.toy.secret:SecretCards")


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any]:
    status = command_line.main([str(argument) for argument in arguments])
    return status, json.loads(capsys.readouterr().out)


def test_list_describes_every_engine_and_the_games_it_fits(capsys: pytest.CaptureFixture[str]) -> None:
    status, engines = run(capsys, "list")
    assert status == 0
    assert [engine["id"] for engine in engines] == list(registry.ids())
    by_id = {engine["id"]: engine for engine in engines}
    assert set(by_id["random"]["games"]) == set(game_registry.ids())
    assert "toy" in by_id["flat_mc"]["games"]
    assert "toy_secret" in by_id["flat_mc"]["games"]
    assert "toy_secret" not in by_id["expectimax"]["games"]
    assert by_id["flat_mc"]["default_budget"] == {"playouts_per_action": 20}
    names = {row["name"] for row in by_id["flat_mc"]["options"]}
    own = {"candidates", "allocation", "paired", "endgame", "means", "value", "playout_plies"}
    own |= {"value_plies", "value_seats", "value_candidates", "value_denies"}
    assert names == {"utility", "opponent", "policy", "epsilon", "peek", "forced"} | own


@pytest.mark.long
def test_the_module_runs_as_a_command() -> None:
    command = [sys.executable, "-m", "engines", "list"]
    answer = subprocess.run(command, cwd=FRAME.parent, check=True, capture_output=True, text=True, timeout=DEADLINE_S)
    assert [engine["id"] for engine in json.loads(answer.stdout)] == list(registry.ids())
    assert answer.stderr == ""


@looped(
    "arguments",
    [
        [],
        ["bench", "toy"],
        ["bench", "chess", "random"],
        ["bench", "toy", "chess_master"],
        ["bench", "toy", "random", "--options", "{"],
        ["bench", "toy", "random", "--positions", "many"],
    ],
)
def test_arguments_that_make_no_command_exit_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        command_line.main(arguments)
    assert caught.value.code == 2
    assert "usage: python -m engines" in capsys.readouterr().err


@pytest.mark.long
def test_bench_measures_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    options, budget = '{"utility": "wdl"}', '{"playouts": 50}'
    arguments = ["toy", "flat_mc", "--options", options, "--budget", budget, "--positions", 4, "--seed", 9]
    status, answer = run(capsys, "bench", *arguments)
    assert status == 0
    assert (answer["game"], answer["engine"], answer["positions"]) == ("toy", "flat_mc", 4)
    assert answer["options"] == json.loads(options)
    assert answer["budget"] == json.loads(budget)
    # 50 playouts a decision, whatever a decision takes (times are rounded to a thousandth)
    assert answer["simulations_per_s"] == pytest.approx(50_000 / answer["ms_per_decision"], rel=0.05)
    assert answer["wall_ms_per_decision"] > 0


@pytest.mark.long
@looped("engine_id", registry.ids())
def test_every_engine_can_be_measured_without_arguments(engine_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    game_id = next(game_id for fitting, game_id in deciding.pairs() if fitting == engine_id)
    status, answer = run(capsys, "bench", game_id, engine_id, "--positions", 2)
    assert status == 0
    assert answer["budget"] == dict(registry.get(engine_id).default_budget)
    assert answer["ms_per_decision"] > 0


@looped(
    "arguments, message",
    [
        (["toy_secret", "expectimax"], "hides information"),
        (["toy", "flat_mc", "--options", '{"utility": "money"}'], "utility: must be one of"),
        (["toy", "flat_mc", "--options", '{"policy": "timid"}'], "not 'timid'"),
        (["toy", "flat_mc", "--options", "[]"], "options: must be an object"),
        (["toy", "flat_mc", "--budget", '{"playouts": 0}'], "playouts: must be above 0"),
        (["toy", "flat_mc", "--budget", '{"depth": 3}'], "needs a budget of playouts_per_action"),
        (["toy", "random", "--positions", "0"], "positions must be at least 1"),
        (["toy", "random", "--seats", "0"], "seats, not 0"),
    ],
)
def test_bad_bench_arguments_are_told(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, answer = run(capsys, "bench", *arguments)
    assert status == 1
    assert message in answer["error"]


@pytest.mark.long
def test_positions_are_seeded_and_in_the_middle_of_a_match() -> None:
    for game_id in walks.GAME_IDS:
        game = walks.game_of(game_id)
        for seats in walks.seat_counts(game):
            first, again = (bench.positions(game, 2, 1, seats) for _ in range(2))
            assert [state.tobytes() for state in first] == [state.tobytes() for state in again]
            assert first[0].tobytes() != first[1].tobytes()
            total = len(walks.turns(game_id, seats))
            for state in first:
                assert game.num_seats(state) == seats
                assert game.current_player(state) >= 0
                left = sum(game.plies_left(state, seat) for seat in range(seats))
                if abs(bench.match_plies(game, seats) - total) <= 1:  # all matches are of one length
                    assert left == pytest.approx(total / 2, abs=1), "as many plies to come as were made"
        late = bench.position(game, 1, 10_000)
        assert game.current_player(late) >= 0, "a match that ends earlier gives its last turn"


def test_replay_compares_traces(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game = walks.game_of("toy")
    trace = game.trace({"options": {}, "seats": 2, "history": walks.history("toy")})
    file = tmp_path / "match.jsonl"
    file.write_text(json.dumps(trace))
    assert run(capsys, "replay", "toy", file) == (
        0,
        {"matches": 1, "plies": len(trace["history"]), "mismatches": []},
    )
    trace["scores"][-1] = [0, 0]
    file.write_text(json.dumps(trace))
    status, answer = run(capsys, "replay", "toy", file)
    assert status == 1
    assert answer["mismatches"][0]["field"] == "scores"


def test_warm_says_what_is_ready_and_loads_it_only_where_it_is_not_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def ready() -> list[str]:
        assert command_line.main(["warm", "--game", *games, "--engine", *engines]) == 0
        return sorted(line.split(" ready")[0] for line in capsys.readouterr().out.splitlines())

    games, engines, decided = ["toy", "toy_secret"], ["flat_mc", "random"], []
    one_decision = bench.one_decision
    monkeypatch.setattr(bench, "one_decision", lambda *given: decided.append(given) or one_decision(*given))
    note = warm_up.note_of(games, engines)
    note.unlink(missing_ok=True)
    every = sorted(f"{game} {engine}" for engine in engines for game in games)
    assert ready() == every
    assert decided
    decided.clear()
    readiness.request("toy", "flat_mc")
    assert ready() == every
    assert not decided
    assert ("toy", "flat_mc") not in readiness.pending_requests()
    said = json.loads(note.read_text())
    assert any(name.startswith("toy_flat") for name in said["folders"])
    note.write_text(json.dumps(said | {"folders": [*said["folders"], "toy_that_has_gone"]}))
    assert ready() == every
    assert decided, "kernels that have gone are compiled again"
    (tmp_path / "search.py").write_text("1")
    before = warm_up.note_of(games, engines, [tmp_path])
    (tmp_path / "search.py").write_text("2")
    assert len({before, warm_up.note_of(games, engines, [tmp_path]), warm_up.note_of(games, ["uct"], [tmp_path])}) == 3
