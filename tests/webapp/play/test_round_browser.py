"""The board in a real browser: aids, wishes, the waiting room, views, spectators."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.webapp.play import hands
from tests.webapp.play.conftest import PHONE
from tests.webapp.table.live import tables
from webapp.table.live import match_setup
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan, Terms

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Show = Callable[..., Any]


# ---- aids, wishes, the room


def test_aids_are_switched_and_kept(match: LiveMatch, show: Show, alice: Any) -> None:
    page = show(match)
    hands.my_turn(page)
    legal = page.locator("[data-step=cell] [data-aid=legal]").first
    expect(legal).to_be_visible()
    left = page.get_by_role("tab", name="Left")
    expect(left).to_be_visible()
    aids = hands.panel(page, "Aids")
    with page.expect_response("**/aids/"):
        aids.get_by_label("Legal places").uncheck()
    expect(legal).to_be_hidden()
    with page.expect_response("**/aids/"):
        aids.get_by_label("Tiles left").uncheck()
    expect(left).to_be_hidden()
    page.reload()
    hands.my_turn(page)
    expect(hands.panel(page, "Aids").get_by_label("Legal places")).not_to_be_checked()
    expect(left).to_be_hidden()
    hands.point(page)
    expect(page.locator("[data-path] li")).to_have_count(3)


@pytest.mark.slow
def test_words_explain_themselves_by_pointer_keyboard_and_finger(match: LiveMatch, show: Show, phone: Any) -> None:
    page = show(match)
    hands.my_turn(page)
    tip = page.locator("[data-tip-box]")
    page.locator("[data-plate='0'] .supply").hover()
    expect(tip).to_have_text(re.compile("Meeples.*7 of 7"))
    page.mouse.move(640, 400)
    expect(tip).to_be_hidden()
    page.locator("[data-plate='0']").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(tip).to_contain_text("You: starts; Meeples")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    stock = hands.panel(page, "Left").locator(".stock-rows").first
    stock.focus()
    page.keyboard.press("ArrowDown")
    expect(tip).to_contain_text("onastery")
    touched = show(match, on=phone)
    hands.my_turn(touched)
    touched.locator("[data-plate='0'] .supply").tap()
    tip = touched.locator("[data-tip-box]")
    expect(tip).to_contain_text("7 of 7")
    tip.get_by_role("button", name="In the rules").tap()
    expect(touched.locator("#pane-rules .is-meant")).to_be_visible()


@pytest.mark.slow
def test_a_page_ends_where_its_content_does(alice: Any, bob: Any, show: Show) -> None:
    """What is hidden in the list of moves takes no room below the page."""
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)], deal_seed=5), 40)
    page = show(match)
    page.locator(".move-list li").nth(39).wait_for(state="attached")
    end = page.evaluate("document.querySelector('main').getBoundingClientRect().bottom + scrollY")
    assert page.evaluate("document.documentElement.scrollHeight") <= max(end, page.viewport_size["height"]) + 1


def test_a_feature_lights_up_under_the_pointer(match: LiveMatch, show: Show) -> None:
    page = show(match)
    hands.my_turn(page)
    page.locator("[id='board-cell-0-0']").hover()
    expect(page.locator("[id='board-hover'] > *").first).to_be_visible()
    page.mouse.move(2, 2)
    expect(page.locator("[id='board-hover'] > *")).to_have_count(0)


def test_resigning_says_what_it_costs_first(match: LiveMatch, show: Show) -> None:
    page = show(match)
    hands.my_turn(page)
    page.reload()
    for there in ("Aids", "Hint"):
        expect(page.get_by_role("tab", name=there)).to_be_visible()
    hands.more(page, "Resign").click()
    ask = page.locator("#ask-resign")
    expect(ask).to_contain_text("Random wins, whatever the score")
    ask.get_by_role("button", name="Play on").click()
    expect(ask).to_be_hidden()
    hands.more(page, "Resign").click()
    ask.get_by_role("button", name="Resign").click()
    expect(hands.says(page)).to_have_text("You resigned")
    for gone in ("Aids", "Hint"):
        expect(page.get_by_role("tab", name=gone)).to_be_hidden()
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    match.refresh_from_db()
    assert match.status == LiveMatch.Status.ENDED


def test_an_offer_to_end_reaches_the_other_side(alice: Any, bob: Any, show: Show, friend: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], deal_seed=5)
    page = show(match)
    other = show(match, bob, friend)
    hands.more(page, "Offer to end").click()
    expect(hands.more(page, "Withdraw my offer")).to_be_visible()
    expect(other.locator("[data-turn]")).to_contain_text("alice offers to end the match")
    other.get_by_role("button", name="Agree to end").click()
    expect(hands.says(page)).to_have_text("Ended by agreement")


@pytest.mark.slow
def test_the_waiting_room_becomes_the_board(alice: Any, bob: Any, show: Show, page: Any) -> None:

    match = tables.open_match(alice, [tables.person(alice), SeatPlan(name="By invitation")])
    with hands.asks_for_changes(page):
        show(match)
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    assert f"key={match.invite}" in page.locator("#invite-link").inner_text()
    match_setup.join(match.pk, person=bob)
    hands.my_turn(page)
    expect(page.locator("[data-plate='1']")).to_contain_text("bob")


# ---- what does not depend on input


def test_the_view_stays_when_the_board_grows(match: LiveMatch, show: Show, page: Any, ahead: Any) -> None:
    show(match)
    hands.my_turn(page)
    ahead(2)
    expect(page.locator(".move-list li")).to_have_count(2)
    page.locator("[data-stage] [data-do=closer]").click()
    view = hands.view(page)
    ahead(2)
    expect(page.locator(".move-list li")).to_have_count(4)
    assert hands.view(page) == view


@pytest.mark.slow
def test_the_board_stands_still_between_the_steps_of_a_turn(alice: Any, engines: Any, show: Show) -> None:
    engines.clear()
    match = tables.open_match(alice, [tables.person(alice)] + [tables.engine()] * 4, deal_seed=5)
    page = show(tables.play_on(match, 10))
    hands.my_turn(page)
    expect(page.locator(".turn-move")).to_have_count(4)
    board, bar = page.locator("[data-board]"), page.locator("[data-turn]")
    before = (board.bounding_box(), bar.bounding_box())
    hands.point(page)
    expect(page.locator("[data-option]").first).to_be_visible()
    assert (board.bounding_box(), bar.bounding_box()) == before


def test_a_drag_does_not_press(match: LiveMatch, show: Show, page: Any) -> None:
    show(match)
    hands.my_turn(page)
    page.locator("[data-stage] [data-do=closer]").click()
    x, y = hands.spot(page) or (0, 0)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 20, steps=5)
    page.mouse.up()
    expect(page.locator("[data-path] li")).to_have_count(0)
    hands.point(page)
    expect(page.locator("[data-path] li")).not_to_have_count(0)


def test_all_of_the_board_is_within_reach_after_a_load(match: LiveMatch, show: Show, phone: Any, ahead: Any) -> None:
    ahead(40)
    page = show(match, on=phone)
    hands.my_turn(page)
    hands.whole(page).tap()
    hidden = page.evaluate(
        """() => {
            const frame = document.querySelector("[data-stage]").getBoundingClientRect();
            const cells = [...document.querySelectorAll("[data-step=cell][style*=inline] > use:first-child")];
            return cells.map((cell) => cell.getBoundingClientRect())
                .filter((box) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1)
                .length;
        }"""
    )
    assert hidden == 0


@pytest.mark.slow  # on a desktop: test_table_browser.py
def test_a_tile_has_its_size_on_a_phone_however_large_the_board_is(
    match: LiveMatch, show: Show, phone: Any, ahead: Any
) -> None:
    ahead(30)
    page = show(match, on=phone)
    hands.my_turn(page)
    width = page.evaluate("document.querySelector('[data-board] > svg').getScreenCTM().a * 100")
    assert width == pytest.approx(92, abs=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("tab", name="Moves").tap()
    expect(page.locator("#pane-moves .move-list")).to_be_visible()


@pytest.mark.slow
def test_long_labels_leave_the_bar_usable_on_a_phone(match: LiveMatch, show: Show, phone: Any) -> None:
    """A first step that is a choice: its buttons stand where the bar's sentence would."""
    page = show(match, on=phone)
    hands.my_turn(page)
    page.evaluate(
        """() => {
            document.querySelector("[data-title]").textContent = "Choose which of the many regions it shall go to.";
            const options = document.querySelector("[data-options]");
            options.hidden = false;
            for (const label of ["Keep it in the hand", "Discard it and draw another", "Swap"]) {
                options.append(Object.assign(document.createElement("button"), { textContent: label }));
            }
        }"""
    )
    options, confirm = (page.locator(f"[{name}]").bounding_box() for name in ("data-options", "data-deed=confirm"))
    assert options["x"] + options["width"] <= confirm["x"]
    assert confirm["x"] + confirm["width"] <= PHONE["width"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_spectators_see_and_cannot_touch(alice: Any, bob: Any, show: Show) -> None:
    terms = Terms(visibility="public", spectator_delay=2)
    match = tables.play_on(tables.open_match(bob, [tables.person(bob), tables.engine()], terms, deal_seed=5), 5)
    page = show(match)
    expect(hands.says(page)).to_contain_text("2 moves behind")
    expect(page.locator(".move-list li")).to_have_count(3)
    assert page.locator("[data-bar]").count() == 0
    assert page.locator("[data-step]").count() == 0


def test_without_scripts_board_scores_and_turn_are_there(
    browser: Any, match: LiveMatch, live_server: Any, sign_in: Any, alice: Any
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, alice)
    page.goto(f"{live_server.url}/play/{match.code}/")
    expect(hands.says(page)).to_contain_text("Your turn")
    expect(page.locator("[id='board-cell-0-0']")).to_be_visible()
    expect(page.locator("[data-plate='1'] .plate-points strong")).to_have_text("0")
    expect(page.locator("[data-step]").first).to_be_hidden()
    context.close()
