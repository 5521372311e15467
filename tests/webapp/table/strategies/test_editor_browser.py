"""A strategy written, tried and kept with the keyboard alone, and the rules of a match that follow the kingdom."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.dominion.strategies import encoding
from webapp.table.strategies import trials
from webapp.table.strategies.models import Strategy

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE_MS = 30_000
SHAPED = re.compile(r"/strategies/new/")


def sign_in(page: Page, live_server: Any, client: Any, person: Any) -> None:
    client.force_login(person)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )


def press(page: Page, key: str) -> None:
    """Press a key that gives the form another shape, and wait for it."""
    with page.expect_response(SHAPED):
        page.keyboard.press(key)


def rule_cards(page: Page, which: str = "buy") -> list[str]:
    return page.locator(f"#{which} .rule-head select").evaluate_all("all => all.map(one => one.value)")


@pytest.mark.slow
def test_the_keyboard_alone_writes_tries_and_keeps_a_strategy(
    page: Page, live_server: Any, client: Any, alice: Any
) -> None:
    encoding.kernels(trials.GAME)  # in this process, whose threads answer: nobody waits for the compiler
    sign_in(page, live_server, client, alice)
    page.goto(f"{live_server.url}/strategies/new/?example=big_money")
    page.keyboard.press("Tab")  # the way past the menu
    page.keyboard.press("Enter")
    page.locator("#name").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("Keys alone")
    expect(page.locator("#buy .rule")).to_have_count(5)

    page.get_by_role("button", name="Add a buy rule").focus()
    press(page, "Enter")
    expect(page.locator("#buy-5-card")).to_be_focused()
    page.keyboard.type("Witch")
    expect(page.locator("#buy-5-card")).to_have_value("Witch")
    page.keyboard.press("Tab")
    press(page, "Enter")  # a condition
    expect(page.locator("#buy-5-0-what")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.type("Witch")
    page.keyboard.press("Tab")
    page.keyboard.type("less")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("two")
    expect(page.locator("#check")).to_contain_text("1 place to change")
    expect(page.locator("#check")).to_contain_text("Buy rule 6, condition 1")
    page.keyboard.press("Control+A")
    page.keyboard.type("2")
    expect(page.locator("#check")).to_contain_text("no rule plays it")

    for place in (4, 3):  # up past Silver and Gold
        press(page, "Alt+ArrowUp")
        expect(page.locator(f'[data-part="buy-{place}-up"]')).to_be_focused()
    assert rule_cards(page) == ["Province", "Duchy", "Estate", "Witch", "Gold", "Silver"]
    press(page, "Alt+ArrowDown")
    expect(page.locator('[data-part="buy-4-down"]')).to_be_focused()
    press(page, "Alt+ArrowUp")
    expect(page.locator('[data-part="buy-3-up"]')).to_be_focused()
    assert rule_cards(page)[3] == "Witch"

    page.get_by_role("button", name="Add a play rule").focus()
    press(page, "Enter")
    expect(page.locator("#play-0-card")).to_have_value("any Action")
    expect(page.locator("#check")).to_contain_text("can be played")

    page.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#trial")).to_contain_text("won against Double Witch", timeout=PATIENCE_MS)
    expect(page.locator("#trial .chart .main-svg").first).to_be_visible(timeout=PATIENCE_MS)
    page.locator("#buy-4-card").focus()  # a change is tried at once
    page.keyboard.type("Copper")
    expect(page.locator("#trial .uses")).to_contain_text("Copper", timeout=PATIENCE_MS)

    page.get_by_role("button", name="Save", exact=True).first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/strategies/\d+/$"))
    data = Strategy.objects.get().data
    assert data["name"] == "Keys alone"
    assert data["buy"][3] == {
        "card": "Witch",
        "when": [{"what": "owned", "card": "Witch", "is": "<", "number": 2}],
    }
    assert page.problems == []  # type: ignore[attr-defined]


def test_a_phone_shows_every_rule_within_its_width(page: Page, live_server: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}/strategies/new/?example=chapel_witch")
    expect(page.get_by_role("link", name="Try it out")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_rules_that_do_nothing_in_a_kingdom_are_not_shown(page: Page, live_server: Any) -> None:
    page.goto(f"{live_server.url}/play/new/?game=dominion")
    page.locator("#rules > summary").click()
    expect(page.get_by_label("Coins of a Woodcutter")).to_be_visible()
    expect(page.get_by_label("Cards of the kingdom")).to_have_count(0)
    page.get_by_label("Kingdom", exact=True).select_option("cards")
    field = page.get_by_label("Cards of the kingdom")
    expect(field).to_be_visible()
    page.get_by_role("button", name="Witch, costs 5").click()
    page.get_by_role("button", name="Moat, costs 2").click()
    page.get_by_role("button", name="Ban", exact=True).click()
    page.get_by_role("button", name="Thief, costs 4").click()
    page.get_by_role("button", name="Moat, costs 2").click()
    expect(field).to_have_value("Witch")
    page.get_by_role("button", name="Fill up to ten at random").click()
    names = field.input_value().split(", ")
    assert len(set(names)) == 10
    assert names[0] == "Witch"
    assert not {"Moat", "Thief"} & set(names)
    expect(page.locator("[data-kingdom-count]")).to_have_text("10 chosen, 2 banned")
    page.get_by_label("Kingdom", exact=True).select_option("random")
    expect(page.get_by_label("Number of the random kingdom")).to_be_visible()
    expect(page.get_by_label("Cards of the kingdom")).to_have_count(0)
    page.get_by_label("Kingdom", exact=True).select_option("interaction")
    expect(page.get_by_label("Coins of a Woodcutter")).to_have_count(0)


def test_an_experiment_begins_with_a_name_and_asks_for_the_cards_it_needs(
    page: Page, live_server: Any, client: Any, alice: Any
) -> None:
    """The form asks for an estimate with every change, which must not keep it from taking its shape."""
    sign_in(page, live_server, client, alice)
    page.goto(f"{live_server.url}/experiments/new/?game=dominion")
    page.get_by_label("Begin with").first.select_option("ucb_orig")
    expect(page.locator("[name=arm-0-seat-0-budget-amount]")).to_have_value("10000")
    expect(page.locator("[name=arm-0-seat-0-named]")).to_have_value("ucb_orig")
    page.get_by_label("Kingdom", exact=True).select_option("cards")
    expect(page.get_by_role("button", name="Witch, costs 5")).to_be_visible()
    expect(page.locator("[name=arm-0-seat-0-budget-amount]")).to_have_value("10000")
