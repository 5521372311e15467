from __future__ import annotations
import os
import pytest
from typing import Any
from playwright.sync_api import sync_playwright
from tests.conftest import QUIET_FLAGS, chromium
from tests.webapp.play import courses, hands
from tests.webapp.table.live import tables
from webapp.table.live import match_setup
from webapp.table.live.plans import Terms

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OUT = "/tmp/eyes/shots"
MODES = os.environ.get("MODES", "light,dark,forced,phone,phonedark,phoneforced,rules,phonerules,small").split(",")
GAMES = os.environ.get("GAMES", "carcassonne,kingdomino,dominion,dominoes").split(",")
PLIES = int(os.environ.get("PLIES", "8"))


@pytest.mark.parametrize("course", [c for c in courses.ALL if c.game in GAMES], ids=lambda c: c.game)
def test_look(match, show, browser, ahead, course, live_server, alice, sign_in, engines):
    os.makedirs(OUT, exist_ok=True)
    ahead(PLIES)
    if any(m.startswith("font") for m in MODES):
        browser = browser.browser_type.launch(
            executable_path=chromium(),
            args=[*QUIET_FLAGS, "--blink-settings=defaultFontSize=24,defaultFixedFontSize=20"],
        )
    from webapp.play import slips

    def shoot(page, name):
        page.wait_for_timeout(700)
        page.screenshot(path=f"{OUT}/{course.game}-{name}.png")

    for mode in MODES:
        phone = "phone" in mode or mode.endswith("390")
        size = (
            {"width": 390, "height": 844}
            if phone
            else {"width": 853, "height": 533}
            if mode == "small"
            else {"width": 1280, "height": 800}
        )
        ctx = browser.new_context(
            viewport=size,
            has_touch=phone,
            is_mobile=phone,
            device_scale_factor=1,
            color_scheme="dark" if "dark" in mode else "light",
            reduced_motion="reduce",
            forced_colors="active" if "forced" in mode else "none",
        )
        page = ctx.new_page()
        if "game" in mode:
            sign_in(page, alice)
            page.goto(f"{live_server.url}/games/{course.game}/")
            page.wait_for_timeout(500)
            page.screenshot(path=f"{OUT}/{course.game}-{mode}.png", full_page=True)
            ctx.close()
            continue
        show(match, on=page)
        if "end" in mode:
            page.locator("[data-over]").wait_for()
            page.wait_for_timeout(500)
            shoot(page, mode)
            ctx.close()
            continue
        hands.my_turn(page)
        if "choose" in mode:
            if page.locator(hands.PLACES).count():
                if hands.spot(page) is None:
                    hands.whole(page).click()
                page.mouse.click(*hands.spot(page))
        if "rules" in mode:
            hands.panel(page, "Rules")
            page.wait_for_timeout(800)
        if "aids" in mode:
            hands.panel(page, "Aids")
        if "left" in mode:
            hands.panel(page, "Left")
        if "more" in mode:
            page.locator("[popovertarget=sheet-more]").click()
        if "focus" in mode:
            page.locator("[data-board]").focus()
            page.keyboard.press("Tab")
            page.keyboard.press("Tab")
            page.keyboard.press("ArrowDown")
        shoot(page, mode)
        ctx.close()
