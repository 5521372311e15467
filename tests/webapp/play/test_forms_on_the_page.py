"""Forms in what the page is sent while a match goes on can be submitted without its script."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.webapp.table.live import tables
from webapp.table.live import player_requests
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import ANYBODY, SeatPlan

pytestmark = pytest.mark.django_db


@pytest.fixture
def strict(alice: Any) -> Client:
    """A browser without the test client's exemption from the token of forms."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    return client


def token_of(html: str, address: str) -> str:
    """The token in the form that goes to an address."""
    found = re.search(
        rf'action="{address}"[^>]*>\s*<input type="hidden" name="csrfmiddlewaretoken" value="(\w+)"', html
    )
    assert found is not None, html
    return found[1]


def panels(client: Client, match: LiveMatch) -> dict[str, str]:
    answer = client.get(f"/play/{match.code}/state/")
    assert answer.status_code == 200
    return dict(answer.json()["panel"])


def test_a_rematch_asked_for_on_the_page_is_opened(strict: Client, alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.engine()])
    player_requests.grant("resign", match.pk, (0,), is_creator=True)
    address = f"/play/{match.code}/wish/rematch/"
    token = token_of(panels(strict, match)["outcome"], address)
    assert strict.post(address).status_code == 403
    assert strict.post(address, {"csrfmiddlewaretoken": token}).status_code == 302
    assert match.rematches.count() == 1


def test_a_match_that_waits_is_called_off_on_its_page(strict: Client, alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), SeatPlan(name=ANYBODY)])
    address = f"/play/{match.code}/wish/cancel/"
    token = token_of(strict.get(f"/play/{match.code}/").content.decode(), address)
    assert strict.post(address, {"csrfmiddlewaretoken": token}).status_code == 302
    match.refresh_from_db()
    assert match.status == LiveMatch.Status.CANCELLED


def test_the_state_brings_the_token_of_the_present_user(alice, bob) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)])
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    old = strict.get(f"/play/{match.code}/state/").json()["token"]
    strict.cookies["csrftoken"] = "n" * 32  # as after signing in in another tab
    address, accepts = f"/play/{match.code}/wish/offer-end/", {"Accept": "application/json"}
    assert strict.post(address, headers=accepts | {"X-CSRFToken": old}).status_code == 403
    new = strict.get(f"/play/{match.code}/state/").json()["token"]
    assert strict.post(address, headers=accepts | {"X-CSRFToken": new}).status_code == 200
