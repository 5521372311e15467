"""What people do at the board of a match, by mouse, and what stands on it."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import expect

MOST_STEPS = 12
"""Clicks that an action can take at most: far more than any game has parts."""

# The middle of a place that can be chosen and is not, inside the part of the board that is seen.
_FREE_PLACE = """
() => {
    const world = document.querySelector("[data-world]");
    for (const target of document.querySelectorAll("[data-board] [data-step]")) {
        if (target.style.display !== "inline" || target.classList.contains("is-chosen")) continue;
        const box = target.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        if (world.contains(document.elementFromPoint(x, y))) return [x, y];
    }
    return null;
}
"""
MOVES = "document.querySelectorAll('.move-list li').length"


def play_now(page: Any, site: str, level: str, game: str = "Carcassonne") -> str:
    """Begin a match against a level from the lobby; returns its code. game: as pages call it."""
    page.goto(f"{site}/play/")
    form = page.get_by_role("form", name=f"Play {game}")
    slider = form.get_by_role("slider")
    if slider.is_visible():
        values = form.locator("input[name=level]").evaluate_all("inputs => inputs.map(input => input.value)")
        slider.fill(str(values.index(level)))
    else:
        form.locator(f"input[value={level}]").check()
    form.get_by_role("button", name="Play").click()
    page.locator("[data-play]").wait_for()
    return code_of(page)


def confirm_always(page: Any, site: str) -> None:
    """Have every action confirmed, also where it could be undone."""
    page.goto(f"{site}/play/preferences/")
    field = page.locator("select[name=confirm], input[name=confirm][value=always]").first
    if field.evaluate("field => field.localName") == "select":
        field.select_option("always")
    else:
        field.check()
    page.get_by_role("button", name="Keep these").click()
    page.get_by_text("Preferences kept").wait_for()


def invite(page: Any, site: str) -> str:
    """Open an unlisted match with a free seat; returns the link to it."""
    page.goto(f"{site}/play/new/")
    with page.expect_response("**/play/new/"):
        page.locator("[name=seat-1-who]").select_option("invite")
    page.locator("[name=visibility][value=unlisted]").check()
    page.get_by_role("button", name="Open the match").click()
    return str(page.locator("#invite-link").inner_text())


def code_of(page: Any) -> str:
    """Code of the match that the page shows."""
    return str(page.url.rstrip("/").rpartition("/")[2])


def moves(page: Any) -> int:
    """How many moves the page lists."""
    return int(page.evaluate(MOVES))


def wait_for_moves(page: Any, number: int) -> None:
    """Wait until the page lists so many moves."""
    page.wait_for_function(f"number => {MOVES} >= number", arg=number)


def wait_for_turn(page: Any) -> None:
    """Wait until it is the turn of the page's reader."""
    page.locator(".turn[data-mine]").wait_for()


def choose(page: Any) -> Any | None:
    """Click an action together, part by part; returns the button that confirms it, None where the last click plays."""
    confirm, open_ = page.locator("[data-deed=confirm]"), page.locator("[data-board][data-choosing]")
    open_.wait_for()
    for _ in range(MOST_STEPS):
        if not open_.count():
            return None
        if confirm.is_enabled():
            return confirm
        if options := page.locator("[data-option]").all():
            options[0].click()
        else:
            page.mouse.click(*page.wait_for_function(_FREE_PLACE).json_value())
    raise AssertionError(f"no whole action after {MOST_STEPS} clicks")


def play(page: Any) -> float:
    """Play one move by mouse once it is one's turn; returns the moment of the last click."""
    wait_for_turn(page)
    before = moves(page)
    confirm = choose(page)
    clicked = time.monotonic()
    if confirm is not None:
        confirm.click()
    wait_for_moves(page, before + 1)
    return clicked


def play_without_pointing(page: Any) -> None:
    """Have the page itself send a legal action, as its script would: for long matches."""
    wait_for_turn(page)
    before = moves(page)
    page.evaluate(_SEND)
    wait_for_moves(page, before + 1)


_SEND = """
async () => {
    const { state, act } = document.querySelector("[data-play]").dataset;
    const seen = await (await fetch(state)).json();
    const headers = { "Content-Type": "application/json" };
    headers["X-CSRFToken"] = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
    const action = seen.actions[seen.ply % seen.actions.length].id;
    const body = JSON.stringify({ ply: seen.ply, action, key: crypto.randomUUID() });
    await fetch(act, { method: "POST", headers, body });
}
"""


def resign(page: Any) -> None:
    """Give the match up."""
    page.locator("[popovertarget=sheet-more]").click()
    page.locator("[popovertarget=ask-resign]").first.click()
    page.locator("#ask-resign").get_by_role("button", name="Resign").click()
    expect(page.get_by_role("region", name="Result")).to_be_visible()
