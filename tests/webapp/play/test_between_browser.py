"""The board in a real browser when something comes between: the other side, a lost connection, another tab."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.conftest import PAGE_TIMEOUT_MS
from tests.webapp.play import courses, hands
from tests.webapp.play.courses import Course
from tests.webapp.table.live import tables
from webapp.table.live import match_setup, player_requests
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import Terms

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Show = Callable[..., Any]


def test_the_other_side_is_seen_by_the_request_that_waits(alice: Any, bob: Any, show: Show, page: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], deal_seed=5)
    hands.first(match)
    with hands.asks_for_changes(page) as waiting:
        show(match)
    expect(hands.says(page)).to_contain_text("turn")
    hands.first(match)
    assert waiting.value.response().json()["your_turn"]
    hands.my_turn(page)
    assert page.title().startswith("● Your turn")


@courses.all_of_them(last=2, quick=())  # in each run two people play Carcassonne in a journey
def test_two_browsers_play_each_other(
    alice: Any, bob: Any, engines: Any, show: Show, friend: Any, course: Course, begun: int
) -> None:
    """Engines sit at what seats are left."""
    engines.clear()
    seats = [tables.person(alice), tables.person(bob)] + [tables.engine()] * (course.seats - 2)
    match = match_setup.open_match(alice, course.game, course.options, seats, Terms(), deal_seed=course.deal_seed)
    tables.play_on(match, begun)
    engines.set()
    pages = [show(match), show(match, bob, friend)]
    while (on_turn := hands.waits_for(match)) is not None:
        for one in pages:
            expect(one.locator(".move-list li")).to_have_count(match.ply, timeout=PAGE_TIMEOUT_MS)
        hands.my_turn(pages[on_turn])
        expect(pages[1 - on_turn].locator("[data-board]")).not_to_have_attribute("data-choosing", "")
        hands.by_mouse(pages[on_turn])
    assert course.may_end_after(match.ply, begun)
    for one in pages:
        one.locator("[data-over]").wait_for()
        expect(one.get_by_role("region", name="Result")).to_contain_text("Final score")


def test_two_clicks_play_once(match: LiveMatch, show: Show, engines: Any) -> None:
    engines.clear()
    page = show(match)
    hands.my_turn(page)
    hands.point(page)
    page.locator("[data-option]").first.click()
    page.locator("[data-deed=confirm]").dblclick(force=True)
    expect(hands.says(page)).to_contain_text("thinks")
    assert match.plies.count() == 1
    engines.set()
    hands.my_turn(page)


@pytest.mark.slow
def test_two_tabs_show_one_match(match: LiveMatch, show: Show, page: Any) -> None:
    show(match)
    hands.my_turn(page)
    other = page.context.new_page()
    show(match, on=other)
    hands.my_turn(other)
    hands.point(other)
    hands.by_mouse(page)
    expect(other.locator(".move-list li")).to_have_count(2)
    expect(other.locator("[data-path] li")).to_have_count(0)
    assert hands.played(match) == 1


@pytest.mark.parametrize("what", ["move", pytest.param("wish", marks=pytest.mark.slow)])
def test_signing_in_elsewhere_loses_nothing_here(alice: Any, bob: Any, show: Show, page: Any, what: str) -> None:
    """The secret of forms is another one then: the page takes the new one, and asks once more."""
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], deal_seed=5)
    show(match)
    hands.my_turn(page)
    cookie = next(cookie for cookie in page.context.cookies() if cookie["name"] == "csrftoken")
    page.context.add_cookies([cookie | {"value": "n" * 32}])
    page.evaluate("window.isSamePage = true")
    if what == "move":
        hands.by_mouse(page)
        assert hands.played(match) == 1
    else:
        hands.more(page, "Offer to end").click()
        hands.more(page, "Withdraw my offer").wait_for()
    assert page.evaluate("window.isSamePage")
    assert len(page.problems) == 1
    assert "403" in page.problems.pop(), "the first try was refused, which the browser notes"


def test_a_stale_choice_is_refused_with_a_calm_sentence(match: LiveMatch, show: Show, page: Any, engines: Any) -> None:
    engines.clear()
    page.route("**/state/**", lambda route: route.abort())  # this tab hears of nothing
    show(match)
    hands.my_turn(page)
    hands.point(page)
    page.locator("[data-option]").first.click()
    hands.first(match)
    page.locator("[data-deed=confirm]").click()
    expect(page.locator(".toast").filter(has_text="not played")).to_be_visible()
    expect(hands.says(page)).to_contain_text("thinks")
    assert match.plies.count() == 1
    page.problems.clear()  # the refusal (409) and the aborted requests


def test_a_lost_connection_is_said_and_the_move_arrives_once(match: LiveMatch, show: Show, page: Any) -> None:
    show(match)
    hands.my_turn(page)
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
    hands.point(page)
    page.locator("[data-option]").first.click()
    page.locator("[data-deed=confirm]").click()
    expect(page.locator(".move-list li")).to_have_count(2)
    hands.my_turn(page)
    assert len(set(keys)) == 1
    assert hands.played(match) == 1
    page.problems.clear()


@pytest.mark.parametrize(
    ("status", "content_type"),
    [
        pytest.param(429, "text/plain", marks=pytest.mark.slow),
        pytest.param(400, "text/html", marks=pytest.mark.slow),
        (200, "text/html"),
    ],
)
def test_what_is_no_answer_of_the_lab_is_not_asked_for_again_at_once(
    match: LiveMatch, show: Show, page: Any, status: int, content_type: str
) -> None:
    asked = []

    def answer(route: Any) -> None:
        asked.append(route.request.url)
        route.fulfill(status=status, content_type=content_type, body="not now")

    page.route("**/state/**", answer)
    show(match)
    expect(page.locator(".toast").filter(has_text="Trying to reconnect")).to_be_visible()
    assert len(asked) < 10, "a pause is made after each"
    page.unroute("**/state/**")
    expect(page.locator(".toast")).to_have_count(0)
    page.problems.clear()


def test_a_server_that_does_not_answer_is_said_until_it_does(match: LiveMatch, show: Show, page: Any) -> None:
    """An action is answered at once; one that waits for changes is asked anew where an engine is late."""
    page.clock.install()
    show(match)
    hands.my_turn(page)
    held = []
    page.route("**/act/", lambda route: held.append(route))
    page.route("**/state/**", lambda route: held.append(route))
    hands.point(page)
    page.locator("[data-deed=confirm]").click()
    note = page.locator(".toast").filter(has_text="The server does not answer")
    page.clock.run_for(5000)
    expect(note).to_have_count(0)
    page.clock.run_for(1500)
    expect(note).to_be_visible()
    page.unroute_all()  # what was held goes on
    expect(note).to_have_count(0)
    expect(page.locator(".move-list li")).to_have_count(2)


@pytest.mark.slow
def test_where_an_engine_is_late_the_server_is_asked_at_once(
    match: LiveMatch, show: Show, page: Any, engines: Any
) -> None:
    engines.clear()
    page.clock.install()
    show(match)
    hands.my_turn(page)
    hands.by_mouse(page)
    with page.expect_request("**/state/**wait=0"):
        page.clock.run_for(30_000)
    engines.set()
    hands.my_turn(page)


@pytest.mark.slow
def test_a_game_that_is_compiled_in_parts_is_said_to_be_between_them_too(
    match: LiveMatch, show: Show, page: Any, engines: Any
) -> None:
    engines.clear()
    page.clock.install()
    show(match)
    hands.my_turn(page)
    said = iter(["1"])
    page.route(
        "**/state/**wait=0",
        lambda route: route.fulfill(status=204, headers={"Lab-Warming": "1"} if next(said, "") else {}),
    )
    hands.by_mouse(page)
    for _ in range(2):
        with page.expect_response("**/state/**wait=0"):
            page.clock.run_for(15_000)
        expect(page.locator("[data-panel=turn]")).to_contain_text("Getting ready the first time")
    engines.set()
    page.unroute("**/state/**wait=0")
    hands.my_turn(page)


@pytest.mark.slow
def test_panels_are_current_once_nobody_is_asked_any_more(alice: Any, bob: Any, show: Show) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], deal_seed=5)
    page = show(match)
    hands.more(page, "Resign").click()
    player_requests.grant("resign", match.pk, [1])
    expect(hands.says(page)).to_have_text("bob resigned: you win")
    ask = page.locator("#ask-resign")
    expect(ask).to_be_visible()
    ask.get_by_role("button", name="Play on").click()
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(page.get_by_role("button", name="Resign")).to_have_count(0)


@pytest.mark.slow
def test_offline_is_said_until_it_is_over(match: LiveMatch, show: Show, page: Any) -> None:
    show(match)
    hands.my_turn(page)
    page.context.set_offline(True)
    hands.point(page)
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
    hands.my_turn(page)
    hands.point(page)
    path = page.locator("[data-path] li")
    words = path.all_inner_texts()
    page.reload()
    expect(path).to_have_text(words)
    page.goto(f"{live_server.url}/games/")
    ahead(2)
    page.go_back()
    hands.my_turn(page)
    expect(page.locator(".move-list li")).to_have_count(2)
    expect(path).to_have_count(0)


@pytest.mark.slow
def test_thinking_is_shown_while_an_engine_does(match: LiveMatch, show: Show, engines: Any) -> None:
    engines.clear()
    page = show(match)
    hands.my_turn(page)
    hands.by_mouse(page)
    expect(hands.says(page)).to_have_text(re.compile("Random thinks"))
    expect(page.locator(".thinking")).to_be_visible()
    assert not page.title().startswith("●")
    engines.set()
    hands.my_turn(page)
    expect(page.locator("#status")).to_contain_text("Your turn")


def test_nothing_moves_where_the_system_asks_for_no_motion(match: LiveMatch, show: Show, page: Any) -> None:
    scoring = _before_a_score(match)
    page.emulate_media(reduced_motion="reduce")
    show(scoring)
    hands.my_turn(page)
    page.evaluate(_COUNT_MOTION)
    tables.play_on(scoring, 1)
    expect(page.locator(".move-list .push").first).to_be_attached()
    assert page.evaluate("window.moved") == 0


def test_points_float_and_meeples_walk(match: LiveMatch, show: Show, page: Any) -> None:
    scoring = _before_a_score(match)
    page.emulate_media(reduced_motion="no-preference")
    show(scoring)
    hands.my_turn(page)
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
    trial, copy = (tables.open_match(match.creator, [tables.person(match.creator)] * 2, deal_seed=5) for _ in range(2))
    tables.play_on(trial)
    ply = next(row.ply for row in trial.plies.order_by("ply") if any(row.scores))
    return tables.play_on(copy, ply)
