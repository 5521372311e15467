"""A deal once more, in real browsers: played on from a ply of a replay, and the same deal by two people."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import registry
from tests.webapp.play import hands
from tests.webapp.table.live import tables
from webapp.table.live.models import LiveMatch

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WITHIN_MS = 30_000
BY_HAND = 2
"""Plies at the end of a match that are played in the browser."""


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "toy", "games.toy.game:Cards")


@pytest.fixture
def played(alice: Any, engines: Any) -> LiveMatch:
    """A whole match of alice against an engine."""
    engines.clear()
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.engine()], game="toy", deal_seed=3))
    engines.set()
    return match


def play_out(page: Page) -> None:
    """Play whatever is offered first, to the end of the match."""
    over = page.locator("[data-over]")
    confirm = page.get_by_role("button", name="Confirm", exact=True)
    while not hands.is_over(page):
        moves = page.locator(".move-list li").count()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(confirm).to_be_enabled()
        page.keyboard.press("Enter")
        expect(over.or_(page.locator(f".move-list li:nth-child({moves + 1})")).first).to_be_visible(timeout=WITHIN_MS)


def test_a_replay_is_played_on_from_the_ply_shown(
    page: Any, live_server: Any, sign_in: Any, alice: Any, played: LiveMatch
) -> None:
    sign_in(page, alice)
    page.goto(f"{live_server.url}/play/{played.code}/replay/?ply=1")
    page.keyboard.press("ArrowRight")
    page.get_by_role("link", name="Play on from here").click()
    expect(page.get_by_text("after move 2 of")).to_be_visible()
    page.get_by_label("Drawn anew from here on").check()
    page.get_by_role("button", name="Play on").click()
    expect(page.locator("[data-play]")).to_be_visible()
    match = LiveMatch.objects.get(origin=played.match_id)
    assert (match.begun_at_ply, match.renewal["ply"], match.seats.get(seat=0).person) == (2, 2, alice)
    expect(page.locator(".move-list li").nth(1)).to_be_visible()


@pytest.mark.slow
def test_two_browsers_play_the_same_deal(
    page: Any, friend: Any, live_server: Any, sign_in: Any, alice: Any, bob: Any, played: LiveMatch, engines: Any
) -> None:
    sign_in(page, alice)
    page.goto(f"{live_server.url}/play/{played.code}/")
    hands.panel(page, "Result").get_by_role("button", name="The same deal for a friend").click()
    link = page.locator("#deal-link").inner_text()
    sign_in(friend, bob)
    friend.goto(f"{live_server.url}/play/deal/{link.rstrip('/').rpartition('/')[2]}/")
    expect(friend.get_by_role("heading", name="alice challenges you to the same deal")).to_be_visible()
    friend.get_by_role("button", name="Play this deal").dblclick()
    expect(friend.locator("[data-play]")).to_be_visible()
    match = LiveMatch.objects.get(challenge__origin=played)  # the only one, after two clicks
    engines.clear()
    match = tables.play_on(match, played.ply - match.ply - BY_HAND)
    engines.set()
    expect(friend.locator(f".move-list li:nth-child({match.ply})")).to_be_visible()
    play_out(friend)
    hands.panel(friend, "Result").get_by_role("link", name="Side by side with the same deal").click()
    for reader in (friend, page):
        reader.reload()
        expect(reader.get_by_role("region", name="Results").locator("tbody tr")).to_have_count(2)
        expect(reader.locator(".chart svg").first).to_be_visible(timeout=WITHIN_MS)
