"""The page of a match in a real browser: one window, stepped through, pointed at, played."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.webapp.lab.results import factory
from tests.webapp.table.live import tables
from webapp.lab.jobs import share_links as services
from webapp.records.models import Experiment, Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match(alice: Any) -> Match:
    return factory.played(alice, deals=1).matches.order_by("pk").first()


@pytest.fixture
def address(match: Match, live_server: Any) -> str:
    return f"{live_server.url}/r/{services.share(match.experiment).slug}/matches/{match.pk}/"


def _now(page: Any) -> int:
    return int(page.locator("[data-now]").inner_text())


def _tiles(page: Any) -> int:
    script = "[...document.querySelectorAll('[data-board] [data-ply][transform]')]"
    return page.evaluate(f"{script}.filter((tile) => getComputedStyle(tile).display !== 'none').length")


def _is_in_window(page: Any, selector: str) -> bool:
    box, size = page.locator(selector).first.bounding_box(), page.viewport_size
    inside = box["x"] >= 0 and box["x"] + box["width"] <= size["width"] + 1
    return inside and box["y"] >= 0 and box["y"] + box["height"] <= size["height"] + 1


def test_a_match_in_one_window_by_keys_buttons_moves_and_curve(page: Any, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{address}?ply=10")
    history = page.evaluate("history.length")
    assert (_now(page), _tiles(page)) == (10, 11)
    for part in ("[data-stage]", "[data-board] > svg", "[data-curve-plot]:visible", ".replay-bar", "[data-move='10']"):
        assert _is_in_window(page, part), part
    page.keyboard.press("ArrowRight")
    assert (_now(page), _tiles(page)) == (11, 12)
    page.keyboard.press("ArrowLeft")
    page.locator("[data-step=back]").click()
    assert _now(page) == 9
    page.keyboard.press("Home")
    assert (_now(page), _tiles(page)) == (0, 1)
    page.keyboard.press("End")
    assert (_now(page), _tiles(page)) == (71, 72)
    page.locator("#ply").fill("33")
    assert _now(page) == 33
    page.locator("[data-move='35'] a").hover()
    said = page.locator("[data-curve-words]:visible")
    expect(said).to_contain_text("move 35:")
    assert (_now(page), _tiles(page)) == (33, 36), "what is pointed at is shown as long as it is"
    expect(page.locator("[data-board] .is-lit")).to_have_count(1)
    page.locator("[data-stage]").hover()
    expect(said).to_contain_text("move 33:")
    assert _tiles(page) == 34
    expect(page.locator("[data-board] .is-lit")).to_have_count(0)
    page.locator("[data-move='35'] a").click()
    assert page.url.endswith("?ply=35")
    assert page.locator("[data-move][aria-current]").get_attribute("data-move") == "35"
    plot = page.locator("[data-curve-plot]:visible")
    box = plot.bounding_box()
    plot.click(position={"x": box["width"] * 5 / 71, "y": box["height"] / 2})
    assert (_now(page), page.url.endswith("?ply=5")) == (5, True)
    assert page.evaluate("history.length") == history, "the back button leads out of the match"
    page.get_by_role("tab", name="Points").click()
    expect(page.get_by_role("region", name="Score")).to_be_visible()
    expect(page.locator("[data-move='5']")).to_be_hidden()
    page.locator("#ply").fill("66")
    page.locator("#speed").select_option("20")
    page.locator("body").press("Space")
    expect(page.locator("[data-now]")).to_have_text("71")
    expect(page.locator("[data-step=play]")).to_have_attribute("aria-label", "Play")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_script_shows_what_the_server_shows(page: Any, address: str) -> None:
    seen = {}
    for how in ("stepped", "served"):
        page.goto(f"{address}?ply={44 if how == 'stepped' else 45}")
        if how == "stepped":
            page.keyboard.press("ArrowRight")
        words = page.locator(
            "[data-pane] :is(.points, .seat-score, [data-weighed]), [data-ply-card]"
        ).all_text_contents()
        shown = page.evaluate(
            "[...document.querySelectorAll('[data-board] [data-ply], [data-board] [data-from]')]"
            ".map((part) => getComputedStyle(part).display !== 'none')"
        )
        ring = page.locator("[data-board] [id$=last]").get_attribute("transform")
        seen[how] = (re.sub(r"\s+", " ", "".join(words)), shown, ring)
    assert seen["stepped"] == seen["served"]


@pytest.mark.slow
def test_on_a_phone_board_and_curve_stay_while_moves_scroll(page: Any, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}?ply=3")
    page.locator("[data-move='40']").scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 300
    for part in ("[data-stage]", "[data-curve-plot]:visible", ".replay-bar", "[data-move='40']"):
        assert _is_in_window(page, part), part


@pytest.mark.slow
def test_the_view_is_zoomed_and_fitted_again(page: Any, address: str) -> None:
    page.goto(address)
    world = page.locator("[data-world]")
    whole = world.get_attribute("style")
    page.locator("[data-do=closer]").click()
    assert world.get_attribute("style") != whole
    page.locator("[data-do=fit]").click()
    assert world.get_attribute("style") == whole
    page.locator(".theatre-tools summary").last.click()
    page.get_by_label("Keys of one letter").uncheck()
    for _ in range(2):
        page.keyboard.press("Escape")
        page.keyboard.press("+")
        assert world.get_attribute("style") == whole, "off, also after a reload"
        page.reload()
    page.keyboard.press("ArrowLeft")
    assert page.url.endswith("?ply=70")


@pytest.mark.slow
def test_who_watches_for_the_first_time_sees_no_more_than_was_played(page: Any, match: Match, address: str) -> None:
    Experiment.objects.filter(pk=match.experiment_id).update(kind=Experiment.Kind.MATCH)
    page.emulate_media(reduced_motion="reduce")  # it does not go on by itself
    page.goto(address)
    seen = page.locator("[data-move]:visible")
    expect(seen).to_have_count(0)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(seen).to_have_count(3)
    ticks = page.locator(".curve-tick")
    early = ticks.all_inner_texts()
    page.keyboard.press("ArrowLeft")
    expect(seen).to_have_count(3)
    page.reload()
    expect(seen).to_have_count(2)
    page.keyboard.press("End")
    expect(seen).to_have_count(71)
    late = ticks.all_inner_texts()
    assert max(map(_points, late)) - min(map(_points, late)) > max(map(_points, early)) - min(map(_points, early))
    assert "watched" not in page.url


def _points(words: str) -> float:
    return float(words.replace("\N{MINUS SIGN}", "-"))


@pytest.mark.slow
def test_a_player_sees_their_own_moves_alone(page: Any, live_server: Any, client: Any, alice: Any) -> None:
    played = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.engine()]))
    client.force_login(alice)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    page.goto(f"{live_server.url}/play/{played.code}/replay/")
    page.get_by_label("Mine only").check()
    own = page.locator("[data-move]:visible")
    expect(own).to_have_count(36)
    assert set(own.locator(".seat").evaluate_all("all => all.map((one) => one.dataset.seat)")) == {"0"}
    page.get_by_label("Mine only").uncheck()
    expect(own).to_have_count(71)
