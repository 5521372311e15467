"""The example agents, run as people run them, against a real server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from games import registry as game_registry
from tests.webapp.api.callers import Caller
from tests.webapp.table.live import answering
from webapp.records import verification
from webapp.records.models import Match
from webapp.table.live import match_limits, player_requests
from webapp.table.live.models import LiveMatch

pytestmark = pytest.mark.django_db(transaction=True)

FOLDER = Path(settings.BASE_DIR) / "examples" / "agents"
MATCHES = 20
FEW = 6
"""Matches at once that show as much, where they are not played to their end."""
DEADLINE_S = 600
WHOLE_S = 3000
"""For twenty whole matches of up to 300 plies each, on a loaded machine."""
NODE = shutil.which("node")
PROGRAMS = [
    pytest.param([sys.executable, FOLDER / "random_agent.py"], id="python"),
    pytest.param(
        [NODE, FOLDER / "random_agent.mjs"],
        id="node",
        marks=pytest.mark.skipif(NODE is None, reason="Node is not installed"),
    ),
]


@pytest.fixture
def run(site: str) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start an example agent with a caller's token."""
    started: list[subprocess.Popen[str]] = []

    def start(program: list[Any], caller: Caller, *arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*map(str, program), f"{site}/", *arguments],
            env={"PATH": os.environ["PATH"], "LAB_TOKEN": caller.secret},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def _engines(valkey_service: str) -> Iterator[None]:
    """Engines that answer in a thread of this process; there is a queue to wake, though nobody listens."""
    is_over = threading.Event()

    def answer() -> None:
        try:
            while not is_over.wait(0.02):
                for match in LiveMatch.objects.filter(is_engine_due=True):
                    answering.answer(match)
        finally:
            connection.close()

    thread = threading.Thread(target=answer)
    thread.start()
    yield
    is_over.set()
    thread.join()


def output(process: subprocess.Popen[str], timeout_s: float = DEADLINE_S) -> dict[str, list[str]]:
    """The lines that a program printed of each match, by its code; it ended well."""
    printed, _ = process.communicate(timeout=timeout_s)
    assert process.returncode == 0, printed
    lines: dict[str, list[str]] = {}
    for code, said in (line.split("  ", 1) for line in printed.splitlines()):
        lines.setdefault(code, []).append(said)
    return lines


@pytest.fixture
def game() -> str:
    """What is played; a parameter where it is several games' turn."""
    return "carcassonne"


@pytest.fixture
def num_matches() -> int:
    """Matches at once; a parameter where they are many."""
    return FEW


@pytest.fixture
def all_players(
    run: Callable[..., subprocess.Popen[str]], bot: Caller, rival: Caller, game: str, num_matches: int
) -> list[subprocess.Popen[str]]:
    """One example opens so many matches, others (in the other language in turn, where there is Node) join them."""
    python, other = PROGRAMS[0].values[0], PROGRAMS[0 if NODE is None else 1].values[0]
    opening = run(python, bot, "--level", "open", "--matches", str(num_matches), "--game", game)
    until(lambda: LiveMatch.objects.count() == num_matches, opening)
    joining = [(other, rival)]
    for seat in range(2, game_registry.get(game).traits.min_seats):
        joining.append(((python, other)[seat % 2], Caller((bot, rival)[seat % 2].agent.owner, f"bot-{seat}")))
    return [opening, *(run(program, caller, "--join", "--matches", str(num_matches)) for program, caller in joining)]


def until(is_so: Callable[[], bool], *running: subprocess.Popen[str]) -> None:
    """Wait for it while the programs run."""
    deadline = time.monotonic() + DEADLINE_S
    while not is_so():
        for process in running:
            assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.long
def test_matches_at_once_one_agent_against_the_other(all_players: list[subprocess.Popen[str]]) -> None:
    until(lambda: LiveMatch.objects.filter(status="running", ply__gte=4).count() == FEW, *all_players)
    for match in LiveMatch.objects.order_by("pk"):  # while the programs play on in the others
        player_requests.grant("resign", match.pk, (match.pk % 2,))
    assert [len(output(process)) for process in all_players] == [FEW, FEW]
    assert LiveMatch.objects.filter(status="ended", ending__kind="resigned").count() == FEW


@pytest.mark.slow
@pytest.mark.parametrize("num_matches", [MATCHES])
@pytest.mark.parametrize("game", ["carcassonne", "kingdomino", "dominion", "dominoes"])
def test_twenty_whole_matches_at_once(all_players: list[subprocess.Popen[str]], game: str) -> None:
    assert {len(output(process, WHOLE_S)) for process in all_players} == {MATCHES}
    assert LiveMatch.objects.filter(game=game, status="finished").count() == MATCHES
    report = verification.verify(list(Match.objects.filter(status="finished").values_list("pk", flat=True)))
    assert (report.matches, report.mismatches) == (MATCHES, [])


@pytest.mark.usefixtures("_engines")
@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_first_match_of_every_game_against_the_weakest_level(
    run: Callable[..., subprocess.Popen[str]], program: list[Any], bot: Caller
) -> None:
    lines = output(run(program, bot))
    assert len(lines) == len(game_registry.ids())
    for match in LiveMatch.objects.order_by("pk"):
        begun, *played, over = lines[match.code]
        assert begun == f"running  {game_registry.get(match.game).label}"
        assert over.startswith("finished  alices-bot ")
        own = match.plies.filter(seat=0).order_by("ply")
        assert played == [f"ply {row.ply + 1}  {row.words}" for row in own if row.ply % 10 < 2]
        assert played


def test_the_newcomers_page_shows_what_they_print(client: Any) -> None:
    found = re.search(r'<pre [^>]*id="printed"[^>]*>(.*?)</pre>', client.get("/api/").content.decode(), re.DOTALL)
    assert found is not None
    lines = [line.split("  ", 2)[1:] for line in found[1].splitlines()]
    labels = [game_registry.get(game).label for game in game_registry.ids()]
    assert all(said in labels for how, said in lines if how == "running")
    assert [how.split()[0] for how, _ in lines] == ["running", "running", "ply", "ply", "finished", "finished"]


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_refusal_is_said_in_words(
    run: Callable[..., subprocess.Popen[str]], program: list[Any], bot: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = run(program, bot, "--level", "divine").communicate(timeout=DEADLINE_S)[0]
    assert "must be one of beginner" in bad
    monkeypatch.setattr(match_limits, "MAX_UNFINISHED", 0)
    process = run(program, bot)
    assert "Your agents have 0 matches open or running." in process.communicate(timeout=DEADLINE_S)[0]
    assert process.returncode != 0


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
def test_nobody_plays_alone(run: Callable[..., subprocess.Popen[str]], program: list[Any], bot: Caller) -> None:
    assert game_registry.get("dominion").traits.min_seats == 1
    process = run(program, bot, "--game", "dominion", "--level", "open")
    until(lambda: LiveMatch.objects.exists(), process)
    assert [(match.num_seats, match.status) for match in LiveMatch.objects.all()] == [(2, "open")]


@pytest.mark.parametrize("program", PROGRAMS)
def test_without_a_token_it_says_what_to_do(program: list[Any]) -> None:
    called = [*map(str, program), "http://127.0.0.1:9"]
    done = subprocess.run(called, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "set LAB_TOKEN to an agent's token" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["random_agent.py", "random_agent.mjs"])
def test_an_example_is_short(name: str) -> None:
    assert len((FOLDER / name).read_text(encoding="utf-8").splitlines()) < 60
