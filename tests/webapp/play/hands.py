"""What a person does at the board in a browser, and what they see there."""

from __future__ import annotations

import re
import time
from typing import Any

from playwright.sync_api import expect

from tests.conftest import PAGE_TIMEOUT_MS
from webapp.table.live import ply_writer, position_cache
from webapp.table.live.models import LiveMatch

PLACES = '[data-step][data-when=""][style*=inline]'
"""What is pointed at on the board, before anything has been chosen; nothing where only buttons are asked for."""


def my_turn(page: Any) -> None:
    page.locator("[data-board][data-choosing]").wait_for()


def is_over(page: Any) -> bool:
    page.locator("[data-board][data-choosing], [data-over]").first.wait_for()
    return bool(page.locator("[data-over]").count())


def spot(page: Any, number: int = 0) -> tuple[float, float] | None:
    """A pixel of a place, away from meeples and from the sign for turning; None where it is out of sight.

    Where the view is on its way to another's move, one waits, as anybody would.
    """
    page.wait_for_function("() => !document.querySelector('[data-world]').getAnimations().length")
    return page.evaluate(
        """([places, number]) => {
            const inside = (box, [x, y]) => x > box.left && x < box.right && y > box.top && y < box.bottom;
            const stage = document.querySelector("[data-stage]").getBoundingClientRect();
            const world = document.querySelector("[data-world]");
            const isFree = (spot) => world.contains(document.elementFromPoint(...spot));
            const hits = (hit, spot) => document.elementsFromPoint(...spot).some((found) => hit.contains(found));
            const areas = [...document.querySelectorAll(places)].map((place) => {
                const shown = [...place.children].find((part) => part.getBoundingClientRect().width) ?? place;
                // of a board with two arrangements, the one that is shown
                return shown.matches(".dm-wide, .dm-narrow") ? shown.firstElementChild : shown;
            });
            const spots = areas.map((hit) => {
                const { x, y, width, height } = hit.getBoundingClientRect();
                const points = [[x + width * 0.1, y + height * 0.9], [x + width / 2, y + height / 2]];
                const [corner, middle] = points.map((place) => place.map(Math.round)); // a mouse has whole pixels
                return hits(hit, corner) ? corner : middle;
            });
            return spots.filter((spot) => inside(stage, spot) && isFree(spot))[number] ?? null;
        }""",
        [PLACES, number],
    )


def whole(page: Any) -> Any:
    """The button on the stage that shows the whole board."""
    return page.locator("[data-stage] [data-do=fit]")


def view(page: Any) -> str:
    """Where the world of the stage lies, and how large."""
    return str(page.locator("[data-world]").get_attribute("style"))


def more(page: Any, name: str | re.Pattern[str]) -> Any:
    """A button of the menu of wishes, which is opened for it."""
    if not page.locator("#sheet-more").is_visible():
        page.locator("[popovertarget=sheet-more]").click()
    return page.locator("#sheet-more").get_by_role("button", name=name)


def panel(page: Any, name: str) -> Any:
    """A panel of the side, opened by its tab; name: as on the tab."""
    tab = page.get_by_role("tab", name=name)
    if tab.get_attribute("aria-selected") != "true":
        tab.click()
    return page.locator(f"#{tab.get_attribute('aria-controls')}")


def point(page: Any, number: int = 0) -> None:
    """Click at a place."""
    where = spot(page, number)
    assert where is not None
    page.mouse.click(*where)


def asks_for_changes(page: Any) -> Any:
    """A context within which the page asks for the next version of its match."""
    return page.expect_request(lambda request: "/state/?version=" in request.url)


def next_ply(page: Any, before: int) -> None:
    page.wait_for_function("before => document.querySelectorAll('.move-list li').length > before", arg=before)


def ply(page: Any) -> int:
    return int(page.locator(".move-list li").count())


def says(page: Any) -> Any:
    return page.locator("[data-title]")


def played(match: LiveMatch) -> int:
    return int(match.plies.filter(seat=0).count())


def by_mouse(page: Any) -> None:
    """One move by mouse: a place where places are asked for, the first of what has buttons."""
    before = ply(page)
    if page.locator(PLACES).count():
        point(page)
    option = page.locator("[data-option]").first
    if option.count() and option.get_attribute("aria-pressed") != "true":  # what is chosen would be taken back
        option.click()
    page.locator("[data-deed=confirm]").click()
    next_ply(page, before)


def by_keyboard(page: Any) -> None:
    """One move by keys: what the arrows come to first, turned, and of what has buttons another one than stands."""
    before, options = ply(page), page.locator("[data-option]")
    if page.locator("[data-deed=confirm]").is_disabled():  # not so where one action alone is legal
        for key in ("ArrowDown", "Enter", "r"):
            page.keyboard.press(key)
    if options.count():
        pressed = options.evaluate_all("all => all.map((option) => option.ariaPressed === 'true')")
        page.keyboard.press(str(pressed.index(False) + 1))
    expect(page.locator("[data-deed=confirm]")).to_be_enabled()
    page.keyboard.press("Enter")
    next_ply(page, before)


def by_touch(page: Any) -> None:
    """One move by finger; a sign at the edge leads to a place where none is in sight."""
    before = ply(page)
    if page.locator(PLACES).count():
        if spot(page) is None:
            page.locator(".sign").first.tap()
        page.touchscreen.tap(*(spot(page) or (0, 0)))
    others = page.locator("[data-option][aria-pressed=false]")  # what is chosen would be taken back
    if others.count():
        others.last.tap()
    page.locator("[data-deed=confirm]").tap()
    next_ply(page, before)


def waits_for(match: LiveMatch) -> int | None:
    """The seat of a person on turn once engines have answered; None where the match is over."""
    deadline = time.monotonic() + PAGE_TIMEOUT_MS / 1000
    while True:
        match.refresh_from_db()
        if match.is_over:
            return None
        if not match.is_engine_due:
            return match.on_turn
        assert time.monotonic() < deadline, "no engine answers"
        time.sleep(0.02)


def first(match: LiveMatch) -> None:
    """The seat on turn plays its first legal action."""
    match.refresh_from_db()
    position = position_cache.position_at(match)
    ply_writer.play(match.pk, match.on_turn, match.ply, int(position.game.legal_actions(position.state)[0]))
