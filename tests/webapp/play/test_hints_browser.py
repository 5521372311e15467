"""Hints in a real browser: in every game asked for by key, shown on the board, taken and played."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from games import registry
from tests.webapp.play import courses, hands
from tests.webapp.play.conftest import Show
from tests.webapp.play.courses import Course
from webapp.table.live.models import LiveMatch
from worker.action_values import advice
from worker.action_values.best_actions import Effort

PATIENCE_MS = 30_000
"""For a hint, on a machine that may be busy."""
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, course: Course) -> None:
    """Few playouts, whatever the clock says: the same hint on every machine; what counts them is there before."""
    monkeypatch.setattr(advice, "EFFORT", Effort(40))
    monkeypatch.setattr("worker.action_values.best_actions.searcher", lambda game: None)
    advice.prepare(registry.get(course.game))


@courses.each(quick=(courses.CARCASSONNE,))
def test_a_hint_is_asked_for_by_key_taken_and_played(match: LiveMatch, show: Show) -> None:
    page = show(match)
    rows = page.locator("[data-hint-rows] button")
    expect(page.locator("[data-hint-ask]")).to_be_enabled()
    page.keyboard.press("h")
    expect(rows.first).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator("#status")).to_contain_text("Hint. 1: ")
    assert 1 <= rows.count() <= 3
    expect(rows.first.locator(".hint-value")).to_contain_text("±")
    is_only = bool(page.locator("[data-bar][data-whole]").count())  # a single legal action is chosen already
    if match.game != "dominion" and not is_only:  # where a move may begin with a button alone
        expect(page.locator(".hint-mark").first).to_be_visible()
    rows.first.press("Enter")
    expect(page.locator(".hint-mark:visible")).to_have_count(0)
    confirm = page.locator("[data-deed=confirm]")
    expect(confirm).to_be_enabled()
    asked = "Only this move is possible." if is_only else f"{confirm.inner_text()}, or choose otherwise."
    expect(hands.says(page)).to_contain_text(asked)
    page.keyboard.press("Enter")
    expect(page.locator(".move-list li").first).to_be_attached()
    match.refresh_from_db()
    assert match.seats.get(seat=0).hints_used == 1
    assert match.plies.get(ply=0).action == match.hints.get(seat=0).result["rows"][0]["action"]


def test_on_a_phone_the_sheet_gives_way_to_the_board(match: LiveMatch, show: Show, phone: Any, engines: Any) -> None:
    page = show(match, on=phone)
    page.get_by_role("tab", name="Hint", exact=True).tap()
    engines.clear()
    page.get_by_role("button", name="Give me a hint").tap()
    page.get_by_role("button", name="Cancel").tap()
    expect(page.get_by_role("button", name="Give me a hint")).to_be_enabled()
    assert not match.hints.exists()
    page.get_by_role("button", name="Give me a hint").tap()
    engines.set()
    page.locator("[data-hint-rows] button").first.tap()
    expect(page.locator("#pane-hint")).to_be_hidden()
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_enabled()
