"""Lobby and new match in a real browser: by one click, by keyboard alone, on a phone, and live."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from engines import levels
from tests.kept_pages import leave
from tests.webapp.pages import markup
from tests.webapp.table.live import tables
from webapp.play import level_cards
from webapp.table.live import match_setup
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import ANYBODY, SeatPlan, Terms

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def visitor(page: Any, live_server: Any) -> Any:
    """A browser of somebody new; `visitor.site` is where the lab stands."""
    page.site = live_server.url
    return page


def sign_in(visitor: Any, client: Any, person: Any) -> None:
    client.force_login(person)
    cookie = client.cookies["sessionid"]
    visitor.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": visitor.site}])


def is_at_match(visitor: Any) -> LiveMatch:
    """Wait until the browser shows the only match there is; leave its page, which would go on waiting for plies."""
    visitor.wait_for_url(re.compile(rf"/play/[a-z0-9]{{{match_setup.CODE_LENGTH}}}/$"))
    assert visitor.url.endswith(f"/{LiveMatch.objects.get().code}/")
    leave(visitor)
    visitor.problems.clear()  # what was still asked for when the page was left
    return LiveMatch.objects.get()


def test_somebody_new_on_a_phone_starts_with_one_click(visitor):
    visitor.set_viewport_size(PHONE)
    visitor.goto(f"{visitor.site}/play/")
    assert visitor.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    carcassonne = visitor.get_by_role("form", name="Play Carcassonne")
    slider = carcassonne.get_by_role("slider")
    slider.focus()
    visitor.keyboard.press("ArrowRight")
    known = levels.for_game("carcassonne")
    following = known[1 + known.index(levels.get("carcassonne", level_cards.OPENER))]
    expect(carcassonne.get_by_text(following.summary)).to_be_visible()
    carcassonne.get_by_role("button", name="Play").dblclick()
    match = is_at_match(visitor)
    assert match.status == "running"
    assert match.creator.is_guest
    assert match.seats.get(kind="engine").level == following.id


@pytest.mark.slow  # a picture of the whole page: what it holds is seen by tests of the view
def test_a_long_name_stands_beside_that_of_the_lab_on_a_phone(phone, live_server, client, alice):
    alice.username = "Wolfgang_von_Ueberlaengenthal"
    alice.save()
    phone.site = live_server.url
    sign_in(phone, client, alice)
    phone.goto(f"{phone.site}/play/duplicate/")
    lab, person = phone.locator(".top .brand").bounding_box(), phone.get_by_label("Your account").bounding_box()
    assert abs(lab["y"] + lab["height"] / 2 - person["y"] - person["height"] / 2) < 2, "in one line; 2 px: rounding"
    assert lab["x"] + lab["width"] < person["x"]
    assert person["x"] + person["width"] <= PHONE["width"]
    phone.get_by_label("Light or dark").click()
    assert phone.locator(".menu[open] .pop").bounding_box()["x"] >= 0, "its menu is seen whole"


@pytest.mark.slow  # a picture of the whole page: what it holds is seen by tests of the view
def test_every_game_can_be_begun_in_the_first_window(visitor, client, alice, bob):
    tables.open_match(alice, [tables.person(alice), tables.person(bob)])
    tables.open_match(bob, [tables.person(bob), SeatPlan(name=ANYBODY)], Terms(visibility="public"))
    sign_in(visitor, client, alice)
    visitor.set_viewport_size({"width": 1280, "height": 800})
    for company, word in (("engines", "Play"), ("friends", "Invite"), ("rated", "Play")):
        visitor.goto(f"{visitor.site}/play/?with={company}")
        visitor.locator("#resume [data-my-turn]").wait_for()
        buttons = visitor.locator(".game-row .go").get_by_role("button", name=word).all()
        assert len(buttons) == 4
        for button in buttons:
            assert button.bounding_box()["y"] + button.bounding_box()["height"] <= 800
        pictures = "all => all.every(one => one.complete && one.naturalWidth > 0)"
        assert visitor.locator(".picture img").evaluate_all(pictures)
        heights = visitor.locator(".game-row").evaluate_all("all => all.map(one => one.offsetHeight)")
        for radio in visitor.get_by_role("radio").all():
            radio.evaluate("it => it.click()")  # a slide lies over them
        assert visitor.locator(".game-row").evaluate_all("all => all.map(one => one.offsetHeight)") == heights


def test_a_match_is_set_up_by_keyboard_alone(visitor, client, alice):
    sign_in(visitor, client, alice)
    visitor.goto(f"{visitor.site}/play/new/")
    visitor.locator("#id_seats").focus()
    visitor.keyboard.press("ArrowDown")
    third = visitor.locator("#id_seat-2-who")
    third.wait_for()
    third.focus()
    visitor.keyboard.press("s")  # Somebody; a second letter might come after the form was reshaped
    visitor.locator("[name=seat-2-who-for][value=invite]").wait_for(state="attached")
    assert visitor.evaluate("document.activeElement.id") == "id_seat-2-who"
    visitor.get_by_role("radio", name="Private").focus()
    visitor.keyboard.press("ArrowDown")
    delay = visitor.get_by_label("Spectators see it late by")
    delay.wait_for()
    delay.focus()
    visitor.keyboard.press("Control+A")
    visitor.keyboard.type("4")
    visitor.keyboard.press("Tab")
    visitor.wait_for_load_state("networkidle")  # what was typed has reshaped the form
    visitor.get_by_role("button", name="Open the match").focus()
    visitor.keyboard.press("Enter")
    match = is_at_match(visitor)
    assert (match.status, match.visibility, match.spectator_delay) == ("open", "unlisted", 4)
    assert [row.kind for row in match.seats.order_by("seat")] == ["person", "engine", "open"]


def test_a_press_is_not_lost_on_a_form_that_gets_another_shape_meanwhile(visitor, client, alice):
    sign_in(visitor, client, alice)
    visitor.goto(f"{visitor.site}/play/new/")
    with visitor.expect_response("**/play/new/"):
        visitor.locator("[name=seat-1-who]").select_option("invite")
    button = visitor.get_by_role("button", name="Open the match")
    button.hover()
    with visitor.expect_response("**/play/new/") as answer:
        visitor.get_by_role("radio", name="Private").dispatch_event("change")
        visitor.mouse.down()
    answer.value.finished()
    visitor.evaluate("new Promise(done => setTimeout(done, 50))")  # long enough for a swap
    visitor.mouse.up()
    assert is_at_match(visitor).status == "open"


def test_a_form_gets_its_shape_once_the_pointer_is_up(visitor, client, alice):
    sign_in(visitor, client, alice)
    visitor.goto(f"{visitor.site}/play/new/")
    visitor.get_by_role("heading", name="Who plays").hover()
    with visitor.expect_response("**/play/new/") as answer:
        visitor.mouse.down()
        visitor.locator("[name=seat-1-who]").select_option("invite")
    answer.value.finished()
    visitor.mouse.up()
    visitor.get_by_role("button", name="Open the match").wait_for()


def test_a_form_without_script_gets_its_shape_by_a_button(browser, live_server, client, alice):
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.site = live_server.url
    sign_in(page, client, alice)
    page.goto(f"{page.site}/play/new/")
    page.locator("#id_seat-1-who").select_option("engine")
    page.get_by_role("button", name="Show the fields of these choices").click()
    page.locator("#id_seat-1-engine").select_option("random")
    page.get_by_role("button", name="Show the fields of these choices").click()
    page.get_by_role("button", name="Start the match").click()
    assert page.url.endswith(f"/play/{LiveMatch.objects.get().code}/")
    assert LiveMatch.objects.get().seats.get(seat=1).configuration.engine == "random"
    context.close()


@pytest.mark.slow  # the lobby's open seat above follows by the same script
def test_the_lobby_tells_by_itself_that_it_is_ones_turn(visitor, client, alice, bob):
    match = tables.open_match(alice, [tables.person(bob), tables.person(alice)])
    sign_in(visitor, client, alice)
    visitor.goto(f"{visitor.site}/play/")
    visitor.get_by_role("radio").first.evaluate("it => it.click()")  # a slide lies over it
    assert "(1)" not in visitor.title()
    tables.play_on(match, 1)
    visitor.locator("#resume [data-my-turn]").wait_for()
    visitor.wait_for_function("document.title.startsWith('(1) Your turn')")
    assert "your turn in 1 match" in markup(visitor.locator("#turns").text_content())
    assert visitor.get_by_role("radio").first.is_checked()


@pytest.mark.slow
def test_an_open_seat_appears_above_every_game_and_is_taken(visitor, client, alice, bob):
    visitor.set_viewport_size(PHONE)
    sign_in(visitor, client, bob)
    visitor.goto(f"{visitor.site}/play/")
    visitor.get_by_text("Nobody waits now").wait_for()
    seats = [tables.person(alice), SeatPlan(name=ANYBODY)]
    match = tables.open_match(alice, seats, Terms(visibility="public"))
    join, first = visitor.get_by_role("link", name="Join alice"), visitor.locator(".game-row").first
    expect(join).to_be_in_viewport()
    assert first.bounding_box()["y"] > join.bounding_box()["y"]
    join.click()
    visitor.get_by_role("button", name="Join").click()
    is_at_match(visitor)
    assert match.seats.get(seat=1).person == bob
