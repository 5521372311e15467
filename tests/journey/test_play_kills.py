"""A guest plays on while the engines' worker and the web server are killed under the match."""

from __future__ import annotations

import json
import os
import signal
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
RECOVERY_MS = 60_000
"""Programs start anew on a loaded machine."""


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


def thinks(lab: Lab, code: str) -> bool:
    """Whether a worker is at an engine's ply of the match."""
    return bool(lab.rows("select 1 from live_livematch where code = %s and is_engine_due and worker <> ''", code))


def check_plies(lab: Lab, code: str, number: int) -> None:
    """So many plies are there, each once, by whoever was on turn."""
    plies = lab.rows(_PLIES, code)
    ((mine,),) = lab.rows(_PEOPLE, code)
    assert [ply for ply, *_ in plies] == list(range(number))
    assert [seat for _, seat, *_ in plies] == [ply % 2 for ply in range(number)]
    assert {played_by for _, seat, played_by, _ in plies if seat == mine} == {"person"}
    keys = [key for _, seat, _, key in plies if seat == mine]
    assert all(keys)
    assert len(set(keys)) == len(keys)


def test_a_match_survives_its_worker_and_its_server(page: Any, lab: Lab) -> None:
    code = table.play_now(page, address(lab), "master")
    page.evaluate("window.isFirst = true")
    table.play(page)
    lab.wait(lambda: thinks(lab, code), "the engine to be on turn")
    kill(lab, "worker-interactive")
    page.locator(".turn[data-mine]").wait_for(timeout=RECOVERY_MS)
    expect(page.locator("main")).not_to_contain_text("plays on in its place")

    # the server dies while the engine thinks, and the answer is on the page when it is back
    table.play(page)
    lab.wait(lambda: thinks(lab, code), "the engine to be on turn")
    kill(lab, "web")
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
    check_plies(lab, code, table.moves(page))
    assert table.moves(page) in (6, 7), "three moves of the guest, and those of the engine between"
    page.problems[:] = [problem for problem in page.problems if "Failed to load resource" not in problem]
