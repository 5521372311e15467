"""The guide beside a first match in a real browser: by keyboard, on a phone, and while the game is compiled."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games import readiness
from tests.webapp.play import hands
from webapp.play import guide
from webapp.table.live.models import LiveMatch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Show = Callable[..., Any]


@pytest.fixture
def led(match: LiveMatch, alice: Any) -> LiveMatch:
    """A match of alice's that a guide leads through; she is on turn."""
    guide.begin(alice, match)
    return match


@pytest.mark.slow
def test_it_follows_what_happens_above_the_turn_bar(led: LiveMatch, show: Show) -> None:
    page = show(led)
    said, board = page.locator("[data-guide]"), page.locator("[data-stage]")
    expect(said).to_contain_text("Your first tile")
    expect(page.locator("[data-stage].is-guided")).to_be_visible()
    before, bar = said.bounding_box(), page.locator("[data-turn]").bounding_box()
    assert before["y"] + before["height"] <= bar["y"]
    assert before["height"] < board.bounding_box()["height"] / 5
    hands.by_mouse(page)
    expect(said).to_contain_text("Now the others")
    expect(said).not_to_contain_text("Your first tile")
    assert said.bounding_box() == before, "one height, whatever it says"
    page.reload()
    expect(said).to_contain_text("Now the others")
    with page.expect_response(lambda answer: answer.url.endswith("/guide/")):
        page.get_by_role("button", name="Close the guide").click()
    expect(said).to_have_count(0)
    page.reload()
    expect(page.locator("[data-board] > svg")).to_be_visible()
    expect(said).to_have_count(0)


@pytest.mark.slow
def test_on_a_phone_guide_board_and_bar_are_in_sight_together(led: LiveMatch, show: Show, phone: Any) -> None:
    show(led, on=phone)
    said, bar = phone.locator("[data-guide]"), phone.locator("[data-turn]")
    expect(said).to_contain_text("Choose a marked place")
    for there in (said, phone.locator("[data-stage] [data-step]:visible").first, bar):
        expect(there).to_be_in_viewport(ratio=0.9)
    assert said.evaluate("box => box.querySelector('ol').scrollHeight <= box.querySelector('ol').clientHeight + 1")


@pytest.mark.slow
def test_a_slip_is_undone_by_one_key_and_the_rules_open_at_a_word(match: LiveMatch, show: Show, alice: Any) -> None:
    alice.preferences = {"confirm": "rated"}
    alice.save()
    page = show(match)
    hands.my_turn(page)
    hands.point(page)
    page.locator("[data-option]").first.click()
    hands.next_ply(page, 0)
    hands.my_turn(page)
    page.keyboard.press("u")
    page.wait_for_function("() => document.querySelectorAll('.move-list li').length === 0")
    match.refresh_from_db()
    assert (match.ply, match.is_taken_back) == (0, True)
    page.keyboard.press("?")
    expect(page.locator("#pane-rules .lesson")).to_have_count(5)
    page.get_by_role("tab", name="Left").click()
    page.get_by_role("button", name="Tiles left").click()
    expect(page.locator("#rule-tile.is-meant")).to_be_in_viewport()


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
