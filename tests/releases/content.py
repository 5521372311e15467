"""The small lab that each release leaves behind: people, experiments of every game, a ladder, a study, tables."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model

from games import registry as game_registry
from tests.webapp.table.live import tables
from webapp.lab.experiments import services as experiments
from webapp.lab.jobs import share_links as sharing
from webapp.lab.ladders import services as ladders
from webapp.lab.studies import services as studies
from webapp.people.agents import services as agents
from webapp.people.agents import tokens
from webapp.records.models import Experiment
from webapp.table.live.plans import Terms
from webapp.table.live.work_source import LabWorkSource
from webapp.table.strategies import services as strategies
from worker import spec as specs
from worker.recorder import BATCH
from worker.stop_switch import StopSwitch
from worker.studies import spec as study_specs

PASSWORD = "a stored lab"
RANDOM: dict[str, Any] = {"engine": "random", "options": {}, "budget": {}}
FLAT: dict[str, Any] = {"engine": "flat_mc", "options": {}, "budget": {"playouts": 8}}


def fill() -> None:
    """Make everything, and play what workers play."""
    ada = get_user_model().objects.create_user("ada", "ada@example.org", PASSWORD)
    ben = get_user_model().objects.create_user("ben", "ben@example.org", PASSWORD)
    for game_id in game_registry.ids():
        made = experiments.create(ada, f"Search against chance, {game_id}", specs.from_json(_spec(game_id, "standard")))
        experiments.create(ada, f"Results alone, {game_id}", specs.from_json(_spec(game_id, "matches")))
        sharing.share(made)
    ladders.create(ada, "Three players", specs.from_json(_ladder()))
    study = {"version": 1, "study": "complexity", "game": "kingdomino", "seed": 3}
    studies.create(ben, "How large", study_specs.from_json({**study, "parameters": {"matches": 2}}))
    dominion = game_registry.get("dominion")
    assert dominion.strategies is not None
    strategies.create(ada, {"game": "dominion", **next(iter(dominion.strategies.examples.values()))})
    tokens.issue(agents.create(ben, "Robot", "plays at random"), "laptop", ["read", "play"])
    carry_out_all()
    _tables(ada, ben)


def carry_out_all() -> None:
    """Do the work of the queue `batch`, as a worker does, until there is none."""
    source, stop = LabWorkSource(), StopSwitch()
    try:
        while True:
            with source.claim(BATCH) as found:
                if found is None:
                    return
                found.carry_out(stop)
    finally:
        source.close()


def _tables(ada: Any, ben: Any) -> None:
    """A match that is over, and one of each game in the middle."""
    tables.play_on(tables.open_match(ada, [tables.person(ada), tables.person(ben)]))
    for game_id in game_registry.ids():
        seats = [tables.person(ada), tables.engine()]
        if game_registry.get(game_id).traits.min_seats > len(seats):
            seats += [tables.person(ben), tables.engine()]
        tables.play_on(tables.open_match(ada, seats, Terms(), game=game_id), 6)


def _spec(game_id: str, record: str) -> dict[str, Any]:
    num_seats = max(2, game_registry.get(game_id).traits.min_seats)
    seats = [FLAT if record == "matches" and game_id != "dominion" else RANDOM, RANDOM] * (num_seats // 2)
    options = {"dominoes": {"length": "round"}, "dominion": {"turn_limit": 8}}.get(game_id, {})
    whole = {"version": 1, "game": game_id, "seats": num_seats, "options": options, "deals": 1, "seed": 11}
    return whole | {"arms": [{"name": "One", "seats": seats}], "record": record}


def _ladder() -> dict[str, Any]:
    policies = ("random", "greedy", "informed")
    entries = [{"name": name, "engine": "scripted", "options": {"policy": name}, "budget": {}} for name in policies]
    ladder = {"pairing": "round_robin", "entries": entries}
    whole = {"version": 1, "game": "carcassonne", "seats": 2, "deals": 2, "seed": 5, "record": "matches"}
    return whole | {"ladder": ladder}


def matches_expected() -> int:
    """Matches that experiments and the ladder have between them."""
    return sum(Experiment.objects.exclude(kind=Experiment.Kind.PLAY).values_list("num_matches", flat=True))
