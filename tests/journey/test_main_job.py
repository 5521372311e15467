"""The main job, walked through the whole running lab by somebody new to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.journey import steps

pytestmark = pytest.mark.browser

QUESTION = "Is it better to look ahead or to take points?"
DEALS, ARMS, SEATINGS = 6, 2, 2
MATCHES = DEALS * ARMS * SEATINGS


def test_from_sign_up_to_a_result_that_anybody_can_check(owner: Any, guest: Any, site: str, tmp_path: Path) -> None:
    steps.sign_up(owner, site, "ada")
    steps.open_form(owner)
    steps.fill_two_arms(owner, QUESTION, DEALS)
    steps.start(owner, QUESTION, MATCHES)
    steps.watch_it_finish(owner, MATCHES)
    steps.look_at_charts(owner, most=2)  # all of them: test_many_matches.py
    points = owner.locator("#chart-points")
    points.scroll_into_view_if_needed()  # where it stands hangs on what differs most: the seed is new each time
    expect(points.locator("[data-part=subtitle]")).to_contain_text(f"{MATCHES // ARMS} matches")

    experiment = owner.url
    steps.open_a_match(owner, "Looks ahead")
    steps.step_through(owner)
    owner.locator(".crumbs").get_by_role("link", name=QUESTION).click()
    owner.get_by_role("link", name="Share", exact=True).click()
    owner.get_by_role("button", name="Share it").click()
    owner.get_by_role("heading", name=QUESTION).wait_for()

    _check_as_guest(guest, owner.url, tmp_path)
    assert guest.request.get(experiment).status == 404, "the experiment's own page stays private"


def _check_as_guest(guest: Any, address: str, folder: Path) -> None:
    """The shared page needs no account, and its files add up to its numbers."""
    guest.goto(address)
    guest.get_by_role("heading", name=QUESTION).wait_for()
    expect(guest.get_by_role("link", name="Sign in")).to_be_visible()
    expect(guest.get_by_role("button", name="Withdraw link")).to_have_count(0)
    guest.locator("[data-chart-source] .main-svg .trace path").first.wait_for(state="attached")
    rows = steps.download(guest, "Matches as CSV", folder)
    assert len(rows) == 2 * MATCHES
    steps.check_totals(guest, rows)
    plies = steps.download(guest, "Plies as CSV", folder)
    assert len(plies) == sum(int(row["plies"]) for row in rows if row["seat"] == "0")
    steps.open_a_match(guest, "Looks ahead")
