"""Presets, what is done with ladders alone, and strategies, by script."""

from __future__ import annotations

import math
from typing import Any

import pytest

from games import registry as game_registry
from tests.webapp.api.callers import Researcher
from webapp.api import examples
from webapp.lab.presets.models import PresetRun
from webapp.records.models import Experiment
from webapp.table.strategies import trials
from worker.spec import from_json

pytestmark = pytest.mark.django_db
PRESET = "heyden-table-6.1"
WITCH = dict(game_registry.get("dominion").strategies.examples["double_witch"])


def test_a_preset_is_run_once_and_set_beside_what_was_printed(researcher: Researcher, bob: Any, client: Any) -> None:
    listed = client.get("/api/v1/presets?game=carcassonne").json()["presets"]
    assert {row["game"] for row in listed} == {"carcassonne"}
    shown = client.get(f"/api/v1/presets/{PRESET}").json()
    assert from_json(shown["specs"]["quick"]).game == "carcassonne"
    assert [row["id"] for row in shown["scales"]] == list(shown["specs"])
    place = f"/presets/{PRESET}/runs"
    assert researcher.tell("POST", f"{place}?dry_run=true", {"scale": "quick"}, 200)["units"] > 0
    assert not PresetRun.objects.exists()
    started = researcher.tell("POST", place, {"scale": "quick"}, 201, Idempotency_Key="k")
    assert started == researcher.tell("POST", place, {"scale": "quick"}, 201, Idempotency_Key="k")
    running = researcher.tell("POST", place, {"scale": "quick"}, 201)
    assert (running["run"], running["is_new"], started["is_new"]) == (started["run"], False, True)
    assert researcher.send("POST", place, {"scale": "huge"}).status_code == 422
    assert (PresetRun.objects.count(), Experiment.objects.count()) == (1, 1)
    (run,) = researcher.ask(place)["runs"]
    assert (run["number"], run["is_own"]) == (started["job"]["number"], True)
    compared = researcher.ask(f"{place}/{run['run']}")
    assert {row["verdict"] for row in compared["rows"]} <= {"not judged yet", "not judged", "no number yet"}
    assert any(row["published"]["value"] is not None for row in compared["rows"])
    stranger = Researcher(bob)
    assert stranger.send("GET", f"{place}/{run['run']}").status_code == 404
    assert not stranger.ask(place)["runs"]
    researcher.tell("PUT", f"/experiments/{run['number']}/share")
    assert stranger.ask(place)["runs"][0]["number"] is None
    assert stranger.ask(f"{place}/{run['run']}") == researcher.ask(f"{place}/{run['run']}")


def test_an_engine_enters_a_ladder_and_more_deals_are_played(researcher: Researcher) -> None:
    number = researcher.tell("POST", "/ladders", examples.LADDER, 201)["number"]
    place, entry = f"/ladders/{number}", {"entry": examples.ENTRY}
    entered = researcher.tell("POST", f"{place}/entries", entry, Idempotency_Key="k")
    again = researcher.tell("POST", f"{place}/entries", entry, Idempotency_Key="k")
    assert [row["total"] for row in (entered, again)] == [240, 240]
    twice = researcher.send("POST", f"{place}/entries", entry)
    assert (twice.status_code, twice.json()["errors"][0]["place"]) == (422, "body.entry.name")
    wrong = researcher.send("POST", f"{place}/entries", {"entry": examples.ENTRY | {"engine": "x"}})
    assert wrong.json()["errors"][0]["place"] == "body.entry.engine"
    assert researcher.tell("POST", f"{place}/more", {"deals": 40})["total"] == 480
    for deals in (40, 2**31):
        assert researcher.send("POST", f"{place}/more", {"deals": deals}).status_code == 422
    assert researcher.ask(f"{place}/result")


def test_a_strategy_is_kept_changed_tried_and_deleted(
    researcher: Researcher, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"strategy": WITCH}
    kept = researcher.tell("POST", "/strategies", body, 201, Idempotency_Key="k")
    assert kept == researcher.tell("POST", "/strategies", body, 201, Idempotency_Key="k")
    one = f"/strategies/{kept['number']}"
    assert [row["number"] for row in researcher.ask("/strategies")["strategies"]] == [kept["number"]]
    assert researcher.ask(one)["strategy"] == kept["strategy"]
    renamed = researcher.tell("PUT", one, {"strategy": WITCH | {"name": "Mine"}})
    assert (renamed["name"], researcher.ask(one)["strategy"]["name"]) == ("Mine", "Mine")
    wrong = researcher.send("PUT", one, {"strategy": WITCH | {"buy": [{"card": "Golf", "when": []}]}})
    assert (wrong.status_code, wrong.json()["errors"][0]["place"]) == (422, "body.strategy.buy[0].card")
    assert Researcher(bob).send("GET", one).status_code == 404
    tried = researcher.tell("POST", "/strategies/try", body | {"against": f"mine:{kept['number']}"})
    assert tried["matches"] == 200 == sum(sum(row.values()) for row in tried["by_seat"])
    assert math.isclose(tried["win_rate"], sum(row["wins"] for row in tried["by_seat"]) / 200)
    assert tried["interval"][0] <= tried["win_rate"] <= tried["interval"][1]
    for changes, place in (
        ({"against": "nobody"}, "body.against"),
        ({"kingdom": "cards", "cards": ["Golf"]}, "body.cards"),
        ({"matches": 7}, "body.matches"),
    ):
        refused = researcher.send("POST", "/strategies/try", body | changes)
        assert (refused.status_code, refused.json()["errors"][0]["place"]) == (422, place)
    monkeypatch.setattr(trials.encoding, "is_ready", lambda _: False)
    busy = researcher.send("POST", "/strategies/try", body)
    assert (busy.status_code, busy.headers["Retry-After"]) == (503, "10")
    assert researcher.send("DELETE", one).status_code == 204
    assert researcher.send("GET", one).status_code == 404
