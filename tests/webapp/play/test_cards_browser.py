"""A table of cards in a real browser: cards to point at beside buttons, and the arrangement of a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.webapp.play import hands
from tests.webapp.table.live import tables
from webapp.table.live import match_setup
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import Terms

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Show = Callable[..., Any]
RULES = {"kingdom": "first game", "treasures": "manual", "turn_limit": 2}


@pytest.fixture
def match(alice: Any, engines: Any) -> LiveMatch:
    """Two turns of each seat; alice begins, and holds nothing but Copper and Estate."""
    seats = [tables.person(alice), tables.engine()]
    return match_setup.open_match(alice, "dominion", RULES, seats, Terms(), deal_seed=5)


def middle(page: Any, element: str) -> tuple[float, float]:
    """A pixel on a card that may be chosen, at its left, which no other card covers."""
    box = page.locator(f'[id="board-{element}"]').bounding_box()
    return box["x"] + 14, box["y"] + box["height"] / 2


def chosen(page: Any) -> list[str]:
    """What is marked as chosen on the board."""
    found: list[str] = page.eval_on_selector_all("[data-step].is-chosen", "all => all.map((one) => one.dataset.value)")
    return found


def test_a_match_by_mouse(match: LiveMatch, show: Show) -> None:
    """Cards and buttons exclude each other; a double click chooses and confirms."""
    page = show(match)
    hands.my_turn(page)
    buttons = page.locator("[data-option]")
    expect(buttons).to_have_text(["Play all Treasures", "Go on to buying"])
    page.mouse.click(*middle(page, "hand-0"))
    assert chosen(page) == ["Copper"]
    expect(buttons).to_have_count(2)
    buttons.first.click()
    assert chosen(page) == []
    expect(page.locator("[data-path]")).to_have_text("Play all Treasures")
    page.locator("[data-deed=confirm]").click()
    hands.next_ply(page, 0)
    expect(buttons).to_have_text(["End turn"])
    page.mouse.dblclick(*middle(page, "supply-0"))
    expect(page.locator(".move-list")).to_contain_text("Buys Copper")
    while not hands.is_over(page):
        before = hands.ply(page)
        page.locator("[data-option]").last.click()
        page.locator("[data-deed=confirm]").click()
        hands.next_ply(page, before)
    expect(page.get_by_role("region", name="Result")).to_contain_text("Final score")


@pytest.mark.slow
def test_a_turn_by_keyboard_alone(match: LiveMatch, show: Show) -> None:
    """A number presses a button; what is chosen on the board is confirmed there."""
    page = show(match)
    hands.my_turn(page)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    hands.next_ply(page, 0)
    page.locator("[data-board]").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    (card,) = chosen(page)
    expect(page.locator('[id$="hover"] > use')).to_be_visible()  # its text stands beside it
    page.keyboard.press("Enter")
    expect(page.locator(".move-list")).to_contain_text(f"Buys {card}")


def test_a_phone_has_its_own_arrangement(match: LiveMatch, show: Show, phone: Any) -> None:
    page = show(match, on=phone)
    hands.my_turn(page)
    board = page.locator("[data-board] > svg")
    expect(board).to_have_class("ml is-narrow")
    assert board.get_attribute("viewBox") == board.get_attribute("data-narrow")
    frame = page.locator("[data-stage]").bounding_box()
    for card in ("hand-0", "hand-card-3"):
        box = page.locator(f'[id="board-{card}"]').bounding_box()
        assert frame["x"] <= box["x"] < box["x"] + box["width"] <= frame["x"] + frame["width"]
    page.touchscreen.tap(*middle(page, "hand-0"))
    assert chosen(page) == ["Copper"]
    page.locator("[data-deed=confirm]").tap()
    hands.next_ply(page, 0)
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(board).to_have_class("ml")
