"""Ready phrases in a browser: said by keyboard, read in one's language at the speaker's plate, in nobody's way."""

from __future__ import annotations

import pytest

from tests.webapp.table.live import tables
from webapp.people.accounts.models import User

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_a_phrase_is_said_by_key_and_read_elsewhere(show, page, friend, alice, bob):
    User.objects.filter(pk=bob.pk).update(preferences={"language": "de"})
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)])
    show(match, bob, friend)
    show(match)
    place = friend.locator("[data-step]").first
    before = place.bounding_box() if place.count() else friend.locator("[data-plate='0']").bounding_box()
    page.locator("[data-board]").focus()
    page.keyboard.press("t")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.phrase") == "luck"
    page.keyboard.press("Enter")
    page.get_by_text("Good luck!").locator("visible=true").wait_for()
    said = friend.locator(".said")
    said.wait_for()
    assert said.inner_text().split("\n")[-1] == "Viel Glück!"
    plate, bubble = (friend.locator(name).bounding_box() for name in ("[data-plate='0']", ".said"))
    assert abs(bubble["y"] - plate["y"]) < plate["height"], "beside the speaker's plate"
    assert bubble["x"] >= plate["x"] + plate["width"]
    at = (bubble["x"] + bubble["width"] / 2, bubble["y"] + bubble["height"] / 2)
    assert friend.evaluate("([x, y]) => !document.elementFromPoint(x, y).closest('.said')", at), "clicks go through"
    after = place.bounding_box() if place.count() else friend.locator("[data-plate='0']").bounding_box()
    assert before == after
    said.wait_for(state="detached", timeout=15_000)
    friend.locator("[data-talk-button]").click()
    friend.locator("[data-talk-shown]").uncheck()
    listen = "addEventListener('talk', ({detail}) => (window.heard = detail.said.length))"
    friend.evaluate(f"document.querySelector('[data-play]').{listen}")
    page.locator("[data-talk-button]").click()
    page.get_by_role("button", name="Thank you!").click()
    page.locator(".said", has_text="Thank you!").wait_for()
    friend.wait_for_function("window.heard > 0")
    assert said.count() == 0, "it came, and bob is shown nothing"
