"""Projects by script: made once, listed, read, by their owner alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.webapp.api.callers import Researcher
from tests.webapp.specs import make
from webapp.api.projects import EXAMPLE
from webapp.lab.projects.models import Project, ProjectLink
from webapp.records.models import ShareLink

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


def test_a_project_is_changed_shared_withdrawn_and_deleted(researcher: Researcher, alice: Any, bob: Any) -> None:
    first, second = make(alice, "First"), make(alice, "Second")
    results = [{"kind": "experiment", "number": job.pk} for job in (first, second)]
    made = researcher.tell("POST", "/projects", {"title": "A", "blocks": [{"text": "One"}, results[0]]}, 201)
    place = f"/projects/{made['number']}"
    keys = [row["key"] for row in Project.objects.get().blocks]
    renamed = researcher.tell("PATCH", place, {"title": "B"})
    assert (renamed["title"], renamed["edition"], renamed["blocks"]) == ("B", 2, made["blocks"])
    turned = researcher.tell("PATCH", place, {"blocks": [*results[::-1], {"text": "One"}], "edition": 2})
    assert [row["title"] or row["text"] for row in turned["blocks"]] == ["Second", "First", "One"]
    assert [row["key"] for row in Project.objects.get().blocks][1:] == keys[::-1]  # what stays keeps its place in links
    for wrong, status in (
        ({"title": "C", "edition": 2}, 409),
        ({"title": " "}, 422),
        ({"blocks": [{"kind": "study", "number": 1}]}, 422),
        ({"owner": "bob"}, 422),
    ):
        assert researcher.send("PATCH", place, wrong).status_code == status, wrong
    shared = researcher.tell("PUT", f"{place}/share", {"results": results[:1]})
    assert shared == researcher.tell("PUT", f"{place}/share", {})
    assert [bool(row["shared_page"]) for row in (shared, *shared["blocks"])] == [True, False, True, False]
    assert ShareLink.objects.get().experiment == first
    stranger = Researcher(bob)
    for method, at, data in (("PATCH", place, {"title": "C"}), ("DELETE", place, None), ("PUT", f"{place}/share", {})):
        assert stranger.send(method, at, data).status_code == 404
    assert researcher.send("DELETE", place).status_code == 409
    assert researcher.send("DELETE", f"{place}/share").status_code == 204
    assert ProjectLink.objects.get().withdrawn_at is not None
    assert researcher.send("DELETE", place).status_code == 204
    assert not Project.objects.exists()
