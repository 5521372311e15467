"""Who gets the next place: by kind, by address, by session, by turn; and who is refused."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from webapp.common import admission, gate, request_kinds
from webapp.common.admission import EXPORT, MOVE, PAGE, PLACES, POLL, Admission, BusyError, Client, Kind, Ticket


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run to the end, in a thread of its own: browser tests leave a loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result(timeout=60)


SOMEBODY = Client("192.0.2.1")


async def fill(places: Admission, *kinds: Kind, client: Client = SOMEBODY) -> list[Ticket]:
    """Tickets of these kinds with a place each."""
    tickets = [Ticket(kind, client) for kind in kinds]
    for ticket in tickets:
        await places.enter(ticket)
    return tickets


async def queue(places: Admission, order: list[str], *waiting: tuple[str, Kind, Client]) -> list[asyncio.Task[None]]:
    """Have requests wait; each notes its name when it has been let in, or that it was refused."""

    async def one(name: str, kind: Kind, client: Client) -> None:
        ticket = Ticket(kind, client)
        try:
            await places.enter(ticket)
        except BusyError:
            order.append(f"{name} refused")
            return
        order.append(name)
        await asyncio.sleep(0)
        places.leave(ticket)

    tasks = []
    for row in waiting:
        tasks.append(asyncio.create_task(one(*row)))
        await asyncio.sleep(0)
    return tasks


def served(*waiting: tuple[str, Kind, Client]) -> list[str]:
    """The order in which they are served once two of the moves that have all places have left."""

    async def serve() -> list[str]:
        places, order = Admission(), list[str]()
        tickets = await fill(places, *[MOVE] * PLACES)
        tasks = await queue(places, order, *waiting)
        places.leave(tickets[0])
        places.leave(tickets[1])
        await asyncio.wait_for(asyncio.gather(*tasks), 5)
        assert places.num_in_work == PLACES - 2
        assert places.num_waiting == 0
        return order

    return run(serve())


def test_moves_come_before_pages_and_pages_before_polls_and_exports() -> None:
    one = Client("192.0.2.7")
    waiting = [("export", EXPORT, one), ("poll", POLL, one), ("page", PAGE, one), ("move", MOVE, one)]
    assert served(*waiting) == ["move", "page", "poll", "export"]


@pytest.mark.parametrize("kinds", [(PAGE,), (POLL,), (EXPORT,), (EXPORT, POLL, PAGE)])
def test_no_number_of_others_takes_the_place_of_a_move(kinds: tuple[Kind, ...]) -> None:
    async def serve() -> None:
        places = Admission()
        crowd = [(kind.name, kind, Client(f"192.0.2.{number}")) for kind in kinds for number in range(20)]
        tasks = [asyncio.create_task(places.enter(Ticket(kind, client))) for _, kind, client in crowd]
        await asyncio.sleep(0)
        assert places.num_in_work == min(PLACES - 1, sum(kind.places for kind in kinds))
        if PAGE not in kinds:
            await asyncio.wait_for(fill(places, PAGE), 1)
        await asyncio.wait_for(fill(places, MOVE), 1)
        for task in tasks:
            task.cancel()

    run(serve())


def test_the_place_goes_to_the_address_with_the_fewest_then_to_its_session_with_the_fewest() -> None:
    busy, other = Client("192.0.2.1", "one"), Client("192.0.2.1", "two")
    quiet = Client("192.0.2.2")

    async def serve() -> list[str]:
        places, order = Admission(), list[str]()
        held = await fill(places, *[PAGE] * PAGE.places, client=busy)
        await queue(places, order, ("busy", PAGE, busy), ("other", PAGE, other), ("quiet", PAGE, quiet))
        places.leave(held[0])
        await asyncio.sleep(0.05)
        return order

    assert run(serve()) == ["quiet", "other", "busy"]


def test_where_too_many_wait_the_address_with_the_most_gives_one_up() -> None:
    kind = dataclasses.replace(PAGE, most_waiting=3)
    greedy, quiet = Client("192.0.2.1"), Client("192.0.2.2")
    waiting = [(f"greedy {number}", kind, greedy) for number in range(4)] + [("quiet", kind, quiet)]
    order = served(*waiting)
    assert order[:2] == ["greedy 3 refused", "greedy 2 refused"]
    assert set(order[2:]) == {"greedy 0", "greedy 1", "quiet"}


def test_who_waited_in_vain_or_went_away_leaves_no_trace() -> None:
    async def serve() -> None:
        places = Admission()
        tickets = await fill(places, *[MOVE] * PLACES)
        with pytest.raises(BusyError):
            await places.enter(Ticket(dataclasses.replace(PAGE, waits_s=0.01), Client()))
        gone = asyncio.create_task(places.enter(Ticket(PAGE, Client())))
        await asyncio.sleep(0)
        places.leave(tickets[0])  # it is called, and goes in the same moment
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        places.leave(tickets[0])
        assert (places.num_in_work, places.num_waiting) == (PLACES - 1, 0)

    run(serve())


def test_a_page_waits_where_its_turn_comes_soon_and_is_refused_at_once_where_not() -> None:
    """Sixty addresses with a page each; one of them sends sixty more, and waits for its own longest."""

    async def serve() -> tuple[float, float, list[int]]:
        places = Admission()
        await fill(places, *[MOVE] * PLACES)
        places._cost_s[PAGE.name] = 0.04
        pages = [Ticket(PAGE, Client(f"192.0.2.{number}")) for number in range(60)]
        pages += [Ticket(PAGE, Client("192.0.2.0"))] * 10
        tasks = [asyncio.create_task(places.enter(page)) for page in pages]
        await asyncio.sleep(0)
        assert places.num_waiting == len(tasks)
        newcomer, greedy = Ticket(PAGE, Client("198.51.100.1")), Ticket(PAGE, Client("192.0.2.0"))
        found = places.expected_s(newcomer), places.expected_s(greedy)
        places._cost_s[PAGE.name] = 0.2
        again = []
        for _ in range(40):
            with pytest.raises(BusyError) as refused:
                await places.enter(newcomer)
            again.append(refused.value.wait_s)
        assert places.num_waiting == len(tasks)
        for task in tasks:
            task.cancel()
        return *found, again

    newcomer_s, greedy_s, again = run(serve())
    assert newcomer_s == pytest.approx(60 * 0.04)
    assert greedy_s == pytest.approx((11 + 59) * 0.04)
    assert min(again) >= admission.RETRY_S
    assert len(set(again)) > 3


def test_what_a_request_costs_is_measured() -> None:
    async def serve() -> float:
        places = Admission()
        for _ in range(60):
            held = await fill(places, PAGE, PAGE)
            await asyncio.sleep(0.004)
            for ticket in held:
                places.leave(ticket)
        await fill(places, *[MOVE] * PLACES)
        waiting = asyncio.create_task(places.enter(Ticket(PAGE, Client("192.0.2.1"))))
        await asyncio.sleep(0)
        expected_s = places.expected_s(Ticket(PAGE, Client("192.0.2.2")))
        waiting.cancel()
        return expected_s

    assert 0.002 <= run(serve()) != admission.USUAL_S


def test_one_slow_request_says_little_of_the_next_ones() -> None:
    async def serve() -> tuple[float, float]:
        places, page = Admission(), Ticket(PAGE, Client())
        costs = []
        for times in (1, 60):
            for _ in range(times):
                await places.enter(page)
                page.began_at -= 10.0
                places.leave(page)
            costs.append(places._cost(PAGE))
        return costs[0], costs[1]

    once_s, always_s = run(serve())
    usual_s = admission.USUAL_S
    most_s = usual_s * (1 + admission.NEWEST * (admission.MOST_AT_ONCE - 1))
    assert once_s == pytest.approx(most_s)
    assert always_s > 5.0, "what stays slow is known soon"


# ---- the door


KINDS = {
    ("POST", "/play/abc/act/"): MOVE,
    ("POST", "/api/v1/matches/abc/actions"): MOVE,
    ("GET", "/health/"): MOVE,
    ("GET", "/health/live/"): MOVE,
    ("GET", "/health/ready/"): MOVE,
    ("GET", "/metrics"): MOVE,
    ("GET", "/play/abc/act/"): PAGE,
    ("GET", "/play/abc/state/?version=4"): POLL,
    ("GET", "/play/abc/state/"): PAGE,
    ("GET", "/api/v1/turns?wait=20"): POLL,
    ("GET", "/r/slug/export/plies.csv"): EXPORT,
    ("GET", "/experiments/4/export/matches.parquet"): EXPORT,
    ("GET", "/experiments/4/"): PAGE,
    ("GET", "/static/css/base.css"): None,
}


def scope_of(method: str, address: str, **headers: str) -> dict[str, Any]:
    """An ASGI scope."""
    path, _, query = address.partition("?")
    lines = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "query_string": query.encode(), "headers": lines}
    return scope | {"client": ("2001:db8:1:2:3::4", 5)}


def test_addresses_have_kinds() -> None:
    for (method, address), kind in KINDS.items():
        assert request_kinds.kind_of(scope_of(method, address)) == kind, address


def test_a_client_is_an_address_with_a_session_or_a_token() -> None:
    assert gate.client(scope_of("GET", "/", cookie="a=b; sessionid=xyz")) == Client("2001:db8:1:2::/64", "xyz")
    assert gate.client(scope_of("GET", "/", authorization="Bearer t")).session == "Bearer t"
    assert gate.client(scope_of("GET", "/") | {"client": None}) == Client("", "")


Sent = list[dict[str, Any]]


def through(app: Callable[..., Any], scope: dict[str, Any], send_s: float = 0.0, taken: int = 0) -> Sent:
    """What a request through the door is sent, while `taken` moves have their places."""
    body = [{"type": "http.request", "body": b"a", "more_body": True}, {"type": "http.request", "body": b"b"}]
    sent: Sent = []

    async def ask() -> None:
        from webapp.asgi import _refuse

        async def receive() -> dict[str, Any]:
            return body.pop(0)

        async def send(message: dict[str, Any]) -> None:
            await asyncio.sleep(send_s)
            sent.append(message)

        await fill(admission.admission(), *[MOVE] * taken)
        await gate.Gate(app, request_kinds.kind_of, _refuse)(scope, receive, send)
        assert admission.admission().num_in_work == taken

    run(ask())
    return sent


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answers with the body, in two messages, and says whether it still has its place."""
    body = (await receive())["body"] + (await receive())["body"]
    held = admission.admission().num_in_work
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body + f" {held} {admission.admission().num_in_work}".encode()})


def test_the_body_is_handed_on_and_the_place_given_up_as_the_answer_begins() -> None:
    assert through(echo, scope_of("POST", "/play/abc/act/"))[1]["body"] == b"ab 1 0"


def test_a_full_house_is_said_on_a_page_and_as_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = dataclasses.replace(PAGE, waits_s=0.0)
    monkeypatch.setattr(request_kinds, "PAGE", quick)
    for address, media_type in {
        "/play/": "text/html; charset=utf-8",
        "/api/v1/games": "application/problem+json",
    }.items():
        start, body = through(echo, scope_of("GET", address), taken=PLACES)
        headers = dict(start["headers"])
        assert (start["status"], headers[b"cache-control"]) == (503, b"no-store")
        assert int(headers[b"retry-after"]) >= admission.RETRY_S
        assert headers[b"content-type"] == media_type.encode()
        assert int(headers[b"content-length"]) == len(body["body"])
        assert (b'http-equiv="refresh"' in body["body"]) == (address == "/play/")
    assert b"Nothing was changed" in through(echo, scope_of("POST", "/play/new/"), taken=PLACES)[1]["body"]


def test_who_takes_nothing_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "READ_S", 0.02)
    ended = []

    async def endless(scope: Any, receive: Any, send: Any) -> None:
        try:
            while True:
                await send({"type": "http.response.body", "body": b"x", "more_body": True})
        except asyncio.CancelledError:  # as Django's handler does where somebody has left
            ended.append(True)

    assert through(endless, scope_of("GET", "/r/slug/export/plies.csv"), send_s=1.0) == []
    assert ended == [True]
