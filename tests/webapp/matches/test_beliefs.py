"""The grid of beliefs on the replay page of dominoes."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games import readiness
from games.dominoes.board.arrangement import WIDE
from tests.webapp.table.live import tables
from webapp.matches import belief_curve, selectors
from webapp.matches.reviews import summary
from webapp.records.models import Match
from webapp.table.live import match_setup
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import Terms

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client: Client, alice: Any) -> Any:
    """A client of alice, who played a round of dominoes to its end; and the address of its replay."""
    seats = [tables.person(alice)] + [tables.engine()] * 3
    match = match_setup.open_match(alice, "dominoes", {"length": "round"}, seats, Terms(), deal_seed=5)
    match = tables.play_on(match)
    assert match.status == LiveMatch.Status.FINISHED
    client.force_login(alice)
    return client, f"/play/{match.code}/replay/"


def test_board_beliefs_and_margin_begin_with_the_readers_own_seat(client: Client, alice: Any) -> None:
    seats = [tables.engine(), tables.person(alice), tables.engine(), tables.engine()]
    match = match_setup.open_match(alice, "dominoes", {"length": "round"}, seats, Terms(), deal_seed=5)
    match = tables.play_on(match)
    client.force_login(alice)
    shown = client.get(f"/play/{match.code}/replay/?ply=3").context
    assert shown["beliefs"]["seats"] == [
        (1, "You"),
        (2, "Random (right)"),
        (3, "Random (across)"),
        (0, "Random (left)"),
    ]
    assert shown["beliefs"]["seat"] == 1
    assert [grid.seat for grid in shown["beliefs"]["grids"]] == [2, 3, 0]
    for place, (seat, name) in enumerate(shown["beliefs"]["seats"]):
        plate = re.search(rf'id="board-seat-{seat}".*?<rect x="(\d+)" y="(\d+)".*?</tspan>', shown["board"], re.DOTALL)
        assert plate is not None
        assert (float(plate[1]), float(plate[2])) == WIDE.homes[place]
        assert words(plate[0].partition(">")[2]) in (name, name.partition("(")[2].removesuffix(")"))
    sides = summary.sides_of(shown["page"])
    assert [(side.mark, side.name) for side in sides] == [
        (1, "You and Random (across)"),
        (0, "Random (right) and Random (left)"),
    ]
    stranger = selectors.page(Match.objects.select_related("experiment").get(pk=match.match_id), None)
    assert [side.mark for side in summary.sides_of(stranger)] == [0, 1]
    assert stranger.around == [0, 1, 2, 3]


def words(html: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", "", html)))


def test_every_hidden_tile_stands_in_three_grids_and_one_holder_is_marked(page: Any) -> None:
    client, address = page
    html = client.get(f"{address}?part=beliefs&ply=6&seat=1").content.decode()
    assert html.count('<table class="belief">') == 3
    assert html.count(">on the table<") == 3 * 6
    own = html.count("in the seat's own hand") // 3
    assert own in (5, 6, 7), "after six plies"
    assert html.count(", held here") == 28 - 6 - own
    assert "Random (across)" in html, "as the table called them"
    assert "You" in html
    grids = re.findall(r'<caption>\s*<span class="seat" data-seat="(.)"', html)
    assert grids == ["0", "2", "3"], "the own hand has none"


@pytest.mark.long
def test_what_is_asked_for_stands_side_by_side(page: Any) -> None:
    client, address = page
    usual = client.get(f"{address}?part=beliefs&ply=3").content.decode()
    assert re.search(r"\d-\d: The paper's \d+ ?Exact \d+", words(usual))
    other = client.get(f"{address}?part=beliefs&ply=3&left=exact&right=played").content.decode()
    assert "The weighed deals are worth" in other
    assert "By how others played" in re.search("<svg.*?</svg>", other, re.DOTALL)[0]  # type: ignore[index]
    for nonsense in ("seat=9", "seat=x", "left=guess", "seat=-1"):
        assert client.get(f"{address}?part=beliefs&ply=3&{nonsense}").content == usual.encode()


@pytest.mark.long
def test_deals_are_not_weighed_before_what_weighs_them_is_compiled(
    page: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    client, address = page
    monkeypatch.setenv("LAB_KERNELS", str(tmp_path))
    monkeypatch.setattr(readiness, "_leaves_compiling", True)
    monkeypatch.setattr(readiness, "is_cold", lambda module: "opponent_model" in module.__name__)
    html = client.get(f"{address}?part=beliefs&ply=3&left=played").content.decode()
    assert "getting ready" in html
    assert "<table" not in html
    assert readiness.pending_requests() == {("dominoes", "pimc")}
    assert "getting ready" not in client.get(f"{address}?part=beliefs&ply=3").content.decode()


def test_the_whole_page_holds_it_and_the_last_ply_tells_what_was_believed_before(page: Any) -> None:
    client, address = page
    html = client.get(address).content.decode()
    assert "Where the hidden tiles are" in html
    assert "This move ended the round" in html
    assert ">Round 1<" in html
    assert "data-ply-input" in html


def test_the_curve_has_a_line_for_each_way_and_labels_apart() -> None:
    svg = belief_curve.svg(range(4, 8), [[-20, -12, -7.2, -1], [-22, -14, -8, -1.2]], ["One", "<Two>"], 5)
    assert svg.count("<polyline") == 2
    assert "&lt;Two&gt;" in svg
    heights = [float(y) for y in re.findall(r'y="([\d.]+)" class="label', svg)]
    assert abs(heights[0] - heights[1]) >= 15
    assert belief_curve.svg(range(0), [], [], 0) == ""
