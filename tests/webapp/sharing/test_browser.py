"""Shared pages in a real browser: what their owner and signed-in visitors press there arrives."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.webapp.lab.results import factory
from webapp.lab.jobs import share_links as services
from webapp.records.models import ShareLink, Study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_in(page: Any, person: Any, live_server: Any) -> None:
    client = Client()
    client.force_login(person)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    page.context.add_cookies([cookie])


@pytest.mark.slow
def test_the_owner_withdraws_the_link_on_its_page(page: Any, live_server: Any, alice: Any) -> None:
    link = services.share(factory.played(alice, deals=1))
    sign_in(page, alice, live_server)
    page.goto(f"{live_server.url}/r/{link.slug}/")
    page.get_by_text("Withdraw link").first.click()
    page.get_by_role("button", name="Withdraw link").click()
    page.wait_for_url("**/experiments/**")
    assert ShareLink.objects.get().withdrawn_at is not None


@pytest.mark.slow
def test_a_visitor_analyses_a_position_of_a_shared_match(
    page: Any, live_server: Any, alice: Any, bob: Any, valkey_service: Any
) -> None:
    match = factory.played(alice, deals=1).matches.select_related("experiment").order_by("pk").first()
    link = services.share(match.experiment, match)
    sign_in(page, bob, live_server)
    page.goto(f"{live_server.url}/r/{link.slug}/position/?ply=12")
    page.get_by_role("button", name="Analyse this position").click()
    page.get_by_text("0 of 1 done").wait_for()
    assert Study.objects.get().owner == bob
