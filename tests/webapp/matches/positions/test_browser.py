"""One analysis in a real browser: asked for, answered in this process, stepped through on the board."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from engines import registry as engine_registry
from tests.webapp.lab.results import factory
from tests.webapp.matches.positions.answering import FLAT, answer, star, start, work_off
from webapp.lab.jobs import share_links as sharing
from webapp.records.models import Match, Study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHOWN = (
    "[...document.querySelectorAll('[data-board] [data-variation]')].filter((mark) => mark.style.display === 'inline')"
)


@pytest.fixture(autouse=True)
def _thinkers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engine_registry.ENGINES, "liner", "tests.worker.studies.thinkers:Liner")


@pytest.fixture
def match(alice: Any) -> Match:
    return factory.played(alice, deals=1).matches.select_related("experiment").order_by("pk").first()


@pytest.fixture
def signed_in(page: Any, alice: Any, live_server: Any) -> Any:
    client = Client()
    client.force_login(alice)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    page.context.add_cookies([cookie])
    return page


@pytest.fixture
def address(match: Match, live_server: Any) -> str:
    return f"{live_server.url}/matches/{match.pk}/position/?ply=12"


def tiles(page: Any) -> int:
    """Tiles of the chosen variation that the board shows."""
    return page.evaluate(f"{SHOWN}.filter((mark) => !mark.classList.contains('cc-meeple')).length")


def test_an_analysis_from_the_match_page_to_the_end_of_a_line(
    signed_in: Any, match: Match, live_server: Any, valkey_service: Any
) -> None:
    page = signed_in
    page.goto(f"{live_server.url}/matches/{match.pk}/?ply=11")
    page.keyboard.press("ArrowRight")
    page.locator("summary").filter(has_text="More").click()
    held = []
    page.route("**/htmx-2.min.js", lambda route: held.append(route))  # and with it all scripts that come after
    page.get_by_role("link", name="Analyse this position").click(no_wait_after=True)
    expect(page).to_have_url(f"{live_server.url}/matches/{match.pk}/position/?ply=12")
    page.get_by_label("Engine 1").select_option("liner")
    assert held, "the engine was chosen before anything listened"
    page.unroute_all()
    expect(page.locator("[name=run-0-for]")).to_have_value("liner")
    page.get_by_role("button", name="Add an engine").click()
    expect(page.locator("[name=run-1-for]")).to_have_value("flat_mc")
    page.locator("[name=run-1-budget-amount]").fill("3")
    page.get_by_role("button", name="Analyse this position").dblclick()
    expect(page.get_by_text("0 of 2 done")).to_be_visible()
    assert Study.objects.count() == 1
    assert work_off() == 2
    expect(page.locator("#results .chip.ok", has_text="Done")).to_be_visible()
    expect(page.locator("[data-line-now]")).to_have_text("line of 3 moves")
    for ply in (1, 2, 3):
        page.locator("[data-go=next]").click()
        expect(page.locator("[data-line-now]")).to_have_text(f"move {ply} of 3")
        assert tiles(page) == ply
    assert page.locator("[data-go=next]").is_disabled()
    expect(page.locator("#status")).to_contain_text("On the board: ")
    page.keyboard.press("ArrowLeft")
    assert tiles(page) == 2
    page.keyboard.press("Escape")
    assert tiles(page) == 0
    page.reload()
    expect(page.locator("#results .chip.ok", has_text="Done")).to_be_visible()


def test_pointing_focusing_and_pressing_show_an_action(signed_in: Any, match: Match, address: str, alice: Any) -> None:
    answer(start(alice, match, FLAT))
    page = signed_in
    page.goto(address)
    moves = page.locator(".moves-table [data-show]")
    page.locator(".moves-table tbody tr").nth(1).hover()
    assert tiles(page) == 1
    first = page.locator("[data-said]").inner_text()
    assert moves.nth(1).inner_text() in first
    page.locator("h1").hover()
    assert tiles(page) == 0
    moves.nth(2).focus()
    page.keyboard.press("Tab")
    expect(page.locator("[data-said]")).to_contain_text(moves.nth(3).inner_text())
    page.keyboard.press("Enter")
    expect(moves.nth(3)).to_have_attribute("aria-pressed", "true")
    page.locator("h1").hover()
    page.keyboard.press("Tab")
    moves.nth(3).blur()
    assert tiles(page) == 1
    moves.nth(3).click()
    page.locator("h1").hover()
    assert tiles(page) == 0


def test_all_actions_open_and_close(signed_in: Any, match: Match, address: str, alice: Any) -> None:
    answer(start(alice, match, FLAT))
    page = signed_in
    page.goto(address)
    rows = page.locator(".moves-table tbody tr:visible")
    few = rows.count()
    page.get_by_role("button", name="Show all").click()
    assert rows.count() == match.plies.get(ply=12).legal_count > few
    page.get_by_role("button", name="Show the best only").click()
    assert rows.count() == few


@pytest.mark.parametrize("size", [pytest.param((1280, 800), marks=pytest.mark.slow), (390, 844)])
def test_the_board_stays_in_view_and_nothing_is_wider_than_the_page(
    signed_in: Any, match: Match, address: str, alice: Any, size: tuple[int, int]
) -> None:
    answer(start(alice, match, star("expectimax", 2), star("star2.5", 2), {"engine": "liner"}, FLAT))
    page = signed_in
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    last = page.locator(".moves-table").last.locator("[data-show]").nth(9)
    last.evaluate("(button) => button.scrollIntoView({ block: 'end' })")
    board, row = page.locator("[data-board]").bounding_box(), last.bounding_box()
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= size[1]
    is_beside = row["x"] >= board["x"] + board["width"]
    assert is_beside if size[0] > 1000 else row["y"] >= board["y"] + board["height"]


@pytest.mark.slow
def test_a_shared_position_steps_for_a_guest(page: Any, match: Match, live_server: Any, alice: Any) -> None:
    answer(start(alice, match, {"engine": "liner"}))
    page.goto(f"{live_server.url}/r/{sharing.share(match.experiment, match).slug}/position/?ply=12")
    page.locator(".line [data-show]").nth(1).click()
    assert tiles(page) == 2
    assert page.locator("#analyse").count() == 0
