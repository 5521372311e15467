"""The replay and the dashboard in a real browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from webapp.lab.results.charts import registry
from webapp.lab.results.dashboard import MOST
from webapp.records.models import Experiment, Match
from webapp.sharing import services

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LINEUPS = [[FLAT, RANDOM], [seat("scripted"), RANDOM]]


@pytest.fixture
def made(alice: Any) -> Experiment:
    return factory.played(alice, LINEUPS, deals=5)


@pytest.fixture
def address(made: Experiment, live_server: Any) -> str:
    return f"{live_server.url}/r/{services.share(made).slug}/"


@pytest.fixture
def match(made: Experiment) -> Match:
    return made.matches.order_by("pk").first()


def _now(page: Any) -> int:
    return int(page.locator("[data-now]").inner_text())


def _tiles(page: Any) -> int:
    script = "[...document.querySelectorAll('[data-board] [data-ply][transform]')]"
    return page.evaluate(f"{script}.filter((tile) => getComputedStyle(tile).display !== 'none').length")


def test_stepping_by_keys_buttons_slider_and_moves(page: Any, address: str, match: Match) -> None:
    page.goto(f"{address}matches/{match.pk}/?ply=10")
    history = page.evaluate("history.length")
    assert (_now(page), _tiles(page)) == (10, 11)
    page.keyboard.press("ArrowRight")
    assert (_now(page), _tiles(page)) == (11, 12)
    page.keyboard.press("ArrowLeft")
    page.locator("[data-step=back]").click()
    assert _now(page) == 9
    page.keyboard.press("Home")
    assert (_now(page), _tiles(page)) == (0, 1)
    page.keyboard.press("End")
    assert (_now(page), _tiles(page)) == (71, 72)
    page.locator("#ply").fill("33")
    assert _now(page) == 33
    page.locator("[data-move='5'] a").click()
    assert _now(page) == 5
    assert page.url.endswith("?ply=5")
    assert page.evaluate("history.length") == history, "the back button leads out of the match"
    assert page.locator("[data-move][aria-current]").get_attribute("data-move") == "5"


def test_the_script_shows_what_the_server_shows(page: Any, address: str, match: Match) -> None:
    seen = {}
    for how in ("stepped", "served"):
        page.goto(f"{address}matches/{match.pk}/?ply={44 if how == 'stepped' else 45}")
        if how == "stepped":
            page.keyboard.press("ArrowRight")
        words = page.locator("[data-replay] aside").first.inner_text(), page.locator("[data-weighed]").inner_text()
        shown = page.evaluate(
            "[...document.querySelectorAll('[data-board] [data-ply], [data-board] [data-from]')]"
            ".map((part) => getComputedStyle(part).display !== 'none')"
        )
        ring = page.locator("[data-board] [id$=last]").get_attribute("transform")
        seen[how] = (re.sub(r"\s+", " ", "".join(words)), page.locator("[data-said]").inner_text(), shown, ring)
    assert seen["stepped"] == seen["served"]


def test_playing_runs_to_the_end_and_stops(page: Any, address: str, match: Match) -> None:
    page.goto(f"{address}matches/{match.pk}/?ply=66")
    page.locator("#speed").select_option("20")
    page.keyboard.press("Space")
    expect(page.locator("[data-now]")).to_have_text("71")
    expect(page.locator("[data-step=play]")).to_have_attribute("aria-label", "Play")


@pytest.mark.slow
def test_zoom_and_centre_change_the_view_alone(page: Any, address: str, match: Match) -> None:
    page.goto(f"{address}matches/{match.pk}/")
    box = page.locator("[data-board] > svg")
    whole = box.get_attribute("viewBox")
    page.locator("[data-zoom=in]").click()
    assert box.get_attribute("viewBox") != whole
    page.locator("[data-zoom=centre]").click()
    assert [float(n) for n in box.get_attribute("viewBox").split()] == [float(n) for n in whole.split()]


def test_the_value_chart_is_a_way_through_the_match(page: Any, address: str, match: Match) -> None:
    page.goto(f"{address}matches/{match.pk}/?ply=0")
    chart = page.locator("[data-value-chart]")
    chart.scroll_into_view_if_needed()
    spot = chart.locator(".scatterlayer .point").nth(10)
    spot.wait_for(state="attached")
    box = spot.bounding_box()
    page.mouse.move(box["x"] + 1, box["y"] + 1)
    page.mouse.move(box["x"] + 3, box["y"] + 3)
    page.mouse.click(box["x"] + 3, box["y"] + 3)
    expect(page.locator("[data-now]")).not_to_have_text("0")


def test_every_chart_is_drawn_and_has_its_table(page: Any, made: Experiment, address: str) -> None:
    page.goto(address)
    cards = page.locator(".chart-group [data-chart-source]")
    assert cards.count() == MOST
    known = {f"chart-{chart.id}" for chart in registry.fitting_charts(made)}
    assert {card.get_attribute("id") for card in cards.all()} < known
    for index in range(MOST):
        card = cards.nth(index)
        card.scroll_into_view_if_needed()
        card.locator(".main-svg").first.wait_for()
        assert card.locator("[data-part=figure]").get_attribute("aria-label")
        card.locator("[data-show=table]").click()
        assert card.locator("[data-view=table] tbody tr").count() > 0
        card.locator("[data-show=chart]").click()


def _drawn_arms(page: Any, chart_id: str) -> set[int]:
    """The arms of which a chart draws anything."""
    script = "(id) => document.querySelector(`#${id} .js-plotly-plot`)._fullData"
    script += ".filter((trace) => trace.visible === true).map((trace) => trace.meta?.key)"
    return set(page.evaluate(script, chart_id))


def test_a_button_hides_its_arm_in_every_chart_and_the_address_keeps_it(page: Any, address: str) -> None:
    page.goto(address)
    for name in ("chart-points", "chart-difference"):
        page.locator(f"#{name}").scroll_into_view_if_needed()
        page.locator(f"#{name} .main-svg").first.wait_for()
    assert _drawn_arms(page, "chart-points") == {0, 1}
    button = page.locator("[data-key='0']")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert page.url.endswith("?hide=0")
    page.wait_for_function(
        "() => document.querySelector('#chart-points .js-plotly-plot')._fullData[0].visible === false"
    )
    assert _drawn_arms(page, "chart-points") == {1}
    page.reload()
    card = page.locator("#chart-points")
    card.scroll_into_view_if_needed()
    card.locator(".main-svg").first.wait_for()
    assert _drawn_arms(page, "chart-points") == {1}
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    assert "hide" not in page.url


def test_printing_draws_charts_that_were_never_in_sight(page: Any, address: str) -> None:
    page.goto(address)
    page.locator(".chart-group .main-svg").first.wait_for()
    assert page.locator(".chart-group .chart-card:has(.main-svg)").count() < MOST
    page.pdf()
    assert page.locator(".chart-group .chart-card:has(.main-svg)").count() == MOST


def test_charts_follow_a_running_experiment(page: Any, alice: Any, live_server: Any) -> None:
    running = factory.experiment(alice, deals=3)
    factory.write(running, [factory.record(running, 0, 0), factory.record(running, 0, 1)])
    page.goto(f"{live_server.url}/r/{services.share(running).slug}/")
    subtitle = page.locator("#chart-win-rate [data-part=subtitle]")
    expect(subtitle).to_contain_text(" 2 matches in all")
    factory.write(running, [factory.record(running, 0, 2), factory.record(running, 0, 3)])
    expect(subtitle).to_contain_text(" 4 matches in all", timeout=20_000)


def test_nothing_scrolls_sideways_on_a_phone(page: Any, address: str, match: Match) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for url in (address, f"{address}matches/{match.pk}/", f"{address}charts/points/"):
        page.goto(url)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), url


def test_without_scripts_a_ply_is_a_link_and_so_is_a_chart(browser: Any, address: str, match: Match) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    cards = page.locator("[data-chart-source]")
    assert cards.count()
    assert cards.locator("[data-figure]:visible, button:visible").count() == 0, "nothing blank, no dead buttons"
    assert cards.locator("noscript a").count() == cards.count()
    assert cards.locator("noscript a:visible").count() == page.locator("[data-chart-source]:visible").count()
    page.goto(f"{address}matches/{match.pk}/?ply=20")
    page.locator("[data-step=next]").click()
    assert _now(page) == 21
    assert page.locator("[data-move='21']").get_attribute("aria-current") == "true"
    context.close()
