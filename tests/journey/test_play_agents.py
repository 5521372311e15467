"""Twenty matches at once by the example programs, through the whole running lab."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

from tests.crash.lab import Lab
from tests.journey import steps
from webapp.ops.data_folder import CHECKOUT

pytestmark = [pytest.mark.slow, pytest.mark.browser]

EXAMPLES = CHECKOUT / "examples" / "agents"
EACH = 10
DEADLINE_S = 600
PLIES = 71
_MATCHES = """
select m.status, m.ply, count(p.ply), count(distinct p.ply), count(distinct m.match_id)
from live_livematch m join live_liveply p on p.match_id = m.id join live_liveseat s on s.match_id = m.id
join agents_agent a on a.id = s.agent_id where a.name = any(%s) group by m.id
"""


def token(page: Any, site: str, name: str) -> str:
    """Make an agent; returns its token, which is shown once."""
    page.goto(f"{site}/agents/new/")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Make the agent").click()
    return str(page.locator("#secret").inner_text())


def test_the_example_agents_finish_twenty_matches_at_once(owner: Any, lab: Lab, site: str) -> None:
    node = shutil.which("node")
    programs = [[sys.executable, str(EXAMPLES / "random_agent.py")]]
    programs.append([node, str(EXAMPLES / "random_agent.mjs")] if node else programs[0])
    steps.sign_up(owner, site, "hopper")
    names = [f"walker-{number}" for number in range(len(programs))]
    running = [
        subprocess.Popen(
            [*program, site, "--game", "carcassonne", "--matches", str(EACH), "--level", "novice"],
            env={**os.environ, "LAB_TOKEN": token(owner, site, name)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, program in zip(names, programs, strict=True)
    ]
    try:
        for program in running:
            said, complaints = program.communicate(timeout=DEADLINE_S)
            assert program.returncode == 0, complaints
            assert [line.split()[1] for line in said.splitlines()[-EACH:]] == ["finished"] * EACH
    finally:
        for program in running:
            program.kill()
    rows = lab.rows(_MATCHES, names)
    assert rows == [("finished", PLIES, PLIES, PLIES, 1)] * (EACH * len(programs))
