"""Strategies at the seats of other forms: chosen from a list, held as data by the spec."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games import registry
from tests.webapp.pages import markup
from tests.webapp.specs import spec as plain_spec
from webapp.lab.experiments import draft, services
from webapp.lab.experiments.builder import Builder
from webapp.play.builder import MatchBuilder
from webapp.records.models import Experiment
from webapp.table.strategies import prefill, selectors
from webapp.table.strategies import services as strategy_services
from webapp.table.strategies.models import Strategy
from worker import spec as specs

pytestmark = pytest.mark.django_db
GAME: Any = registry.get("dominion")
OWN = GAME.strategies.check({"version": 1, "name": "Own", "buy": [{"card": "Gold"}, {"card": "Silver"}]})
SEAT = "arm-0-seat-0-option-strategy"


@pytest.fixture
def mine(alice: Any) -> Strategy:
    return strategy_services.create(alice, OWN)


def built(posted: dict[str, str], person: Any) -> Builder:
    return Builder({"game": "dominion", "seats": "2", **posted}, own=selectors.own_strategies(person))


def test_an_experiment_holds_a_copy_of_the_strategy(mine: Strategy, alice: Any) -> None:
    builder = built(selectors.seat_data("arm-0-seat-0", mine.pk), alice)
    assert builder.spec is not None, builder.first_error()
    assert builder.spec.arms[0].seats[0].options == {"strategy": OWN}
    made = services.create(alice, "Own", builder.spec)
    strategy_services.delete(mine)
    stored = specs.from_json(Experiment.objects.get(pk=made.pk).spec)
    assert stored.arms[0].seats[0].options["strategy"] == OWN
    again = Builder(draft.from_spec(stored))
    assert again.spec == stored  # as it was given: no choice has it any more
    assert "Own" in str(again.arms[0].seats[0].options["strategy"])


def test_an_example_is_chosen_and_recognised(alice: Any) -> None:
    engine = {"arm-0-seat-0-engine": "strategy", "arm-0-seat-0-for": "strategy"}
    builder = built(engine | {SEAT: "example:double_witch"}, alice)
    assert builder.spec is not None
    data = builder.spec.arms[0].seats[0].options["strategy"]
    assert data == GAME.strategies.examples["double_witch"]
    again = Builder(draft.from_spec(builder.spec))
    assert str(again.arms[0].seats[0].options["strategy"]).count(">Double Witch</option>") == 1
    fresh = built({"arm-0-seat-0-engine": "strategy"}, alice)
    assert fresh.spec is not None
    assert fresh.spec.arms[0].seats[0].options["strategy"]["name"] == "Single Witch"


def test_what_is_no_choice_is_refused_at_its_field(alice: Any, subtests: pytest.Subtests) -> None:
    for value in ["mine:77", "", "{", '{"version": 1}', "example:chess", "{" * 5000]:
        with subtests.test(value=value):
            builder = built(selectors.seat_data("arm-0-seat-0", 1) | {SEAT: value}, alice)
            assert builder.spec is None
            assert "strategy" in builder.arms[0].seats[0].options.errors


def test_nobody_plays_the_strategy_of_somebody_else(mine: Strategy, bob: Any) -> None:
    builder = built(selectors.seat_data("arm-0-seat-0", mine.pk), bob)
    assert builder.spec is None
    assert "Own" not in str(builder.arms[0].seats[0].options["strategy"])


@pytest.mark.long
def test_a_match_with_people_and_one_of_engines_take_it(client: Client, mine: Strategy, alice: Any) -> None:
    client.force_login(alice)
    page = client.get(f"/play/new/?game=dominion&strategy={mine.pk}")
    builder: MatchBuilder = page.context["builder"]
    assert builder.setup is not None, builder.problems()
    plan = builder.setup.seats[1]
    assert plan.engine is not None
    assert (plan.name, plan.engine.options["strategy"]) == ("Strategy: Own", OWN)
    assert f'value="mine:{mine.pk}" selected' in page.content.decode()
    for address in ("/experiments/new/", "/matches/new/"):
        page = client.get(f"{address}?game=dominion&strategy={mine.pk}")
        assert page.context["builder"].spec.arms[0].seats[0].options["strategy"] == OWN


def test_it_meets_somebody_worth_meeting_where_its_cards_are(client: Client, alice: Any) -> None:
    data = OWN | {"buy": [{"card": name} for name in ("Chapel", "Moat", "Smithy", "Witch")]}
    chapel = strategy_services.create(alice, GAME.strategies.check(data))
    client.force_login(alice)
    spec = client.get(f"/experiments/new/?game=dominion&strategy={chapel.pk}").context["builder"].spec
    assert spec.options["kingdom"] == "cards"
    assert {"Chapel", "Moat", "Smithy", "Witch"} < set(spec.options["cards"].split(", "))
    assert spec.arms[0].seats[1].options["strategy"]["name"] == "Big Money"
    setup = client.get(f"/play/new/?game=dominion&strategy={chapel.pk}").context["builder"].setup
    assert (setup.options["cards"], setup.terms.has_aids) == (spec.options["cards"], True)


@pytest.mark.parametrize(
    ("against", "engine", "words"),
    [("example:bmfsm", "strategy", "Big Money"), ("policy:greedy", "scripted", "greedy")],
)
def test_an_experiment_goes_on_from_a_trial(
    client: Client, mine: Strategy, alice: Any, against: str, engine: str, words: str
) -> None:
    client.force_login(alice)
    trial = {"trial-against": against, "trial-kingdom": "first game", "trial-cards": ""}
    address = prefill.trial_query(trial, mine.pk)
    spec = client.get(f"/experiments/new/?{address}").context["builder"].spec
    mine_, other = spec.arms[0].seats
    assert (spec.options["kingdom"], mine_.options["strategy"], other.engine) == ("first game", OWN, engine)
    assert words in str(other.options)


def test_settings_tell_the_rules_of_a_strategy_in_words(client: Client, mine: Strategy, alice: Any) -> None:
    builder = built(selectors.seat_data("arm-0-seat-0", mine.pk) | {"arm-0-seat-1-engine": "strategy"}, alice)
    assert builder.spec is not None
    made = services.create(alice, "Own", builder.spec)
    client.force_login(alice)
    page = markup(client.get(f"/experiments/{made.pk}/settings/"))
    assert "<li>Gold</li><li>Silver</li></ol></details>" in page
    assert "<li>Witch, if Witch owned &lt; 1" in page
    made.spec["arms"][0]["seats"][0]["options"]["strategy"] = {"version": 0}
    made.save()
    assert (
        "<li>Gold</li><li>Silver</li></ol></details>"
        not in client.get(f"/experiments/{made.pk}/settings/").content.decode()
    )


def test_somebody_new_may_play_against_an_example(client: Client) -> None:
    choice = {"seat-1-who": "engine", "seat-1-engine": "strategy", "seat-1-for": "strategy", "do": "update"}
    page = client.post("/play/new/", {"game": "dominion", "rules-for": "dominion", **choice})
    assert "example:bmfsm" in page.content.decode()


def test_results_call_an_engine_by_its_strategy() -> None:
    from webapp.lab.results.sides import configuration_words

    seat = {"engine": "strategy", "options": {"strategy": OWN}, "budget": {}}
    assert configuration_words(seat) == ["Strategy: Own"]


def test_games_without_a_form_for_strategies_offer_none() -> None:
    builder = Builder({"game": plain_spec()["game"]})
    choices = str(builder.arms[0].seats[0].engine["engine"])
    assert "strategy" not in choices


def test_the_api_tells_of_strategies_and_of_rules_that_depend(client: Client, alice: Any) -> None:
    engines = client.get("/api/v1/engines").json()["engines"]
    option = next(row for row in engines if row["id"] == "strategy")["options"][0]
    assert (option["name"], option["type"], option["default"]) == ("strategy", "data", {})
    rules = {row["name"]: row for row in client.get("/api/v1/games/dominion").json()["options"]}
    assert rules["cards"]["where"] == {"option": "kingdom", "values": ["cards"]}
    assert rules["edition"]["where"] is None
