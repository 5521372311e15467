"""The table in a real browser, measured: areas, sizes of pieces, targets and text, what lies over what, what moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.webapp.play import courses, hands, measures, pixels
from tests.webapp.play.courses import Course
from tests.webapp.table.live import tables
from webapp.table.live import match_setup
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import Terms

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Show = Callable[..., Any]

SPEAK = """
(words) => {
    document.querySelector("[data-title]").textContent = words;
    document.querySelector(".turn-why").textContent = words;
}
"""


HOLD = """
() => {
    const layer = document.querySelector(".flights");
    const hold = () => layer.querySelectorAll("*").forEach((one) => one.getAnimations().forEach((flight) => {
        flight.pause();
        flight.currentTime = flight.effect.getComputedTiming().activeDuration * 0.25; // near its plate, and seen
    }));
    new MutationObserver(hold).observe(layer, { childList: true });
}
"""
RESTS = """
() => document.getAnimations().every(({ playState, effect }) =>
    playState !== "running" || effect.getComputedTiming().iterations === Infinity)
"""
OVER_A_PLATE = """
() => {
    const plates = [...document.querySelectorAll("[data-plate]")].map((one) => one.getBoundingClientRect());
    return [...document.querySelectorAll(".walking")].map((one) => one.getBoundingClientRect()).filter((a) =>
        plates.some((b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top)).length;
}
"""


def check(page: Any, *, is_map: bool = False) -> None:
    """Check what the table promises; is_map: places keep their size."""
    assert measures.faults(page, is_map=is_map) + measures.covers(page) == []


def stands_still(page: Any) -> None:
    """Check that nothing moves, whatever the turn bar says."""
    before = page.evaluate(measures.STANDING)
    for words in ("Yes.", "It takes longer than usual, and all of this is said at great length. " * 4):
        page.evaluate(SPEAK, words)
        assert page.evaluate(measures.STANDING) == before


def test_a_table_fills_the_window_and_stands_still(match: LiveMatch, show: Show, ahead: Any) -> None:
    """Sizes of one game in one window; folded, the stage has nearly all of it, and that is remembered."""
    ahead(30)
    page = show(match)
    hands.my_turn(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    check(page, is_map=True)
    before, view = page.evaluate(measures.STANDING), hands.view(page)
    hands.point(page)
    expect(page.locator("[data-path] li").first).to_be_visible()
    assert (page.evaluate(measures.STANDING), hands.view(page)) == (before, view)
    stands_still(page)
    page.get_by_role("button", name="Fold the panels").click()
    assert measures.area(page) >= 0.9
    assert measures.shift_at_load(page) < measures.MOST_SHIFT
    hands.my_turn(page)
    assert measures.area(page) >= 0.9


@pytest.mark.slow
def test_a_sign_brings_a_place_into_sight(match: LiveMatch, show: Show, ahead: Any) -> None:
    ahead(30)
    page = show(match)
    hands.my_turn(page)
    page.mouse.move(400, 350)
    page.mouse.wheel(0, -600)
    signs = page.locator(".sign")
    expect(signs.first).to_be_visible()
    label, view = str(signs.first.get_attribute("aria-label")), hands.view(page)
    assert "out of sight" in label
    signs.first.click()
    assert hands.view(page) != view
    page.keyboard.press("0")
    expect(signs).to_have_count(0)


@pytest.mark.slow
def test_a_move_out_of_sight_is_led_to_and_nothing_moves_under_a_mouse(alice: Any, bob: Any, show: Show) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], deal_seed=5)
    tables.play_on(match, 31)
    page = show(match)
    page.locator("[data-stage][data-live]").wait_for()
    page.mouse.move(300, 300)
    for _ in range(6):
        page.mouse.down()
        page.mouse.move(800, 650, steps=4)
        page.mouse.up()
        page.mouse.move(300, 300)
    view, sign = hands.view(page), page.locator(".sign[data-direction=last]")
    hands.first(match)
    expect(sign).to_be_visible()
    assert hands.view(page) == view
    page.mouse.move(1200, 500)  # beside the stage
    expect(sign).to_have_count(0)
    assert hands.view(page) != view


@pytest.mark.slow
@courses.each(quick=courses.ALL)
def test_every_game_at_every_size(match: LiveMatch, show: Show, page: Any, ahead: Any, course: Course) -> None:
    """A player's page, at 150 % zoom too, and the same at the match's end, its picture beside the sentence."""
    ahead(8)
    show(match)
    for width, height in (*measures.DESKTOPS, measures.ZOOMED):
        page.set_viewport_size({"width": width, "height": height})
        assert measures.shift_at_load(page) < measures.MOST_SHIFT
        hands.my_turn(page)
        check(page, is_map=course.game == "carcassonne")
        stands_still(page)
    ahead(1000)
    page.locator("[data-over]").wait_for()
    for width, height in measures.DESKTOPS:
        page.set_viewport_size({"width": width, "height": height})
        assert measures.shift_at_load(page) < measures.MOST_SHIFT
        expect(page.get_by_role("region", name="Result")).to_be_visible()
        expect(page.locator("[data-turn] > [data-victory] svg")).to_be_visible()
        check(page, is_map=course.game == "carcassonne")


def _plates_seen(page: Any) -> list[bytes]:
    """What is seen of each plate within its round corners."""
    boxes = [plate.bounding_box() for plate in page.locator("[data-plate]").all()]
    clips = [
        {"x": box["x"] + 6, "y": box["y"] + 6, "width": box["width"] - 12, "height": box["height"] - 12}
        for box in boxes
    ]
    return [page.screenshot(clip=clip, animations="allow") for clip in clips]


@pytest.mark.slow
def test_a_piece_flies_under_the_plate_it_comes_from(alice: Any, bob: Any, show: Show) -> None:
    match = tables.open_match(alice, [tables.person(bob), tables.person(alice)], deal_seed=5)
    tables.play_on(match, 2)
    page = show(match)
    page.emulate_media(reduced_motion="no-preference")
    page.locator("[data-stage][data-live]").wait_for()
    page.evaluate(HOLD)
    for _ in range(6):
        tables.play_on(match, 1)
        page.wait_for_function("(ply) => document.querySelectorAll('.move-list li').length >= ply", arg=match.ply + 1)
        match.refresh_from_db()
        if page.evaluate(OVER_A_PLATE):
            break
    assert page.evaluate(OVER_A_PLATE)
    page.wait_for_function(RESTS)  # points that have just changed are lit for a moment
    seen = _plates_seen(page)
    page.evaluate("document.querySelector('.flights').style.visibility = 'hidden'")
    shown = zip(seen, _plates_seen(page), strict=True)
    assert [pixels.changed(page, before, after) for before, after in shown] == [0, 0]
    page.keyboard.press(" ")
    page.evaluate("document.querySelectorAll('.flights *').forEach((one) => one.getAnimations()[0]?.finish())")
    expect(page.locator(".flights > *")).to_have_count(0)


@pytest.mark.slow
@courses.each(quick=courses.ALL)
def test_every_game_on_a_phone(match: LiveMatch, show: Show, phone: Any, ahead: Any, course: Course) -> None:
    ahead(8)
    page = show(match, on=phone)
    hands.my_turn(page)
    stands_still(page)
    check(page, is_map=course.game == "carcassonne")
    for tab in ("Moves", "Aids", "Rules"):
        expect(hands.panel(page, tab)).to_be_in_viewport()
    assert measures.shift_at_load(page) < measures.MOST_SHIFT
    ahead(1000)
    page.locator("[data-over]").wait_for()
    assert measures.shift_at_load(page) < measures.MOST_SHIFT
    page.goto(f"{page.url}replay/")
    assert measures.shift_at_load(page) < measures.MOST_SHIFT
    assert [fault for fault in measures.faults(page) if "to read" in fault] == [], "a review, too"


@pytest.mark.slow
@courses.each(quick=courses.ALL)
def test_spectators_see_every_game_as_large(
    match: LiveMatch, show: Show, page: Any, ahead: Any, bob: Any, course: Course
) -> None:
    match.visibility = LiveMatch.Visibility.PUBLIC
    match.save()
    ahead(8)
    for width, height in measures.DESKTOPS:
        page.set_viewport_size({"width": width, "height": height})
        show(match, bob)
        page.locator("[data-stage][data-live]").wait_for()
        check(page, is_map=course.game == "carcassonne")


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_more_seats_and_spectators(
    alice: Any, bob: Any, engines: Any, show: Show, page: Any, phone: Any, seats: int
) -> None:
    engines.clear()
    terms = Terms(visibility="public")
    plans = [tables.person(alice)] + [tables.engine()] * (seats - 1)
    match = match_setup.open_match(alice, "carcassonne", {}, plans, terms, deal_seed=5)
    tables.play_on(match, 40 - 40 % seats)
    for person in (alice, bob):
        for width, height in measures.DESKTOPS:
            page.set_viewport_size({"width": width, "height": height})
            show(match, person)
            page.locator("[data-stage][data-live]").wait_for()
            check(page, is_map=True)
    show(match, on=phone)
    hands.my_turn(phone)
    check(phone, is_map=True)


@pytest.mark.slow
def test_keys_of_the_view_and_of_panels_can_be_switched_off(match: LiveMatch, show: Show, alice: Any) -> None:
    page = show(match)
    hands.my_turn(page)
    for key, tab in (("a", "Aids"), ("?", "Rules"), ("m", "Moves")):
        page.keyboard.press(key)
        expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
    view = hands.view(page)
    page.keyboard.press("+")
    assert hands.view(page) != view
    alice.preferences = {"letters": False}
    alice.save()
    page.reload()
    hands.my_turn(page)
    view = hands.view(page)
    for key in ("+", "a", "?", "1", "r"):
        page.keyboard.press(key)
    assert hands.view(page) == view
    expect(page.get_by_role("tab", name="Moves")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("[data-path] li").first).to_be_visible()
