"""Projects by script: made once, listed, read, by their owner alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.webapp.api.callers import Researcher
from tests.webapp.specs import make
from webapp.api.projects import EXAMPLE
from webapp.lab.projects.models import Project

pytestmark = pytest.mark.django_db


def test_a_project_is_made_once_listed_and_read(researcher: Researcher, alice: Any, bob: Any) -> None:
    job, foreign = make(alice, "Mine"), make(bob, "Of bob")
    result = {"kind": "experiment", "number": job.pk}
    body = EXAMPLE | {"blocks": [*EXAMPLE["blocks"], result]}
    made = researcher.tell("POST", "/projects", body, 201, Idempotency_Key="k")
    assert made == researcher.tell("POST", "/projects", body, 201, Idempotency_Key="k")
    assert Project.objects.count() == 1
    text, shown = made["blocks"]
    assert text["text"].startswith("## The question")
    assert (shown["title"], shown["status"], shown["page"]) == ("Mine", "running", f"/experiments/{job.pk}/")
    assert (made["results"], made["shared_page"]) == (1, "")
    assert researcher.ask(f"/projects/{made['number']}") == made
    assert [row["number"] for row in researcher.ask("/projects")["projects"]] == [made["number"]]
    stranger = Researcher(bob)
    assert stranger.send("GET", f"/projects/{made['number']}").status_code == 404
    assert not stranger.ask("/projects")["projects"]
    for wrong, place in (
        ({"title": "A", "blocks": [result | {"number": foreign.pk}]}, "body.blocks[0].number"),
        ({"title": " "}, "body.title"),
        ({"title": "A", "blocks": [{"text": "a\0"}]}, "body.blocks[0].text"),
    ):
        refused = researcher.send("POST", "/projects", wrong)
        assert (refused.status_code, refused.json()["errors"][0]["place"]) == (422, place)
