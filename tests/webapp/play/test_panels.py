"""What the panels round the board say to whom."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.protocol import Step
from tests.webapp.table.live import tables
from webapp.play import board_page, moves, panels
from webapp.play.moves import Move
from webapp.table.live import departures, player_requests, table_seats
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan, Terms
from webapp.table.live.snapshot import Action, Part

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is woken: nothing here waits for an engine."""
    monkeypatch.setattr("worker.tasks.wake", lambda count=1, queue="batch": count)


def _panels(client: Client, match: LiveMatch, person: Any) -> dict[str, str]:
    client.force_login(person)
    found: dict[str, str] = client.get(f"/play/{match.code}/state/").json()["panel"]
    return found


@pytest.mark.long
@pytest.mark.parametrize(("result", "winners"), [("win", 1), ("draw", 0)])
def test_nobody_has_won_a_draw(client: Client, alice: Any, bob: Any, result: str, winners: int) -> None:
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)]))
    for row in match.match.seats.all():
        row.rank, row.result, row.score = 1, "draw", 40
        if result == "win":
            row.rank, row.result = row.seat + 1, ("win", "loss")[row.seat]
        row.save()
    plates = _panels(client, match, alice)["plates"]
    assert plates.count(", won") == plates.count("data-won") == winners


def test_only_who_opened_a_match_sees_its_invitation(client: Client, alice: Any, bob: Any) -> None:
    waiting = SeatPlan(name="By invitation")
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob), waiting])
    assert match.invite in _panels(client, match, alice)["room"]
    seen_by_bob = "".join(_panels(client, match, bob).values()) + client.get(f"/play/{match.code}/").content.decode()
    assert match.invite not in seen_by_bob


@pytest.mark.parametrize(
    ("others", "said"),
    [
        (("Random",), "The match ends here and you lose it. Random wins, whatever the score."),
        (("Random", "Random"), "The match ends here and you lose it, whatever the score."),
        (("Random", "bob"), "an engine plays on in your seat, for the others."),
        (("bob",), "The match ends here and you lose it. bob wins, whatever the score."),
    ],
)
def test_resigning_costs_what_the_panel_says(
    client: Client, alice: Any, bob: Any, others: tuple[str, ...], said: str
) -> None:
    seats = [tables.person(bob) if name == "bob" else tables.engine() for name in others]
    match = tables.open_match(alice, [tables.person(alice), *seats])
    assert said in _panels(client, match, alice)["wishes"]
    player_requests.grant("resign", match.pk, [0])
    match.refresh_from_db()
    assert match.is_over is ("ends here" in said)


@pytest.mark.long
def test_who_was_replaced_is_offered_the_rematch(client: Client, alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob), tables.engine()])
    player_requests.grant("resign", match.pk, [0])
    assert "Rematch" not in _panels(client, match, alice)["outcome"]
    match = tables.play_on(match)
    assert table_seats.look_up(match, [0]).held == []
    assert "Rematch" in _panels(client, match, alice)["outcome"]


def test_the_first_words_ask_for_a_step_that_can_be_taken() -> None:
    steps = (Step("place", "Place", "Choose a place.", "place"), Step("region", "Region", "Choose a region.", "choice"))
    game: Any = SimpleNamespace(steps=steps)
    first, later = (Action(0, "", (Part(name, "", "", ""),)) for name in ("place", "region"))
    assert board_page._first_ask(game, [later]) == "Choose a region."
    assert board_page._first_ask(game, [first, later]) == "Choose a place."
    assert board_page._first_ask(game, []) == ""


@pytest.mark.long
def test_who_was_away_is_told_what_happened_and_takes_the_seat_back(client: Client, alice: Any, bob: Any) -> None:
    terms = Terms(ply_limit_s=60, spectator_delay=3)
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], terms)
    match = tables.play_on(match, 4)
    departures.enforce(timezone.now() + timedelta(seconds=61))
    panels = _panels(client, match, alice)
    turn = panels["turn"]
    assert "plays your seat" in turn
    assert "At move 5, just now, you were away too long." in turn
    assert "away for more than" in panels["plates"]
    assert "has lost" not in panels["plates"]
    assert "Take my seat back" in turn
    assert "Take my seat back" not in _panels(client, match, bob)["turn"]
    client.force_login(alice)
    client.post(f"/play/{match.code}/wish/take-seat/")
    page = client.get(f"/play/{match.code}/").content.decode()
    assert "Your turn" in page
    assert "data-bar" in page
    assert "Take my seat back" not in page


def test_plates_tell_spectators_nothing_that_they_do_not_see_yet(client: Client, alice: Any, bob: Any) -> None:
    terms = Terms(ply_limit_s=60, spectator_delay=3, visibility="public")
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], terms)
    tables.play_on(match, 4)
    departures.enforce(timezone.now() + timedelta(seconds=61))
    page = client.get(f"/play/{match.code}/").content.decode()
    assert "alice" in page
    assert "Since move" not in page
    assert "Master" not in page
    lobby = client.get("/play/").content.decode()
    assert "Move 2<" in lobby
    assert "Master" not in lobby.split("watch-head")[1]


def test_moves_are_told_in_words_and_those_since_ones_own_are_marked(client: Client, alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.engine(), tables.engine()], deal_seed=5)
    match = tables.play_on(match, 6)
    panels = _panels(client, match, alice)
    last, before = match.plies.order_by("-ply")[:2]
    held, short = last.words.split(": ")
    assert f'<span class="sr">{held}: </span>' in panels["moves"]
    assert f">{short}</span>" in panels["moves"]
    x, y = last.notation.split(" ")[1].split(",")
    assert f'data-lights="cell-{x}-{y}"' in panels["moves"]
    assert f'data-aid="coordinates" hidden>{last.notation}<' in panels["moves"], "shown where asked for"
    assert panels["moves"].count('class="is-new"') == 2
    for ply in (last, before):
        assert ply.words.partition(": ")[2] in panels["turn"]
    board = client.get(f"/play/{match.code}/state/").json()["board"]
    assert (board.count("cc-earlier"), board.count('class="cc-last"')) == (1, 1)


def test_moves_bring_what_they_change_not_what_all_begin_with(client: Client, alice: Any) -> None:
    """A kingdom of Kingdomino has the ten points of its middle from the start."""
    match = tables.open_match(alice, [tables.person(alice)] * 4, game="kingdomino", deal_seed=3)
    match = tables.play_on(match, 20)
    told_moves = moves.list_moves(table_seats.look_up(match, (0,)), match.ply)
    assert [move.points for move in told_moves[-4:]] == [""] * 4, "the first round places nothing"
    numbers = [(move.seat, int(move.points.replace("\N{MINUS SIGN}", "-") or 0)) for move in told_moves]
    told = [sum(number for seat, number in numbers if seat == own) for own in range(4)]
    assert [10 + points for points in told] == match.plies.order_by("-ply")[0].scores


def _moves(*told: tuple[int, str, bool]) -> list[Move]:
    """The last one first: seat, words, whether it is new."""
    return [
        Move(len(told) - n, seat, f"seat {seat}", words, "", "", is_new, is_reply=False)
        for n, (seat, words, is_new) in enumerate(told)
    ]


def test_what_a_seat_did_one_after_another_is_one_line() -> None:
    told = _moves(
        (2, "Ends", True), (1, "Buys Gold", True), (1, "Plays Smithy", True), (0, "Ends", False), (0, "Buys", False)
    )
    runs = moves.runs(told)
    assert [(run.seat, run.words) for run in runs] == [
        (2, "Ends"),
        (1, "Plays Smithy, buys Gold"),
        (0, "Ends"),
        (0, "Buys"),
    ]


def test_replies_are_set_in_below_what_they_answer(client: Client, alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], deal_seed=5)
    match = tables.play_on(match, 2)
    match.plies.filter(ply=0).update(words="Militia: discards Copper", is_reply=True)
    moves = _panels(client, match, alice)["moves"]
    assert moves.count(" is-reply") == 1
    assert ">Militia: discards Copper<" in moves


@pytest.mark.long
def test_the_result_tells_points_by_kind(client: Client, alice: Any) -> None:
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.engine()], deal_seed=5))
    table = table_seats.look_up(match, (0,))
    kinds = board_page._kinds(table, match.ply)
    assert [kind.label for kind in kinds] == ["Cities", "Roads", "Monasteries", "Fields"]
    scores = match.plies.order_by("-ply")[0].scores
    assert [sum(kind.points[seat] for kind in kinds) for seat in (0, 1)] == scores
    outcome = _panels(client, match, alice)["outcome"]
    assert all(f'data-term="{kind.label}">{kind.label}</button>' in outcome for kind in kinds)


def test_the_first_player_on_turn_is_told_to_start(client: Client, alice: Any) -> None:
    """In dominoes that is who was dealt the 6-6, seat 3 here."""
    match = tables.open_match(alice, [tables.person(alice)] * 4, game="dominoes", deal_seed=3)
    plates = _panels(client, match, alice)["plates"]
    assert [("starts" in plate) for plate in plates.split('data-plate="')[1:]] == [False, False, False, True]


@pytest.mark.parametrize(("game", "plies"), [("carcassonne", 3), ("dominoes", 34)])
def test_panels_need_no_more_than_they_name(
    monkeypatch: pytest.MonkeyPatch, alice: Any, bob: Any, game: str, plies: int
) -> None:
    """What is remembered by its inputs is what all of the page would make of it, for each reader each wish."""
    match = tables.open_match(
        alice, [tables.person(alice), tables.person(bob)] * (2 if game == "dominoes" else 1), game=game
    )
    for wish, seats in (("", ()), ("offer-end", (1,)), ("allow-hints", (0,)), ("", ())):
        match = player_requests.grant(wish, match.pk, seats) if wish else tables.play_on(match, plies)
        for own in ((), (0,), (1,)):
            table = table_seats.look_up(match, own, is_creator=own == (0,))
            with monkeypatch.context() as all_of_it:
                all_of_it.setattr(panels, "INPUTS", {})
                whole = board_page.build_page(table, "t").panels
            found = board_page.build_page(table, "t").panels
            assert {name: html for name, html in found.items() if name != "turn"} == {
                name: html for name, html in whole.items() if name != "turn"
            }, (match.ply, own, wish)
