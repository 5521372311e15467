"""Deliveries arrive once signed, are tried again, and lead nowhere they must not."""

from __future__ import annotations

import hashlib
import hmac
import socket
import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from tests.webapp.table.hooks.receiving import DEADLINE_S, Receiver, delivering, wait_for
from webapp.ops import programs
from webapp.people.agents.models import Agent
from webapp.table.hooks import announce, queue, services
from webapp.table.hooks import deliverer as delivering_program
from webapp.table.hooks.models import Delivery, Hook
from webapp.table.hooks.queue import Outcome

pytestmark = pytest.mark.django_db(transaction=True)
Status = Delivery.Status


def only() -> Delivery:
    return Delivery.objects.get()


def make_due() -> None:
    Delivery.objects.filter(status=Status.WAITING).update(due_at=timezone.now() - timedelta(seconds=1))


def test_a_turn_is_delivered_and_signed(hook: Hook, receiver: Receiver, settings: Any) -> None:
    settings.PUBLIC_URL = "https://lab.example.org"
    announce.turn("abc", 7, 5, hook.agent_id)
    with delivering():
        wait_for(lambda: only().status == Status.SENT)
    (request,) = receiver.got
    assert receiver.bodies() == [
        {
            "delivery": str(only().id),
            "event": "turn",
            "agent": "rook",
            "match": {"code": "abc", "address": "https://lab.example.org/api/v1/matches/abc"},
            "version": 7,
            "ply": 5,
        }
    ]
    headers = request["headers"]
    assert (headers["Meeple-Event"], headers["Meeple-Delivery"]) == ("turn", str(only().id))
    assert (headers["Host"], request["path"]) == (f"127.0.0.1:{receiver.port}", "/hook?x=1")
    assert abs(int(headers["Meeple-Timestamp"]) - time.time()) < 60
    message = headers["Meeple-Timestamp"].encode() + b"." + request["body"]
    expected = hmac.new(hook.secret.encode(), message, hashlib.sha256).hexdigest()
    assert headers["Meeple-Signature"] == f"sha256={expected}"
    assert (only().answer, only().attempts, only().problem) == (204, 1, "")


def test_a_failed_attempt_is_tried_again_with_the_same_id(hook: Hook, receiver: Receiver) -> None:
    receiver.answer = lambda request: 503 if len(receiver.got) == 1 else 200
    announce.turn("abc", 1, 0, hook.agent_id)
    with delivering():
        wait_for(lambda: only().answer == 503)
        waits_s = (only().due_at - timezone.now()).total_seconds()
        assert only().problem == "Answered 503."
        make_due()
        wait_for(lambda: only().status == Status.SENT)
    assert 0 < waits_s <= queue.BACK_OFF_S[0]
    assert len({body["delivery"] for body in receiver.bodies()}) == 1
    assert only().attempts == 2


def test_it_is_given_up_after_the_last_wait(hook: Hook, receiver: Receiver) -> None:
    receiver.answer = lambda request: 500
    announce.turn("abc", 1, 0, hook.agent_id)
    with delivering():
        for attempt in range(1, len(queue.BACK_OFF_S) + 2):
            wait_for(lambda attempt=attempt: only().attempts == attempt and only().claimed_until is None)
            make_due()
    assert only().status == Status.GIVEN_UP
    assert len(receiver.got) == len(queue.BACK_OFF_S) + 1


def test_redirects_are_not_followed(hook: Hook, receiver: Receiver) -> None:
    receiver.answer, receiver.location = (lambda request: 302), receiver.url()
    announce.turn("abc", 1, 0, hook.agent_id)
    with delivering():
        wait_for(lambda: only().problem)
    assert "redirects are not followed" in only().problem
    assert len(receiver.got) == 1


def test_nothing_is_sent_to_a_host_that_is_allowed_no_more(hook: Hook, receiver: Receiver) -> None:
    announce.turn("abc", 1, 0, hook.agent_id)
    with delivering(allowed=()):
        wait_for(lambda: only().problem)
    assert not receiver.got


def test_a_name_that_leads_to_loopback_is_not_connected_to(agent: Agent, receiver: Receiver) -> None:
    made, _ = services.set_up(agent, f"https://localhost:{receiver.port}/", Hook.Event.values)
    announce.turn("abc", 1, 0, made.agent_id)
    with delivering(allowed=()):
        wait_for(lambda: only().problem)
    assert "does not lead to the public internet" in only().problem
    assert not receiver.got


def test_the_name_is_asked_for_once_and_the_connection_goes_there(
    agent: Agent, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name server that answers differently the second time is not asked a second time."""
    import asyncio

    asked: list[str] = []
    real = asyncio.base_events.BaseEventLoop.getaddrinfo

    async def answering(loop: Any, host: Any, port: int, **values: Any) -> Any:
        if host in ("rebinding.test", b"rebinding.test"):
            asked.append("rebinding.test")
            host = "127.0.0.1"
        return await real(loop, host, port, **values)

    monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "getaddrinfo", answering)
    made, _ = services.set_up(agent, receiver.url("rebinding.test"), Hook.Event.values)
    announce.turn("abc", 1, 0, made.agent_id)
    with delivering(allowed=("rebinding.test",)):
        wait_for(lambda: only().status == Status.SENT)
    assert asked == ["rebinding.test"]
    assert receiver.got[0]["headers"]["Host"] == f"rebinding.test:{receiver.port}"


@pytest.mark.long
def test_the_slow_hosts_of_one_person_do_not_hold_up_others(hook: Hook, receiver: Receiver, bob: Any) -> None:
    slow = Receiver()
    release = []

    def dawdle(request: Any) -> int:
        deadline = time.monotonic() + 8
        while not release and time.monotonic() < deadline:
            time.sleep(0.02)
        return 200

    slow.answer = dawdle
    snails = [Agent.objects.create(owner=bob, name=f"snail{number}") for number in range(2)]
    for snail in snails:
        services.set_up(snail, slow.url(), Hook.Event.values)
    for number in range(10):
        announce.started(f"slow{number}", 1, [snail.pk for snail in snails])
    announce.started("fast", 1, [hook.agent_id])
    try:
        with delivering():
            wait_for(lambda: hook.deliveries.get().status == Status.SENT)
            wait_for(lambda: slow.got)
            assert len(slow.got) <= queue.PER_OWNER
            release.append(True)
            wait_for(lambda: not Delivery.objects.exclude(status=Status.SENT).exists())
    finally:
        slow.close()
    assert len(slow.got) == 20


def test_a_host_that_never_answers_is_left(hook: Hook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    from webapp.table.hooks import delivery_attempt

    monkeypatch.setattr(delivery_attempt, "TOTAL_S", 0.2)
    receiver.answer = lambda request: time.sleep(1.5) or 200
    announce.turn("abc", 1, 0, hook.agent_id)
    with delivering():
        wait_for(lambda: only().problem)
    assert "No answer within" in only().problem or "took too long" in only().problem
    assert only().status == Status.WAITING


def test_so_many_are_claimed_for_one_person_as_there_is_room(hook: Hook, agent: Agent) -> None:
    for number in range(queue.PER_OWNER):
        announce.started(f"match{number}", 1, [agent.pk])
    assert queue.claim(64, {agent.owner_id: queue.PER_OWNER}) == []
    assert len(queue.claim(64, {agent.owner_id: queue.PER_OWNER - 3})) == 3
    assert len(queue.claim(2, {})) == 2


def test_a_deliverer_asked_to_stop_waits_not_long(
    hook: Hook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivering_program, "STOP_S", 0.05)
    release = threading.Event()
    receiver.answer = lambda request: release.wait(DEADLINE_S) and 200
    announce.turn("abc", 1, 0, hook.agent_id)
    with delivering():
        wait_for(lambda: receiver.got)
    assert only().status == Status.WAITING
    release.set()
    Delivery.objects.update(claimed_until=timezone.now() - timedelta(seconds=1))
    with delivering():
        wait_for(lambda: only().status == Status.SENT)
    assert len(receiver.got) == 2


def test_a_program_that_stops_has_more_time_than_its_deliveries() -> None:
    assert programs.deliverer().stop_seconds > delivering_program.STOP_S


def test_nothing_is_told_of_the_connection_but_that_it_failed(agent: Agent) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens
        made, _ = services.set_up(agent, f"http://127.0.0.1:{taken.getsockname()[1]}/", Hook.Event.values)
        announce.turn("abc", 1, 0, made.agent_id)
        with delivering():
            wait_for(lambda: only().problem)
    assert only().problem == "No answer: the connection could not be made, or broke off."


def test_what_a_killed_deliverer_held_is_delivered(hook: Hook, receiver: Receiver) -> None:
    announce.turn("abc", 1, 0, hook.agent_id)
    (job,) = queue.claim(10)
    assert queue.claim(10) == []
    Delivery.objects.update(claimed_until=timezone.now() - timedelta(seconds=1))
    with delivering():
        wait_for(lambda: only().status == Status.SENT)
    queue.settle(job, Outcome(500, "late", 0.1))  # the dead one was only slow: its word counts no more
    assert (only().status, only().attempts) == (Status.SENT, 2)


def test_an_outdated_turn_is_dropped(hook: Hook, receiver: Receiver) -> None:
    announce.turn("abc", 1, 0, hook.agent_id)
    announce.turn("abc", 2, 1, None)  # somebody else's turn by now
    announce.turn("other", 1, 0, hook.agent_id)
    with delivering():
        wait_for(lambda: Delivery.objects.filter(status=Status.SENT).exists())
    assert [body["match"]["code"] for body in receiver.bodies()] == ["other"]
    assert Delivery.objects.get(match="abc").status == Status.OUTDATED


def test_a_turn_that_was_answered_by_playing_counts_as_arrived(hook: Hook) -> None:
    announce.turn("abc", 1, 0, hook.agent_id)
    (job,) = queue.claim(10)
    announce.turn("abc", 2, 1, None)
    queue.settle(job, Outcome(200, "", 0.1))
    assert only().status == Status.SENT


def test_only_wanted_events_are_told(agent: Agent, receiver: Receiver) -> None:
    made, _ = services.set_up(agent, receiver.url(), [Hook.Event.OVER])
    announce.started("abc", 1, [agent.pk, None])
    announce.turn("abc", 2, 0, agent.pk)
    announce.over("abc", 3, 70, [agent.pk, agent.pk])
    assert [row.event for row in made.deliveries.all()] == ["match_over"]


def test_a_retired_agent_is_told_nothing(hook: Hook, agent: Agent) -> None:
    Agent.objects.update(retired_at=timezone.now())
    announce.started("abc", 1, [agent.pk])
    announce.over("abc", 3, 70, [agent.pk])
    assert not Delivery.objects.exists()


def test_a_hook_taken_away_in_the_middle_of_a_ply_undoes_nothing(hook: Hook, agent: Agent) -> None:
    """The notice is written, its hook is gone before it is kept: nothing fails, nothing is sent."""
    gone = threading.Thread(target=lambda: (services.remove(agent), connection.close()))
    with transaction.atomic():
        announce.turn("abc", 1, 0, agent.pk)
        gone.start()
        gone.join(DEADLINE_S)
        assert not gone.is_alive(), "taking it away waits for nobody"
    assert not Hook.objects.exists()
    assert only().status == Status.WAITING
    assert queue.claim(10) == []
    assert queue.forget() == 1


def test_old_deliveries_are_forgotten(hook: Hook) -> None:
    announce.turn("abc", 1, 0, hook.agent_id)
    announce.over("abc", 2, 1, [hook.agent_id])
    Delivery.objects.filter(event="turn").update(ended_at=timezone.now() - timedelta(days=8))
    assert queue.forget() == 1
    assert only().event == "match_over"


def test_tls_is_spoken_with_the_name_not_the_address(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate asked for, and checked, is that of the host although an address is connected to."""
    import asyncio
    import ssl

    names: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.sni_callback = lambda _, name, __: names.append(name)
    listener = socket.create_server(("127.0.0.1", 0))

    def shake_hands() -> None:
        connected, _ = listener.accept()
        with connected, pytest.raises(ssl.SSLError):  # there is no certificate to show
            context.wrap_socket(connected, server_side=True)

    thread = threading.Thread(target=shake_hands, daemon=True)
    thread.start()
    real = asyncio.base_events.BaseEventLoop.getaddrinfo

    async def answering(loop: Any, host: Any, port: int, **values: Any) -> Any:
        return await real(loop, "127.0.0.1", port, **values)

    monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "getaddrinfo", answering)
    port = listener.getsockname()[1]
    made, _ = services.set_up(agent, f"https://agent.example.org:{port}/", Hook.Event.values)
    announce.turn("abc", 1, 0, made.agent_id)
    with delivering(allowed=("agent.example.org",)):
        wait_for(lambda: only().problem)
    thread.join(5)
    listener.close()
    assert names == ["agent.example.org"]
    assert only().problem.startswith("No answer")


def test_an_attempt_that_lost_its_claim_changes_nothing(agent: Agent) -> None:
    hook, _ = services.set_up(agent, "https://example.org/hook", Hook.Event.values)
    announce.turn("abc", 1, 0, hook.agent_id)
    (slow,) = queue.claim(1)
    Delivery.objects.update(claimed_until=timezone.now() - timedelta(seconds=1))
    (second,) = queue.claim(1)
    queue.settle(second, Outcome(503, "Answered 503.", 0.1))
    due_at = Delivery.objects.get().due_at
    queue.settle(slow, Outcome(None, "No answer within 10 s.", 10.0))
    found = Delivery.objects.get()
    assert (found.answer, found.problem, found.due_at, found.attempts) == (503, "Answered 503.", due_at, 2)
