"""The page for newcomers, its command lines, the list of problems and the reference."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from typing import Any

import pytest

from tests.webapp.api.callers import Caller
from webapp.api.problems import BY_STATUS, KINDS
from webapp.table.live.models import LivePly


@pytest.mark.django_db
def test_every_kind_of_problem_is_explained_where_its_type_leads(client: Any) -> None:
    page = client.get("/api/problems/").content.decode()
    assert set(re.findall(r'<tr id="([a-z-]+)"', page)) == set(KINDS)
    assert {KINDS[kind].status for kind in BY_STATUS.values()} == set(BY_STATUS)


@pytest.mark.django_db
def test_examples_are_files_to_download(client: Any) -> None:
    page = client.get("/api/").content.decode()
    for name in ("random_agent.py", "random_agent.mjs"):
        assert f"/api/examples/{name}" in page
        response = client.get(f"/api/examples/{name}")
        assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
        assert b"Meeple Lab" in response.content
    assert client.get("/api/examples/settings.py").status_code == 404


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_the_command_lines_work_as_they_stand(site: str, bot: Caller) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    page = bot.client.get("/api/", headers={"Host": site.removeprefix("http://")}).content.decode()
    answers = {}
    for name in ("curl-open", "curl-turns", "curl-act"):
        found = re.search(rf'<pre id="{name}">(.*?)</pre>', page, re.DOTALL)
        assert found is not None
        environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "LAB_TOKEN": bot.secret}
        done = subprocess.run(
            ["bash", "-c", html.unescape(found[1])], env=environment, capture_output=True, text=True, timeout=120
        )
        answers[name] = json.loads(done.stdout)
    assert answers["curl-turns"]["turns"][0]["code"] == answers["curl-open"]["code"]
    assert answers["curl-act"]["ply"] == 0
    assert LivePly.objects.count() == 1
