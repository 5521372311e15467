"""A guest plays on while the engines' worker and the web server are killed under the match."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.crash.lab import Lab
from tests.journey import table
from tests.journey.conftest import address

pytestmark = pytest.mark.browser

_PLIES = """
select p.ply, p.seat, p.played_by, p.key from live_liveply p join live_livematch m on m.id = p.match_id
where m.code = %s order by p.ply
"""
_PEOPLE = (
    "select seat from live_liveseat s join live_livematch m on m.id = s.match_id where m.code = %s and kind = 'person'"
)
_STANDS = "select on_turn, is_engine_due and worker <> '' from live_livematch where code = %s"
GAMES = [
    "Carcassonne",
    *(pytest.param(game, marks=pytest.mark.slow) for game in ("Kingdomino", "Dominion", "Dominoes")),
]
MOVES = 3
"""Of the guest at least, each with something killed after it."""
RECOVERY_MS = 180_000
"""Programs start anew on a loaded machine, and may find kernels cold."""


def process(lab: Lab, program: str) -> int | None:
    """Id of the program's process as the supervisor noted it; None while it has none."""
    try:
        return int(json.loads((lab.folder.processes / f"{program}.json").read_text())["pid"])
    except (FileNotFoundError, ValueError):
        return None


def kill(lab: Lab, program: str) -> None:
    """End it by SIGKILL, and wait until the supervisor has begun another one."""
    before = process(lab, program)
    assert before is not None
    os.kill(before, signal.SIGKILL)
    lab.wait(lambda: process(lab, program) not in (before, None), f"{program} to be started anew")


def play_until_it_thinks(page: Any, lab: Lab, code: str) -> int:
    """Play one's turn, of as many moves as it has, until a worker is at an engine's ply, and hold it there.

    Returns its process group, for `go_on`: an engine may need a fiftieth of a second, in which nobody kills anything.
    """
    ((mine,),) = lab.rows(_PEOPLE, code)
    group = process(lab, "worker-interactive")
    assert group is not None
    is_held, is_over = threading.Event(), threading.Event()

    def thinks() -> bool:
        return bool(lab.rows(_STANDS, code)[0][1])

    def hold() -> None:
        while not is_held.is_set() and not is_over.is_set():
            if thinks():
                os.killpg(group, signal.SIGSTOP)
                if thinks():
                    is_held.set()
                else:
                    os.killpg(group, signal.SIGCONT)

    watcher = threading.Thread(target=hold)
    watcher.start()
    try:
        while not is_held.is_set():
            table.play(page)
            lab.wait(lambda: is_held.is_set() or lab.rows(_STANDS, code)[0][0] == mine, "the engine to be on turn")
    finally:
        is_over.set()
        watcher.join()
    return group


def go_on(group: int) -> None:
    """Let what was held go on; what was killed has gone."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGCONT)


def check_plies(lab: Lab, code: str, number: int) -> list[int]:
    """So many plies are there, each once, the guest's with a key of its own; returns whose they are."""
    plies = lab.rows(_PLIES, code)
    ((mine,),) = lab.rows(_PEOPLE, code)
    assert [ply for ply, *_ in plies] == list(range(number))
    assert {played_by for _, seat, played_by, _ in plies if seat == mine} == {"person"}
    assert {played_by for _, seat, played_by, _ in plies if seat != mine} == {"engine"}
    keys = [key for _, seat, _, key in plies if seat == mine]
    assert all(keys)
    assert len(set(keys)) == len(keys) >= MOVES
    return [seat for _, seat, *_ in plies]


def check_record(page: Any, lab: Lab, code: str) -> None:
    """Given up, the match leaves a record that replays: every ply by the seat that was on turn there."""
    table.resign(page)
    ((record,),) = lab.rows("select match_id from live_livematch where code = %s", code)
    report = json.loads(lab.run([sys.executable, "manage.py", "verify", "--match", str(record)]))
    assert (report["matches"], report["plies"], report["mismatches"]) == (1, table.moves(page), [])


@pytest.mark.parametrize("game", GAMES)
def test_a_match_survives_its_worker_and_its_server(page: Any, lab: Lab, game: str) -> None:
    table.confirm_always(page, address(lab))
    code = table.play_now(page, address(lab), "master", game)
    page.evaluate("window.isFirst = true")
    page.locator(".turn[data-mine]").wait_for(timeout=RECOVERY_MS)
    held = play_until_it_thinks(page, lab, code)
    kill(lab, "worker-interactive")
    go_on(held)
    page.locator(".turn[data-mine]").wait_for(timeout=RECOVERY_MS)
    expect(page.locator("main")).not_to_contain_text("plays on in its place")

    # the server dies while the engine thinks, and the answer is on the page when it is back
    held = play_until_it_thinks(page, lab, code)
    kill(lab, "web")
    go_on(held)
    page.locator(".turn[data-mine]").wait_for(timeout=RECOVERY_MS)

    # the server dies under a confirmed move, which is sent until it has arrived
    before = table.moves(page)
    confirm = table.choose(page)
    server = process(lab, "web")
    assert server is not None
    os.kill(server, signal.SIGKILL)
    confirm.click()
    page.wait_for_function(f"number => {table.MOVES} >= number", arg=before + 1, timeout=RECOVERY_MS)
    page.locator(".turn[data-mine]").wait_for(timeout=RECOVERY_MS)

    assert page.evaluate("window.isFirst"), "the page was never loaded anew"
    seats = check_plies(lab, code, table.moves(page))
    if game == "Carcassonne":
        assert seats == [ply % 2 for ply in range(len(seats))]
    else:
        check_record(page, lab, code)
    page.problems[:] = [problem for problem in page.problems if "Failed to load resource" not in problem]
