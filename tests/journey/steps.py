"""What a person does with mouse and keyboard, step by step."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.webapp.lab.results import factory

CHARTS = factory.usual_charts("carcassonne")
FINISH_DEADLINE_MS = 180_000
HALF_A_DIGIT = 0.05 + 1e-9  # means and rates are written with one decimal

# What Plotly really drew in one card: its traces, and marks of some size.
_DRAWN = """
card => {
    const box = card.querySelector("[data-part=figure]");
    const marks = [...box.querySelectorAll(".main-svg .trace path")].map((mark) => mark.getBBox());
    return [box.data.length, marks.filter(({ width, height }) => width + height > 0).length];
}
"""
# Where tiles lie, of those that are shown.
_TILES = """
board => [...board.querySelectorAll("[data-ply][transform]")]
    .filter((tile) => getComputedStyle(tile).display !== "none")
    .map((tile) => tile.getAttribute("transform"))
"""


def sign_up(page: Any, site: str, name: str) -> None:
    """From the start page to an account of one's own."""
    page.goto(f"{site}/")
    page.get_by_role("link", name="Start an experiment").click()
    page.get_by_role("link", name="Create").first.click()
    _fill_account(page, name)


def sign_up_by_the_address(page: Any, site: str, name: str) -> None:
    """From the form of a new account to one: the way of those who knew its address."""
    page.goto(f"{site}/accounts/new/")
    _fill_account(page, name)


def _fill_account(page: Any, name: str) -> None:
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password", exact=True).fill("seven wooden meeples")
    page.get_by_label("Password again").fill("seven wooden meeples")
    page.keyboard.press("Enter")
    page.get_by_label(f"Your account, {name}").wait_for()


def open_form(page: Any) -> None:
    """From anywhere to the empty form of a new experiment."""
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Experiments").click()
    page.get_by_role("link", name="New experiment").first.click()
    page.get_by_role("heading", name="New experiment").wait_for()


def fill_two_arms(page: Any, question: str, deals: int) -> None:
    """Flat Monte Carlo with few playouts, and greedy, each against random."""
    page.get_by_label("Question").fill(question)
    page.get_by_label("Deals per arm").fill(str(deals))
    first = page.get_by_role("article", name="Arm 1")
    first.get_by_label("Name of arm 1").fill("Looks ahead")
    for seat, name, engine, label in (
        (0, "First seat", "flat_mc", "Flat Monte Carlo"),
        (1, "Second seat", "random", "Random"),
    ):
        first.get_by_label(name).select_option(label)
        page.locator(f"[name=arm-0-seat-{seat}-for][value={engine}]").wait_for(state="attached")
    first.get_by_label("Amount").fill("5")
    first.get_by_role("button", name="Duplicate").click()
    second = page.get_by_role("article", name="Arm 2")
    second.get_by_label("Name of arm 2").fill("Takes points")
    second.get_by_label("First seat").select_option("Scripted policy")
    expect(second.get_by_label("Amount")).to_have_count(0)


def start(page: Any, question: str, matches: int) -> None:
    """Press the button that names the number of matches."""
    name = re.compile(f"^Start {matches:,} matches$".replace(",", r"\s"))  # thin spaces between thousands
    page.locator("form").get_by_role("button", name=name).first.click()
    page.get_by_role("heading", name=question).wait_for()


def watch_it_finish(page: Any, matches: int) -> None:
    """The numbers move by themselves, up to the last match."""
    bar = page.get_by_role("progressbar", name="Matches played")
    assert int(bar.get_attribute("aria-valuenow")) < matches, "it was over before anybody could watch"
    page.locator("main").get_by_text("Finished", exact=True).wait_for(timeout=FINISH_DEADLINE_MS)
    expect(bar).to_have_attribute("aria-valuenow", str(matches))
    expect(page.get_by_role("heading", name="Arms", exact=True)).to_be_visible()
    expect(page.get_by_role("table", name="Differences from Looks ahead").get_by_role("row")).to_have_count(3)


def look_at_charts(page: Any, most: int | None) -> None:
    """So many (None: all) are drawn with data in them, and their tables have numbers; what is constant has its own."""
    page.locator(".charts-rest summary").click()
    cards, constant = (
        page.locator("[data-chart-source]"),
        page.get_by_role("region", name="What is the same everywhere"),
    )
    ids = [card.get_attribute("id") for card in cards.all()]
    assert len(ids) == len(set(ids))
    assert set(ids) <= {f"chart-{chart_id}" for chart_id in CHARTS}
    named = page.locator(".left-out li").count() + page.locator(".chart-group .chart-card").count()
    assert named == len(CHARTS)
    if constant.count():  # by chance nothing is: the seed is new each time
        expect(constant.locator("tbody")).to_contain_text(re.compile(r"\d"))
    for card in cards.all()[:most]:
        card.scroll_into_view_if_needed()
        card.locator(".main-svg .trace path, .chart-empty").first.wait_for(state="attached")
        if card.get_attribute("id") == "chart-difference-wins" and card.locator(".chart-empty").count():
            continue  # on no deal one arm won more than the other, or on all
        traces, marks = card.evaluate(_DRAWN)
        assert marks >= traces > 0, f"{card.get_attribute('id')} has {traces} traces and {marks} marks"
        figure, table = card.locator("[data-part=figure]"), card.get_by_role("table")
        card.get_by_role("button", name="Table").click()
        expect(figure).to_be_hidden()
        expect(table.locator("tbody")).to_contain_text(re.compile(r"\d"))
        card.get_by_role("button", name="Chart").click()
        expect(figure).to_be_visible()
        expect(table).to_have_count(0)


def open_a_match(page: Any, arm: str) -> None:
    """The newest match of an arm, found by the filter of the list."""
    matches = page.locator("#matches")
    matches.get_by_label("Arm", exact=True).select_option(arm)
    other_arms = matches.locator("tbody tr").filter(has_not_text=arm)
    expect(other_arms).to_have_count(0)
    matches.locator("tbody tr").first.get_by_role("link").click()
    page.get_by_role("group", name="Replay controls").wait_for()


def step_through(page: Any) -> None:
    """Buttons and arrow keys change the board, the ply and the address."""
    board, now = page.locator("[data-board]"), page.locator("[data-now]")
    controls = page.get_by_role("group", name="Replay controls")
    controls.get_by_role("link", name="First move").click()
    assert _seen(board, now) == (0, 1)
    for ply in (1, 2, 3):
        controls.get_by_role("link", name="Next move").click()
        assert _seen(board, now) == (ply, ply + 1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert _seen(board, now) == (5, 6)
    page.keyboard.press("ArrowLeft")
    controls.get_by_role("link", name="Previous move").click()
    assert _seen(board, now) == (3, 4)
    assert page.url.endswith("?ply=3")
    controls.get_by_role("link", name="Last move").click()
    last = page.locator("[data-move]").count()
    assert _seen(board, now) == (last, last + 1)


def _seen(board: Any, now: Any) -> tuple[int, int]:
    """The ply named, and how many different places hold a tile."""
    return int(now.inner_text()), len(set(board.evaluate(_TILES)))


def download(page: Any, label: str, folder: Path) -> list[dict[str, str]]:
    """The rows of a CSV that a link of the page offers."""
    with page.expect_download() as coming:
        page.get_by_role("link", name=label).click()
    target = folder / coming.value.suggested_filename
    coming.value.save_as(target)
    with target.open(newline="") as file:
        return list(csv.DictReader(file))


def check_totals(page: Any, rows: list[dict[str, str]]) -> None:
    """The exported rows of matches add up to the result table, by plain arithmetic."""
    table = page.locator("#arms table").first
    heads = table.locator("thead th").all_inner_texts()
    shown = table.locator("tbody tr").all()
    assert shown
    for row in shown:
        arm, place = row.locator("[data-fresh^=rate-]").get_attribute("data-fresh").split("-")[1:]
        own = [played for played in rows if (played["arm"], played["place"]) == (arm, place)]
        texts = dict(zip(heads, row.locator("th, td").all_inner_texts(), strict=True))
        for head, total in _totals(own).items():
            assert _number(texts[head]) == pytest.approx(total, abs=HALF_A_DIGIT), (head, texts)


def _totals(own: list[dict[str, str]]) -> dict[str, float]:
    results = [row["result"] for row in own]
    return {
        "Matches": len(own),
        "Wins": results.count("win"),
        "Draws": results.count("draw"),
        "Losses": results.count("loss"),
        "Win rate": 100 * results.count("win") / len(own),
        "Mean score": sum(int(row["score"]) for row in own) / len(own),
        "Margin": sum(int(row["margin"]) for row in own) / len(own),
    }


def _number(cell: str) -> float:
    """The first number of a cell: "1\u202f000", "83.3 %", "\u22124.2 ±3.1"."""
    text = re.sub(r"(?<=\d)[\u2009\u202f](?=\d)", "", cell).replace("\u2212", "-")
    return float(text.split()[0])
