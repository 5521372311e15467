"""Agents on the builder: one's own can be chosen, with limits; the seed is not asked for."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from tests.webapp import specs as made
from webapp.lab.experiments import draft, services
from webapp.lab.experiments.builder import Builder
from webapp.lab.experiments.cost import cost_of
from webapp.lab.experiments.selectors import settings_of
from webapp.people.agents.models import Agent
from webapp.records.models import Experiment
from worker import spec as specs

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _agents(alice: Any, bob: Any) -> None:
    Agent.objects.create(owner=alice, name="rook")
    Agent.objects.create(owner=bob, name="crow")


def with_agent(**changes: str) -> dict[str, str]:
    """The form after an agent was chosen for the first seat."""
    return draft.complete({"arm-0-seat-0-engine": "agent:rook", **changes}, ["rook"])


def test_an_agent_is_chosen_with_its_limits() -> None:
    builder = Builder(with_agent(), agents=["rook"])
    assert builder.has_agents
    assert builder.spec is not None
    seat = builder.spec.arms[0].seats[0]
    assert (seat.agent, seat.budget.seconds_per_ply, seat.budget.seconds_per_match) == ("rook", 60, 3600)
    assert '"seed"' not in builder.json_text()
    again = Builder(draft.from_spec(builder.spec, agents=["rook"]), agents=["rook"])
    assert again.spec == builder.spec
    changed = Builder(with_agent() | {"arm-0-seat-0-budget-seconds_per_ply": "5"}, agents=["rook"])
    assert changed.spec is not None
    assert changed.spec.arms[0].seats[0].budget.seconds_per_ply == 5


@pytest.mark.parametrize("text", ["0", "1.5", "", "90000", "soon"])
def test_a_bad_limit_is_an_error_at_its_field(text: str) -> None:
    builder = Builder(with_agent() | {"arm-0-seat-0-budget-seconds_per_ply": text}, agents=["rook"])
    assert builder.spec is None
    assert builder.problems()[0].field == "id_arm-0-seat-0-budget-seconds_per_ply"


def test_an_agent_that_cannot_be_chosen_gives_its_seat_to_an_engine() -> None:
    assert draft.complete({"arm-0-seat-0-engine": "agent:crow"}, ["rook"])["arm-0-seat-0-engine"] == "flat_mc"


def test_engines_beside_agents_can_be_swept() -> None:
    data = draft.complete(with_agent(**{"arm-0-seat-1-engine": "flat_mc"}), ["rook"])
    data = draft.complete(draft.apply_action(data, "add-axis"), ["rook"])
    builder = Builder(data | {"sweep-0-values": "5, 10"}, agents=["rook"])
    assert builder.spec is not None
    assert [arm.seats[1].budget.playouts_per_action for arm in builder.spec.arms] == [5, 10]


def test_the_time_of_agents_is_unknown() -> None:
    cost = cost_of(Builder(with_agent(), agents=["rook"]).spec)
    assert cost is not None
    assert cost.has_agents
    assert cost.agent_matches == 4


def test_the_page_offers_own_agents_alone(client: Client, alice: Any) -> None:
    client.force_login(alice)
    page = client.get("/experiments/new/?engine=agent:rook").content.decode()
    assert "My agent rook" in page
    assert "crow" not in page
    assert "keeps it secret" in page
    assert "unknown" in page


def test_the_page_says_how_long_an_agent_has_and_what_happens_then(client: Client, alice: Any) -> None:
    client.force_login(alice)
    page = client.get("/experiments/new/?engine=agent:rook").content.decode()
    (field,) = re.findall(r'<input[^>]*name="arm-0-seat-0-budget-seconds_per_ply"[^>]*>', page)
    assert 'value="60"' in field
    assert "for longer it fails that match" in page
    assert "beyond that it fails the match" in page


def test_it_starts_from_the_form(client: Client, alice: Any) -> None:
    client.force_login(alice)
    answer = client.post("/experiments/new/", with_agent(title="Is rook any good?", deals="2"))
    experiment = Experiment.objects.get()
    assert answer["Location"] == f"/experiments/{experiment.pk}/"
    assert experiment.has_agents
    assert "seed" not in experiment.spec
    page = client.get(f"/experiments/{experiment.pk}/").content.decode()
    assert "Seed secret until the end" in page
    assert "own deals" in page
    settings = settings_of(experiment)
    assert settings.arms[0][1][0].label == "rook (agent)"
    assert settings.arms[0][1][0].budget == "60 s a ply, 3\u202f600 s a match and seat"


def test_the_agents_of_others_are_not_taken_along(client: Client, alice: Any, bob: Any) -> None:
    theirs = services.create(bob, "Crows", specs.from_json(_spec("crow")))
    client.force_login(alice)
    answer = client.post("/experiments/new/", {"do": "paste", "pasted": json.dumps(theirs.spec)})
    assert "you have no agent called crow" in answer.content.decode()
    Experiment.objects.update(owner=alice)
    page = client.get(f"/experiments/new/?from={theirs.pk}").content.decode()
    assert "agents that you may not use: crow" in page
    assert specs.from_json(theirs.spec).has_agents


def _spec(name: str) -> dict[str, Any]:
    seats = [{"engine": f"agent:{name}"}, made.RANDOM]
    spec = made.spec(arms=[{"name": "One", "seats": seats}])
    del spec["seed"]
    return spec
