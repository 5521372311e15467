"""A table of dominoes in a real browser: what is said instead of laying a tile, what partners share, aids."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games.dominoes import state as layout
from tests.webapp.play import hands
from tests.webapp.table.live import tables
from webapp.table.live import match_setup, ply_writer
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import Terms

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Show = Callable[..., Any]


@pytest.fixture
def passed(alice: Any, bob: Any) -> LiveMatch:
    """The round's opener sits across from alice; bob, on her left, has passed with tiles that fit."""
    seats = [tables.person(alice), tables.person(bob), tables.person(bob), tables.person(bob)]
    rules = {"length": "round", "first_opener": "any", "enforce_pass": False}
    match = match_setup.open_match(alice, "dominoes", rules, seats, Terms(), deal_seed=OPENED_ACROSS)
    assert match.on_turn == 2
    match = tables.play_on(match, 1)
    return ply_writer.play(match.pk, 3, 1, layout.PASS)


OPENED_ACROSS = 7
"""A deal in which seat 2 opens and seat 3 could lay."""


def test_a_wrong_pass_is_called_at_the_plate(passed: LiveMatch, show: Show) -> None:
    page = show(passed)
    hands.my_turn(page)
    call = page.locator("[id='board-call-3']")
    expect(call).to_have_attribute("aria-label", "Call the pass of bob (left).")
    call.click()
    expect(page.locator("[data-path]")).to_have_text("Call the pass of bob (left)")
    page.locator("[data-deed=confirm]").click()
    page.locator("[data-over]").wait_for()
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("Final score")
    expect(result.get_by_role("listitem").first).to_contain_text("You")
    expect(page.locator(".move-list li").first).to_contain_text("alls the pass of bob (left)")
    expect(page.locator(".move-list li").first).to_contain_text("the other team")


def test_partners_share_their_points(passed: LiveMatch, show: Show) -> None:
    page = show(passed)
    mine = page.get_by_role("group", name="Your team")
    expect(mine.locator("[data-plate]")).to_have_count(2)
    expect(mine.locator(".team-points")).to_have_count(1)
    expect(mine).to_contain_text("bob (across)")
    expect(page.locator("[id='board-seat-3'] .dm-wide").first).to_contain_text("bob (left)")
    expect(page.locator(".move-list .move-part")).to_have_text("Round 1")


@pytest.mark.slow
def test_where_tiles_may_be_is_an_aid(passed: LiveMatch, show: Show) -> None:
    page = show(passed)
    hands.my_turn(page)
    chances = page.locator("[data-panel=stock] .places")
    expect(chances.first).to_be_hidden()
    with page.expect_response("**/aids/"):
        hands.panel(page, "Aids").get_by_label("Where tiles may be").check()
    hands.panel(page, "Left")
    expect(chances.first).to_be_visible()
    expect(chances).to_have_count(20)
