"""The reference of the API in a browser."""

from __future__ import annotations

from typing import Any

from tests.webapp.api.callers import Caller


def test_the_reference_works_under_our_policy(page: Any, site: str, bot: Caller) -> None:
    page.goto(f"{site}/api/v1/docs")
    page.get_by_text("Where it is my turn").wait_for()
    page.get_by_role("button", name="Authorize").first.click()
    page.get_by_label("auth-bearer-value").fill(bot.secret)
    page.get_by_role("button", name="Apply credentials").click()
    page.get_by_role("button", name="Close").first.click()
    page.get_by_text("My agent").click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    page.get_by_text('"alices-bot"').first.wait_for()
