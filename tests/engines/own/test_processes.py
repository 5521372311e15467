"""Engines of one's own at the table: they play, keep their limits, know what their seat may, and fail by their own."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from engines import own_check, registry
from engines.own import process, sources
from engines.protocol import Budget
from games import loader, rng
from tests.engines.own import playing
from tests.games import walks
from worker import course as courses
from worker.records import MatchRecord

pytestmark = pytest.mark.slow
ROOT = loader.FRAME.parent
FLAT, COMPILED = (ROOT / "examples" / "engines" / f"{name}.py" for name in ("flat", "compiled"))
GAMES = tuple(playing.GREEDY)


@pytest.fixture(autouse=True)
def no_process_stays() -> Iterator[None]:
    yield
    process.POOL.end_all()


@pytest.fixture
def allow(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Allow files, and nothing else."""

    def allow_files(*paths: Path) -> None:
        monkeypatch.setenv(sources.VARIABLE, ",".join(map(str, paths)))

    return allow_files


def without_seconds(record: MatchRecord) -> Any:
    """A record as another machine would write it."""
    plies = [dataclasses.replace(ply, elapsed_s=0.0, cpu_s=0.0) for ply in record.plies]
    return dataclasses.replace(record, elapsed_s=0.0, cpu_s=0.0, plies=tuple(plies))


@pytest.mark.parametrize("game_id", GAMES)
def test_the_example_plays_every_game_the_same_in_another_process(game_id: str, allow: Any) -> None:
    allow(FLAT)
    version = sources.content_hash(FLAT)
    first = playing.play(game_id, "own:flat", budget={"playouts_per_action": 2})
    process.POOL.end_all()
    again = playing.play(game_id, "own:flat", budget={"playouts_per_action": 2})
    assert [record.status for record in first] == ["finished"] * len(first)
    assert list(map(without_seconds, first)) == list(map(without_seconds, again))
    assert all(record.versions[f"own:flat@{version}"] == version for record in first)
    for record in first:
        own = [ply for ply in record.plies if record.lineup[ply.seat] % 2 == 0 and ply.legal_count > 1]
        assert all(ply.playouts == 2 * ply.legal_count for ply in own)
        assert record.cpu_s > sum(ply.cpu_s for ply in own) > 0.0


@pytest.mark.parametrize("game_id", ["dominoes", "dominion"])
def test_a_seat_is_shown_what_it_may_know_and_decides_the_same_whatever_is_hidden(
    game_id: str, allow: Any, tmp_path: Path
) -> None:
    shown = tmp_path / "shown.bin"
    body = f"""
        with open({str(shown)!r}, "ab") as file:
            file.write(position.array.tobytes())
        total = int(position.array.astype(np.int64).sum()) + sum(map(ord, str(position.observation()))) + position.seed
        return int(position.legal()[total % len(position.legal())])
    """
    allow(playing.write(tmp_path, "nosy", body, "import numpy as np"))
    game, differ = walks.game_of(game_id), 0
    for state in walks.some([s for s in walks.turns(game_id) if len(game.legal_actions(s)) > 1], 8):
        seat = game.current_player(state)
        engine = registry.make("own:nosy", {})
        assert not engine.peeks
        view = game.view(state, seat)
        worlds = [game.determinize(view, rng.new_stream(k, rng.ANALYSIS)) for k in range(3)]
        shown.write_bytes(b"")
        chosen = set()
        for world in (state, *worlds):
            seen, r = game.view(world, seat), rng.new_stream(1, rng.SEARCH)
            chosen.add(engine.choose(game, seen, seat, Budget(), r).action)
        assert len(chosen) == 1
        rows = np.frombuffer(shown.read_bytes(), np.int32).reshape(4, -1)
        assert (rows == view).all()
        differ += any(world.tobytes() != state.tobytes() for world in worlds)
    assert differ


def test_a_search_in_compiled_code_decides_as_the_rules_face_would(allow: Any) -> None:
    allow(COMPILED)
    game = walks.game_of("kingdomino")
    for record in playing.play("kingdomino", "own:compiled"):
        assert record.status == "finished"
        played = [ply.action for ply in record.plies]
        walk = courses.replay("kingdomino", {}, 2, record.deal_seed, played)
        for course, ply in zip(walk, record.plies, strict=False):
            if record.lineup[ply.seat] == 0 and ply.legal_count > 1:
                after = [game.projected_scores(game.apply(course.state, a)) for a in game.legal_actions(course.state)]
                ahead = [2 * points[ply.seat] - sum(points) for points in after]
                assert ply.action == game.legal_actions(course.state)[int(np.argmax(ahead))]
                assert ply.value == max(ahead)


def failure(tmp_path: Path, allow: Any, name: str, body: str, head: str = "") -> tuple[int | None, str, str]:
    """How its first match fails."""
    allow(playing.write(tmp_path, name, body, head))
    record = playing.play("kingdomino", f"own:{name}")[0]
    assert record.status == "failed"
    assert record.failure is not None
    version = sources.content_hash(tmp_path / f"{name}.py")
    assert record.versions[f"own:{name}@{version}"] == version
    return record.failure.seat, record.failure.kind, record.failure.message


def test_every_fault_is_a_failure_of_its_seat(tmp_path: Path, allow: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_OWN_SECONDS", "2")
    monkeypatch.setenv("LAB_OWN_MEMORY_MB", "3000")
    began = time.monotonic()
    for name, body, kind, words in (
        ("wrong", "return [][0]", "exception", "IndexError: list index out of range (wrong.py:6)"),
        ("rude", "return 10**9", "illegal_action", "1000000000 is not legal at ply 0"),
        ("vague", 'return "best"', "exception", "choose must return an action or a Decision, not 'best'"),
        ("endless", "while True: pass", "over_time", "gave no answer in 2 s, and was ended"),
        ("gone", "import os; os._exit(3)", "engine_died", "its process ended with status 3"),
        ("quits", "raise SystemExit(4)", "engine_died", "its process ended with status 4"),
        ("greedy", "return len(bytearray(4 << 30))", "exception", "MemoryError"),
        ("cheats", "position.array[0] = 1", "exception", "read-only"),
        ("boasts", "return Decision(legal[0], playouts=-1)", "exception", "playouts of a Decision must be from 0"),
        ("short", "return Decision(legal[0], table=Table(legal, [0.5], [1], [0.0]))", "exception", "of one length"),
        ("strange", "return Decision(legal[0], table=Table([10**6], [0.5], [1], [0.0]))", "exception", "be legal"),
    ):
        body = f"legal = position.legal()\n{body}"
        seat, found, message = failure(tmp_path, allow, name, body, "from engines.own import Decision, Table")
        assert (seat, found) == (0, kind), name
        assert words in message
    assert time.monotonic() - began < 120


def test_a_file_that_does_not_load_is_refused_with_its_line(tmp_path: Path, allow: Any) -> None:
    allow(playing.write(tmp_path, "broken", "return 0", "import no_such_module"))
    assert not registry.is_known("own:broken")
    with pytest.raises(KeyError, match=r"ModuleNotFoundError: No module named 'no_such_module' \(broken.py:1\)"):
        registry.get("own:broken")


def test_it_gets_no_secret_of_the_deployment_and_what_it_prints_harms_nobody(
    tmp_path: Path, allow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SECRET_KEY", "DATABASE_URL", "REDIS_URL"):
        monkeypatch.setenv(name, "secret")
    body = """
        print("thinking")
        import os
        found = [name for name in os.environ if os.environ[name] == "secret"]
        assert not found, found
        return int(position.legal()[0])
    """
    allow(playing.write(tmp_path, "random", body))
    assert [record.status for record in playing.play("kingdomino", "own:random")] == ["finished"] * 2


def test_the_check_of_a_file_says_what_is_wrong_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(sources.VARIABLE, raising=False)
    body = "return int(position.legal()[os.getpid() % len(position.legal())])"
    for name, expected in (("lucky", {own_check.SAME: False}), ("wrong", {"fault": "NameError: name 'o' is not"})):
        path = playing.write(tmp_path, name, body if name == "lucky" else "return o", "import os")
        found = own_check.check(str(path), ("kingdomino",))
        assert found["mismatches"] == 1
        for key, value in expected.items():
            assert str(found["games"]["kingdomino"][key]).startswith(str(value))
    found = own_check.check(str(FLAT), ("dominoes",))
    assert found["mismatches"] == 0
    assert found["games"]["dominoes"]["decisions"] > 0
    assert (found["label"][:4], found["options"]) == ("Flat", ["policy"])


def test_what_an_engine_starts_ends_with_its_process(tmp_path: Path, allow: Any) -> None:
    body = """
        import subprocess
        child = subprocess.Popen(["sleep", "600"])
        return child.pid if position.seed % 2 else -child.pid
    """
    allow(playing.write(tmp_path, "parent", body))
    failure = playing.play("kingdomino", "own:parent")[0].failure
    assert failure is not None
    pid = abs(int(failure.message.split()[0]))
    assert psutil.pid_exists(pid)
    process.POOL.end_all()
    psutil.wait_procs([psutil.Process(pid)] if psutil.pid_exists(pid) else [], timeout=10)
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_a_process_that_loops_ends_by_itself_where_its_lab_was_killed(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    head = f"import os\nfrom pathlib import Path\nNOTE = Path({str(note)!r})"
    path = playing.write(tmp_path, "looping", "NOTE.write_text(str(os.getpid()))\nwhile True: pass", head)
    code = "from tests.engines.own import playing; playing.play('kingdomino', 'own:looping')"
    environment = {**os.environ, sources.VARIABLE: str(path), "LAB_OWN_SECONDS": "4"}
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=environment) as lab:
        ends_at = time.monotonic() + 120
        while not note.exists() or not note.read_text():
            assert time.monotonic() < ends_at
            time.sleep(0.01)
        lab.kill()
    looping = psutil.Process(int(note.read_text()))
    most_s = 4 * (os.cpu_count() or 1)  # of all cores while the lab would have waited
    gone, _ = psutil.wait_procs([looping], timeout=10 * most_s)  # a busy machine gives it a part of a core
    assert gone


def test_a_file_that_changes_is_another_engine_and_the_old_one_plays_no_more(tmp_path: Path, allow: Any) -> None:
    path = playing.write(tmp_path, "mover", "return int(position.legal()[0])")
    allow(path)
    old = playing.matches("kingdomino", "own:mover")
    assert playing.play_match(old[0]).status == "finished"
    playing.write(tmp_path, "mover", "return int(position.legal()[-1])")
    record = playing.play_match(old[0])
    assert record.failure is not None
    assert (record.failure.seat, record.failure.kind) == (0, "absent_code")
    new = playing.matches("kingdomino", "own:mover")
    assert new[0].seats[0].engine != old[0].seats[0].engine
    assert playing.play_match(new[0]).status == "finished"


def test_an_observation_is_what_agents_get_and_a_folder_is_an_engine(tmp_path: Path, allow: Any) -> None:
    folder = tmp_path / "reader"
    folder.mkdir()
    (folder / "pick.py").write_text("def pick(actions):\n    return actions[0]['id']\n")
    head = "from .pick import pick\n\n\nclass Engine:\n    sees = 'observation'\n"
    choose = "    def choose(self, seen, budget):\n        assert seen['player'] == seen['seat']\n"
    (folder / "__init__.py").write_text(f"{head}\n{choose}        return pick(seen['actions'])\n")
    allow(folder)
    records = playing.play("dominoes", "own:reader")
    assert [record.status for record in records] == ["finished"] * 2


def test_an_installed_package_plays_by_its_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, described = tmp_path / "their_players", tmp_path / "their_players-1.0.dist-info"
    package.mkdir()
    described.mkdir()
    (package / "__init__.py").write_text("")
    code = "class Best:\n    def choose(self, position, budget):\n        return int(position.legal()[0])\n"
    (package / "best.py").write_text(code)
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: their-players\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(f"[{sources.GROUP}]\ntheirs = their_players.best:Best\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(sources.VARIABLE, "package:theirs")
    records = playing.play("kingdomino", "own:theirs")
    assert [record.status for record in records] == ["finished"] * 2
    version = sources.content_hash(package)
    assert records[0].versions[f"own:theirs@{version}"] == version


def test_it_plays_a_tournament_of_the_command_line_the_same_with_two_processes(tmp_path: Path) -> None:
    entries = [{"name": str(n), "engine": "own:flat", "budget": {"playouts_per_action": n}} for n in (1, 2)]
    entries.append({"name": "Easy", **playing.GREEDY["kingdomino"]})
    spec = {"version": 1, "game": "kingdomino", "seats": 2, "deals": 3, "seed": 1}
    (tmp_path / "ladder.json").write_text(json.dumps({**spec, "ladder": {"entries": entries}}))
    rows = []
    for processes in ("1", "2"):
        out = tmp_path / f"rows{processes}"
        command = ["ladder", str(tmp_path / "ladder.json"), "--engine", str(FLAT), "--processes", processes]
        ran = subprocess.run(
            [sys.executable, "-m", "worker", *command, "--out", str(out)], cwd=ROOT, capture_output=True, timeout=300
        )
        assert ran.returncode == 0, ran.stderr.decode()
        rows.append(out.read_text())
    assert rows[0] == rows[1]
    assert "own:flat@" in rows[0]
