"""The guide beside a first match in a real browser: by keyboard, on a phone, and while the game is compiled."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games import readiness
from webapp.play import guide
from webapp.table.live.models import LiveMatch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Show = Callable[..., Any]


@pytest.fixture
def led(match: LiveMatch, alice: Any) -> LiveMatch:
    """A match of alice's that a guide leads through; she is on turn."""
    guide.begin(alice, match)
    return match


def test_it_goes_along_with_what_is_played_and_is_taken_up_again(led: LiveMatch, show: Show) -> None:
    page = show(led)
    steps = page.get_by_role("region", name="First match")
    expect(steps).to_contain_text("1 of 7")
    page.get_by_role("button", name="Next").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Choose a place", exact=True)).to_be_visible()
    expect(page.locator("[data-stage].is-guided")).to_be_visible()
    page.get_by_role("button", name="Back", exact=True).click()
    expect(steps).to_contain_text("1 of 7")
    page.locator("[data-board] [data-step]:visible").first.click()
    expect(steps).to_contain_text("A meeple, or none")
    page.get_by_role("button", name="Next").click()
    with page.expect_response(lambda answer: _keeps(answer, '"step":4')):
        page.get_by_role("button", name="Confirm").click()
        expect(steps).to_contain_text("5 of 7")
    page.reload()
    expect(steps).to_contain_text("5 of 7")
    with page.expect_response(lambda answer: _keeps(answer, '"done":true')):
        page.get_by_role("button", name="Close the guide").click()
    expect(steps).to_have_count(0)
    page.reload()
    expect(page.locator("[data-board] > svg")).to_be_visible()
    expect(steps).to_have_count(0)


def _keeps(answer: Any, what: str) -> bool:
    """Whether this answers the request that has the server remember something."""
    return answer.url.endswith("/guide/") and what in answer.request.post_data


def test_on_a_phone_step_and_board_are_in_sight_together(led: LiveMatch, show: Show, phone: Any) -> None:
    show(led, on=phone)
    words, board, bar = (
        phone.locator(name) for name in ("[data-guide-steps] p:visible", "[data-stage]", "[data-turn]")
    )
    expect(words).to_contain_text("Each turn you draw one tile")
    for there in (phone.get_by_role("button", name="Next"), board.locator("[data-step]:visible").first, bar):
        expect(there).to_be_in_viewport(ratio=0.95)  # a place at the board's edge loses a pixel by rounding
    frame, guide = board.bounding_box(), phone.locator("[data-guide]").bounding_box()
    assert guide["y"] + guide["height"] <= frame["y"], "the guide leaves all of the stage free"
    phone.get_by_role("button", name="What this step says").tap()
    expect(words).to_have_count(0)
    assert board.bounding_box()["height"] > frame["height"]
    phone.get_by_text("The tile in hand", exact=True).tap()
    expect(words).to_have_count(1)


@pytest.mark.slow
def test_a_game_that_is_being_compiled_is_said_to_be(
    match: LiveMatch, show: Show, engines: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "is_compiling", lambda _: True)
    engines.clear()
    page = show(match)
    page.locator("[data-board] [data-step]:visible").first.click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("[data-panel=turn]")).to_contain_text("Getting ready the first time", timeout=30_000)
    engines.set()
