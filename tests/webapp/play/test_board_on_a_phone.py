"""The board on a phone, in a real browser: all of it within reach, and large enough to be touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from playwright.sync_api import expect

from tests.webapp.play import courses, hands
from tests.webapp.table.live import tables
from webapp.table.live.models import LiveMatch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Show = Callable[..., Any]

PLACES = """
() => {
    const frame = document.querySelector("[data-stage]").getBoundingClientRect();
    const bar = document.querySelector("[data-turn]").getBoundingClientRect();
    const cells = [...document.querySelectorAll("[data-step][data-when=''][style*=inline]")];
    const seen = cells.filter((cell) => {
        const { left, right, top, bottom } = cell.firstElementChild.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const isInside = x > frame.left && x < frame.right && y > frame.top && y < Math.min(frame.bottom, bar.top);
        return isInside && document.elementFromPoint(x, y)?.closest("[data-step]") === cell;
    });
    return { all: cells.map((cell) => cell.id), seen: seen.map((cell) => cell.id) };
}
"""

DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
PHONES = ((360, 740), (390, 844), (430, 932))
COVERED = """
() => [...document.querySelectorAll("button, summary, input, a[href]")].filter((control) => {
    if (!control.checkVisibility({ visibilityProperty: true }) || control.closest(".skip")) return false;
    if (control.matches("[data-option]")) control.scrollIntoView({ block: "nearest", inline: "nearest" }); // a row
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const corners = [left + 4, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y]));
    const rims = [[left + 4, y], [right - 4, y], [x, top + 4], [x, bottom - 4]];
    const spots = [[x, y], ...(getComputedStyle(control).borderRadius === "50%" ? rims : corners)];
    return !spots.every((spot) => control.contains(document.elementFromPoint(...spot)));
}).map((control) => control.outerHTML)
"""


@pytest.fixture
def collected(settings: Any, tmp_path: Path, phone: Any) -> Iterator[None]:
    """The page's files as they are served where they are collected: under names with a hash."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    phone.route("**/static/**", lambda route: route.fulfill(path=tmp_path / route.request.url.split("/static/")[1]))
    yield
    staticfiles_storage._setup()


def _drag(page: Any, dx: int, dy: int, rest_ms: float = 0) -> None:
    """Draw a finger over the board; where it does not rest at the end, Chromium takes the next tap for a halt."""
    box = page.locator("[data-stage]").bounding_box()
    x, y = box["x"] + box["width"] / 2 - dx / 2, box["y"] + box["height"] / 2 - dy / 2
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 7):
        point = {"x": x + dx * part / 6, "y": y + dy * part / 6}
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    page.wait_for_timeout(rest_ms)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def _sweep(page: Any) -> Iterator[None]:
    """Draw the board about until all of it has been in view: to a corner, then row by row, as far as it goes."""

    def draw(dx: int, dy: int) -> bool:
        before = hands.view(page)
        _drag(page, dx, dy)
        page.evaluate(DRAWN)
        return hands.view(page) != before

    while draw(240, 0):
        pass
    while draw(0, 240):
        pass
    yield
    dx, is_lower = -240, True
    while is_lower:
        while draw(dx, 0):
            yield
        dx, is_lower = -dx, draw(0, -240)
        yield


@pytest.mark.slow
def test_all_of_a_large_board_is_within_reach_after_a_load(
    alice: Any, engines: Any, collected: None, show: Show, phone: Any
) -> None:
    engines.clear()
    match = tables.open_match(alice, [tables.person(alice)] + [tables.engine()] * 4, deal_seed=5)
    tables.play_on(match, 45)
    page = show(match, on=phone)
    hands.my_turn(page)
    assert "board.js" not in page.content(), "names have a hash"
    found = page.evaluate(PLACES)
    reached = set(found["seen"])
    assert reached < set(found["all"]), "a board that is larger than the view"
    for _ in _sweep(page):
        reached |= set(page.evaluate(PLACES)["seen"])
    assert reached == set(found["all"]), "by finger"
    _drag(page, 40, -40, rest_ms=150)
    hands.whole(page).tap()
    page.evaluate(DRAWN)  # signs at the edge are gone then
    assert set(page.evaluate(PLACES)["seen"]) == set(found["all"]), "by the button that shows all"
    hands.whole(page).tap()
    page.evaluate(DRAWN)
    assert set(page.evaluate(PLACES)["seen"]) != set(found["all"])


@pytest.mark.parametrize("course", [courses.KINGDOMINO], ids=["kingdomino"])
def test_a_phone_shows_the_own_kingdom_and_the_whole_draft_at_once(
    match: LiveMatch, show: Show, phone: Any, ahead: Any
) -> None:
    ahead(8)
    page = show(match, on=phone)
    hands.my_turn(page)
    view = hands.view(page)
    frame, home = (page.locator(part).bounding_box() for part in ("[data-stage]", "[data-board] svg"))
    assert frame["x"] <= home["x"]
    assert frame["y"] <= home["y"]
    assert home["x"] + home["width"] <= frame["x"] + frame["width"]
    assert home["y"] + home["height"] <= frame["y"] + frame["height"]
    assert set(page.evaluate(PLACES)["seen"]) == set(page.evaluate(PLACES)["all"]) != set()
    page.touchscreen.tap(*(hands.spot(page) or (0, 0)))
    expect(page.locator("[data-step=domino]:visible")).to_have_count(page.locator("[data-option]").count())
    assert hands.view(page) == view


def test_what_is_chosen_on_a_tile_is_large_enough_to_be_touched(match: LiveMatch, show: Show, phone: Any) -> None:
    page = show(match, on=phone)
    hands.my_turn(page)
    view = hands.view(page)
    page.touchscreen.tap(*(hands.spot(page) or (0, 0)))
    spots = page.locator("[data-step=meeple]:visible").evaluate_all(
        """spots => spots.map((spot) => spot.getBoundingClientRect())
            .map(({ x, y, width, height }) => [x + width / 2, y + height / 2, width])"""
    )
    assert len(spots) > 1
    assert min(width for _, _, width in spots) >= 30
    apart = [abs(complex(a[0] - b[0], a[1] - b[1])) for a in spots for b in spots if a is not b]
    assert min(apart) >= 44
    box = page.locator("[data-options]").bounding_box()
    for option in page.locator("[data-option]").all():
        one = option.bounding_box()
        assert box["x"] <= one["x"]
        assert one["x"] + one["width"] <= box["x"] + box["width"]
    page.locator("[data-deed=back]").tap()
    assert hands.view(page) == view


@pytest.mark.parametrize("seats", [*(pytest.param(seats, marks=pytest.mark.slow) for seats in (2, 3)), 5])
def test_board_and_buttons_stand_still_and_free_on_a_phone(
    alice: Any, engines: Any, show: Show, phone: Any, seats: int
) -> None:
    engines.clear()
    match = tables.open_match(alice, [tables.person(alice)] + [tables.engine()] * (seats - 1), deal_seed=5)
    page = show(match, on=phone)
    hands.my_turn(page)

    def edges(selector: str) -> tuple[float, float]:
        box = page.locator(selector).bounding_box()
        return box["y"], box["y"] + box["height"]

    assert edges("[data-turn]")[1] <= edges("[role=tablist]")[0]
    before = (edges("[data-stage]"), edges("[data-turn]"))
    x, y = page.locator("[data-step=cell]:visible > use:first-child").first.evaluate(
        "hit => [hit.getBoundingClientRect().x + 8, hit.getBoundingClientRect().bottom - 8]"
    )
    page.touchscreen.tap(x, y)
    expect(page.locator("[data-option]").first).to_be_visible()
    assert (edges("[data-stage]"), edges("[data-turn]")) == before


@courses.each(quick=(courses.KINGDOMINO,))  # Dominion: test_cards_browser.py
def test_no_control_is_covered_on_any_phone(match: LiveMatch, show: Show, phone: Any, ahead: Any) -> None:
    ahead(8)
    page = show(match, on=phone)
    hands.my_turn(page)
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)  # signs are where the new size has them
        assert page.evaluate(COVERED) == []
        if page.locator(hands.PLACES).count():
            page.touchscreen.tap(*(hands.spot(page) or (0, 0)))
        expect(page.locator("[data-deed=back]")).to_be_enabled()
        assert page.evaluate(COVERED) == []
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.locator("[data-deed=back]").tap()


@pytest.mark.parametrize("course", [courses.DOMINOES], ids=["dominoes"])
def test_a_table_of_tiles_is_in_sight_from_edge_to_edge(match: LiveMatch, show: Show, phone: Any) -> None:
    page = show(match, on=phone)
    hands.my_turn(page)
    frame = page.locator("[data-stage]").bounding_box()
    for element in ("seat-0", "seat-1", "seat-2", "seat-3", "points"):
        box = page.locator(f"[id='board-{element}']").bounding_box()
        assert frame["x"] <= box["x"] < box["x"] + box["width"] <= frame["x"] + frame["width"], element
        assert frame["y"] <= box["y"] < box["y"] + box["height"] <= frame["y"] + frame["height"], element
    tiles = page.locator("[id^='board-tile-0-']")
    assert tiles.count() == 7
    for box in (tile.bounding_box() for tile in tiles.all()):
        assert frame["x"] <= box["x"] < box["x"] + box["width"] <= frame["x"] + frame["width"]
        assert frame["y"] <= box["y"] < box["y"] + box["height"] <= frame["y"] + frame["height"]
