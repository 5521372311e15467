"""Studies in a real browser: the form estimates, the live page follows, charts stay where they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.webapp.lab.studies.conftest import fill
from webapp.records.models import Study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Make = Callable[..., Study]


@pytest.fixture
def visitor(page: Any, live_server: Any, client: Any, alice: Any) -> Any:
    """A browser signed in as alice; `visitor.site` begins the site's addresses."""
    client.force_login(alice)
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    page.site = live_server.url
    return page


def test_a_study_is_set_up_with_its_time_shown_and_started(visitor: Any) -> None:
    visitor.goto(f"{visitor.site}/studies/")
    visitor.get_by_role("link", name="New study").first.click()
    visitor.get_by_role("link", name="Set up Counting").click()
    visitor.get_by_label("Pieces").fill("0")
    visitor.get_by_role("button", name="Check the form").first.wait_for()
    visitor.get_by_label("Pieces").fill("12")
    visitor.get_by_text("each leaves a row").wait_for()
    assert visitor.locator("#estimate dd").nth(1).inner_text().startswith("12")
    visitor.get_by_label("Title").fill("Twelve squares")
    type_before_the_answer(visitor)
    visitor.get_by_role("button", name="Start").first.click()
    visitor.get_by_role("heading", name="Twelve cubes").wait_for()
    assert Study.objects.get().num_pieces == 13


def type_before_the_answer(visitor: Any) -> None:
    """Choose another game, and type while the form that goes with it is on its way."""
    held = []
    visitor.route("**/studies/new/", lambda route: held.append(route))
    visitor.locator("#builder").evaluate("form => { form.dataset.old = 'yes' }")
    visitor.get_by_label("Game").select_option("dominoes")
    expect(visitor.locator("#builder.htmx-request, #builder .htmx-request")).to_have_count(1)
    visitor.get_by_label("Pieces").fill("13")
    visitor.get_by_label("Title").fill("Twelve squares, or cubes")
    visitor.get_by_label("Title").press("Home")
    visitor.unroute_all()  # what was held goes on
    expect(visitor.locator("#builder[data-old]")).to_have_count(0)
    expect(visitor.get_by_label("Pieces")).to_have_value("13")
    assert visitor.evaluate("document.activeElement.selectionEnd") == 0, "the caret stays where it was"
    expect(visitor.get_by_label("Game")).to_have_value("dominoes")
    visitor.get_by_label("Title").fill("Twelve cubes")
    expect(visitor.locator("#estimate dd").nth(1)).to_contain_text("13")


@pytest.mark.slow  # experiments' page and charts follow in the same way
def test_the_live_page_follows_and_its_charts_stay(visitor: Any, alice: Any, make: Make) -> None:
    study = make(alice, 2, pieces=6)
    study.pieces.filter(status="waiting").update(status="claimed", worker="w", claimed_at=study.created_at)
    visitor.goto(f"{visitor.site}/studies/{study.pk}/")
    visitor.get_by_text("The squares add up to 1.").wait_for()
    visitor.locator(".chart .main-svg").first.wait_for()
    visitor.evaluate("document.querySelector('.chart-card').dataset.marked = 'yes'")
    visitor.get_by_role("button", name="Table").click()
    fill(study, 5)
    visitor.get_by_text("The squares add up to 30.").wait_for()
    assert visitor.locator(".chart-card").get_attribute("data-marked") == "yes"
    visitor.locator(".chart-table td", has_text="16").wait_for()
    assert visitor.get_by_role("button", name="Table").get_attribute("aria-pressed") == "true"
    fill(study, 6)
    visitor.get_by_text("Finished", exact=True).wait_for()


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.slow)])
def test_no_page_is_wider_than_the_window(visitor: Any, alice: Any, make: Make, width: int) -> None:
    study = make(alice, -1, pieces=60, raises_at=3)
    visitor.set_viewport_size({"width": width, "height": 900})
    for part in ("", "new/", "new/?kind=counting", *(f"{study.pk}/{name}" for name in ("", "rows/", "settings/"))):
        visitor.goto(f"{visitor.site}/studies/{part}")
        assert visitor.evaluate("document.documentElement.scrollWidth") <= width, part
