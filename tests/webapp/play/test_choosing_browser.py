"""The board in a real browser: the ends of matches by mouse, keyboard and touch, and how a move is chosen.

Whole matches: `test_whole_matches_browser.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.webapp.play import courses, hands
from tests.webapp.play.conftest import PHONE
from tests.webapp.play.courses import Course
from webapp.table.live.models import LiveMatch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Show = Callable[..., Any]


# ---- to the end of a match


@courses.all_of_them(quick=(courses.KINGDOMINO,), has_whole=False)
def test_a_match_by_mouse(match: LiveMatch, show: Show, page: Any, ahead: Any, course: Course, begun: int) -> None:
    page.emulate_media(reduced_motion="no-preference")
    ahead(begun)
    show(match)
    while not hands.is_over(page):
        hands.by_mouse(page)
    assert course.may_end_after(hands.ply(page), begun)
    match.refresh_from_db()
    assert match.status == LiveMatch.Status.FINISHED
    expect(page.get_by_role("region", name="Result")).to_contain_text("Final score")
    expect(page.get_by_role("link", name="Look back")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Rematch"))).to_be_visible()


@courses.all_of_them(quick=(), has_whole=False)  # two keys, below, in each run
def test_a_match_by_keyboard_alone(match: LiveMatch, show: Show, ahead: Any, course: Course, begun: int) -> None:
    ahead(begun)
    page = show(match)
    while not hands.is_over(page):
        hands.by_keyboard(page)
    assert course.may_end_after(hands.ply(page), begun)


@courses.all_of_them(quick=(courses.CARCASSONNE,), has_whole=False)  # Dominion: by mouse and touch, test_cards_browser
def test_a_match_by_touch_on_a_phone(
    match: LiveMatch, show: Show, phone: Any, ahead: Any, course: Course, begun: int
) -> None:
    ahead(begun)
    page = show(match, on=phone)
    while not hands.is_over(page):
        hands.by_touch(page)
    assert course.may_end_after(hands.ply(page), begun)


@pytest.mark.slow
@pytest.mark.parametrize("course", courses.ALL, ids=lambda course: course.game)
def test_a_whole_match_by_mouse_in_a_window_as_narrow_as_a_phone(
    match: LiveMatch, show: Show, page: Any, course: Course
) -> None:
    page.set_viewport_size(PHONE)
    show(match)
    while not hands.is_over(page):
        if page.locator(hands.PLACES).count() and hands.spot(page) is None:
            hands.whole(page).click()
        hands.by_mouse(page)
    assert course.may_end_after(hands.ply(page))


# ---- choosing


@pytest.mark.slow
def test_a_place_at_the_rim_stays_under_the_pointer(match: LiveMatch, show: Show) -> None:
    page = show(match)
    hands.my_turn(page)
    page.locator("[data-stage] [data-do=closer]").click()
    rim = page.evaluate(
        """() => {
            const board = document.querySelector("[data-stage]").getBoundingClientRect();
            const places = [...document.querySelectorAll("[data-step=cell][style*=inline] > use:first-child")];
            const low = places.map((hit) => hit.getBoundingClientRect()).sort((a, b) => a.top - b.top)[0];
            return { x: low.x + low.width / 2, y: low.bottom - 6, from: board.top + 8 };
        }"""
    )
    page.mouse.move(640, 500)
    page.mouse.down()
    page.mouse.move(640, 500 + rim["from"] - rim["y"], steps=4)
    page.mouse.up()
    view = hands.view(page)
    page.mouse.click(rim["x"], rim["from"])
    expect(page.locator("[data-bar][data-chosen]")).to_have_count(1)
    assert hands.view(page) == view


def test_the_choice_narrows_and_can_be_taken_back_part_by_part(match: LiveMatch, show: Show) -> None:
    page = show(match)
    hands.my_turn(page)
    confirm, path = page.locator("[data-deed=confirm]"), page.locator("[data-path] li")
    expect(confirm).to_be_disabled()
    hands.point(page)
    expect(path).to_have_count(3)
    expect(hands.says(page)).to_contain_text("meeple")
    spots, options = page.locator("[data-step=meeple]:visible"), page.locator("[data-option]")
    assert spots.count() == options.count() - 1
    options.nth(1).click()
    expect(path.last).not_to_have_text("No meeple")
    page.keyboard.press("Escape")
    expect(path.last).to_have_text("No meeple")
    expect(path).to_have_count(3)
    page.locator("[data-deed=back]").click()
    expect(confirm).to_be_disabled()
    expect(path).to_have_count(0)
    assert hands.played(match) == 0


def test_what_stands_unless_one_chooses_is_said_and_replaced_by_any_choice(match: LiveMatch, show: Show) -> None:
    page = show(match)
    hands.my_turn(page)
    confirm, pressed = page.locator("[data-deed=confirm]"), page.locator("[data-option][aria-pressed=true]")
    hands.point(page)
    expect(pressed).to_have_text("No meeple")
    expect(page.locator("[data-path] [aria-current]")).to_have_text("No meeple")
    expect(page.locator("#status")).to_have_text(
        re.compile(r"No meeple\. Put a meeple on the tile, or confirm without: 1 No meeple, 2 .*\. Enter confirms\.$")
    )
    expect(confirm).to_be_enabled()
    page.locator("[data-step=meeple]:visible").first.click()
    expect(pressed).not_to_have_text("No meeple")
    expect(page.locator("[data-path] [aria-current]")).to_have_count(0)
    page.keyboard.press("1")
    expect(pressed).to_have_text("No meeple")
    confirm.click()
    hands.next_ply(page, 0)
    assert match.plies.get(ply=0).notation.endswith("°")


def test_two_keys_play_a_plain_tile(match: LiveMatch, show: Show) -> None:
    page = show(match)
    hands.my_turn(page)
    for key in ("ArrowDown", "Enter", "Enter"):
        page.keyboard.press(key)
    hands.next_ply(page, 0)
    assert match.plies.get(ply=0).notation.endswith("°")


def test_pointing_again_or_r_turns_and_another_place_starts_anew(match: LiveMatch, show: Show) -> None:
    page = show(match)
    hands.my_turn(page)
    turned = page.locator("[data-path] li").nth(1)
    hands.point(page)
    first = turned.inner_text()
    hands.point(page)
    second = turned.inner_text()
    assert first != second
    page.keyboard.press("r")
    assert turned.inner_text() != second
    page.keyboard.press("Shift+R")
    expect(turned).to_have_text(second)
    view = hands.view(page)
    page.mouse.wheel(0, 60)
    expect(turned).not_to_have_text(second)
    assert hands.view(page) == view
    chosen = page.locator("[data-step=cell].is-chosen")
    place = chosen.get_attribute("data-value")
    hands.point(page, 1)
    expect(chosen).not_to_have_attribute("data-value", place)
    expect(page.locator("[data-deed=turn]")).to_be_visible()
    page.keyboard.press("r")
    path, place = page.locator("[data-path] li"), chosen.get_attribute("data-value")
    words = path.all_inner_texts()
    page.reload()
    expect(path).to_have_text(words)
    expect(chosen).to_have_attribute("data-value", place)
    expect(page.locator("[data-deed=confirm]")).to_be_enabled()


@courses.each(quick=())  # Carcassonne, above, in each run
def test_a_choice_of_any_game_is_there_after_a_reload(match: LiveMatch, show: Show, ahead: Any, course: Course) -> None:
    ahead(course.late)
    page = show(match)
    hands.my_turn(page)
    path, whole = page.locator("[data-path] li"), page.locator("[data-bar]").get_attribute("data-whole")
    if whole is None:  # where one action alone is legal it stands chosen
        hands.point(page)
    words = path.all_inner_texts()
    assert words
    page.reload()
    expect(path).to_have_text(words)


@pytest.mark.slow
def test_the_piece_in_hand_is_carried_to_a_place_or_back(match: LiveMatch, show: Show) -> None:
    page = show(match)
    hands.my_turn(page)
    box = page.locator(".turn > .tile").bounding_box()
    x, y = hands.spot(page)
    for is_laid, (to_x, to_y) in ((False, (x + 300, y)), (True, (x, y))):
        page.mouse.move(box["x"] + 20, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(to_x, to_y, steps=5)
        assert page.locator(".carried").is_visible() != is_laid, "over a place the piece is seen as it would lie"
        page.mouse.up()
        expect(page.locator(".carried")).to_have_count(0)
        assert bool(page.locator("[data-path] li").count()) == is_laid


@pytest.mark.slow
def test_a_meeple_can_be_put_on_the_board_itself(match: LiveMatch, show: Show) -> None:
    page = show(match)
    hands.my_turn(page)
    hands.point(page)
    page.locator("[data-step=meeple]:visible").first.click()
    expect(page.locator("[data-option][aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("Enter")
    page.locator(".move-list li").nth(0).wait_for()
    assert " " in match.plies.get(ply=0).notation.split("°")[1]


def test_what_is_not_legal_does_not_react(match: LiveMatch, show: Show) -> None:
    page = show(match)
    hands.my_turn(page)
    box = page.locator("[data-board]").bounding_box()
    page.mouse.click(box["x"] + 12, box["y"] + 12)
    page.locator("[id='board-cell-0-0']").click()
    expect(page.locator("[data-path] li")).to_have_count(0)


def test_without_the_confirm_step_the_last_part_plays(match: LiveMatch, show: Show, alice: Any) -> None:
    alice.preferences = {"confirm": False}
    alice.save()
    page = show(match)
    hands.my_turn(page)
    hands.point(page)
    page.locator("[data-option]").first.click()
    expect(page.locator(".move-list li")).to_have_count(2)
    assert hands.played(match) == 1


@pytest.mark.parametrize("course", [courses.KINGDOMINO], ids=["kingdomino"])
def test_what_alone_is_legal_is_chosen_and_waits_to_be_confirmed(match: LiveMatch, show: Show, ahead: Any) -> None:
    """The last king of the first round has one domino left."""
    ahead(3)
    page = show(match)
    hands.my_turn(page)
    expect(page.locator("[data-path] li")).to_have_count(1)
    expect(page.locator("[data-deed=confirm]")).to_be_enabled()
    assert hands.ply(page) == 3
    page.keyboard.press("Enter")
    hands.next_ply(page, 3)


def test_a_single_legal_action_plays_itself_where_one_likes_that(
    match: LiveMatch, show: Show, alice: Any, page: Any
) -> None:
    alice.preferences = {"automatic": True}
    alice.save()

    def only_one(route: Any) -> None:
        answer = route.fetch()
        head, state, tail = re.split(r'(?<=id="state" type="application/json">)(.*?)(?=</script>)', answer.text())
        seen = json.loads(state)
        route.fulfill(response=answer, body=head + json.dumps(seen | {"actions": seen["actions"][:1]}) + tail)

    page.route(f"**/play/{match.code}/", only_one)
    show(match)
    expect(page.locator(".move-list li")).to_have_count(2)
    assert hands.played(match) == 1


def test_a_double_click_plays_nothing_where_a_piece_is_turned_by_clicks(
    match: LiveMatch, show: Show, page: Any
) -> None:
    """Not even where the piece fits in one way alone."""

    def two_places(route: Any) -> None:
        answer = route.fetch()
        head, state, tail = re.split(r'(?<=id="state" type="application/json">)(.*?)(?=</script>)', answer.text())
        seen = json.loads(state)
        places = {action["parts"][0]["value"]: action for action in seen["actions"]}
        seen |= {"actions": list(places.values())[:2]}
        route.fulfill(response=answer, body=head + json.dumps(seen) + tail)

    page.route(f"**/play/{match.code}/", two_places)
    show(match)
    hands.my_turn(page)
    where = hands.spot(page)
    assert where is not None
    page.mouse.dblclick(*where)
    expect(page.locator("[data-deed=confirm]")).to_be_enabled()
    expect(page.locator("[data-board][data-choosing]")).to_have_count(1)
    assert (hands.ply(page), hands.played(match)) == (0, 0)
