"""The addresses of the board: page, state, action, wish, aids."""

from __future__ import annotations

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.webapp.pages import markup
from tests.webapp.table.live import luck, tables
from webapp.asgi import application
from webapp.play import aids, wording
from webapp.play.wording import TurnWords
from webapp.table.live import observations, player_requests, ply_writer, position_cache, pulse, table_seats
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan, Terms

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is woken: nothing here waits for an engine."""
    monkeypatch.setattr("worker.tasks.wake", lambda count=1, queue="batch": count)


@pytest.fixture
def match(alice: Any, bob: Any) -> LiveMatch:
    return tables.open_match(alice, [tables.person(alice), tables.person(bob)], deal_seed=5)


@pytest.fixture
def page(client: Client, alice: Any) -> Client:
    client.force_login(alice)
    return client


def _legal(match: LiveMatch) -> list[int]:
    match.refresh_from_db()
    position = position_cache.position_at(match)
    return position.game.legal_actions(position.state).tolist()


def _act(page: Client, match: LiveMatch, **body: Any) -> Any:
    return page.post(f"/play/{match.code}/act/", json.dumps(body), content_type="application/json")


def test_an_action_is_played_and_its_repeat_is_not(page: Client, match: LiveMatch) -> None:
    body = {"ply": 0, "action": _legal(match)[0], "key": "one"}
    first, again = _act(page, match, **body), _act(page, match, **body)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["ply"] == again.json()["ply"] == 1
    assert match.plies.count() == 1


def test_parts_that_the_page_has_are_left_out(page: Client, match: LiveMatch, alice: Any) -> None:
    """Put together with what it has, they are what a page without any is sent."""
    address = f"/play/{match.code}/state/"
    before = page.get(address).json()
    has = ",".join(f"{name}:{tag}" for name, tag in before["tags"].items())
    assert page.get(address, {"has": has}).json()["panel"] == {}
    answer = _act(page, match, ply=0, action=_legal(match)[0], key="one", has=has).json()
    assert {"board", "panel"} <= answer.keys()
    assert {"room", "outcome"}.isdisjoint(answer["panel"])
    whole = page.get(address).json()
    token = re.compile(r"csrfmiddlewaretoken\W+value=\W+(\w+)")
    assert token.search(whole["panel"]["wishes"])[1] == whole["token"]
    merged = before | answer | {"panel": before["panel"] | answer["panel"]}
    passing = ("token", "words", "turn")  # seconds go on, and tokens are others
    for name, part in {**whole, **whole.pop("panel"), "tags": None}.items():
        kept = merged["panel"].get(name, merged.get(name))
        assert name in (*passing, "panel", "tags") or token.sub("", str(kept)) == token.sub("", str(part)), name
    assert page.get(address, {"has": "board:," * 99 + ":::"}).json()["board"] == whole["board"]


def test_a_move_and_a_look_ask_little(page: Client, alice: Any, bob: Any) -> None:
    """The least of three tries counts: what is kept for a while (who is here, limits) may be due in one of them."""
    moves, looks = [], []
    for seed in (5, 6, 7):
        match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], deal_seed=seed)
        page.get(f"/play/{match.code}/state/")
        action = _legal(match)[0]
        with CaptureQueriesContext(connection) as move:
            _act(page, match, ply=0, action=action, key="one")
        with CaptureQueriesContext(connection) as look:
            page.get(f"/play/{match.code}/state/")
        moves.append([query["sql"] for query in move.captured_queries])
        looks.append([query["sql"] for query in look.captured_queries])
    for asked, most in ((min(moves, key=len), 16), (min(looks, key=len), 5)):  # two a savepoint, one tells who waits
        assert len(asked) <= most, "\n".join(sql[:100] for sql in asked)


def test_a_stale_ply_is_refused_with_the_present_state(page: Client, match: LiveMatch) -> None:
    first, second = _legal(match)[:2]
    _act(page, match, ply=0, action=first, key="one")
    answer = _act(page, match, ply=0, action=second, key="two")
    assert answer.status_code == 409
    assert "not played" in answer.json()["error"]
    assert answer.json()["ply"] == 1
    assert match.plies.get().action == first


def test_what_is_no_action_is_refused(page: Client, match: LiveMatch, subtests: pytest.Subtests) -> None:
    for body in [
        b"",
        b"[]",
        b"{}",
        b'{"ply": 0, "action": 1}',
        b'{"ply": true, "action": 1, "key": "k"}',
        b'{"ply": 0, "action": -1, "key": "k"}',
        b'{"ply": 0, "action": 1, "key": "' + b"k" * 65 + b'"}',
        b'{"ply": 0, "action": 1, "key": "\\u0000"}',
        b'{"ply": 0, "action": 1, "key": "\\ud83d"}',
        b'{"ply": 0, "action": 1, "key": "k", "more": "' + b"m" * 5000 + b'"}',
    ]:
        with subtests.test(body=body):
            answer = page.post(f"/play/{match.code}/act/", body, content_type="application/json")
            assert answer.status_code == 400
            assert match.plies.count() == 0


def test_an_illegal_action_is_refused(page: Client, match: LiveMatch) -> None:
    illegal = max(_legal(match)) + 1
    answer = _act(page, match, ply=0, action=illegal, key="k")
    assert answer.status_code == 409
    assert "not among" in answer.json()["error"]


def test_nobody_plays_for_others(client: Client, match: LiveMatch, bob: Any) -> None:
    client.force_login(bob)
    answer = _act(client, match, ply=0, action=_legal(match)[0], key="k")
    assert (answer.status_code, answer.json()["error"]) == (409, "Seat 0 is on turn, not seat 1.")
    LiveMatch.objects.filter(pk=match.pk).update(visibility=LiveMatch.Visibility.PUBLIC)
    client.logout()
    answer = _act(client, match, ply=0, action=_legal(match)[0], key="k")
    assert (answer.status_code, answer.json()["error"]) == (409, "You have no seat in this match.")
    assert match.plies.count() == 0


def test_a_private_match_is_not_there_for_strangers(
    client: Client, match: LiveMatch, subtests: pytest.Subtests
) -> None:
    for address in ["", "state/", "act/", "aids/", "wish/resign/"]:
        with subtests.test(address=address):
            url = f"/play/{match.code}/{address}"
            answer = (
                client.get(url)
                if address in ("", "state/")
                else client.post(url, "{}", content_type="application/json")
            )
            assert answer.status_code == 404


def test_the_state_holds_all_that_the_page_shows(page: Client, match: LiveMatch) -> None:
    seen = page.get(f"/play/{match.code}/state/").json()
    assert seen["board"].startswith("<svg")
    assert {"turn", "plates", "moves", "stock", "wishes"} <= seen["panel"].keys()
    assert [step["name"] for step in seen["steps"]] == ["cell", "rotation", "meeple"]
    assert seen["words"]["title"] == "Your turn"
    assert seen["can"]["resign"] == {"is": True, "why": ""}
    assert not seen["can"]["take-back"]["is"]


def test_the_state_is_packed(page: Client, match: LiveMatch) -> None:
    answer = page.get(f"/play/{match.code}/state/", headers={"accept-encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"


def test_nothing_new_is_204_at_once_where_one_does_not_wait(page: Client, match: LiveMatch) -> None:
    assert page.get(f"/play/{match.code}/state/?version={match.version}&wait=0").status_code == 204
    assert page.get(f"/play/{match.code}/state/?version=0&wait=0").status_code == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_gone", [False, True])
def test_waiting_ends_with_the_next_version(page: Client, match: LiveMatch, has_gone: bool) -> None:
    """A page that was answered a moment ago waits without being looked at; what it is told then is asked anew."""
    action = _legal(match)[0]
    version = page.get(f"/play/{match.code}/state/").json()["version"]
    if has_gone:
        Session.objects.all().delete()
    path, key = f"/play/{match.code}/state/?version={version}", page.cookies["sessionid"].value
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(asyncio.run, _ask(path, key))
        asyncio.run(_until_waiting())
        ply_writer.play(match.pk, 0, 0, action)
        answer = waiting.result(10)
    assert answer.status_code == (404 if has_gone else 200)
    assert has_gone or answer.json()["ply"] == 1


@pytest.mark.django_db(transaction=True)
def test_who_is_not_known_waits_too_and_who_leaves_waits_no_more(match: LiveMatch) -> None:
    """Where the page was answered by another process, it is looked at first; then it waits without a thread."""
    LiveMatch.objects.filter(pk=match.pk).update(visibility="public")
    path = f"/play/{match.code}/state/?version={match.version}"

    async def look_on_and_leave() -> None:
        async with asyncio.timeout(10):
            asking = asyncio.create_task(_ask(path, ""))
            await _until_waiting()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, look_on_and_leave()).result(20)
        assert not pulse.room.waiters()
        waiting = pool.submit(asyncio.run, _ask(path, ""))
        asyncio.run(_until_waiting())
        ply_writer.play(match.pk, 0, 0, _legal(match)[0])
        assert waiting.result(10).json()["ply"] == 1


async def _ask(path: str, session: str) -> httpx.Response:
    """As the server of the pages is asked."""
    transport = httpx.ASGITransport(application)
    cookies = {"sessionid": session} if session else None
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver", cookies=cookies) as browser:
        return await browser.get(path)


async def _until_waiting() -> None:
    for _ in range(1000):
        if pulse.room.waiters():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("nobody waits")


def test_no_page_holds_a_secret(page: Client, alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)])
    for address in ("", "state/"):
        text = page.get(f"/play/{match.code}/{address}").content.decode()
        assert match.commitment in text
        for secret in (match.seed, match.deal_seed, match.salt):
            assert str(secret) not in text


@pytest.mark.long
def test_no_answer_of_a_whole_match_of_kingdomino_tells_what_comes(page: Client, alice: Any, bob: Any) -> None:
    seats = [tables.person(alice), tables.person(bob)]
    match = tables.open_match(alice, seats, game="kingdomino", deal_seed=987_654_321_987)
    while match.status == LiveMatch.Status.RUNNING:
        order = luck.to_come(match)
        for address in ("", "state/"):
            text = page.get(f"/play/{match.code}/{address}").content.decode()
            assert not [secret for secret in (match.seed, match.deal_seed, match.salt) if str(secret) in text]
            assert not luck.told(order, text)
            assert order[:4] == [] or order[0][1] in text, "what comes next is among what is left, unordered"
        match = tables.play_on(match, 3)
    assert str(match.deal_seed) in page.get(f"/play/{match.code}/").content.decode()


def test_resigning_by_a_plain_form_leads_back_to_the_result(page: Client, match: LiveMatch) -> None:
    answer = page.post(f"/play/{match.code}/wish/resign/", follow=True)
    assert "You resigned" in answer.content.decode()
    match.refresh_from_db()
    assert match.status == LiveMatch.Status.ENDED


def test_a_refused_wish_is_said_to_script_and_person(page: Client, match: LiveMatch) -> None:
    plain = page.post(f"/play/{match.code}/wish/take-back/", follow=True)
    assert "You have not decided anything yet" in plain.content.decode()
    by_script = page.post(f"/play/{match.code}/wish/take-back/", headers={"accept": "application/json"})
    assert by_script.status_code == 409
    assert by_script.json()["error"] == "You have not decided anything yet."


@pytest.mark.long
def test_a_rematch_is_offered_where_the_result_is_and_kept_for_who_is_asked(page: Client, alice: Any, bob: Any) -> None:
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)]))
    other = Client()
    other.force_login(bob)
    assert "A rematch has been set up" not in other.get(f"/play/{match.code}/").content.decode()
    room = markup(page.post(f"/play/{match.code}/wish/rematch/", follow=True))
    assert "Kept for bob" in room
    assert "A rematch has been set up" in other.get(f"/play/{match.code}/state/").json()["panel"]["outcome"]


def test_a_rematch_leads_to_the_new_match(page: Client, alice: Any) -> None:
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.engine()]))
    answer = page.post(f"/play/{match.code}/wish/rematch/", headers={"accept": "application/json"})
    assert answer.json() == {"location": f"/play/{match.rematches.get().code}/"}


def test_unknown_wishes_are_not_there(page: Client, match: LiveMatch) -> None:
    assert page.post(f"/play/{match.code}/wish/money/").status_code == 404
    assert page.get(f"/play/{match.code}/wish/resign/").status_code == 405


def test_aids_are_kept_with_the_person(page: Client, match: LiveMatch, alice: Any) -> None:
    url = f"/play/{match.code}/aids/"
    assert page.post(url, '{"legal": false, "dead": true}', content_type="application/json").status_code == 204
    for bad in ('{"wings": true}', '{"legal": 1}', "[]"):
        assert page.post(url, bad, content_type="application/json").status_code == 400
    alice.refresh_from_db()
    game = position_cache.position_at(match).game
    on = aids.active_aids(alice, game, aids.offered_aids(match, game))
    assert "dead" in on
    assert "legal" not in on
    assert page.get(f"/play/{match.code}/state/").json()["aids_on"] == on


def test_a_match_without_aids_shows_none(page: Client, alice: Any, bob: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], Terms(has_aids=False))
    seen = page.get(f"/play/{match.code}/state/").json()
    assert (seen["aids"], seen["aids_on"]) == ([], [])
    assert "more if the match ended now" not in seen["panel"]["plates"]


def test_an_open_match_shows_who_is_missing_and_the_invitation(page: Client, alice: Any) -> None:
    match = tables.open_match(alice, [tables.person(alice), SeatPlan(name="By invitation")])
    text = page.get(f"/play/{match.code}/").content.decode()
    assert "Waiting for players" in text
    assert match.invite in text
    answer = page.post(f"/play/{match.code}/wish/cancel/", follow=True)
    assert "Called off before it began" in answer.content.decode()


def test_a_spectator_gets_no_invitation(client: Client, bob: Any) -> None:
    terms = Terms(visibility=LiveMatch.Visibility.PUBLIC)
    match = tables.open_match(bob, [tables.person(bob), SeatPlan(name="By invitation")], terms)
    assert match.invite not in client.get(f"/play/{match.code}/").content.decode()


# ---- words


def _words(match: LiveMatch, seats: tuple[int, ...], **seen: Any) -> TurnWords:
    match.refresh_from_db()
    table = table_seats.look_up(match, seats)
    known = {"on_turn": match.on_turn, "ply": match.ply, "latest": match.ply, "your_turn": match.on_turn in seats}
    return wording.turn_words(table, replace(observations.observe(match, ()), **known | seen), "Choose.")


def test_whose_turn_it_is_and_what_happens_to_who_stays_away(alice: Any, bob: Any) -> None:
    terms = Terms(ply_limit_s=300)
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], terms)
    assert _words(match, (0,)).title == "Your turn"
    theirs = _words(match, (1,))
    assert theirs.title == "alice\N{RIGHT SINGLE QUOTATION MARK}s turn"
    assert theirs.until == "after 5 min an engine takes over"
    assert theirs.since_s >= 0


def test_a_clock_shows_what_is_left_after_the_present_ply(alice: Any, bob: Any, client: Client) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob)], Terms(clock_s=300))
    match.seats.filter(seat=0).update(used_s=40)
    LiveMatch.objects.filter(pk=match.pk).update(turn_began_at=timezone.now() - timedelta(seconds=53))
    client.force_login(bob)
    text = markup(client.get(f"/play/{match.code}/"))
    running, resting = (float(seconds) for seconds in re.findall(r'data-clock="([\d.]+)"', text))
    assert 0 < running <= 300 - 40 - 53
    assert resting == 300
    assert len(re.findall(r'data-clock="[\d.]+" data-runs', text)) == 1


@pytest.mark.long
def test_who_left_a_table_of_three_has_lost_as_the_page_says(alice: Any, bob: Any, client: Client) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob), tables.engine()])
    player_requests.grant("resign", match.pk, (0,))
    client.force_login(bob)
    assert (
        "Since move 1 for alice: alice resigned. alice has lost." in client.get(f"/play/{match.code}/").content.decode()
    )
    tables.play_on(match)
    match.refresh_from_db()
    words = wording.turn_words(table_seats.look_up(match, (1,)), observations.observe(match, (1,)), "")
    assert words.why.endswith("alice left and has lost.")


def test_an_offer_to_end_is_said_beside_whose_turn_it_is(match: LiveMatch) -> None:
    player_requests.grant("offer-end", match.pk, (0,))
    said = [
        wording.turn_words(table_seats.look_up(match, seats), observations.observe(match, seats), "").why
        for seats in ((1,), (0,), ())
    ]
    assert said == ["alice offers to end the match.", "", ""]


def test_a_match_that_has_not_begun_shows_nothing_of_its_luck(alice: Any, client: Client) -> None:
    match = tables.open_match(alice, [tables.person(alice), SeatPlan()])
    client.force_login(alice)
    shown = client.get(f"/play/{match.code}/state/").json()
    assert (shown["observation"], shown["board"], shown["held_label"], shown["on_turn"]) == (None, "", "", None)
    assert "<svg" not in "".join(shown["panel"].values())


def test_an_engine_thinks_about_as_long_as_it_may(alice: Any) -> None:
    from engines.protocol import Budget
    from worker.spec import SeatSpec

    strong = SeatSpec("uct", {}, Budget(seconds_per_ply=2.0))
    match = tables.open_match(alice, [tables.engine(strong, "Strong"), tables.person(alice)])
    words = _words(match, (1,))
    assert (words.title, words.why, words.usual_s) == ("Strong thinks", "About 2 s a move.", 2.0)


def _end(scores: tuple[int, ...]) -> Any:
    """As much of a snapshot as the words of a result need."""
    return SimpleNamespace(seats=[SimpleNamespace(score=score) for score in scores], result=None)


@pytest.mark.parametrize(
    ("scores", "seats", "said"),
    [
        ((83, 71), (0,), "You win 83 to 71"),
        ((83, 71), (1,), "alice wins 83 to 71"),
        ((70, 70), (0,), "A draw, 70 to 70"),
        ((83, 71), (), "alice wins 83 to 71"),
        ((70, 70), (), "alice and bob draw, 70 to 70"),
    ],
)
def test_results_of_two(match: LiveMatch, scores: tuple[int, ...], seats: tuple[int, ...], said: str) -> None:
    match.status, match.ending = LiveMatch.Status.FINISHED, {"kind": "finished", "seat": None, "message": ""}
    table = table_seats.look_up(match, seats)
    assert wording.result(table, _end(scores)) == said


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ((90, 80, 70), "You win with 90 points"),
        ((80, 90, 70), "bob won with 90, you came 2nd with 80"),
        ((90, 90, 70), "You share the win with bob, 90 each"),
    ],
)
def test_results_of_three(alice: Any, bob: Any, scores: tuple[int, ...], said: str) -> None:
    match = tables.open_match(alice, [tables.person(alice), tables.person(bob), tables.engine()])
    match.status, match.ending = LiveMatch.Status.FINISHED, {"kind": "finished", "seat": None, "message": ""}
    table = table_seats.look_up(match, (0,))
    assert wording.result(table, _end(scores)) == said
