"""The pages where people keep their agents."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.webapp.pages import markup
from tests.webapp.table.live import tables
from webapp.api import agent_results
from webapp.common.errors import RefusedError
from webapp.people.agents import services, tokens
from webapp.people.agents.models import Agent, AgentToken
from webapp.play import wording
from webapp.table.live import player_requests, table_seats
from webapp.table.live.plans import SeatPlan

pytestmark = pytest.mark.django_db

SECRET = re.compile(r"mlab_[A-Za-z0-9_-]{43}")


@pytest.fixture
def signed_in(client: Client, alice: Any) -> Client:
    client.force_login(alice)
    return client


@pytest.fixture
def agent(alice: Any) -> Agent:
    return services.create(alice, "Walker", "Walks about")


def text(response: Any) -> str:
    return markup(response)


def test_a_new_agent_shows_its_first_token_once(signed_in: Client) -> None:
    response = signed_in.post("/agents/new/", {"name": "my-bot_2", "description": "First"})
    secrets = set(SECRET.findall(text(response)))
    assert len(secrets) == 1
    assert "no-store" in response.headers["Cache-Control"]
    found = tokens.find(secrets.pop())
    assert found is not None
    assert (found.agent.name, found.scopes) == ("my-bot_2", ["read", "play"])
    assert not SECRET.search(text(signed_in.get("/agents/my-bot_2/")))


@pytest.mark.parametrize("name", ["", "-x", "a b", "ü", "a" * 41, "new", "NEW", "hard", "Master", "walker", "a\n"])
def test_a_bad_or_taken_name_is_refused(signed_in: Client, bob: Any, name: str) -> None:
    services.create(bob, "Walker", "")
    if name == "a\n":  # what a form strips is no part of the name
        assert signed_in.post("/agents/new/", {"name": name}).status_code == 200
        assert Agent.objects.filter(name="a").exists()
        return
    response = signed_in.post("/agents/new/", {"name": name})
    assert "The agent has not been created yet" in text(response)
    assert Agent.objects.count() == 1


def test_tokens_are_made_with_a_scope_and_revoked(signed_in: Client, agent: Agent) -> None:
    page = text(signed_in.post("/agents/walker/tokens/", {"token-label": "laptop"}))
    row = tokens.find(SECRET.findall(page)[0])
    assert row is not None
    assert (row.label, row.scopes) == ("laptop", ["read"])
    signed_in.post(f"/agents/Walker/tokens/{row.pk}/revoke/")
    assert AgentToken.objects.get().revoked_at is not None
    assert "revoked" in text(signed_in.get("/agents/Walker/"))


def test_retiring_ends_all_tokens_and_keeps_the_name(signed_in: Client, agent: Agent) -> None:
    _, secret = tokens.issue(agent, "", [tokens.PLAY])
    signed_in.post("/agents/Walker/retire/")
    assert tokens.find(secret) is None
    page = text(signed_in.post("/agents/Walker/tokens/", {"token-label": "x"}, follow=True))
    assert "gets no token" in page
    assert "The agent has not been created yet" in text(signed_in.post("/agents/new/", {"name": "walker"}))


def test_what_is_said_of_it_can_change(signed_in: Client, agent: Agent) -> None:
    signed_in.post("/agents/Walker/describe/", {"description": "Runs"})
    agent.refresh_from_db()
    assert agent.description == "Runs"
    assert "300" in text(signed_in.post("/agents/Walker/describe/", {"description": "x" * 301}))


@pytest.mark.long
def test_what_it_played_is_listed_with_results(signed_in: Client, agent: Agent, alice: Any) -> None:
    seats = [SeatPlan(name=agent.name, agent=agent), tables.engine()]
    tables.play_on(tables.open_match(alice, seats))
    tables.play_on(tables.open_match(alice, seats), 3)
    page = text(signed_in.get("/agents/Walker/"))
    assert re.search(r"Won|Lost|Drawn", page)
    assert "running, move 3" in page
    row = text(signed_in.get("/agents/"))
    assert re.search(r'data-label="Matches">2<', row)
    assert re.search(r'data-label="Unfinished">1<', row)


@pytest.mark.long
def test_who_leaves_a_match_has_lost_it(signed_in: Client, agent: Agent, alice: Any) -> None:
    rival = services.create(alice, "rival", "")
    seats = [SeatPlan(name=one.name, agent=one) for one in (agent, rival)]
    for seat in (0, 1, 1):
        match = tables.play_on(tables.open_match(alice, seats), 1)
        player_requests.grant("resign", match.pk, (seat,))
    three = tables.play_on(tables.open_match(alice, [*seats, tables.person(alice)]), 1)
    player_requests.grant("resign", three.pk, (0,))  # an engine plays its seat on
    tables.play_on(three)
    standing = agent_results.standing(agent)
    assert (standing.wins, standing.draws, standing.losses) == (2, 0, 2)
    page = text(signed_in.get("/agents/Walker/"))
    assert "Left" in page
    assert "Resigned" in page
    assert "rival resigned" in page


def test_others_learn_nothing_of_it(client: Client, agent: Agent, bob: Any) -> None:
    row, _ = tokens.issue(agent, "", [tokens.PLAY])
    client.force_login(bob)
    assert client.get("/agents/Walker/").status_code == 404
    for path in ("describe/", "tokens/", f"tokens/{row.pk}/revoke/", "retire/"):
        assert client.post(f"/agents/Walker/{path}").status_code == 404
    assert "Walker" not in text(client.get("/agents/"))
    row.refresh_from_db()
    assert row.revoked_at is None


def test_there_is_a_limit_of_agents_and_tokens(agent: Agent, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_AGENTS", 1)
    monkeypatch.setattr(services, "MAX_TOKENS", 0)
    with pytest.raises(RefusedError, match="Retire one"):
        services.create(alice, "second", "")
    with pytest.raises(RefusedError, match="Revoke one"):
        services.check_room_for_token(agent)


def test_an_agent_is_marked_wherever_its_name_stands_at_tables(signed_in: Client, alice: Any, agent: Agent) -> None:
    match = tables.open_match(alice, [tables.person(alice), SeatPlan(name=agent.name, agent=agent)])
    assert wording.names(table_seats.look_up(match, (0,))) == ["alice", "Walker (agent)"]
    twice = [SeatPlan(name=agent.name, agent=agent)] * 2
    both = wording.names(table_seats.look_up(tables.open_match(alice, [tables.person(alice), *twice]), (0,)))
    assert all(re.fullmatch(r"Walker \(agent, \w+\)", name) for name in both[1:])
    assert "(agent)" in text(signed_in.get("/play/mine/"))
