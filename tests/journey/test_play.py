"""People at one table, through the whole running lab: two browsers and one that watches."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.conftest import PAGE_TIMEOUT_MS
from tests.crash.lab import Lab
from tests.journey import secrecy, steps, table
from tests.journey.conftest import watch
from tests.journey.secrecy import Recording

pytestmark = pytest.mark.browser

SEEN_WITHIN_S = 1.0
"""A move is on the other's page by then, at best: other programs may hold the machine for a moment."""
PLIES = 2
WHOLE_MATCH = 71


@pytest.fixture
def spectator(browser: Any, page: Any) -> Iterator[Any]:
    """A page of somebody who only watches."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PAGE_TIMEOUT_MS)
    looking = context.new_page()
    watch(looking, page.problems)
    yield looking
    context.close()


@pytest.fixture(scope="module")
def names() -> Iterator[str]:
    """Names that nobody has yet."""
    return (f"player-{number}" for number in range(100))


def sit_down(owner: Any, guest: Any, site: str, names: Iterator[str]) -> str:
    """Two people with accounts at one table, the first on turn; returns the match's code."""
    for page in (owner, guest):
        steps.sign_up_by_the_address(page, site, next(names))
    link = table.invite(owner, site)
    guest.goto(link)
    guest.get_by_role("button", name="Join").click()
    for page in (owner, guest):
        page.locator("[data-play]").wait_for()
    return table.code_of(guest)


def test_two_people_play_and_play_again(
    owner: Any, guest: Any, spectator: Any, lab: Lab, site: str, names: Iterator[str]
) -> None:
    """A move is soon on the other's page, and no browser is sent what its reader may not know."""
    pages = (owner, guest, spectator)
    recordings = [Recording(page) for page in pages]
    code = sit_down(owner, guest, site, names)
    spectator.goto(f"{site}/play/{code}/")
    delays = []
    for ply in range(PLIES):
        mover, other = (owner, guest) if ply % 2 == 0 else (guest, owner)
        clicked = table.play(mover)
        table.wait_for_moves(other, ply + 1)
        delays.append(time.monotonic() - clicked)
        table.wait_for_moves(spectator, ply + 1)
    assert min(delays) < SEEN_WITHIN_S, delays
    owner.reload()
    assert table.moves(owner) == table.moves(guest) == PLIES
    for ply, page in enumerate((owner, guest), PLIES):  # they ask for the state at once, without a version
        table.play_without_pointing(page)
        for reader in pages:
            table.wait_for_moves(reader, ply + 1)

    check_that_nothing_is_known(lab, code, recordings)
    table.resign(guest)
    expect(owner.locator("main")).to_contain_text("resigned")
    check_that_seeds_are_opened(lab, code, recordings)
    owner.get_by_role("button", name="Rematch").click()
    owner.locator("[data-room]").wait_for()  # until the other agrees
    guest.get_by_role("button", name="To the rematch").click()
    owner.locator("[data-play]").wait_for()
    guest.wait_for_url(owner.url)
    assert table.code_of(guest) != code
    table.play(guest)  # seats are changed: the other begins
    table.wait_for_turn(owner)


def check_that_nothing_is_known(lab: Lab, code: str, recordings: list[Recording]) -> None:
    """Every answer to every browser, of who invited, who was invited, and who only watches, before the end."""
    luck, key = secrecy.luck(lab, code), secrecy.key(lab, code)
    assert not set().union(*(recording.holding(luck) for recording in recordings))
    # only who invites, and who was invited, have seen the key
    assert recordings[0].comes_to_hold({key})
    assert not recordings[1].holding({key}, but="/join/")
    assert not recordings[2].holding({key})
    assert all(any("/state/" in url for url, _ in recording.texts) for recording in recordings)


def check_that_seeds_are_opened(lab: Lab, code: str, recordings: list[Recording]) -> None:
    """The same answers are found to hold the match's luck after the end."""
    for recording in recordings:
        recording.page.get_by_role("region", name="Result").wait_for()
        assert recording.comes_to_hold(secrecy.seeds(lab, code)), recording.unread


@pytest.mark.slow  # the first plies are played above
def test_nothing_is_sent_in_a_whole_match_that_a_reader_may_not_know(
    owner: Any, guest: Any, spectator: Any, lab: Lab, site: str, names: Iterator[str]
) -> None:
    pages = (owner, guest, spectator)
    recordings = [Recording(page) for page in pages]
    code = sit_down(owner, guest, site, names)
    spectator.goto(f"{site}/play/{code}/")
    for ply in range(WHOLE_MATCH - 1):
        table.play_without_pointing(pages[ply % 2])
        for page in pages:
            table.wait_for_moves(page, ply + 1)
    check_that_nothing_is_known(lab, code, recordings)
    table.play_without_pointing(owner)
    check_that_seeds_are_opened(lab, code, recordings)
