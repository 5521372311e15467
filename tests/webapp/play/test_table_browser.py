"""The table in a real browser, measured: areas, sizes of pieces, targets and text, what lies over what, what moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.webapp.play import courses, hands
from tests.webapp.play.courses import Course
from tests.webapp.table.live import tables
from webapp.table.live import match_setup
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import Terms

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Show = Callable[..., Any]

DESKTOPS = ((1280, 800), (1920, 1080), (2560, 1440))
LEAST_AREA = 0.65
LEAST_TILE = 64
LEAST_TARGET = 24
LEAST_TOUCHED = 44
LEAST_TEXT = 12

MEASURE = """
() => {
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
    const box = (element) => element.getBoundingClientRect();
    const stage = box(document.querySelector("[data-stage]"));
    const page = document.documentElement;
    const svg = document.querySelector("[data-board] > svg");
    const scale = svg.getScreenCTM().a;
    const controls = [...document.querySelectorAll("button, summary, [role=tab], a[href], label:has(input)")]
        .filter((one) => isShown(one) && !one.closest(".skip, .sr") && !one.closest("p, li, td"));
    const places = [...document.querySelectorAll("[data-step][style*=inline]")].filter((one) => box(one).width);
    const small = (least) => [...controls, ...places]
        .filter((one) => Math.min(box(one).width, box(one).height) < least - 0.5)
        .map((one) => `${one.outerHTML.slice(0, 90)} ${box(one).width} ${box(one).height}`);
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        const words = walker.currentNode.textContent.trim();
        if (!words || parent.closest("script, style, noscript, .sr, title, desc")) continue;
        if (!isShown(parent) || !box(parent).width) continue;
        const isDrawn = Boolean(parent.closest("svg"));
        if (isDrawn && !parent.closest("[data-board]")) continue; // a picture beside its words
        const px = parseFloat(getComputedStyle(parent).fontSize) * (isDrawn ? parent.getScreenCTM().a : 1);
        texts.push({ px, isDrawn, words: words.slice(0, 40) });
    }
    const lying = document.querySelectorAll("[data-plate], [data-turn], [data-stage] > .board-tools");
    const over = [...lying].filter(isShown);
    const overlaps = [];
    over.forEach((one, place) => over.slice(place + 1).forEach((other) => {
        const [a, b] = [box(one), box(other)];
        const isOver = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
        if (isOver) overlaps.push(`${one.className} ${other.className}`);
    }));
    return {
        area: stage.width * stage.height / (innerWidth * innerHeight),
        tile: scale * Number(svg.dataset.unit),
        small24: small(24), small44: small(44),
        texts: texts.filter(({ px, isDrawn }) => !isDrawn && px < 11.99),
        drawn: texts.filter(({ px, isDrawn }) => isDrawn && px < 11.99),
        overlaps,
        scrolls: page.scrollHeight > innerHeight || page.scrollWidth > innerWidth,
    };
}
"""

STANDING = """
() => [...document.querySelectorAll("[data-turn], [data-deed], [data-do], [role=tab], [data-board], [data-plate]")]
    .map((one) => one.getBoundingClientRect())
    .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" "))
"""

SPEAK = """
(words) => {
    document.querySelector("[data-title]").textContent = words;
    document.querySelector(".turn-why").textContent = words;
}
"""


def check(page: Any, size: tuple[int, int] | None, *, is_map: bool = False) -> None:
    """Check what the table promises; size: of a desktop's window, None: a phone; is_map: places keep their size."""
    found = page.evaluate(MEASURE)
    if size:
        assert found["area"] >= LEAST_AREA
    assert found["small24" if size else "small44"] == []
    assert found["texts"] == []
    assert found["overlaps"] == []
    assert not found["scrolls"]
    assert found["drawn"] == []
    if is_map:
        assert found["tile"] >= LEAST_TILE


def stands_still(page: Any) -> None:
    """Check that nothing moves, whatever the turn bar says."""
    before = page.evaluate(STANDING)
    for words in ("Yes.", "It takes longer than usual, and all of this is said at great length. " * 4):
        page.evaluate(SPEAK, words)
        assert page.evaluate(STANDING) == before


def test_a_table_fills_the_window_and_stands_still(match: LiveMatch, show: Show, ahead: Any) -> None:
    """Sizes of one game in one window; folded, the stage has nearly all of it, and that is remembered."""
    ahead(30)
    page = show(match)
    hands.my_turn(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    check(page, DESKTOPS[0], is_map=True)
    before = page.evaluate(STANDING)
    hands.point(page)
    expect(page.locator("[data-path] li").first).to_be_visible()
    assert page.evaluate(STANDING) == before
    stands_still(page)
    page.get_by_role("button", name="Fold the panels").click()
    assert page.evaluate(MEASURE)["area"] >= 0.9
    page.reload()
    hands.my_turn(page)
    assert page.evaluate(MEASURE)["area"] >= 0.9


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
@courses.each(quick=courses.ALL)
def test_every_game_at_every_size(match: LiveMatch, show: Show, page: Any, ahead: Any, course: Course) -> None:
    """A player's page, and the same at the match's end."""
    ahead(8)
    show(match)
    for width, height in DESKTOPS:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        hands.my_turn(page)
        check(page, (width, height), is_map=course.game == "carcassonne")
        stands_still(page)
    ahead(1000)
    page.locator("[data-over]").wait_for()
    for width, height in DESKTOPS:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        expect(page.get_by_role("region", name="Result")).to_be_visible()
        check(page, (width, height), is_map=course.game == "carcassonne")


@pytest.mark.slow
@courses.each(quick=courses.ALL)
def test_every_game_on_a_phone(match: LiveMatch, show: Show, phone: Any, ahead: Any, course: Course) -> None:
    ahead(8)
    page = show(match, on=phone)
    hands.my_turn(page)
    stands_still(page)
    check(page, None, is_map=course.game == "carcassonne")
    for tab in ("Moves", "Aids", "Rules"):
        expect(hands.panel(page, tab)).to_be_in_viewport()


@pytest.mark.slow
@courses.each(quick=courses.ALL)
def test_spectators_see_every_game_as_large(
    match: LiveMatch, show: Show, page: Any, ahead: Any, bob: Any, course: Course
) -> None:
    match.visibility = LiveMatch.Visibility.PUBLIC
    match.save()
    ahead(8)
    for width, height in DESKTOPS:
        page.set_viewport_size({"width": width, "height": height})
        show(match, bob)
        page.locator("[data-stage][data-live]").wait_for()
        check(page, (width, height), is_map=course.game == "carcassonne")


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
        for width, height in DESKTOPS:
            page.set_viewport_size({"width": width, "height": height})
            show(match, person)
            page.locator("[data-stage][data-live]").wait_for()
            check(page, (width, height), is_map=True)
    show(match, on=phone)
    hands.my_turn(phone)
    check(phone, None, is_map=True)


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
