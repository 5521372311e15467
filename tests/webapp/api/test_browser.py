"""The reference of the API, and an agent's pages, in a browser."""

from __future__ import annotations

from typing import Any

import pytest

from tests.webapp.api.callers import Caller
from webapp.people.agents.models import AgentToken


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_reload_makes_no_second_agent_and_no_second_token(page: Any, site: str, client: Any, alice: Any) -> None:
    client.force_login(alice)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])
    page.goto(f"{site}/agents/new/")
    page.get_by_label("Name").fill("fresh-bot")
    page.get_by_role("button", name="Make the agent").click()
    page.get_by_text("shown only once").wait_for()
    page.reload()
    page.get_by_role("heading", name="fresh-bot").wait_for()
    assert page.url == f"{site}/agents/fresh-bot/"
    page.get_by_role("button", name="New token").click()
    page.get_by_text("shown only once").wait_for()
    page.reload()
    page.get_by_role("heading", name="Tokens").wait_for()
    assert page.get_by_text("shown only once").count() == 0
    assert AgentToken.objects.filter(agent__name="fresh-bot").count() == 2
