"""The end of a round of dominoes in a real browser, and moves of others shown one after another."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.webapp.play.conftest import PHONE
from tests.webapp.table.live import tables
from webapp.table.live import between_rounds, player_requests
from webapp.table.live.models import LiveMatch

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
Show = Callable[..., Any]

_WATCH = """
() => {
    window.rows = [];
    const note = () => {
        const laid = document.querySelectorAll('[data-board] [id^="board-laid-"]').length;
        if (window.rows.at(-1) !== laid) window.rows.push(laid);
    };
    note();
    new MutationObserver(note).observe(document.querySelector("[data-board]"), { childList: true });
}
"""


@pytest.fixture
def round_one(alice: Any, bob: Any) -> LiveMatch:
    """A round of dominoes between people, some plies before its end."""
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)] * 2, game="dominoes", deal_seed=5)
    return tables.play_on(match, 12)


def _to_the_end(match: LiveMatch) -> None:
    """Play until the match waits for its people between two rounds."""
    for _ in range(40):
        match = tables.play_on(match, 1)
        if match.resumes_at is not None:
            return
    raise AssertionError("no round ends")


def test_a_round_is_counted_and_waits_for_its_reader(round_one: LiveMatch, show: Show) -> None:
    page = show(round_one)
    sheet, hands = page.locator("[data-ending]"), page.locator("[data-board] [id^='board-tile-1-']")
    expect(sheet).to_be_hidden()
    _to_the_end(round_one)
    expect(sheet).to_be_visible()
    expect(page.locator("[data-counting]")).to_be_visible()
    page.keyboard.press(" ")  # all at once
    expect(page.locator("[data-counting]")).to_have_count(0)
    expect(sheet.locator("[data-count]")).to_have_count(4)
    expect(sheet).to_contain_text("round 2")
    shown = hands.count()
    page.reload()
    expect(sheet).to_be_visible()
    expect(page.locator("[data-counting]")).to_have_count(0)
    expect(hands).to_have_count(shown)  # open, as they lay
    player_requests.grant("ready", round_one.pk, (1,))
    page.keyboard.press(" ")
    expect(sheet).to_be_hidden()
    expect(page.locator("[data-board] [id^='board-laid-']")).not_to_have_count(20)
    page.reload()
    expect(page.locator("[data-board] svg").first).to_be_visible()
    expect(sheet).to_be_hidden()


def test_people_go_on_together(round_one: LiveMatch, show: Show, bob: Any, friend: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(between_rounds, "PAUSE", timedelta(seconds=200))
    page, other = show(round_one), show(round_one, bob, friend)
    page.locator("[data-stage][data-live]").wait_for()
    _to_the_end(round_one)
    for one, who in ((page, "bob"), (other, "alice")):  # once all is counted
        expect(one.locator("[data-ending-waits]")).to_have_text(f"Waiting for you and {who}.")
    page.keyboard.press(" ")
    expect(page.locator("[data-ending-waits]")).to_have_text("Waiting for bob.")
    expect(page.locator("[data-ending-go]")).to_have_attribute("aria-disabled", "true")
    page.reload()
    expect(page.locator("[data-ending-waits]")).to_have_text("Waiting for bob.")
    expect(other.locator("[data-ending-waits]")).to_have_text("The others wait for you.")
    other.get_by_role("button", name="Continue").click()
    for one in (page, other):
        expect(one.locator("[data-ending]")).to_be_hidden()
        expect(one.locator("[data-turn]")).to_be_visible()


def test_a_closed_tab_holds_up_nobody(round_one: LiveMatch, show: Show, monkeypatch: Any) -> None:
    monkeypatch.setattr(between_rounds, "PAUSE", timedelta(seconds=4))
    page = show(round_one)
    page.locator("[data-stage][data-live]").wait_for()
    _to_the_end(round_one)
    page.keyboard.press(" ")
    expect(page.locator("[data-ending]")).to_be_visible()
    expect(page.locator("[data-ending]")).to_be_hidden(timeout=12_000)
    round_one.refresh_from_db()
    assert round_one.resumes_at is None


def test_moves_that_come_together_are_shown_one_after_another(round_one: LiveMatch, show: Show, bob: Any) -> None:
    page = show(round_one, bob)
    page.locator("[data-stage][data-live]").wait_for()
    page.evaluate(_WATCH)
    with page.expect_request("**/frames/?after=12&until=**"):
        tables.play_on(round_one, 3)
    expect(page.locator(".move-list li")).to_have_count(15)
    steps = page.evaluate("window.rows")
    assert all(0 < later - earlier <= 1 for earlier, later in pairwise(steps))
    expect(page.locator(".walking")).to_have_count(0)


def test_victory_is_seen_once_and_stands_quietly_for_who_has_lost(
    alice: Any, bob: Any, show: Show, friend: Any
) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], game="kingdomino", deal_seed=5)
    tables.play_on(match, 27)  # of 28
    pages = {0: show(match), 1: show(match, bob, friend)}
    for page in pages.values():
        page.emulate_media(reduced_motion="no-preference")
        page.locator("[data-stage][data-live]").wait_for()
    match = tables.play_on(match, 1)
    for page in pages.values():
        page.locator("[data-counting]").wait_for()
        page.keyboard.press(" ")  # all at once
        expect(page.locator("[data-counting]")).to_have_count(0)
    scores = match.plies.order_by("-ply").values_list("scores", flat=True)[0]
    assert scores[0] != scores[1]
    won, lost = (pages[seat] for seat in sorted(pages, key=lambda seat: -scores[seat]))
    expect(won.locator("[data-turn] > [data-victory]")).to_have_attribute("data-arrives", "")
    expect(won.locator(".victory-glory")).to_be_visible()
    expect(lost.locator("[data-turn] > [data-victory]")).to_have_attribute("data-quiet", "")
    expect(lost.locator("[data-arrives]")).to_have_count(0)
    expect(lost.locator(".victory-glory")).to_be_hidden()
    won.reload()
    expect(won.locator("[data-turn] > [data-victory]")).to_be_visible()
    expect(won.locator("[data-arrives]")).to_have_count(0)
    won.set_viewport_size(PHONE)
    expect(won.locator("[data-ending-result] > [data-victory]")).to_be_visible()
