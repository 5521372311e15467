"""The page of a webhook: set it, see its secret once, test it, remove it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from webapp.people.agents.models import Agent
from webapp.table.hooks import announce, queue
from webapp.table.hooks.models import Delivery, Hook
from webapp.table.hooks.queue import Outcome

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client: Client, alice: Any, agent: Agent) -> str:
    client.force_login(alice)
    return f"/agents/{agent.pk}/webhook/"


def _set(client: Client, page: str, url: str = "https://agent.example.org/x", **values: Any) -> Any:
    return client.post(page, {"url": url, "events": ["turn", "match_over"], **values})


def test_the_secret_is_shown_once(client: Client, page: str) -> None:
    assert "Set the webhook" in client.get(page).content.decode()
    first = _set(client, page)
    hook = Hook.objects.get()
    assert hook.secret in first.content.decode()
    assert first["Cache-Control"] == "no-store"
    assert hook.events == ["turn", "match_over"]
    assert hook.secret not in client.get(page).content.decode()


def test_other_events_keep_the_secret_and_another_address_does_not(client: Client, page: str) -> None:
    _set(client, page)
    secret = Hook.objects.get().secret
    assert _set(client, page, events=["turn"]).status_code == 302
    assert (Hook.objects.get().secret, Hook.objects.get().events) == (secret, ["turn"])
    _set(client, page, url="https://other.example.org/")
    assert Hook.objects.get().secret != secret


def test_the_secret_can_be_changed(client: Client, page: str) -> None:
    _set(client, page)
    secret = Hook.objects.get().secret
    answer = client.post(f"{page}rotate/").content.decode()
    assert Hook.objects.get().secret != secret
    assert Hook.objects.get().secret in answer


def test_a_bad_address_is_refused_at_its_field(client: Client, page: str, subtests: pytest.Subtests) -> None:
    for url in ["http://agent.example.org/", "https://10.0.0.1/", "nonsense", ""]:
        with subtests.test(url=url):
            answer = _set(client, page, url=url)
            assert 'id="id_url_error"' in answer.content.decode()
            assert not Hook.objects.exists()


def test_something_must_be_told(client: Client, page: str) -> None:
    assert "Tick at least one event." in _set(client, page, events=[]).content.decode()
    assert not Hook.objects.exists()


def test_a_test_is_queued_once_in_a_while(client: Client, page: str) -> None:
    _set(client, page)
    client.post(f"{page}test/")
    client.post(f"{page}test/")
    assert Delivery.objects.get().event == "test"
    assert "hx-get" in client.get(f"{page}deliveries/").content.decode()


def test_what_came_of_deliveries_is_shown(client: Client, page: str, agent: Agent) -> None:
    _set(client, page)
    announce.turn("abcdefghjk", 1, 0, agent.pk)
    (job,) = queue.claim(10)
    queue.settle(job, Outcome(500, "Answered 500.", 0.5))
    shown = client.get(page).content.decode()
    assert "abcdefghjk" in shown
    assert "Trying again" in shown
    assert "Answered 500." in shown


def test_removing_it_takes_the_deliveries_along(client: Client, page: str, agent: Agent) -> None:
    _set(client, page)
    announce.turn("abc", 1, 0, agent.pk)
    client.post(f"{page}remove/")
    assert not Hook.objects.exists()
    assert not Delivery.objects.exists()


@pytest.mark.parametrize("part", ["", "deliveries/", "rotate/", "test/", "remove/"])
def test_it_is_the_owners_alone(client: Client, page: str, bob: Any, part: str) -> None:
    _set(client, page)
    client.force_login(bob)
    ask = client.get if part in ("", "deliveries/") else client.post
    assert ask(f"{page}{part}").status_code == 404
