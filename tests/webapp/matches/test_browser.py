"""The dashboard in a real browser, and pages of matches on a phone and without scripts."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from webapp.lab.jobs import share_links as services
from webapp.lab.results.charts import registry
from webapp.lab.results.dashboard import MOST
from webapp.records.models import Experiment, Match

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


def _drawn_arms(page: Any, chart_id: str) -> set[int]:
    """The arms of which a chart draws anything."""
    script = "(id) => document.querySelector(`#${id} .js-plotly-plot`)._fullData"
    script += ".filter((trace) => trace.visible === true).map((trace) => trace.meta?.key)"
    return set(page.evaluate(script, chart_id))


def test_charts_are_printed_unseen_have_tables_and_hide_an_arm_which_the_address_keeps(
    page: Any, made: Experiment, address: str
) -> None:
    page.goto(address)
    cards = page.locator(".chart-group [data-chart-source]")
    assert cards.count() == MOST
    known = {f"chart-{chart.id}" for chart in registry.fitting_charts(made)}
    assert {card.get_attribute("id") for card in cards.all()} < known
    page.locator(".chart-group .main-svg").first.wait_for()
    assert page.locator(".chart-group .chart-card:has(.main-svg)").count() < MOST
    page.pdf()
    assert page.locator(".chart-group .chart-card:has(.main-svg)").count() == MOST
    for card in cards.all():
        assert card.locator("[data-part=figure]").get_attribute("aria-label")
        card.locator("[data-show=table]").click()
        assert card.locator("[data-view=table] tbody tr").count() > 0
    page.locator("#chart-points [data-show=chart]").click()
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
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.reload()
    card = page.locator("#chart-points")
    card.scroll_into_view_if_needed()
    card.locator(".main-svg").first.wait_for()
    assert _drawn_arms(page, "chart-points") == {1}
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    assert "hide" not in page.url


@pytest.mark.slow  # the live page of an experiment follows in the same way (lab/experiments/test_browser.py)
def test_charts_follow_a_running_experiment(page: Any, alice: Any, live_server: Any) -> None:
    running = factory.experiment(alice, deals=3)
    factory.write(running, [factory.record(running, 0, 0), factory.record(running, 0, 1)])
    page.goto(f"{live_server.url}/r/{services.share(running).slug}/")
    subtitle = page.locator("#chart-win-rate [data-part=subtitle]")
    expect(subtitle).to_contain_text(" 2 matches in all")
    factory.write(running, [factory.record(running, 0, 2), factory.record(running, 0, 3)])
    expect(subtitle).to_contain_text(" 4 matches in all", timeout=20_000)


@pytest.mark.slow  # results and a match are looked at above and in test_replay_browser.py
def test_the_page_of_a_chart_does_not_scroll_sideways_on_a_phone(page: Any, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}charts/points/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


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
    assert page.locator("[data-now]").inner_text() == "21"
    assert page.locator("[data-move='21']").get_attribute("aria-current") == "true"
    board, part = page.locator("[data-stage]").bounding_box(), page.locator("[data-board] > svg").bounding_box()
    assert part["width"] <= board["width"], "the whole board is seen"
    assert page.locator("[data-pane]:visible").count() > 2, "all panes stand below each other"
    assert page.locator("[role=tab]:visible").count() == 0
    context.close()
