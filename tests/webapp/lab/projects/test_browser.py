"""Reports and descriptions in a real browser: blocks move by keyboard, and what is being written is not lost."""

from __future__ import annotations

from typing import Any

import pytest

from tests.webapp.specs import make
from webapp.lab.jobs import services as jobs
from webapp.lab.projects import report, services
from webapp.lab.projects.models import Project
from webapp.records.models import Experiment

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def visitor(page: Any, live_server: Any, client: Any, alice: Any) -> Any:
    """A browser signed in as alice; `visitor.site` begins the site's addresses."""
    client.force_login(alice)
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    page.site = live_server.url
    return page


def test_a_report_is_moved_by_keyboard_and_outlives_a_reload(visitor: Any, alice: Any) -> None:
    first, second = report.new_text("First"), report.new_text("Second")
    project = services.create(alice, "Report", [first, second])
    visitor.goto(f"{visitor.site}/projects/{project.pk}/edit/")
    visitor.locator(f"#text-{second.key}").fill("Second, changed")
    visitor.locator(f"#do-up-{second.key}").press("Enter")
    visitor.locator(f".block:first-of-type #text-{second.key}").wait_for()
    assert visitor.evaluate("document.activeElement.id") == f"do-up-{second.key}"
    visitor.get_by_role("button", name="Add a text").click()
    visitor.locator("textarea:focus").fill("Third")
    visitor.reload()
    visitor.locator("textarea").nth(2).wait_for()
    visitor.get_by_role("button", name="Save", exact=True).click()
    visitor.get_by_text("Third").wait_for()
    kept = Project.objects.get()
    assert [block.text for block in report.load(kept.blocks)] == ["Second, changed", "First", "Third"]


@pytest.mark.slow
def test_a_live_page_that_becomes_another_waits_for_who_writes(visitor: Any, alice: Any) -> None:
    job = make(alice)
    visitor.goto(f"{visitor.site}/experiments/{job.pk}/")
    visitor.get_by_role("link", name="Add notes or tags").click()
    visitor.get_by_label("Notes", exact=True).fill("Long thoughts")
    jobs.stop(Experiment.objects.get(pk=job.pk))
    with visitor.expect_response(lambda answer: answer.headers.get("hx-refresh") == "true"):
        pass
    assert visitor.get_by_label("Notes", exact=True).input_value() == "Long thoughts"
    visitor.get_by_role("button", name="Save", exact=True).click()
    visitor.get_by_text("Long thoughts").wait_for()
    visitor.locator(".head .chip", has_text="Stopped").wait_for()


@pytest.mark.slow
def test_a_list_is_searched_while_somebody_types(visitor: Any, alice: Any) -> None:
    for title in ("Wide bias", "Narrow bias"):
        make(alice, title)
    visitor.goto(f"{visitor.site}/experiments/")
    visitor.get_by_label("Words").press_sequentially("narrow")
    visitor.get_by_role("link", name="Wide bias").wait_for(state="detached")
    visitor.get_by_role("link", name="Narrow bias").wait_for()
    assert visitor.url.endswith("/experiments/?tab=running&q=narrow")
    visitor.get_by_role("link", name="Without Words “narrow”").click()
    visitor.get_by_role("link", name="Wide bias").wait_for()
    assert visitor.get_by_label("Words").input_value() == ""
