"""The board in a real browser: whole matches by mouse, keyboard and touch, and all that can come between."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.conftest import PAGE_TIMEOUT_MS
from tests.webapp.live import tables
from webapp.live import acting, positions
from webapp.live.models import LiveMatch
from webapp.live.opening import SeatPlan, Terms

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WHOLE = 71
LATE = 64
SEEN_WITHIN_S = 1.0
PHONE = {"width": 390, "height": 844}
Show = Callable[..., Any]


@pytest.fixture
def match(alice: Any, engines: Any) -> LiveMatch:
    """A match of alice against an engine; the deal has places to choose from at once."""
    return tables.open_match(alice, [tables.person(alice), tables.engine()], deal_seed=5)


@pytest.fixture
def show(page: Any, live_server: Any, sign_in: Any, alice: Any) -> Show:
    """Open the board of a match as somebody (alice), on a page (the test's)."""

    def show(match: LiveMatch, person: Any = None, on: Any = None) -> Any:
        shown = on or page
        sign_in(shown, person or alice)
        shown.goto(f"{live_server.url}/play/{match.code}/")
        return shown

    return show


@pytest.fixture
def phone(browser: Any) -> Iterator[Any]:
    """A page of a phone: small, touched, without a mouse."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    context.set_default_timeout(PAGE_TIMEOUT_MS)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert not problems


@pytest.fixture
def ahead(match: LiveMatch, engines: Any) -> Callable[[int], LiveMatch]:
    """Play so many plies at random for both seats; the engine is held back meanwhile."""

    def ahead(plies: int) -> LiveMatch:
        engines.clear()
        try:
            return tables.play_on(match, plies)
        finally:
            engines.set()

    return ahead


def _my_turn(page: Any) -> None:
    page.locator("[data-board][data-choosing]").wait_for()


def _is_over(page: Any) -> bool:
    page.locator("[data-board][data-choosing], [data-over]").first.wait_for()
    return bool(page.locator("[data-over]").count())


def _spot(page: Any, number: int = 0) -> tuple[float, float] | None:
    """A pixel of a place, away from meeples and from the sign for turning; None where it is out of sight."""
    return page.evaluate(
        """number => {
            const inside = (box, [x, y]) => x > box.left && x < box.right && y > box.top && y < box.bottom;
            document.querySelector("[data-board]").scrollIntoView({ block: "center" });
            const board = document.querySelector("[data-board]").getBoundingClientRect();
            const tools = document.querySelector(".board-tools").getBoundingClientRect();
            const spots = [...document.querySelectorAll("[data-step=cell][style*=inline] > use:first-child")]
                .map((hit) => hit.getBoundingClientRect())
                .map((box) => [box.x + box.width * 0.1, box.y + box.height * 0.9])
                .filter((spot) => inside(board, spot) && !inside(tools, spot));
            return spots[number] ?? null;
        }""",
        number,
    )


def _point(page: Any, number: int = 0) -> None:
    """Click at a place."""
    spot = _spot(page, number)
    assert spot is not None
    page.mouse.click(*spot)


def _next_ply(page: Any, before: int) -> None:
    page.wait_for_function("before => document.querySelectorAll('.move-list li').length > before", arg=before)


def _ply(page: Any) -> int:
    return int(page.locator(".move-list li").count())


def _says(page: Any) -> Any:
    return page.locator("[data-title]")


def _played(match: LiveMatch) -> int:
    return int(match.plies.filter(seat=0).count())


def _by_mouse(page: Any) -> None:
    """One move by mouse."""
    confirm, options = page.locator("[data-deed=confirm]"), page.locator("[data-option]")
    before = _ply(page)
    _point(page)
    if options.count():
        options.first.click()
    confirm.click()
    _next_ply(page, before)


# ---- whole matches


def test_a_whole_match_by_mouse(match: LiveMatch, show: Show) -> None:
    page = show(match)
    while not _is_over(page):
        _by_mouse(page)
    assert _ply(page) == WHOLE
    match.refresh_from_db()
    assert match.status == LiveMatch.Status.FINISHED
    expect(page.get_by_role("region", name="Result")).to_contain_text("Final score")
    expect(page.get_by_role("link", name="Replay the match")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Rematch"))).to_be_visible()


def test_a_match_by_keyboard_alone(match: LiveMatch, show: Show, ahead: Any) -> None:
    ahead(LATE)
    page = show(match)
    while not _is_over(page):
        before = _ply(page)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.keyboard.press("r")
        if page.locator("[data-option]").count():
            page.keyboard.press("2")
        expect(page.locator("[data-deed=confirm]")).to_be_enabled()
        page.keyboard.press("Enter")
        _next_ply(page, before)
    assert _ply(page) == WHOLE


def test_a_match_by_touch_on_a_phone(match: LiveMatch, show: Show, phone: Any, ahead: Any) -> None:
    ahead(LATE)
    page = show(match, on=phone)
    while not _is_over(page):
        before = _ply(page)
        if _spot(page) is None:
            page.locator("[data-zoom=centre]").tap()  # from where the last tile is to the whole board
        page.touchscreen.tap(*(_spot(page) or (0, 0)))
        if page.locator("[data-option]").count():
            page.locator("[data-option]").last.tap()
        page.locator("[data-deed=confirm]").tap()
        _next_ply(page, before)
    assert _ply(page) == WHOLE


# ---- choosing


def test_the_choice_narrows_and_can_be_taken_back_part_by_part(match: LiveMatch, show: Show) -> None:
    page = show(match)
    _my_turn(page)
    confirm, path = page.locator("[data-deed=confirm]"), page.locator("[data-path] li")
    expect(confirm).to_be_disabled()
    _point(page)
    expect(path).to_have_count(3)
    expect(_says(page)).to_contain_text("meeple")
    spots = page.locator("[data-step=meeple]:visible")
    assert spots.count() == page.locator("[data-option]").count() - 1
    page.locator("[data-option]").nth(1).click()
    expect(confirm).to_be_enabled()
    page.keyboard.press("Escape")
    expect(confirm).to_be_disabled()
    expect(path).to_have_count(3)
    page.locator("[data-deed=back]").click()
    expect(path).to_have_count(0)
    assert _played(match) == 0


def test_pointing_again_or_r_turns_and_another_place_starts_anew(match: LiveMatch, show: Show) -> None:
    page = show(match)
    _my_turn(page)
    turned = page.locator("[data-path] li").nth(1)
    _point(page)
    first = turned.inner_text()
    _point(page)
    second = turned.inner_text()
    assert first != second
    page.keyboard.press("r")
    assert turned.inner_text() != second
    place = page.locator("[data-path] li").first.inner_text()
    _point(page, 1)
    assert page.locator("[data-path] li").first.inner_text() != place
    expect(page.locator("[data-deed=turn]")).to_be_visible()


def test_a_meeple_can_be_put_on_the_board_itself(match: LiveMatch, show: Show) -> None:
    page = show(match)
    _my_turn(page)
    _point(page)
    page.locator("[data-step=meeple]:visible").first.click()
    expect(page.locator("[data-option][aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("Enter")
    page.locator(".move-list li").nth(0).wait_for()
    assert " " in match.plies.get(ply=0).notation.split("°")[1]


def test_what_is_not_legal_does_not_react(match: LiveMatch, show: Show) -> None:
    page = show(match)
    _my_turn(page)
    box = page.locator("[data-board]").bounding_box()
    page.mouse.click(box["x"] + 12, box["y"] + 12)
    page.locator("[id='board-cell-0-0']").click()
    expect(page.locator("[data-path] li")).to_have_count(0)


def test_without_the_confirm_step_the_last_part_plays(match: LiveMatch, show: Show, alice: Any) -> None:
    alice.preferences = {"confirm": False}
    alice.save()
    page = show(match)
    _my_turn(page)
    _point(page)
    page.locator("[data-option]").first.click()
    expect(page.locator(".move-list li")).to_have_count(2)
    assert _played(match) == 1


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
    assert _played(match) == 1


# ---- whatever comes between


def test_the_other_side_is_seen_within_a_second(alice: Any, bob: Any, show: Show) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], deal_seed=5)
    _first(match)
    page = show(match)
    expect(_says(page)).to_contain_text("turn")
    page.wait_for_timeout(500)  # the page waits for the next version by then
    began = time.monotonic()
    _first(match)
    _my_turn(page)
    assert time.monotonic() - began < SEEN_WITHIN_S
    assert page.title().startswith("● Your turn")


def _first(match: LiveMatch) -> None:
    """The seat on turn plays its first legal action."""
    match.refresh_from_db()
    position = positions.at(match)
    acting.play(match.pk, match.on_turn, match.ply, int(position.game.legal_actions(position.state)[0]))


def test_two_clicks_play_once(match: LiveMatch, show: Show, engines: Any) -> None:
    engines.clear()
    page = show(match)
    _my_turn(page)
    _point(page)
    page.locator("[data-option]").first.click()
    page.locator("[data-deed=confirm]").dblclick(force=True)
    expect(_says(page)).to_contain_text("thinks")
    assert match.plies.count() == 1
    engines.set()
    _my_turn(page)


def test_two_tabs_show_one_match(match: LiveMatch, show: Show, page: Any) -> None:
    show(match)
    _my_turn(page)
    other = page.context.new_page()
    show(match, on=other)
    _my_turn(other)
    _point(other)
    _by_mouse(page)
    expect(other.locator(".move-list li")).to_have_count(2)
    expect(other.locator("[data-path] li")).to_have_count(0)
    assert _played(match) == 1


def test_a_stale_choice_is_refused_with_a_calm_sentence(match: LiveMatch, show: Show, page: Any, engines: Any) -> None:
    engines.clear()
    show(match)
    _my_turn(page)
    page.route("**/state/**", lambda route: route.abort())  # this tab hears of nothing
    _point(page)
    page.locator("[data-option]").first.click()
    _first(match)
    page.locator("[data-deed=confirm]").click()
    expect(page.locator(".toast").filter(has_text="not played")).to_be_visible()
    expect(_says(page)).to_contain_text("thinks")
    assert match.plies.count() == 1
    page.problems.clear()  # the refusal (409) and the aborted requests


def test_a_lost_connection_is_said_and_the_move_arrives_once(match: LiveMatch, show: Show, page: Any) -> None:
    show(match)
    _my_turn(page)
    keys = []

    def cut(route: Any) -> None:
        keys.append(route.request.post_data_json["key"])
        if len(keys) == 1:
            route.abort()
        elif len(keys) == 2:  # it arrives, and its answer is lost
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/act/", cut)
    _point(page)
    page.locator("[data-option]").first.click()
    page.locator("[data-deed=confirm]").click()
    expect(page.locator(".move-list li")).to_have_count(2)
    _my_turn(page)
    assert len(set(keys)) == 1
    assert _played(match) == 1
    page.problems.clear()


def test_offline_is_said_until_it_is_over(match: LiveMatch, show: Show, page: Any) -> None:
    show(match)
    _my_turn(page)
    page.context.set_offline(True)
    _point(page)
    page.locator("[data-option]").first.click()
    page.locator("[data-deed=confirm]").click()
    lost = page.locator(".toast").filter(has_text="Trying to reconnect")
    expect(lost).to_be_visible()
    page.context.set_offline(False)
    expect(lost).to_have_count(0)
    expect(page.locator(".move-list li")).to_have_count(2)
    page.problems.clear()


def test_refresh_and_the_back_button_show_the_present_position(
    match: LiveMatch, show: Show, live_server: Any, ahead: Any
) -> None:
    page = show(match)
    _my_turn(page)
    _point(page)
    page.reload()
    _my_turn(page)
    expect(page.locator("[data-path] li")).to_have_count(0)
    page.goto(f"{live_server.url}/games/")
    ahead(2)
    page.go_back()
    _my_turn(page)
    expect(page.locator(".move-list li")).to_have_count(2)


def test_thinking_is_shown_while_an_engine_does(match: LiveMatch, show: Show, engines: Any) -> None:
    engines.clear()
    page = show(match)
    _my_turn(page)
    _by_mouse(page)
    expect(_says(page)).to_have_text(re.compile("Random thinks"))
    expect(page.locator(".thinking")).to_be_visible()
    assert not page.title().startswith("●")
    engines.set()
    _my_turn(page)
    expect(page.locator("#status")).to_contain_text("Your turn")


def test_nothing_moves_where_the_system_asks_for_no_motion(match: LiveMatch, show: Show, page: Any) -> None:
    scoring = _before_a_score(match)
    page.emulate_media(reduced_motion="reduce")
    show(scoring)
    _my_turn(page)
    page.evaluate(_COUNT_MOTION)
    tables.play_on(scoring, 1)
    expect(page.locator(".move-list .push").first).to_be_visible()
    assert page.evaluate("window.moved") == 0


def test_points_float_and_meeples_walk(match: LiveMatch, show: Show, page: Any) -> None:
    scoring = _before_a_score(match)
    page.emulate_media(reduced_motion="no-preference")
    show(scoring)
    _my_turn(page)
    page.evaluate(_COUNT_MOTION)
    tables.play_on(scoring, 1)
    page.locator(".floating").first.wait_for()
    expect(page.locator(".floating, .walking")).to_have_count(0)
    assert page.evaluate("window.moved") > 0


_COUNT_MOTION = """
() => {
    window.moved = 0;
    const count = () => (window.moved += document.querySelectorAll(".floating, .walking").length);
    new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
}
"""


def _before_a_score(match: LiveMatch) -> LiveMatch:
    """The same match, one ply before somebody scores."""
    copy = tables.open_match(match.creator, [tables.person(match.creator)] * 2, deal_seed=5)
    trial = tables.play_on(tables.open_match(match.creator, [tables.person(match.creator)] * 2, deal_seed=5))
    ply = next(row.ply for row in trial.plies.order_by("ply") if any(row.scores))
    for row in trial.plies.filter(ply__lt=ply).order_by("ply"):
        copy = acting.play(copy.pk, row.seat, row.ply, row.action)
    return copy


# ---- aids, wishes, the room


def test_aids_are_switched_and_kept(match: LiveMatch, show: Show, alice: Any) -> None:
    page = show(match)
    _my_turn(page)
    legal = page.locator("[data-step=cell] [data-aid=legal]").first
    expect(legal).to_be_visible()
    with page.expect_response("**/aids/"):
        page.get_by_label("Legal places").uncheck()
    expect(legal).to_be_hidden()
    with page.expect_response("**/aids/"):
        page.get_by_label("Tiles left").uncheck()
    expect(page.locator("[data-panel=stock]")).to_be_hidden()
    page.reload()
    _my_turn(page)
    expect(page.get_by_label("Legal places")).not_to_be_checked()
    expect(page.locator("[data-panel=stock]")).to_be_hidden()
    _point(page)
    expect(page.locator("[data-path] li")).to_have_count(3)


def test_a_feature_lights_up_under_the_pointer(match: LiveMatch, show: Show) -> None:
    page = show(match)
    _my_turn(page)
    page.locator("[id='board-cell-0-0']").hover()
    assert page.locator("[id='board-hover'] > *").count() >= 1
    page.mouse.move(2, 2)
    expect(page.locator("[id='board-hover'] > *")).to_have_count(0)


def test_resigning_says_what_it_costs_first(match: LiveMatch, show: Show) -> None:
    page = show(match)
    page.get_by_role("button", name="Resign").click()
    ask = page.locator("#ask-resign")
    expect(ask).to_contain_text("Random wins, whatever the score")
    ask.get_by_role("button", name="Play on").click()
    expect(ask).to_be_hidden()
    page.get_by_role("button", name="Resign").click()
    ask.get_by_role("button", name="Resign").click()
    expect(_says(page)).to_have_text("You resigned")
    match.refresh_from_db()
    assert match.status == LiveMatch.Status.ENDED


def test_an_offer_to_end_reaches_the_other_side(alice: Any, bob: Any, show: Show, browser: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], deal_seed=5)
    page = show(match)
    context = browser.new_context()
    other = show(match, bob, context.new_page())
    page.get_by_role("button", name="Offer to end").click()
    expect(page.get_by_role("button", name="Withdraw my offer")).to_be_visible()
    expect(other.locator(".notice")).to_contain_text("alice offers to end the match")
    other.get_by_role("button", name="Agree to end").click()
    expect(_says(page)).to_have_text("Ended by agreement")
    context.close()


def test_the_waiting_room_becomes_the_board(alice: Any, bob: Any, show: Show) -> None:
    from webapp.live import opening

    match = tables.open_match(alice, [tables.person(alice), SeatPlan(name="By invitation")])
    page = show(match)
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    assert f"key={match.invite}" in page.locator("#invite-link").inner_text()
    page.wait_for_timeout(300)
    opening.join(match.pk, person=bob)
    _my_turn(page)
    expect(page.locator("[data-plate='1']")).to_contain_text("bob")


# ---- what does not depend on input


def test_the_view_stays_when_the_board_grows(match: LiveMatch, show: Show, page: Any, ahead: Any) -> None:
    show(match)
    _my_turn(page)
    ahead(2)
    expect(page.locator(".move-list li")).to_have_count(2)
    page.locator("[data-zoom=in]").click()
    view = page.locator("[data-board] > svg").get_attribute("viewBox")
    ahead(2)
    expect(page.locator(".move-list li")).to_have_count(4)
    assert page.locator("[data-board] > svg").get_attribute("viewBox") == view


def test_a_drag_does_not_press(match: LiveMatch, show: Show, page: Any) -> None:
    show(match)
    _my_turn(page)
    page.locator("[data-zoom=in]").click()
    x, y = _spot(page) or (0, 0)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 20, steps=5)
    page.mouse.up()
    expect(page.locator("[data-path] li")).to_have_count(0)
    _point(page)
    expect(page.locator("[data-path] li")).not_to_have_count(0)


def test_a_tile_has_60_pixels_on_a_phone(match: LiveMatch, show: Show, phone: Any, ahead: Any) -> None:
    ahead(30)
    page = show(match, on=phone)
    _my_turn(page)
    width = page.evaluate("document.querySelector('[data-board] > svg').getScreenCTM().a * 100")
    assert width == pytest.approx(60, abs=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Moves").tap()
    expect(page.locator("#sheet-moves .move-list")).to_be_visible()


def test_spectators_see_and_cannot_touch(alice: Any, bob: Any, show: Show) -> None:
    terms = Terms(visibility="public", spectator_delay=2)
    match = tables.play_on(tables.open_match(bob, [tables.person(bob), tables.engine()], terms, deal_seed=5), 5)
    page = show(match)
    expect(_says(page)).to_contain_text("2 moves behind")
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
    expect(_says(page)).to_contain_text("Your turn")
    expect(page.locator("[id='board-cell-0-0']")).to_be_visible()
    expect(page.locator("[data-plate='1'] .plate-points strong")).to_have_text("0")
    expect(page.locator("[data-step]").first).to_be_hidden()
    context.close()
