"""The analysis of one short match in a real browser: asked for, growing, leading to its plies."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.webapp.matches.positions.answering import answer
from tests.webapp.play.conftest import sign_in  # noqa: F401  a fixture
from webapp.records.models import Study
from webapp.table.live.models import LiveMatch

PATIENCE_MS = 30_000
"""For what a page asks for again every two seconds, on a machine that may be busy."""
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_an_analysis_from_its_button_to_the_ply_that_cost_most(
    page: Any,
    live_server: Any,
    sign_in: Any,  # noqa: F811
    alice: Any,
    played: LiveMatch,
) -> None:
    sign_in(page, alice)
    page.goto(f"{live_server.url}/play/{played.code}/replay/?ply=0")
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.get_by_role("button", name="Analyse the match").click()
    expect(page.locator("#review .chip.run")).to_contain_text("0 of", timeout=PATIENCE_MS)
    study = Study.objects.get()
    answer(study, pieces=2)
    expect(page.locator("#review .chip.run")).to_contain_text(f"2 of {study.num_pieces}", timeout=PATIENCE_MS)
    answer(study)
    expect(page.locator("#review .chip.ok")).to_have_text("Done", timeout=PATIENCE_MS)
    curve = page.locator("#review-curve [data-curve-plot]")
    expect(curve.locator(".curve-line").first).to_be_visible()
    expect(page.locator("#review-luck table")).to_be_attached()
    costs = page.evaluate("JSON.parse(document.getElementById('review-costs').textContent)")
    sure = [int(ply) for ply, cost in costs.items() if cost["is_sure"]]
    assert curve.locator(".curve-sign").count() == len(sure)
    more = page.get_by_text("Perhaps not the best")
    if more.count():
        more.click()
    row = page.locator("#review [data-go]").first
    ply = row.get_attribute("data-go")
    row.get_by_role("link").first.click()
    expect(page.locator("[data-now]").first).to_have_text(ply)
    expect(page.locator("[data-cost]")).to_contain_text(costs[ply]["loss"])
    expect(page.locator("[data-cost]")).to_contain_text(costs[ply]["between"])
    expect(page.locator(f"[data-cost-of='{ply}']")).to_contain_text("\N{MINUS SIGN}" if costs[ply]["is_sure"] else "?")
    before = page.locator("[data-board] > svg").inner_html()
    page.keyboard.press("b")
    expect(page.locator("[data-see]")).to_have_attribute("aria-pressed", "true")
    assert page.locator("[data-board] > svg").inner_html() != before, "the board after the better move"
    page.keyboard.press("b")
    expect(page.locator("[data-see]")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#review .chip.ok")).to_have_text("Done")
